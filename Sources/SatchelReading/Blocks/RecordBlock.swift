internal import SatchelBytes
internal import SatchelCoding
internal import SatchelModel

/// Messages or announcements that were read together: copies of their records in one block of memory. Each property is
/// decoded when it is asked for.
///
/// All faults of the records are found before this object is made (`Snapshot.makeBlock`), and it keeps the tables with
/// the texts of all numbers in them. After that nothing can fail, and the store is no longer needed. Texts have been
/// checked in this memory, which nothing changes, so that strings are made of them without another check.
final class RecordBlock: EnvelopeContents, Sendable {
  private let memory: BlockMemory
  private let tables: TextTables
  private let conversations: BlockConversations
  /// Contents that are stored outside their records but belong to the messages' values.
  private let contents: BlockContents
  /// The objects that come with the messages; nil if none do.
  private let included: BlockInclusions?

  init(
    _ memory: consuming BlockMemory, tables: TextTables, conversations: BlockConversations,
    contents: BlockContents, included: BlockInclusions?
  ) {
    self.memory = memory
    self.tables = tables
    self.conversations = conversations
    self.contents = contents
    self.included = included
  }

  /// The number of records.
  var count: Int { memory.count }

  func identifier(_ row: Int) -> String { unsafe String(checkedUTF8: view(row).identifierBytes) }
  func remoteID(_ row: Int) -> String? {
    unsafe view(row).remoteIDBytes.map { unsafe String(checkedUTF8: $0) }
  }
  func conversation(_ row: Int) -> Conversation.ID? { conversations[memory.conversation(row)] }
  func sender(_ row: Int) -> Identity.ID { Identity.ID(tables.users.text(head(row).sender) ?? "") }
  func position(_ row: Int) -> Int64? { head(row).position }
  func sentAt(_ row: Int) -> Timestamp? { head(row).sentAt.map(Timestamp.init(microseconds:)) }
  func receivedAt(_ row: Int) -> Timestamp? { head(row).receivedAt.map(Timestamp.init(microseconds:)) }
  func editedAt(_ row: Int) -> Timestamp? { head(row).editedAt.map(Timestamp.init(microseconds:)) }
  func deletedAt(_ row: Int) -> Timestamp? { head(row).deletedAt.map(Timestamp.init(microseconds:)) }
  func updatedAt(_ row: Int) -> Timestamp? { head(row).updatedAt.map(Timestamp.init(microseconds:)) }
  func isSent(_ row: Int) -> Bool { head(row).isSent }
  func isUnread(_ row: Int) -> Bool { head(row).isUnread }

  func text(_ row: Int) -> String? {
    guard let (part, index) = view(row).leadingText, !part.isStored || contents[row, index] != nil else {
      return nil
    }
    return text(of: part, row, index)
  }

  func preview(_ row: Int) -> String? {
    guard let (part, index) = view(row).leadingText else { return nil }
    guard part.isStored else { return unsafe Self.preview(part.inlineBytes) }
    guard let bytes = contents[row, index] else { return contents.preview(row) }
    return unsafe bytes.withUnsafeBytes { unsafe Self.preview($0) }
  }

  private static func preview(_ text: UnsafeRawBufferPointer) -> String {
    unsafe String(checkedUTF8: UnsafeRawBufferPointer(rebasing: text[..<TextPreview.count(of: text)]))
  }

  func metadata(_ row: Int) -> Metadata {
    let metadata = view(row).metadata
    return metadata.isEmpty ? Metadata() : (try? metadata.decode(in: .message)) ?? Metadata()
  }

  func parts(_ row: Int) -> [MessagePart] {
    let view = view(row)
    let message = unsafe Message.ID(String(checkedUTF8: view.identifierBytes))
    var parts: [MessagePart] = []
    parts.reserveCapacity(view.partCount)
    view.forEachPart { part in
      let index = parts.count
      parts.append(
        MessagePart(
          message: message, index: index, mimeType: tables.types.text(part.mimeType) ?? "",
          content: content(of: part, row, index), size: part.size, transferStatus: part.transferStatus))
    }
    return parts
  }

  func recipientStatus(_ row: Int) -> [RecipientStatusEntry] {
    var entries: [RecipientStatusEntry] = []
    view(row).forEachRecipient { user, status in
      entries.append(RecipientStatusEntry(user: Identity.ID(tables.users.text(user) ?? ""), status: status))
    }
    entries.sort { $0.user < $1.user }
    return entries
  }

  var inclusions: Inclusions? { included?.inclusions }
  func includedSender(_ row: Int) -> Identity? { included?.sender(head(row).sender) }
  func includedConversation(_ row: Int) -> Conversation? { included?.conversation(memory.conversation(row)) }
  func includedResponses(_ row: Int) -> IncludedResponses? { included?.responses(row) }

  func detached(_ row: Int) -> any EnvelopeContents {
    let record = unsafe memory[row]
    var copy = BlockMemory(rows: 1, bytes: record.count)
    _ = unsafe copy.append(record, conversation: 0)
    return RecordBlock(
      copy, tables: tables, conversations: BlockConversations(conversation(row)), contents: contents.of(row),
      included: included?.of(row, sender: head(row).sender, conversation: memory.conversation(row)))
  }

  private func head(_ row: Int) -> MessageHead { unsafe MessageHead(checked: memory[row]) }

  private func view(_ row: Int) -> MessageView { unsafe MessageView(checked: memory[row]) }

  private func content(of part: PartView, _ row: Int, _ index: Int) -> MessagePart.Content {
    let stored = part.isStored ? contents[row, index] : nil
    let isHere = !part.isStored || stored != nil
    return switch part.kind {
    case .url: .url(text(of: part, row, index))
    case .text: isHere ? .text(text(of: part, row, index)) : .storedText
    case .data: isHere ? .data(unsafe stored ?? [UInt8](part.inlineBytes)) : .storedData
    }
  }

  private func text(of part: PartView, _ row: Int, _ index: Int) -> String {
    if part.isStored, let bytes = contents[row, index] {
      return unsafe bytes.withUnsafeBytes { unsafe String(checkedUTF8: $0) }
    }
    return unsafe String(checkedUTF8: part.inlineBytes)
  }
}
