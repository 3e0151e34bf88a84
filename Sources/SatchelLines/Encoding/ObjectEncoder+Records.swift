import SatchelModel
package import SatchelRecords

/// Record types, and records of applications.
extension ObjectEncoder {
  /// Writes a declaration.
  package mutating func append(_ type: RecordType) {
    begin("recordType")
    text("name", type.name)
    if !type.fields.isEmpty {
      writer.key("fields")
      writer.beginObject()
      for field in type.fields { text(field.name, field.type.spelling) }
      writer.endObject()
    }
    let actions = type.fields.compactMap { field in field.declaredAction.map { (field.name, $0.rawValue) } }
    if !actions.isEmpty {
      writer.key("onDelete")
      writer.beginObject()
      for (field, action) in actions { text(field, action) }
      writer.endObject()
    }
    writer.endObject()
  }

  /// - Throws: ``SatchelError`` `invalidValue` for a date that the format cannot express.
  package mutating func append(_ record: Record) throws {
    begin("record")
    text("type", record.id.type)
    text("identifier", record.id.name)
    text("owner", record.owner?.rawValue)
    try date("createdAt", record.createdTimestamp, of: record.id.name)
    text("createdBy", record.createdBy?.rawValue)
    try date("updatedAt", record.updatedTimestamp, of: record.id.name)
    text("updatedBy", record.updatedBy?.rawValue)
    fields(record.fields)
    writer.endObject()
  }

  /// Writes an update that makes a record what it is now.
  package mutating func appendUpdate(of record: Record) throws {
    begin("update")
    id(record.id)
    writer.key("set")
    writer.beginObject()
    text("owner", record.owner?.rawValue)
    try date("updatedAt", record.updatedTimestamp, of: record.id.name)
    text("updatedBy", record.updatedBy?.rawValue)
    if record.fields.isEmpty { null("fields") } else { fields(record.fields) }
    writer.endObject()
    writer.endObject()
  }

  package mutating func appendDeletion(record: Record.ID) {
    begin("delete")
    id(record)
    writer.endObject()
  }

  private mutating func id(_ id: Record.ID) {
    writer.key("record")
    writer.reference(id)
  }

  private mutating func fields(_ fields: Metadata) {
    guard !fields.isEmpty else { return }
    writer.key("fields")
    writer.metadata(fields)
  }
}
