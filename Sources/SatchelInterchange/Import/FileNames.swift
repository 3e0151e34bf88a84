import SatchelLines
import SatchelModel
import SatchelRecords

/// The identifiers that a file has for messages and conversations which the store knows by others: both know them by what the file has as
/// `remoteID`. Later lines of the file mean them by its own.
struct FileNames {
  private var names: [Reference: String] = [:]

  /// Takes note of the identifiers of a line whose object the store has.
  /// - Parameter isKnown: Whether the store has an object of a name.
  mutating func note(_ record: InterchangeRecord, isKnown: (Reference) throws -> Bool) rethrows {
    let (own, other): (Reference, Reference)
    switch record {
    case .conversation(let draft):
      guard let identifier = draft.identifier, let remoteID = draft.remoteID else { return }
      (own, other) = (Reference(identifier), Reference(remoteID))
    case .message(let draft, _), .announcement(let draft):
      guard let identifier = draft.identifier, let remoteID = draft.remoteID else { return }
      (own, other) = (Reference(identifier), Reference(remoteID))
    default: return
    }
    if try !isKnown(own) && isKnown(other) { names[own] = other.name }
  }

  /// Returns what a line says by the names that the store knows.
  func inStore(_ record: InterchangeRecord) -> InterchangeRecord {
    guard !names.isEmpty else { return record }
    switch record {
    case .message(let draft, let conversation): return .message(draft, in: known(conversation))
    case .messageUpdate(let id, let update): return .messageUpdate(known(id), update)
    case .conversationUpdate(let id, let update): return .conversationUpdate(known(id), update)
    case .messageDeletion(let id): return .messageDeletion(known(id))
    case .conversationDeletion(let id): return .conversationDeletion(known(id))
    case .record(var record):
      record.id = known(record.id)
      record.fields = known(record.fields)
      return .record(record)
    case .recordUpdate(var update):
      update.id = known(update.id)
      update.fields = update.fields.map(known)
      return .recordUpdate(update)
    case .recordDeletion(let id): return .recordDeletion(known(id))
    case .identity, .conversation, .announcement, .identityUpdate, .index, .recordType: return record
    }
  }

  private func known(_ id: Message.ID) -> Message.ID { names[Reference(id)].map { Message.ID($0) } ?? id }

  private func known(_ id: Conversation.ID) -> Conversation.ID {
    names[Reference(id)].map { Conversation.ID($0) } ?? id
  }

  /// A record of the library's is called by what it says something of.
  private func known(_ id: Record.ID) -> Record.ID {
    id.subject.flatMap { names[$0] }.map { id.naming($0) } ?? id
  }

  private func known(_ fields: Metadata) -> Metadata {
    var known = fields
    for (key, value) in fields {
      guard let reference = value.referenceValue else { continue }
      let own = names[reference].map { Reference(type: reference.type, name: $0) } ?? self.known(reference)
      if own != reference { known.set(.reference(own), forKey: key) }
    }
    return known
  }
}
