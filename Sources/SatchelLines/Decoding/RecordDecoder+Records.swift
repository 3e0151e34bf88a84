package import SatchelModel
package import SatchelRecords
import SatchelText

/// Lines of record types, and of records of applications.
extension RecordDecoder {
  /// Decodes the declaration of a record type. Whether its names are valid is for the store to say.
  mutating func recordType(_ object: JSONObject) throws(LineError) -> RecordType {
    try checkVersion("recordType")
    guard let name = try object["name"]?.text("name") else { throw .missing("name") }
    var fields: [RecordType.Field] = []
    var actions: [JSONObject.Member] = []
    for member in object.members {
      switch ByteString(member.key) {
      case "kind", "name": break
      case "fields":
        for field in try member.value.object("fields")?.members ?? [] {
          let key = "fields.\(field.key)"
          guard let text = try field.value.text(key) else {
            throw .type(of: key, takes: FieldType.spellings, found: field.value)
          }
          guard let type = FieldType(spelling: text) else {
            throw LineError("\(key) takes \(FieldType.spellings), not \"\(text)\"")
          }
          fields.append(RecordType.Field(name: field.key, type: type))
        }
      case "onDelete": actions = try member.value.object("onDelete")?.members ?? []
      default: pass(over: member.key)
      }
    }
    for action in actions {
      let key = "onDelete.\(action.key)"
      guard let text = try action.value.text(key) else { continue }
      guard let place = fields.firstIndex(where: { UTF8Order.areEqual($0.name, action.key) }),
        fields[place].type.isReference
      else { throw LineError("\(key) takes the name of a field of references that the line declares") }
      guard let known = ReferenceAction(rawValue: text) else {
        let all = ReferenceAction.allCases.map(\.rawValue).joined(separator: ", ")
        throw LineError("\(key) takes one of \(all), not \"\(text)\"")
      }
      fields[place] = RecordType.Field(name: action.key, type: fields[place].type, onDelete: known)
    }
    return RecordType(name, fields: fields)
  }

  mutating func record(_ object: JSONObject) throws(LineError) -> Record {
    try checkVersion("record")
    guard let type = try object["type"]?.text("type") else { throw .missing("type") }
    guard let identifier = try object["identifier"]?.text("identifier") else { throw .missing("identifier") }
    var record = Record(id: Record.ID(type: type, name: identifier))
    for member in object.members {
      let (key, value) = (member.key, member.value)
      switch ByteString(key) {
      case "kind", "type", "identifier": break
      case "owner": record.owner = try value.text(key).map { Identity.ID($0) }
      case "createdAt": record.createdTimestamp = try value.date(key)
      case "createdBy": record.createdBy = try value.text(key).map { Identity.ID($0) }
      case "updatedAt": record.updatedTimestamp = try value.date(key)
      case "updatedBy": record.updatedBy = try value.text(key).map { Identity.ID($0) }
      case "fields": record.fields = try value.metadata(key, version) ?? Metadata()
      default: pass(over: key)
      }
    }
    return record
  }

  /// Decodes the changes of a record: `null` in place of the fields removes them; in place of anything else it changes nothing.
  mutating func recordUpdate(
    _ id: Record.ID, _ changes: [JSONObject.Member]
  ) throws(LineError) -> RecordUpdate {
    var update = RecordUpdate(id: id)
    for change in changes {
      let value = change.value
      switch ByteString(change.key) {
      case "owner": update.owner = try value.text("set.owner").map { Identity.ID($0) }
      case "updatedAt": update.updatedAt = try value.date("set.updatedAt")
      case "updatedBy": update.updatedBy = try value.text("set.updatedBy").map { Identity.ID($0) }
      case "fields": update.fields = try value.metadata("set.fields", version) ?? Metadata()
      case "type", "identifier", "createdAt", "createdBy":
        throw LineError("set.\(change.key): the \(change.key) of a record cannot be changed")
      default: pass(over: change.key)
      }
    }
    return update
  }

  private func checkVersion(_ kind: String) throws(LineError) {
    guard version >= FileHeader.recordVersion else {
      throw LineError("a line of kind \(kind) needs version \(FileHeader.recordVersion) of the format")
    }
  }
}

/// What a line changes of a record: nil changes nothing.
package struct RecordUpdate: Sendable, Hashable {
  package var id: Record.ID
  package var owner: Identity.ID?
  package var updatedAt: Timestamp?
  package var updatedBy: Identity.ID?
  /// All fields from then on.
  package var fields: Metadata?
}

extension FieldType {
  fileprivate static let spellings =
    "text, integer, number, boolean, date, texts, reference or \"reference to TYPE\""
}
