package import RankedIndex
package import RankedKeys
internal import RecordStore
package import SatchelCoding
package import SatchelIndexing
internal import SatchelModel

/// The messages of an import into a new store whose records and index entries wait, so that tables and trees are built once,
/// in key order.
///
/// What the indexes are to hold of a message takes 56 bytes, and 24 for each part; its record lies in a file. When there are
/// too many, they are merged into the tables and trees, and others take their place. Only the identifiers of all messages
/// are kept.
///
/// While a thread sorts rows of it (`RowsAhead`), the import's thread changes nothing: so it is Sendable.
package final class GatheredMessages: @unchecked Sendable {
  package let spool: RecordSpool
  @safe @exclusivity(unchecked) private var messages: [Message] = []
  @safe @exclusivity(unchecked) private var parts: [Part] = []
  @safe @exclusivity(unchecked) private var values = GatheredValues()
  @safe @exclusivity(unchecked) private var identifiers = LocationTable()
  /// Whether there are announcements, whose identifiers only the indexes have.
  @safe @exclusivity(unchecked) package var hasAnnouncements = false

  /// What `IndexedMessage` is without its parts, as small as it can be.
  private struct Message {
    let sequence: UInt64
    let identifierHash: UInt64
    let position: Int64
    let sentAt: Int64
    let receivedAt: Int64
    let conversation: UInt32
    let sender: UInt32
    let typeSet: UInt32
    let flags: UInt32

    static let isSent: UInt32 = 1
    static let isUnread: UInt32 = 2
    static let hasPosition: UInt32 = 4
    static let hasSentAt: UInt32 = 8
    static let hasReceivedAt: UInt32 = 16

    init(_ message: IndexedMessage) {
      let fields = message.fields
      sequence = message.sequence
      identifierHash = message.identifierHash
      position = fields.position ?? 0
      sentAt = fields.sentAt ?? 0
      receivedAt = fields.receivedAt ?? 0
      conversation = message.conversation
      sender = fields.sender
      typeSet = fields.typeSet
      flags =
        (fields.isSent ? Self.isSent : 0) | (fields.isUnread ? Self.isUnread : 0)
        | (fields.position == nil ? 0 : Self.hasPosition) | (fields.sentAt == nil ? 0 : Self.hasSentAt)
        | (fields.receivedAt == nil ? 0 : Self.hasReceivedAt)
    }

    func indexed(isVisible: Bool) -> IndexedMessage {
      IndexedMessage(
        conversation: conversation, sequence: sequence, identifierHash: identifierHash,
        fields: MessageFixedFields(
          sender: sender, position: flags & Self.hasPosition == 0 ? nil : position,
          sentAt: flags & Self.hasSentAt == 0 ? nil : sentAt,
          receivedAt: flags & Self.hasReceivedAt == 0 ? nil : receivedAt, isSent: flags & Self.isSent != 0,
          isUnread: flags & Self.isUnread != 0, typeSet: typeSet),
        parts: [], isVisible: isVisible)
    }
  }

  private struct Part {
    let message: UInt32
    let index: UInt32
    let part: IndexedMessage.Part
  }

  /// The most messages that wait. A million of them take about 150 MB with their parts.
  private let most: Int

  package init(spool: RecordSpool, most: Int) {
    self.spool = spool
    self.most = most
  }

  package var isEmpty: Bool { messages.isEmpty && spool.bodies.isEmpty }
  package var isFull: Bool {
    messages.count >= most || parts.count >= 2 * most || values.byteCount >= 128 * most
  }

  /// Adds a message whose record is in the spool.
  package func append(_ message: IndexedMessage) throws {
    guard message.sequence <= UInt64(UInt32.max) else {
      throw SatchelError(.storeFull, "An import brings at most 4,294,967,296 messages")
    }
    for (index, part) in message.parts.enumerated() {
      parts.append(
        Part(
          message: UInt32(truncatingIfNeeded: messages.count), index: UInt32(truncatingIfNeeded: index),
          part: part))
    }
    for value in message.metadata {
      values.append(value, of: UInt32(truncatingIfNeeded: messages.count))
    }
    messages.append(Message(message))
    identifiers.insert(
      UInt64(message.conversation) << 32 | message.sequence, hash: message.identifierHash)
    if let hash = message.remoteIDHash {
      identifiers.insert(UInt64(message.conversation) << 32 | message.sequence, hash: hash)
    }
  }

  /// Returns the keys of the messages of this import whose identifiers have a hash.
  package func keys(ofHash hash: UInt64) -> [MessageKey] {
    identifiers.locations(of: hash).map {
      MessageKey(conversation: UInt32($0 >> 32), sequence: $0 & UInt64(UInt32.max))
    }
  }

  /// Returns the number of a message that waits, or nil.
  package func find(_ key: MessageKey) -> Int? {
    var low = 0
    var high = messages.count
    while low < high {
      let middle = (low + high) / 2
      if messages[middle].sequence < key.sequence { low = middle + 1 } else { high = middle }
    }
    return low < messages.count && messages[low].sequence == key.sequence ? low : nil
  }

  /// Calls `body` with the record of a message that waits; returns nil if none of the key waits.
  package func withMessage<R>(_ key: MessageKey, _ body: (MessageView) throws -> R) throws -> R? {
    try find(key).map { index in
      try unsafe spool.withMessage(index) { record in
        let view: MessageView
        do throws(CodingError) { view = unsafe try MessageView(record, key: key) } catch {
          throw RecordError("messages", "\(key.conversation)/\(key.sequence)", error.description)
        }
        return try body(view)
      }
    }
  }

  /// Whether a tree has rows of messages of conversations.
  package static func fills(_ tree: TreeSchema) -> Bool {
    var fills = tree == IndexCatalog.messageIdentifier.tree
    IndexedMessage.forEachTree { candidate, _ in fills = fills || candidate == tree }
    IndexedMessage.forEachTreeOfParts { candidate, _ in fills = fills || candidate == tree }
    return fills
  }

  /// Returns the rows of the messages that wait in a tree, sorted; nil if it is no tree of messages of conversations.
  /// - Parameter isVisible: Whether the messages of a conversation are visible, by its row.
  package func rows(of tree: TreeSchema, isVisible: [Bool]) -> ArrangedRows? {
    if tree == IndexCatalog.messageIdentifier.tree {
      return rows(of: tree, isVisible) { $0.identifierRow }.sorted()
    }
    var result: ArrangedRows?
    IndexedMessage.forEachTree { candidate, row in
      if candidate == tree { result = rows(of: tree, isVisible, row).sorted() }
    }
    IndexedMessage.forEachTreeOfParts { candidate, row in
      if candidate == tree { result = rowsOfParts(of: tree, isVisible, row).sorted() }
    }
    return result
  }

  private func rows(
    of tree: TreeSchema, _ isVisible: [Bool], _ row: (IndexedMessage) -> Words?
  ) -> UnsortedRows {
    // The key ends with the sequence.
    var rows = UnsortedRows(tree, ties: 1)
    for message in messages {
      if let row = row(message.indexed(isVisible: isVisible[Int(message.conversation)])) { rows.append(row) }
    }
    return rows
  }

  private func rowsOfParts(
    of tree: TreeSchema, _ isVisible: [Bool], _ row: (IndexedMessage, IndexedMessage.Part, Int) -> Words
  ) -> UnsortedRows {
    // The key ends with the sequence and the part's index.
    var rows = UnsortedRows(tree, ties: 2)
    for part in parts {
      let message = messages[Int(part.message)]
      guard isVisible[Int(message.conversation)] else { continue }
      rows.append(row(message.indexed(isVisible: true), part.part, Int(part.index)))
    }
    return rows
  }

  /// Calls `body` with the entries that the messages that wait have in `messageMetadata`, in their order, some at a time.
  package func forEachBatchOfMetadata(
    isVisible: [Bool], of count: Int, _ body: ([TextKey]) throws -> Void
  ) throws {
    try values.forEachBatch(of: count) { number in
      let message = messages[Int(number)]
      return isVisible[Int(message.conversation)] ? message.sequence : nil
    } _: {
      try body($0)
    }
  }

  /// Returns, by the row of a conversation, whether its messages are visible; false for those that have none here.
  package func visibility(_ isVisible: (UInt32) throws -> Bool) rethrows -> [Bool] {
    var known = [Bool](repeating: false, count: Int(messages.reduce(0) { max($0, $1.conversation + 1) }))
    var result = known
    for message in messages where !known[Int(message.conversation)] {
      known[Int(message.conversation)] = true
      result[Int(message.conversation)] = try isVisible(message.conversation)
    }
    return result
  }

  /// Forgets the messages that waited, but not their identifiers.
  package func removeAll() throws {
    messages.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    values.removeAll()
    try spool.removeAll()
  }
}
