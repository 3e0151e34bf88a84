internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// The distinct conversations that a write has met or made, by their sets of participants: so that each set is looked up
/// once, however many conversations of it there are.
///
/// What it names is looked at again before it counts: a conversation may have been deleted, or have got other participants.
/// None becomes distinct later on, so that nothing is missing.
final class DistinctConversations {
  /// True in a store that had no conversation before: then no set needs to be looked up.
  private let isComplete: Bool
  private var rows: [UInt32: [UInt32]] = [:]
  private var lookedUp: Set<UInt32> = []

  init(isComplete: Bool = false) { self.isComplete = isComplete }

  /// Takes in a conversation that has just been made.
  func note(_ row: UInt32, participantSet: UInt32) { rows[participantSet, default: []].append(row) }

  /// A conversation of a set for which `holds` is true; others are forgotten.
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
  /// The distinct conversation of exactly these participants, those of this transaction and its import included.
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
      try flushed.distinctConversations(participantSet: set)
    } where: { row in
      if let state = overlay.conversations[row] {
        return state.current.map { $0.isDistinct && $0.participantSet == set } ?? false
      }
      return try flushed.findConversation(row).map { $0.isDistinct && $0.participantSet == set } ?? false
    }
  }

  /// Refuses a second distinct conversation of the same participants.
  func checkDistinct(_ draft: ConversationDraft) throws {
    guard draft.isDistinct, let row = try findDistinct(draft.participants) else { return }
    throw try distinctConversationExists(row)
  }

  /// The error that names the distinct conversation that there is.
  func distinctConversationExists(_ row: UInt32) throws -> SatchelError {
    let identifier = try overlay.conversations[row]?.current?.identifier ?? identifier(ofConversation: row)
    return SatchelError(
      .distinctConversationExists,
      "A distinct conversation of these participants exists: use that one, or make one that is not distinct",
      ["conversation": String(decoding: identifier, as: UTF8.self)])
  }

  private func identifier(ofConversation row: UInt32) throws -> [UInt8] {
    unsafe Array(try flushed.conversation(row).identifierBytes)
  }
}

extension Snapshot {
  /// The distinct conversations of exactly these participants; a store of an older version may have several.
  /// - Complexity: O(conversations of these participants).
  func distinctConversations(participantSet: UInt32) throws -> [UInt32] {
    try forest.rows(IndexCatalog.conversationMemberSet, of: UInt64(participantSet))
      .map { UInt32(truncatingIfNeeded: $0[2]) }
      .filter { try conversation($0).isDistinct }
  }
}
