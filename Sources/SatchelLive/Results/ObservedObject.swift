import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

/// The object that an observer follows, found by its identifier. It may be a conversation without a message, which is
/// a result of no query.
struct ObservedObject: Sendable {
  /// Where the object is; nil while there is none.
  let row: RowReference?
  private let identifier: String
  private let kind: ObjectKind
  /// The number of the type of a record.
  private let type: UInt32

  init(_ identifier: String, _ question: Question, in snapshot: Snapshot) throws {
    self.identifier = identifier
    kind = question.kind
    type = question.recordType
    row = try snapshot.locate(identifier, kind, ofType: type)
  }

  /// Returns whether the identifier names another object after a batch, or none.
  /// - Complexity: O(log n) if the batch may concern the object, otherwise O(1).
  func isConcerned(by batch: CommitBatch) throws -> Bool {
    guard mayBeConcerned(by: batch) else { return false }
    return try batch.snapshot.locate(identifier, kind, ofType: type) != row
  }

  private func mayBeConcerned(by batch: CommitBatch) -> Bool {
    if !batch.listsAll || !batch.ranges.isEmpty { return true }
    let isOfMessages = kind == .messages || kind == .parts
    guard let row else {
      // Messages become visible again with their conversation. What a record says something of may get the name by which that is meant.
      return !batch.touched(kind).isEmpty || isOfMessages && !batch.conversations.isEmpty
        || kind == .records && batch.changesNames
    }
    return batch.change(of: row, kind) != nil || isOfMessages && batch.conversations[row.conversation] != nil
  }
}
