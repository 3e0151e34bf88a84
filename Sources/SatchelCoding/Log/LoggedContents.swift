internal import SatchelBytes

/// What the change log keeps of the parts that a message had before an edit: those whose place another part has now, or
/// none. Of a content it keeps no more than the first 256 bytes.
package struct LoggedContents: Sendable, Hashable {
  /// How many parts the message had.
  package var count: UInt64
  /// The parts that are not as they were, by ascending index.
  package var parts: [LoggedPart]

  package init(count: UInt64, parts: [LoggedPart]) {
    self.count = count
    self.parts = parts
  }

  /// Combines what is kept of an edit and of a later one: the parts before the first of them. A part that was not touched by the
  /// first is as it was before the second.
  func followed(by second: LoggedContents?) -> LoggedContents {
    guard let second else { return self }
    let known = Set(parts.map(\.index))
    let later = second.parts.filter { $0.index < count && !known.contains($0.index) }
    return LoggedContents(count: count, parts: (parts + later).sorted { $0.index < $1.index })
  }
}

/// A part before an edit.
package struct LoggedPart: Sendable, Hashable {
  package var index: UInt64
  /// The interned MIME type.
  package var mimeType: UInt32
  package var kind: StoredPart.Kind
  /// The size as a query saw it; nil for a link without a declared size.
  package var size: Int64?
  /// The bytes of the content.
  package var length: UInt64
  /// What is kept of the content; nil once the message has been deleted for everyone.
  package var content: LoggedContent?

  package init(
    index: UInt64, mimeType: UInt32, kind: StoredPart.Kind, size: Int64?, length: UInt64,
    content: LoggedContent?
  ) {
    self.index = index
    self.mimeType = mimeType
    self.kind = kind
    self.size = size
    self.length = length
    self.content = content
  }
}

/// What the log keeps of a content.
package struct LoggedContent: Sendable, Hashable {
  /// The hash of the content, with seed 0.
  package var digest: UInt64
  /// The first bytes of the content: all of them if they are at most `LoggedValue.maximumTextBytes`.
  package var beginning: [UInt8]

  package init(digest: UInt64, beginning: [UInt8]) {
    self.digest = digest
    self.beginning = beginning
  }

  /// Makes what is kept of a whole content.
  package init(_ content: [UInt8]) {
    digest = unsafe Checksum.hash(content.span.bytes)
    beginning = Array(content.prefix(LoggedValue.maximumTextBytes))
  }
}
