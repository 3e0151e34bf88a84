extension LoggedContents {
  /// Makes what the log keeps of an edit; nil if the parts are the same but for their transfer.
  /// - Parameters:
  ///   - contents: The contents that were in `bodies`, of the parts that are not as they were.
  ///   - isForgotten: Whether nothing of the contents is kept.
  init?(
    from old: [StoredPart], to new: [StoredPart], _ contents: [Int: LoggedContent], isForgotten: Bool
  ) {
    var parts: [LoggedPart] = []
    for (index, part) in old.enumerated() {
      if index < new.count, part.hasSameContent(as: new[index]) { continue }
      let content: LoggedContent? =
        switch part.content {
        case _ where isForgotten: nil
        case .inline(let bytes): LoggedContent(bytes)
        case .stored: contents[index]
        }
      parts.append(
        LoggedPart(
          index: UInt64(index), mimeType: part.mimeType, kind: part.kind, size: part.size,
          length: part.content.length, content: content))
    }
    guard !parts.isEmpty || old.count != new.count else { return nil }
    self.init(count: UInt64(old.count), parts: parts)
  }
}

extension [StoredPart] {
  /// Whether all but the transfer of the parts is the same.
  package func haveSameContents(as other: [StoredPart]) -> Bool {
    elementsEqual(other) { $0.hasSameContent(as: $1) }
  }
}

extension StoredPart {
  /// Whether all but the transfer is the same.
  fileprivate func hasSameContent(as other: StoredPart) -> Bool {
    var other = other
    other.transferStatus = transferStatus
    return self == other
  }
}
