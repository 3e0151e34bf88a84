import Satchel
import SatchelModel

extension Change {
  static func create(_ content: RecordContent, _ transaction: WriteTransaction) throws -> RecordContent {
    guard try transaction.record(content.id.reference) == nil else { throw LineError("repeated identifier") }
    if let said = try say(content, isNew: true, transaction) { return content.written(as: said) }
    let record = Record(
      id: content.id.reference, owner: content.owner.map { Identity.ID($0) }, content.metadata)
    return content.written(as: try transaction.save(record))
  }

  static func update(_ content: RecordContent, _ transaction: WriteTransaction) throws -> RecordContent {
    let (id, owner) = (content.id.reference, content.owner.map { Identity.ID($0) })
    guard content.isSaved else {
      return content.written(
        as: try transaction.update(id) { record in
          if let owner { record.owner = owner }
          record.fields = content.metadata
        })
    }
    guard try transaction.record(id) != nil else { throw LineError("unknown record") }
    if let said = try say(content, isNew: false, transaction) { return content.written(as: said) }
    return content.written(as: try transaction.save(Record(id: id, owner: owner, content.metadata)))
  }
}

extension Change.RecordContent {
  var metadata: Metadata {
    if case .dictionary(let fields) = fields.metadataValue { fields } else { Metadata() }
  }

  /// The same with what the store has set by itself.
  fileprivate func written(as record: Record) -> Self {
    var content = self
    content.createdAt = record.createdTimestamp?.microseconds ?? createdAt
    content.updatedAt = record.updatedTimestamp?.microseconds ?? updatedAt
    content.createdBy = record.createdBy?.rawValue
    content.updatedBy = record.updatedBy?.rawValue
    return content
  }
}

extension ModelReference {
  var reference: Reference { Reference(type: type.string, name: name.string) }
}

extension ReferenceModel {
  /// Takes from a store when records have lost fields because of what was deleted: nobody else knows.
  func takeDates(from store: MessageStore) throws {
    for id in nullified {
      guard let date = try store.record(id.reference)?.updatedTimestamp else { continue }
      records[id]?.updatedAt = date.microseconds
    }
    nullified = []
    invalidateSnapshot()
  }
}
