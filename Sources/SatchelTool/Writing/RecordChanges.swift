import Satchel
import SatchelLines
import SatchelModel
import TerminalInterface

/// Changes of a record's owner and fields. What is typed for a declared field has the field's type; for any other, it is a text.
struct RecordChanges {
  private let owner: Identity.ID?
  /// Nil for no value any more.
  private let values: [(path: [String], value: MetadataValue?)]

  /// - Throws: `ToolError` for the first change that cannot be made.
  init(_ changes: [UpdateLine.Change], of type: RecordType) throws {
    try UpdateLine.Change.checkOnce(changes)
    var owner: Identity.ID?
    var values: [(path: [String], value: MetadataValue?)] = []
    for change in changes {
      if change.path == ["owner"] {
        owner = try Self.owner(change)
      } else if RecordType.isReserved(change.path[0]) {
        throw ToolError(
          "\(change.name): every record has \(change.path[0]), which cannot be changed; owner can, and the fields"
        )
      } else {
        values.append((change.path, try Self.value(change, of: type)))
      }
    }
    self.owner = owner
    self.values = values
  }

  /// Makes the changes. Whether the fields are right is checked when the record is saved.
  func apply(to record: inout Record) {
    if let owner { record.owner = owner }
    for (path, value) in values { record.fields = record.fields.setting(value, at: path[...]) }
  }

  private static func owner(_ change: UpdateLine.Change) throws -> Identity.ID {
    switch change.value {
    case .text(let user)?, .json(.string(let user))?: return Identity.ID(user)
    case .json?: throw ToolError("owner takes a text, the id of a user")
    case nil: throw ToolError("owner always has a value, which --clear cannot take")
    }
  }

  private static func value(_ change: UpdateLine.Change, of type: RecordType) throws -> MetadataValue? {
    switch change.value {
    case nil: return nil
    case .json(let json)?: return try value(json, of: change.name)
    case .text(let text)?:
      guard change.path.count == 1, let field = type.field(named: change.path[0]) else { return .text(text) }
      guard let value = field.type.value(typed: text) else {
        throw ToolError("\(change.name) takes \(field.type.expected), not \"\(text)\"")
      }
      return value
    }
  }

  /// Returns the value that JSON stands for in the interchange format.
  private static func value(_ json: JSONValue, of name: String) throws -> MetadataValue? {
    let key = "value"
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("kind")
    writer.string("update")
    writer.key("record")
    writer.beginArray()
    writer.string("type")
    writer.string("identifier")
    writer.endArray()
    writer.key("set")
    writer.beginObject()
    writer.key("fields")
    writer.beginObject()
    writer.key(key)
    writer.value(json)
    writer.endObject()
    writer.endObject()
    writer.endObject()
    var decoder = RecordDecoder()
    do throws(LineError) {
      guard case .record(.recordUpdate(let update)) = try decoder.decode(writer.bytes) else { return nil }
      return update.fields?.value(forKey: key)
    } catch {
      // Named as it was typed, without the place in the line.
      let place = "set.fields." + key
      guard error.reason.hasPrefix(place) else { throw ToolError(error.reason) }
      throw ToolError(name + error.reason.dropFirst(place.count))
    }
  }
}

extension FieldType {
  /// Returns the value of the type that a text is typed for; nil if it is none.
  fileprivate func value(typed text: String) -> MetadataValue? {
    switch self {
    case .text: return .text(text)
    case .integer: return Int64(text).map { .integer($0) }
    case .number:
      if let integer = Int64(text) { return .integer(integer) }
      return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .boolean: return ["true": true, "false": false][text.lowercased()].map { .boolean($0) }
    case .date:
      return (try? RFC3339.parse(text)).map { .date(Timestamp(microseconds: $0)) }
    case .texts:
      return .list(text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty })
    case .reference:
      // The name of a type has no slash; that of an object may.
      guard let slash = text.firstIndex(of: "/") else { return nil }
      let reference = Reference(
        type: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
      return reference.fault == nil && accepts(.reference(reference)) ? .reference(reference) : nil
    }
  }

  /// What is typed for a value of the type, for the text of an error.
  fileprivate var expected: String {
    switch self {
    case .text: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date such as 2024-09-14T02:11:00Z"
    case .texts: "texts joined by commas"
    case .reference(let type?): "a reference such as \(type)/ID"
    case .reference(nil): "a reference, which is a type and an identifier, such as messages/ID"
    }
  }
}
