/// SQLite as an engine of its own: one statement for each query, over tables of the same objects.
///
/// It is a second opinion on the reference model and on the store at once. What it shares with the model is the reader of
/// predicates and what the lines of the interchange format have made of the objects; visibility, derived values, conditions, orders,
/// pages and groups are SQLite's.
final class SQLiteJudge: QueryEngine {
  private let database: SQLiteDatabase
  private let user: ByteString
  private let types: [ByteString: ModelRecordType]

  /// - Complexity: O(n log n) in all objects of the model: it is a copy of them.
  init(_ model: ReferenceModel) throws {
    user = model.user
    types = model.recordTypes
    database = try SQLiteDatabase()
    try SQLiteTables.make(of: model, in: database)
  }

  /// - Throws: `Untranslated` for a query of another form.
  func run(_ query: GeneratedQuery) throws -> EngineAnswer {
    let question = try SQLiteQuestion(query, user: user, types: types)
    let rows = try database.run(question.statement())
    switch query.select {
    case .count:
      guard case .integer(let count)? = rows.first?.first else { throw SQLiteError(description: "no count") }
      return .count(Int(count))
    case .identifiers:
      return .identifiers(
        try rows.map { row in
          guard case .bytes(let identifier)? = row.first else {
            throw SQLiteError(description: "no identifier")
          }
          return identifier.string
        })
    case .groups:
      let type = try question.groupType
      return .identifiers(try rows.map { try Self.group($0, type) })
    }
  }

  /// A group as the model spells it, of a row with the type in metadata, the value and the count.
  private static func group(_ row: [SQLValue], _ type: ValueType) throws -> String {
    guard row.count == 3, case .integer(let number) = row[2] else {
      throw SQLiteError(description: "no group")
    }
    let count = Int(number)
    let kind: MetadataRow.Kind? =
      if case .integer(let kind) = row[0] { MetadataRow.Kind(rawValue: kind) } else { nil }
    switch (row[1], type, kind) {
    case (.null, _, _): return GroupText.missing(count)
    case (.integer(let place), .transfer, _):
      return GroupText.text(transferStatuses[Int(place)].string, count)
    case (.integer(let date), .date, _), (.integer(let date), _, .date): return GroupText.date(date, count)
    case (.integer(let flag), .boolean, _), (.integer(let flag), _, .boolean):
      return GroupText.boolean(flag == 1, count)
    case (.integer(let number), _, _): return GroupText.number(number, count)
    case (.real(let number), _, _):
      // Which of two equal numbers stands for a group is SQLite's choice.
      if let integer = Int64(exactly: number) { return GroupText.number(integer, count) }
      return GroupText.number(number, count)
    case (.bytes(let bytes), _, .reference):
      let parts = bytes.utf8.split(separator: 0, maxSplits: 1).map { ByteString(utf8: Array($0)) }
      guard parts.count == 2 else { throw SQLiteError(description: "no reference") }
      return GroupText.reference(ModelReference(type: parts[0], name: parts[1]), count)
    case (.bytes(let text), _, _): return GroupText.text(text.string, count)
    }
  }
}
