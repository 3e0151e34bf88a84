internal import SatchelCoding
internal import SatchelModel

/// The distinct conversations that a write has looked up or created, by their participant sets. So each set is looked
/// up once, however many conversations it has.
///
/// A conversation found here is checked again before it counts: it may have been deleted, or its participants may have
/// changed. None can be missing, because a conversation never becomes distinct later.
package final class DistinctConversations {
  /// True if the store had no conversation at first: then no set needs to be looked up.
  private let isComplete: Bool
  private var rows: [UInt32: [UInt32]] = [:]
  private var lookedUp: Set<UInt32> = []

  package init(isComplete: Bool = false) { self.isComplete = isComplete }

  /// Adds a conversation that has just been created.
  func note(_ row: UInt32, participantSet: UInt32) { rows[participantSet, default: []].append(row) }

  /// Returns a conversation of a set for which `holds` is true, or nil; the others are forgotten.
  func first(
    participantSet: UInt32, lookUp: () throws -> [UInt32], where holds: (UInt32) throws -> Bool
  ) throws -> UInt32? {
    if !isComplete, !lookedUp.contains(participantSet) {
      rows[participantSet, default: []] += try lookUp()
      lookedUp.insert(participantSet)
    }
    while let row = rows[participantSet]?.last {
      if try holds(row) { return row }
      rows[participantSet]?.removeLast()
    }
    return nil
  }
}

extension Writer {
  /// Returns the distinct conversation of exactly these participants, or nil. Sees the conversations of this
  /// transaction and of its import.
  func findDistinct(_ participants: [Identity.ID]) throws -> UInt32? {
    var members: Set<UInt32> = []
    for participant in participants {
      try Self.check(identifier: participant.rawValue, "participant")
      guard let number = try flushed.users.number(of: participant.rawValue) else { return nil }
      members.insert(number)
    }
    guard let set = try flushed.participantSets.number(of: members.sorted()) else { return nil }
    return try findDistinct(participantSet: set)
  }

  func findDistinct(participantSet set: UInt32) throws -> UInt32? {
    try distinctConversations.first(participantSet: set) {
      try flushed.distinctConversations(of: set)
    } where: { row in
      if let state = overlay.conversations[row] {
        return state.fields.map { $0.isDistinct && $0.participantSet == set } ?? false
      }
      return try flushed.isDistinct(row, of: set)
    }
  }

  /// Throws `distinctConversationExists` if the draft would be a second distinct conversation of the same participants.
  func checkDistinct(_ draft: ConversationDraft) throws {
    guard draft.isDistinct, let row = try findDistinct(draft.participants) else { return }
    throw try distinctConversationExists(row)
  }

  /// Returns the error that names the existing distinct conversation.
  func distinctConversationExists(_ row: UInt32) throws -> SatchelError {
    let identifier =
      try overlay.conversations[row]?.fields?.identifier ?? flushed.identifier(ofConversation: row) ?? []
    return SatchelError(
      .distinctConversationExists,
      "A distinct conversation of these participants exists: use that one, or make one that is not distinct",
      ["conversation": String(decoding: identifier, as: UTF8.self)])
  }
}
