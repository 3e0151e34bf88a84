import SatchelImport
import SatchelLines
import SatchelModel
import SatchelRecords
import SatchelWriting

extension Importer {
  /// Carries out a line of a record type, or of a record of an application.
  func apply(ofRecords record: InterchangeRecord, _ writer: Writer) throws {
    switch record {
    case .recordType(let type):
      try writer.declare([type])
      deferred.recordTypes += 1
    case .record(var record):
      if existing != .fail {
        if answersDeleted(record.id, record.fields) { record["parent"] = nil }
        if try writer.hasRecord(writer.kept(record.id)) {
          return try ignore(or: { try writer.merge(record) })
        }
        if try staysAway(record.id, writer) { return ignored += 1 }
      }
      try writer.insert(record)
      deferred.records += 1
    case .recordUpdate(var update):
      if existing != .fail {
        if try !writer.hasRecord(writer.kept(update.id)) { return ignored += 1 }
        if let fields = update.fields, answersDeleted(update.id, fields) {
          update.fields?.set(nil, forKey: "parent")
        }
      }
      try writer.update(record: update.id, as: update.updatedBy, at: update.updatedAt) { record in
        record.owner = update.owner ?? record.owner
        record.fields = update.fields ?? record.fields
      }
      deferred.updates += 1
    case .recordDeletion(let id):
      if existing != .fail, try !writer.hasRecord(writer.kept(id)) { return ignored += 1 }
      try writer.delete(record: id)
      deferred.deletions += 1
    default: break
    }
  }

  /// Whether a record of a reply has a message as its parent that stays deleted: what answers that answers nothing.
  private func answersDeleted(_ record: Record.ID, _ fields: Metadata) -> Bool {
    RecordType.isLibraryName(record.type) && deletedMessages.contains(fields.value(forKey: "parent"))
  }

  /// Whether a record says something of what the store's user has deleted, or of a message that takes no more of it. Then it was deleted, too:
  /// a merge brings nothing back.
  private func staysAway(_ record: Record.ID, _ writer: Writer) throws -> Bool {
    guard let subject = record.subject else { return false }
    if subject.type == Reference.conversations {
      return try writer.wasDeleted(Conversation.ID(subject.name))
    }
    return try deletedMessages.contains(.reference(subject)) || !writer.isTaken(record)
  }

  /// Leaves a line out, or ends the import: then the lines before it that wait are looked at first.
  /// - Returns: Whether there may be more lines to take.
  func leaveOut(_ line: LineDecoder.Line, _ reason: String, _ session: ImportSession) throws -> Bool {
    do {
      try reject(reason, line: line.number)
      return true
    } catch {
      try session.end(by: error)
      return false
    }
  }
}
