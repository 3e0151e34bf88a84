import Satchel

extension RecordEdit {
  /// Makes the edit in a transaction.
  func apply(to transaction: WriteTransaction) throws {
    switch self {
    case .declare(let stage): try transaction.declare(RecordTypes.at(stage))
    case .save(let new):
      try transaction.save(
        Record(id: Names.record(new.name), owner: new.owner.map(Names.user), new.fields.ofStore))
    case .setField(let value, let field, let record):
      try transaction.update(Names.record(record)) { $0[field] = value?.ofStore }
    case .setOwner(let owner, let record):
      try transaction.update(Names.record(record)) { $0.owner = Names.user(owner) }
    case .delete(let record): try transaction.delete(Names.record(record))
    }
  }
}

extension FieldValue {
  fileprivate var ofStore: MetadataValue {
    switch self {
    case .text(let text): .text(text)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .boolean(let value): .boolean(value)
    case .date(let microseconds): .date(Timestamp(microseconds: microseconds))
    case .texts(let texts): .list(texts)
    case .record(let name): .reference(Names.record(name))
    case .message(let number): .reference(Names.message(number))
    case .dictionary(let fields): .dictionary(fields.ofStore)
    }
  }
}

extension [String: FieldValue] {
  fileprivate var ofStore: Metadata {
    var record = Record(id: Names.record(RecordName(type: 0, number: 0)))
    for (field, value) in self { record[field] = value.ofStore }
    return record.fields
  }
}
