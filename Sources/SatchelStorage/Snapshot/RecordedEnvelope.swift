internal import SatchelBytes
internal import SatchelCoding
internal import SatchelModel

/// A message's properties, decoded on demand from a copy of its record.
///
/// All faults of the record are found when this object is made, and it keeps the tables with the texts of all numbers
/// in the record. After that nothing can fail, and the store is no longer needed.
///
/// It is safe to use: the copy lives as long as this does, and nothing changes it.
@safe final class RecordedEnvelope: EnvelopeContents, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let view: MessageView
  private let id: Message.ID
  private let tables: TextTables
  /// The contents that are stored outside the record but belong to the message value, by the part's index.
  private let contents: [Int: [UInt8]]
  let sender: Identity.ID
  let metadata: Metadata

  /// - Parameters:
  ///   - view: A record whose texts have been checked.
  ///   - tables: Tables that hold the recipients' texts and the parts' types.
  init(
    _ view: MessageView, id: Message.ID, sender: Identity.ID, tables: TextTables, contents: [Int: [UInt8]],
    metadata: Metadata
  ) {
    let record = unsafe view.record
    unsafe memory = .allocate(byteCount: record.count, alignment: 8)
    unsafe memory.copyMemory(from: record)
    self.view = unsafe MessageView(view, copiedTo: UnsafeRawBufferPointer(memory))
    self.id = id
    self.sender = sender
    self.tables = tables
    self.contents = contents
    self.metadata = metadata
  }

  deinit { unsafe memory.deallocate() }

  var position: Int64? { view.position }
  var sentAt: Timestamp? { view.sentAt.map(Timestamp.init(microseconds:)) }
  var receivedAt: Timestamp? { view.receivedAt.map(Timestamp.init(microseconds:)) }
  var isSent: Bool { view.isSent }
  var isUnread: Bool { view.isUnread }

  var text: String? {
    view.leadingText.map { text(of: $0.part, $0.index) }
  }

  var parts: [MessagePart] {
    var parts: [MessagePart] = []
    parts.reserveCapacity(view.partCount)
    view.forEachPart { part in
      let index = parts.count
      parts.append(
        MessagePart(
          message: id, index: index, mimeType: tables.types.text(part.mimeType) ?? "",
          content: content(of: part, index), size: part.size, transferStatus: part.transferStatus))
    }
    return parts
  }

  var recipientStatus: [RecipientStatusEntry] {
    var entries: [RecipientStatusEntry] = []
    view.forEachRecipient { user, status in
      entries.append(RecipientStatusEntry(user: Identity.ID(tables.users.text(user) ?? ""), status: status))
    }
    entries.sort { $0.user < $1.user }
    return entries
  }

  private func content(of part: PartView, _ index: Int) -> MessagePart.Content {
    let isHere = !part.isStored || contents[index] != nil
    return switch part.kind {
    case .url: .url(text(of: part, index))
    case .text: isHere ? .text(text(of: part, index)) : .storedText
    case .data: isHere ? .data(unsafe contents[index] ?? [UInt8](part.inlineBytes)) : .storedData
    }
  }

  private func text(of part: PartView, _ index: Int) -> String {
    if let bytes = contents[index] { return String(decoding: bytes, as: UTF8.self) }
    return unsafe String(decoding: part.inlineBytes, as: UTF8.self)
  }
}

extension PartView {
  /// Whether the content is part of the message value: short content is, a link is, and so is the message's first text.
  func comesAlong(isLeadingText: Bool) -> Bool {
    isLeadingText || kind == .url || length <= UInt64(MessagePart.inlineBytes)
  }
}

extension Snapshot {
  /// Returns the properties of a message or announcement, other than its identifier.
  func envelope(_ view: MessageView, id: Message.ID) throws -> Envelope {
    // Numbers that the current transaction has added must not be in a table that others can see.
    guard pending == nil else { return try valuesOfEnvelope(view, id: id) }
    var tables = namesTables()
    var isMissing = false
    var contents: [Int: [UInt8]] = [:]
    var hasText = false
    try forEachPart(of: view) { part, index in
      if !knows(type: part.mimeType, tables) { isMissing = true }
      let isLeadingText = part.kind == .text && !hasText
      if isLeadingText { hasText = true }
      guard part.comesAlong(isLeadingText: isLeadingText) else { return }
      var isText = true
      if part.isStored {
        let bytes = try content(of: part, index: index, in: view.key)
        if part.kind != .data { isText = unsafe bytes.withUnsafeBytes { unsafe $0.isUTF8 } }
        contents[index] = bytes
      } else if part.kind != .data {
        isText = unsafe part.inlineBytes.isUTF8
      }
      if !isText {
        throw RecordError(
          "messages", "\(view.key.conversation)/\(view.key.sequence)",
          "the text of part \(index) is not UTF-8")
      }
    }
    if isMissing || !knowsRecipients(of: view, tables) { tables = try fillTables(for: view) }
    let metadata = view.metadata.isEmpty ? Metadata() : try metadata(of: view)
    return Envelope(
      RecordedEnvelope(
        view, id: id, sender: Identity.ID(try userText(view.sender)), tables: tables, contents: contents,
        metadata: metadata))
  }
}
