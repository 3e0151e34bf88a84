/// Edits of records.
extension Generator {
  /// How many records of each type have names; some of them are not there.
  private static let records = 80
  private static let texts = ["", "red", "grüße", "two words", String(repeating: "long ", count: 120)]

  func records(_ operation: Int, _ random: inout Randomness, _ model: Model) -> Edit {
    let edit = recordEdit(operation, &random, model)
    return .records(edit)
  }

  private func recordEdit(_ operation: Int, _ random: inout Randomness, _ model: Model) -> RecordEdit {
    // Fields are declared when there are records with values in them.
    let stage = min(1 + operation / 60, RecordTypes.stages)
    guard model.stage > 0 else { return .declare(stage: 1) }
    if model.stage < stage, random.oneIn(4) { return .declare(stage: model.stage + 1) }
    switch random.below(10) {
    case 0: return .declare(stage: 1 + random.below(model.stage))
    case 1..<6: return .save(newRecord(&random, model))
    case 6..<8:
      guard let record = random.any(of: model.records) else { return .save(newRecord(&random, model)) }
      if random.oneIn(5) { return .setOwner(random.below(Names.users), record: record.name) }
      let field = random.one(of: RecordTypes.fields)
      return .setField(
        random.oneIn(4) ? nil : value(of: field, &random, model), field: field, record: record.name)
    default:
      guard let record = random.any(of: model.records) else { return .save(newRecord(&random, model)) }
      return .delete(record.name)
    }
  }

  private func newRecord(_ random: inout Randomness, _ model: Model) -> NewRecord {
    var record = NewRecord(name: name(&random, among: RecordTypes.count(at: model.stage)))
    if random.oneIn(4) { record.owner = random.below(Names.users) }
    for field in RecordTypes.fields where random.oneIn(2) {
      record.fields[field] = value(of: field, &random, model)
    }
    // What is there already changes nothing.
    if random.oneIn(6), let old = model.record(record.name) { record.fields = model.records[old].fields }
    return record
  }

  private func name(_ random: inout Randomness, among types: Int) -> RecordName {
    RecordName(type: random.below(types), number: random.below(Self.records))
  }

  /// Whether a field is declared yet or not, its value has the type that it is declared with in the end.
  private func value(of field: String, _ random: inout Randomness, _ model: Model) -> FieldValue {
    switch field {
    case "title": .text(random.one(of: Self.texts))
    case "order": .integer(Int64(random.below(100)) - 50)
    case "share": random.oneIn(2) ? .number(Double(random.below(8)) / 4) : .integer(Int64(random.below(4)))
    case "done": .boolean(random.oneIn(2))
    case "due": .date(Int64(random.below(1_000)) - 500)
    case "tags": .texts((0..<random.below(4)).map { _ in random.one(of: Self.texts) })
    // Of what is there, what was deleted, and what has never been there.
    case "list": .record(RecordName(type: 0, number: random.below(Self.records)))
    case "about":
      random.oneIn(2) ? .message(random.below(model.nextMessage + 5)) : .record(name(&random, among: 3))
    default: free(&random, model)
    }
  }

  /// A value in a field that is never declared.
  private func free(_ random: inout Randomness, _ model: Model) -> FieldValue {
    guard random.oneIn(2) else { return value(of: random.one(of: RecordTypes.declarable), &random, model) }
    var inner: [String: FieldValue] = [:]
    for field in RecordTypes.declarable where random.oneIn(4) {
      inner[field] = value(of: field, &random, model)
    }
    return .dictionary(random.oneIn(3) ? ["inner": .dictionary(inner)] : inner)
  }
}
