import SatchelCoding
import SatchelModel
import SatchelRecords
import TestSupport

/// Record types and records of applications as lines of a vector, both ways.
extension RecordTypeEntry {
  /// `name NAME`, then `field NAME TYPE`, where a type is its name or `reference`, with the type that it leads to, or `""`, and its action.
  init(_ reader: inout FieldReader) throws {
    let name = try reader.string("name")
    let fields = try reader.all("field").map { values in
      let name = values.count > 2 ? try Literal.string(values, 2) : ""
      let target = name.isEmpty ? nil : name
      let action = values.count > 3 ? ReferenceAction(rawValue: try Literal.word(values, 3)) : nil
      let types: [FieldType] = [.text, .integer, .number, .boolean, .date, .texts, .reference(to: target)]
      let word = try Literal.word(values, 1)
      guard
        let type = types.first(where: { type in
          if case .reference = type { word == "reference" } else { type.description == word }
        })
      else { throw VectorError("not a type: \(values)") }
      return RecordType.Field(name: try Literal.string(values, 0), type: type, onDelete: action)
    }
    self.init(RecordType(name, fields: fields))
  }

  var lines: [FieldLine] {
    [FieldLine("name", Literal.quoted(type.name))]
      + type.fields.map { field in
        let values =
          if case .reference(let target) = field.type {
            if let action = field.declaredAction {
              ["reference", Literal.quoted(target ?? ""), action.rawValue]
            } else {
              ["reference"] + (target.map { [Literal.quoted($0)] } ?? [])
            }
          } else {
            [field.type.description]
          }
        return FieldLine("field", values: [Literal.quoted(field.name)] + values)
      }
  }
}

extension StoredRecord {
  init(_ reader: inout FieldReader) throws {
    self.init(
      identifier: Array(try reader.string("identifier").utf8), owner: try reader.number("owner"),
      createdBy: try reader.number("createdBy"), updatedBy: try reader.number("updatedBy"),
      createdAt: try reader.number("createdAt"), updatedAt: try reader.number("updatedAt"),
      fields: try Metadata(&reader, name: "fields"))
  }

  var lines: [FieldLine] {
    [
      FieldLine("identifier", Literal.quoted(identifier)), FieldLine("owner", "\(owner)"),
      FieldLine("createdBy", "\(createdBy)"), FieldLine("updatedBy", "\(updatedBy)"),
      FieldLine("createdAt", "\(createdAt)"), FieldLine("updatedAt", "\(updatedAt)"),
    ] + fields.lines(name: "fields")
  }
}
