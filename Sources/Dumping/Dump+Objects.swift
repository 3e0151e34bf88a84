import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelText

extension Dump {
  /// Shows a table of the database `objects`, in which each table is a range of keys.
  mutating func showObjects(_ table: DumpTable) throws {
    var start = Self.first(of: table)
    var isSingle = table == .header || table == .seal
    if let key, !isSingle {
      guard let found = try objectKey(key, table) else { return }
      start = found
      isSingle = true
    }
    let wanted = start
    let passed = progress.object
    if let passed { start = passed }
    try snapshot.scanObjects(from: start) { key, value in
      guard key != passed else { return true }
      guard Self.isKey(key, of: table), !isSingle || key == wanted else { return false }
      let annotation = unsafe annotate(key, value)
      return try write(
        "\(key)", annotation, in: snapshot.file(of: .objects, key.bytes),
        at: .object(key))
    }
    if table == .seal, snapshot.hasJournaledCommits { try showSealOfJournal() }
  }

  /// Shows the seal of the last commit, which is in the journal: a seal of `data.mdb` is not replaced by one there.
  private mutating func showSealOfJournal() throws {
    let bytes = snapshot.seal.encode()
    let annotation = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Self.annotate(bytes, ObjectKey.seal.bytes) { record throws(ByteError) in try record.seal() }
    }
    _ = try write("seal", annotation, in: .journal)
  }

  private func annotate(_ key: ObjectKey, _ value: UnsafeRawBufferPointer) -> RecordAnnotation {
    unsafe Self.annotate(value, key.bytes) { record throws(ByteError) in
      switch key {
      case .header: try record.header()
      case .seal: try record.seal()
      case .conversation: try record.conversation(names)
      case .identity: try record.identity(names)
      case .announcement: try record.message(names)
      case .dictionary(let kind, _): try record.dictionary(kind, names)
      case .changeLog: try record.changeLog(names)
      case .consumer: try record.consumer()
      case .purge: try record.purge()
      case .staging: try record.staging()
      case .aggregate: try record.aggregate()
      case .deletedMessages: try record.deletedMessages()
      case .deletedConversation: try record.deletedConversation(names)
      case .indexBuild: try record.indexBuild()
      case .declaredIndex: try record.declaredIndex()
      case .recordType: try record.recordType()
      case .record: try record.record(names)
      }
    }
  }

  /// Returns the key at which a table begins.
  private static func first(of table: DumpTable) -> ObjectKey {
    switch table {
    case .seal: .seal
    case .conversations: .conversation(row: 0)
    case .identities: .identity(row: 0)
    case .announcements: .announcement(sequence: 0)
    case .dictionaries: .dictionary(.users, id: 0)
    case .log: .changeLog(commit: 0)
    case .consumers: .consumer(id: 0)
    case .purge: .purge(MessageKey(conversation: 0, sequence: 0))
    case .staging: .staging(importNumber: 0, ordinal: 0)
    case .aggregates: .aggregate(id: 0)
    case .deletions: .deletedMessages(conversation: 0, block: .max)
    case .indexBuild: .indexBuild
    case .indexes: .declaredIndex(id: 0)
    case .recordTypes: .recordType(id: 0)
    case .records: .record(TypedRecordKey(type: 0, sequence: 0))
    case .header, .messages, .bodies, .nodes: .header
    }
  }

  /// Whether a key is in the table.
  private static func isKey(_ key: ObjectKey, of table: DumpTable) -> Bool {
    switch (table, key) {
    case (.header, .header), (.seal, .seal), (.conversations, .conversation), (.identities, .identity),
      (.announcements, .announcement), (.dictionaries, .dictionary), (.log, .changeLog),
      (.consumers, .consumer),
      (.purge, .purge), (.staging, .staging), (.aggregates, .aggregate), (.deletions, .deletedMessages),
      (.deletions, .deletedConversation), (.indexBuild, .indexBuild), (.indexes, .declaredIndex),
      (.recordTypes, .recordType), (.records, .record):
      true
    default: false
    }
  }

  /// Returns the key that a text spells, or the key of the object that the text identifies; nil if there is none.
  private func objectKey(_ text: String, _ table: DumpTable) throws -> ObjectKey? {
    let numbers = Self.numbers(text)
    let first = numbers.first ?? 0
    let row = numbers.count == 1 ? UInt32(exactly: first) : nil
    switch table {
    case .conversations:
      if let row, Self.exists(try snapshot.findConversation(row)) { return .conversation(row: row) }
      return try snapshot.locateConversation(text).map { .conversation(row: $0) }
    case .identities:
      if let row, Self.exists(try snapshot.findIdentity(row)) { return .identity(row: row) }
      return try snapshot.users.number(of: text).flatMap { try snapshot.locateIdentity(user: $0) }
        .map { .identity(row: $0) }
    case .announcements:
      let key = MessageKey(announcement: first)
      if row != nil, Self.exists(try snapshot.message(key)) { return .announcement(sequence: first) }
      return try snapshot.locateMessage(text).flatMap { $0.isAnnouncement ? $0 : nil }
        .map { .announcement(sequence: $0.sequence) }
    case .dictionaries:
      let parts = text.split(separator: "/")
      guard parts.count == 2, let id = UInt32(parts[1]),
        let kind = DictionaryKind.allCases.first(where: { "\($0)" == parts[0] })
      else { return nil }
      return .dictionary(kind, id: id)
    case .log: return numbers.count == 1 ? .changeLog(commit: first) : nil
    case .consumers:
      if let row, try snapshot.consumers().contains(where: { $0.id == row }) { return .consumer(id: row) }
      return try snapshot.consumer(named: text).map { .consumer(id: $0.id) }
    case .aggregates:
      if let named = try snapshot.aggregate(named: Array(text.utf8)) { return .aggregate(id: named.id) }
      return row.map { .aggregate(id: $0) }
    case .indexes:
      let named = try snapshot.declaredIndexes().last { UTF8Order.areEqual($0.name, text) }
      return (named?.id ?? row).map { .declaredIndex(id: $0) }
    case .recordTypes:
      return (try snapshot.recordType(named: text)?.id ?? row).map { .recordType(id: $0) }
    case .records:
      if numbers.count == 2, let type = UInt32(exactly: first) {
        return .record(TypedRecordKey(type: type, sequence: numbers[1]))
      }
      // As a reference is printed: the type has no slash.
      let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      return try snapshot.locateRecord(Record.ID(type: parts[0], name: parts[1])).map { .record($0) }
    case .purge, .staging:
      guard numbers.count == 2, let number = UInt32(exactly: first) else { return nil }
      return table == .purge
        ? .purge(MessageKey(conversation: number, sequence: numbers[1]))
        : .staging(importNumber: number, ordinal: numbers[1])
    case .deletions:
      if numbers.count == 1 { return .deletedConversation(hash: first) }
      guard numbers.count == 2, let row = UInt32(exactly: first), let block = UInt32(exactly: numbers[1])
      else { return nil }
      return .deletedMessages(conversation: row, block: block)
    case .header, .seal, .messages, .bodies, .nodes, .indexBuild: return nil
    }
  }
}
