package import SatchelModel
package import SatchelPlanning
import SatchelReading

// The members of a conversation: its participants, each with an identity or without one.
extension Executor {
  /// Returns the numbers of a conversation's participants, ascending; none if there is no such conversation in which the
  /// store's user participates.
  /// - Complexity: O(log n), and O(p) for p participants.
  package func members(of conversation: Conversation.ID) throws -> [UInt32] {
    guard let row = try snapshot.locate(conversation.rawValue, .conversations) else { return [] }
    let set = try snapshot.conversation(UInt32(truncatingIfNeeded: row.sequence)).participantSet
    return try snapshot.participantSets.members(set)
  }

  /// Returns the object of a question's kind with an identifier, which need not be a result; nil if the store's user sees
  /// none. For members, every user whom the store has met is one.
  package func locate(_ identifier: String, _ question: Question) throws -> RowReference? {
    guard question.membersOf != nil else {
      return try SnapshotPlanningSource(self, for: question).row(of: question.kind, Array(identifier.utf8))
    }
    return try snapshot.users.number(of: identifier).map { .member($0) }
  }

  /// Returns whether an object is a result of a question, whatever its limit, offset and anchor are.
  package func isResult(_ row: RowReference, _ question: Question) throws -> Bool {
    if let conversation = question.membersOf {
      guard let user = row.member, try members(of: conversation).contains(user) else { return false }
    }
    return try ResultTester(question.condition, of: question.kind, in: snapshot).isResult(row)
  }
}
