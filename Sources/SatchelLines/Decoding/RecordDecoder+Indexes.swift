import Satchel
import SatchelModel
import SatchelQuery
import SatchelText

extension RecordDecoder {
  /// Decodes a declaration. Whether a store can have the index is for the store to say.
  mutating func index(_ object: JSONObject) throws(LineError) -> Index {
    guard version >= FileHeader.indexVersion else {
      throw LineError("a line of kind index needs version \(FileHeader.indexVersion) of the format")
    }
    guard let name = try object["name"]?.text("name") else { throw .missing("name") }
    guard let from = try object["from"]?.text("from") else { throw .missing("from") }
    let (kind, recordType) = try kind(from)
    guard let elements = try object["columns"]?.array("columns") else { throw .missing("columns") }
    var columns: [IndexColumn] = []
    for (place, element) in elements.enumerated() {
      guard case .string(let text) = element else {
        throw .type(of: "columns[\(place)]", takes: "a property, which is a text", found: element)
      }
      columns.append(try Self.parsing("columns[\(place)]") { try IndexColumn(text) })
    }
    var predicate = QueryPredicate.true
    var isUnique = false
    for member in object.members {
      switch ByteString(member.key) {
      case "kind", "name", "from", "columns": break
      case "where":
        guard let text = try member.value.text("where") else { continue }
        predicate = try Self.parsing("where") { try QueryPredicate(format: text, arguments: []) }
      case "unique": isUnique = try member.value.bool("unique") ?? false
      default: pass(over: member.key)
      }
    }
    return Index(
      named: name, kind: kind, recordType: recordType, unique: isUnique, where: predicate, columns: columns)
  }

  /// Returns the kind of objects that a name stands for: of a record type, records and the name.
  private func kind(_ from: String) throws(LineError) -> (ObjectKind, recordType: String?) {
    if let kind = ObjectKind(rawValue: from), kind != .parts, kind != .records { return (kind, nil) }
    guard Reference.isRecordType(from) else {
      throw LineError(
        "from takes conversations, messages, announcements, identities or the name of a record type, not \(from.quoted)"
      )
    }
    guard version >= FileHeader.recordVersion else {
      throw LineError(
        "from takes conversations, messages, announcements or identities, not \(from.quoted): record types need version \(FileHeader.recordVersion) of the format"
      )
    }
    return (.records, from)
  }

  /// Parses a text of the predicate language at a place of the line.
  private static func parsing<Value>(_ key: String, _ body: () throws -> Value) throws(LineError) -> Value {
    do { return try body() } catch { throw LineError("\(key): \(error)") }
  }
}
