import SatchelCoding
package import SatchelModel
package import SatchelPlanning
package import SatchelQuery
package import SatchelReading

/// Decides for single objects whether they are results of a question, with the store's only evaluator. It is for
/// callers that know which objects have changed.
package final class ResultTester {
  private let snapshot: Snapshot
  private let kind: ObjectKind
  private let evaluator: ConditionEvaluator
  private var context = RowContext()

  /// Makes a tester of a condition on one snapshot.
  package init(_ condition: Condition, of kind: ObjectKind, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.kind = kind
    evaluator = ConditionEvaluator(condition, of: kind, on: nil, in: snapshot)
  }

  /// Returns whether the object exists, the store's user can see it, and it meets the condition.
  package func isResult(_ row: RowReference) throws -> Bool {
    guard try snapshot.shows(row, kind) else { return false }
    context.begin(row)
    return try evaluator.matches(&context)
  }
}

extension Snapshot {
  /// Returns whether an object exists and the store's user can see it.
  package func shows(_ row: RowReference, _ kind: ObjectKind) throws -> Bool {
    switch kind {
    case .messages:
      return try message(MessageKey(conversation: row.conversation, sequence: row.sequence)) != nil
        && isVisible(row.conversation)
    case .parts:
      guard let message = try message(MessageKey(conversation: row.conversation, sequence: row.sequence)),
        Int(row.part) < message.partCount
      else {
        return false
      }
      return try isVisible(row.conversation)
    case .announcements: return try message(MessageKey(announcement: row.sequence)) != nil
    case .conversations: return try isVisible(UInt32(truncatingIfNeeded: row.sequence))
    case .identities:
      // Only a question for members has their references, and only of participants.
      if row.member != nil { return true }
      return try findIdentity(UInt32(truncatingIfNeeded: row.sequence)) != nil
    case .records:
      return try findRecord(TypedRecordKey(type: row.conversation, sequence: row.sequence)) != nil
    }
  }

  private func isVisible(_ conversation: UInt32) throws -> Bool {
    try findConversation(conversation)?.isVisible ?? false
  }
}
