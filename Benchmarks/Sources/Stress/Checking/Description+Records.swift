import Satchel

extension Description {
  static func of(_ record: Record) -> String {
    of(
      id: record.id.description, owner: record.owner?.rawValue, createdBy: record.createdBy?.rawValue,
      fields: of(record.fields))
  }

  /// Records are created by the store's user.
  static func of(_ record: Model.Record) -> String {
    of(
      id: Names.record(record.name).description, owner: Names.user(record.owner).rawValue,
      createdBy: Names.user,
      fields: of(record.fields))
  }

  private static func of(id: String, owner: String?, createdBy: String?, fields: String) -> String {
    "\(id) of \(owner ?? "–"), created by \(createdBy ?? "–") \(fields)"
  }

  private static func of(_ fields: Metadata) -> String {
    list(fields.entries.map { "\($0.key)=\(of($0.value))" })
  }

  private static func of(_ fields: [String: FieldValue]) -> String {
    list(fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(of($0.value))" })
  }

  private static func list(_ fields: [String]) -> String { "{\(fields.joined(separator: ", "))}" }

  private static func of(_ value: MetadataValue) -> String {
    switch value {
    case .text(let text): "text \(text)"
    case .integer(let value): "integer \(value)"
    case .number(let value): "number \(value)"
    case .boolean(let value): "boolean \(value)"
    case .date(let date): "date \(date.microseconds)"
    case .list(let texts): "texts \(texts)"
    case .reference(let reference): "reference \(reference)"
    case .dictionary(let fields): of(fields)
    @unknown default: "\(value)"
    }
  }

  private static func of(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): "text \(text)"
    case .integer(let value): "integer \(value)"
    case .number(let value): "number \(value)"
    case .boolean(let value): "boolean \(value)"
    case .date(let microseconds): "date \(microseconds)"
    case .texts(let texts): "texts \(texts)"
    case .record(let name): "reference \(Names.record(name))"
    case .message(let number): "reference messages/\(Names.message(number).rawValue)"
    case .dictionary(let fields): of(fields)
    }
  }
}
