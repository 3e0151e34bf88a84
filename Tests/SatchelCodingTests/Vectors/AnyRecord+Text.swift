import SatchelCoding
import TestSupport

extension AnyRecord {
  /// The record that a vector's lines describe; its key's numbers stand first.
  init(kind: String, lines: [FieldLine]) throws {
    var reader = FieldReader(lines)
    switch kind {
    case "message": self = .message(try MessageKey(&reader), try StoredMessage(&reader))
    case "conversation":
      self = .conversation(try reader.number("row"), try StoredConversation(&reader))
    case "identity": self = .identity(try reader.number("row"), try StoredIdentity(&reader))
    case "dictionary":
      let dictionary = try DictionaryKind(reader.find("dictionary") ?? [])
      self = .dictionary(dictionary, try reader.number("id"), try DictionaryEntry(&reader))
    case "header": self = .header(try StoreHeader(&reader))
    case "seal": self = .seal(try Seal(&reader))
    case "changeLog":
      self = .changeLog(try reader.number("commit"), try ChangeLogEntry(&reader))
    case "consumer": self = .consumer(try reader.number("id"), try ConsumerEntry(&reader))
    case "purge": self = .purge(try MessageKey(&reader), try PurgeEntry(&reader))
    case "staging":
      self = .staging(try reader.number("import"), try reader.number("ordinal"), try StagingEntry(&reader))
    case "aggregate":
      self = .aggregate(try reader.number("id"), try AggregateEntry(&reader))
    case "deletedMessages":
      self = .deletedMessages(
        try reader.number("conversation"), try reader.number("block"), try DeletedMessages(&reader))
    case "deletedConversation":
      let entry = try DeletedConversation(&reader)
      self = .deletedConversation(entry.hashes[0], entry)
    case "indexBuild": self = .indexBuild(try IndexBuild(&reader))
    case "declaredIndex":
      self = .declaredIndex(try reader.number("id"), try DeclaredIndexEntry(&reader))
    case "recordType": self = .recordType(try reader.number("id"), try RecordTypeEntry(&reader))
    case "record":
      self = .record(
        TypedRecordKey(type: try reader.number("type"), sequence: try reader.number("sequence")),
        try StoredRecord(&reader))
    default: throw VectorError("not a kind of record: \(kind)")
    }
    try reader.end()
  }

  var lines: [FieldLine] {
    switch self {
    case .message(let key, let fields): key.lines + fields.lines
    case .conversation(let row, let fields): [FieldLine("row", "\(row)")] + fields.lines
    case .identity(let row, let fields): [FieldLine("row", "\(row)")] + fields.lines
    case .dictionary(let kind, let id, let entry):
      [FieldLine("dictionary", "\(kind)"), FieldLine("id", "\(id)")] + entry.lines
    case .header(let header): header.lines
    case .seal(let seal): seal.lines
    case .changeLog(let commit, let entry): [FieldLine("commit", "\(commit)")] + entry.lines
    case .consumer(let id, let entry): [FieldLine("id", "\(id)")] + entry.lines
    case .purge(let key, let entry): key.lines + entry.lines
    case .aggregate(let id, let entry): [FieldLine("id", "\(id)")] + entry.lines
    case .deletedMessages(let row, let block, let entry):
      [FieldLine("conversation", "\(row)"), FieldLine("block", "\(block)")] + entry.lines
    case .deletedConversation(_, let entry): entry.lines
    case .indexBuild(let build): build.lines
    case .declaredIndex(let id, let entry): [FieldLine("id", "\(id)")] + entry.lines
    case .recordType(let id, let entry): [FieldLine("id", "\(id)")] + entry.lines
    case .record(let key, let values):
      [FieldLine("type", "\(key.type)"), FieldLine("sequence", "\(key.sequence)")] + values.lines
    case .staging(let number, let ordinal, let entry):
      [FieldLine("import", "\(number)"), FieldLine("ordinal", "\(ordinal)")] + entry.lines
    }
  }
}
