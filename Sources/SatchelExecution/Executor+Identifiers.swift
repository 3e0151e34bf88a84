package import SatchelModel
package import SatchelPlanning

extension Executor {
  /// Returns the identifier of the object that a row refers to.
  package func identifier(of row: RowReference, _ kind: ObjectKind) throws -> String {
    switch kind {
    case .messages:
      return try snapshot.identifier(
        of: snapshot.messageHead(conversation: row.conversation, sequence: row.sequence))
    case .parts:
      let message = try snapshot.messageHead(conversation: row.conversation, sequence: row.sequence)
      return try snapshot.identifier(of: message) + "/parts/" + String(row.part)
    case .announcements: return try snapshot.announcement(row.sequence).identifier()
    case .conversations:
      return try snapshot.conversation(UInt32(truncatingIfNeeded: row.sequence)).identifier()
    case .identities:
      return try snapshot.users.text(snapshot.identity(UInt32(truncatingIfNeeded: row.sequence)).user)
    }
  }
}
