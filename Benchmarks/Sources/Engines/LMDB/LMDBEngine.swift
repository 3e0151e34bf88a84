import CLMDBFloor
import Foundation

/// The floor: the messages in raw LMDB, flat records by conversation and sequence, an entry of an index for each key, and
/// nothing that makes a store of it: no checks, no queries, no log. What no store over LMDB without trees of its own can
/// be faster than.
public final class LMDBEngine {
  private let environment: LMDBEnvironment
  let reader: LMDBReader
  let records: MDB_dbi
  private let conversations: MDB_dbi
  /// conversation, position, sequence.
  let place: MDB_dbi
  /// The other indexes that Satchel keeps of messages, as one entry a key.
  let created: MDB_dbi
  private let unread: MDB_dbi
  private let placeUnread: MDB_dbi
  private let sent: MDB_dbi
  private let sender: MDB_dbi
  private let types: MDB_dbi
  private let partTypes: MDB_dbi
  private let identifiers: MDB_dbi
  private var nextSequence: UInt64 = 1

  public init(_ directory: String, mapBytes: Int = 64 << 30) throws {
    let environment = try LMDBEnvironment(directory, mapBytes: mapBytes)
    self.environment = environment
    let names = [
      "records", "conversations", "place", "created", "unread", "placeUnread", "sent", "sender", "types",
      "partTypes", "identifiers",
    ]
    let databases = try environment.write { transaction in
      try names.map { try environment.database($0, transaction) }
    }
    records = databases[0]
    conversations = databases[1]
    place = databases[2]
    created = databases[3]
    unread = databases[4]
    placeUnread = databases[5]
    sent = databases[6]
    sender = databases[7]
    types = databases[8]
    partTypes = databases[9]
    identifiers = databases[10]
    reader = try LMDBReader(environment)
    nextSequence = try lastSequence() + 1
  }

  private func lastSequence() throws -> UInt64 {
    try reader.read { transaction in
      try reader.withCursor(created, transaction) { cursor in
        var key = MDB_val()
        var value = MDB_val()
        guard mdb_cursor_get(cursor, &key, &value, MDB_LAST) == MDB_SUCCESS else { return 0 }
        return UInt64(bigEndian: key.bytes.loadUnaligned(as: UInt64.self))
      }
    }
  }

  // MARK: Writing

  /// Loads the messages of a file, with the rows that conversations have in the relational engines.
  public func load(_ lines: LineFile, user: String) throws {
    try environment.setDurable(false)
    var rows: [String: (row: UInt32, visible: Bool)] = [:]
    var batch: [(MessageValues, UInt32, Bool)] = []
    func flush() throws {
      try environment.write { transaction in
        for (record, row, visible) in batch { try insert(record, row, visible: visible, transaction) }
      }
      batch.removeAll(keepingCapacity: true)
    }
    try lines.forEachRecord { record in
      switch record {
      case .conversation(let conversation):
        if rows[conversation.identifier] == nil {
          rows[conversation.identifier] = (UInt32(rows.count + 1), conversation.participants.contains(user))
        }
      case .message(let message):
        guard let (row, visible) = rows[message.conversation] else { return }
        batch.append((message, row, visible))
        if batch.count == 50_000 { try flush() }
      default: break
      }
    }
    try flush()
    try environment.setDurable(true)
  }

  /// Takes messages into their conversations in one durable transaction.
  public func insert(_ batch: [NewMessage]) throws {
    try environment.write { transaction in
      for new in batch {
        try insert(new.record, UInt32(new.conversation.row), visible: true, transaction)
      }
    }
  }

  private func insert(
    _ record: MessageValues, _ conversation: UInt32, visible: Bool, _ transaction: OpaquePointer
  ) throws {
    let sequence = nextSequence
    var key: [UInt8] = []
    key.appendOrdered(conversation)
    key.appendOrdered(sequence)
    let code = try put(
      transaction, identifiers, Array(record.identifier.utf8), key, flags: MDB_NOOVERWRITE)
    if code == MDB_KEYEXIST { return }
    try check(code)
    nextSequence += 1
    try check(put(transaction, records, key, FlatRecord.encode(record, visible: visible)))
    try count(record, conversation, sequence, transaction)

    func add(_ index: MDB_dbi, _ columns: (inout [UInt8]) -> Void) throws {
      var entry: [UInt8] = []
      columns(&entry)
      entry.appendOrdered(sequence)
      try check(put(transaction, index, entry, Array(key[..<4])))
    }
    let position = record.position ?? Schema.unsent
    let sentAt = record.sentAt ?? .min
    try add(created) { _ in }
    try add(place) {
      $0.appendOrdered(conversation)
      $0.appendOrdered(position)
    }
    try add(sent) { $0.appendOrdered(sentAt) }
    if record.isUnread {
      try add(unread) { $0.appendOrdered(sentAt) }
      try add(placeUnread) {
        $0.appendOrdered(conversation)
        $0.appendOrdered(position)
      }
    }
    try add(sender) {
      $0.appendOrdered(Self.number(record.sender))
      $0.appendOrdered(sentAt)
    }
    try add(types) {
      $0.appendOrdered(Self.number(record.parts.map(\.mimeType).joined(separator: ",")))
      $0.appendOrdered(sentAt)
    }
    for part in record.parts { try add(partTypes) { $0.appendOrdered(Self.number(part.mimeType)) } }
  }

  /// Keeps a conversation's number of messages and of unread ones.
  private func count(
    _ record: MessageValues, _ conversation: UInt32, _ sequence: UInt64, _ transaction: OpaquePointer
  ) throws {
    var key: [UInt8] = []
    key.appendOrdered(conversation)
    var counts: [UInt64] = [0, 0, 0]
    key.withUnsafeMutableBytes { bytes in
      var keyValue = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      var value = MDB_val()
      guard mdb_get(transaction, conversations, &keyValue, &value) == MDB_SUCCESS else { return }
      counts.withUnsafeMutableBytes { $0.copyMemory(from: value.bytes) }
    }
    counts[0] += 1
    counts[1] += record.isUnread ? 1 : 0
    counts[2] = sequence
    try check(put(transaction, conversations, key, counts.withUnsafeBytes { Array($0) }))
  }

  /// A text as a number, as a store would that keeps a dictionary of them.
  private static func number(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
