package import SatchelCoding
package import SatchelModel
package import SatchelPlanning
import SatchelReading

extension Snapshot {
  /// Returns where the object of a kind with an identifier is; nil if there is none that the store's user may see.
  ///
  /// Unlike a query, finds a conversation of the user that has no message yet, and an object by each of its names: a record that says
  /// something of a message or a conversation by each of theirs.
  /// - Parameter type: The number of the type of records.
  /// - Complexity: O(log n): one descent of an index of identifiers, and the records that it leads to.
  package func locate(
    _ identifier: String, _ kind: ObjectKind, ofType type: UInt32 = 0
  ) throws -> RowReference? {
    switch kind {
    case .messages: return try locateVisibleMessage(identifier)
    case .parts:
      guard let part = PartIdentifier(identifier), var row = try locateVisibleMessage(part.message) else {
        return nil
      }
      let message = try message(conversation: row.conversation, sequence: row.sequence)
      guard Int(part.index) < message.partCount else { return nil }
      row.part = part.index
      return row
    case .announcements:
      guard let key = try locateMessage(identifier), key.isAnnouncement else { return nil }
      return RowReference(sequence: key.sequence)
    case .conversations:
      guard let view = try conversation(of: Array(identifier.utf8)), try userParticipates(in: view) else {
        return nil
      }
      return RowReference(sequence: UInt64(view.row))
    case .identities:
      guard let user = try users.number(of: identifier), let row = try locateIdentity(user: user) else {
        return nil
      }
      return RowReference(sequence: UInt64(row))
    case .records:
      let id = Reference(type: try recordType(type).type.name, name: identifier)
      return try locateRecord(byAnyName: id).map(RowReference.init)
    }
  }

  private func locateVisibleMessage(_ identifier: String) throws -> RowReference? {
    guard let key = try locateMessage(identifier), !key.isAnnouncement,
      try conversation(key.conversation).isVisible
    else { return nil }
    return RowReference(sequence: key.sequence, conversation: key.conversation)
  }

  /// Returns whether the store's user is a participant now.
  private func userParticipates(in conversation: ConversationView) throws -> Bool {
    // With a message, a conversation is visible if and only if the user participates.
    guard conversation.messageCount == 0 else { return conversation.isVisible }
    guard let number = try userNumber else { return false }
    return try participantSets.members(conversation.participantSet).contains(number)
  }
}

extension RowReference {
  /// Refers to a record by its type and its sequence.
  package init(_ record: TypedRecordKey) { self.init(sequence: record.sequence, conversation: record.type) }
}
