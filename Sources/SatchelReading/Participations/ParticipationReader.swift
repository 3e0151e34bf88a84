internal import SatchelCoding
internal import SatchelModel
internal import SatchelRecords

/// Reads what conversations are to the store's user in one read of one state.
package final class ParticipationReader {
  private let snapshot: Snapshot
  private let type: UInt32
  /// The rows of the conversations that have been asked for so far.
  private(set) var conversations: Set<UInt32> = []

  /// - Throws: ``SatchelError`` `unknownRecordType`, which names the call that switches it on, if the store does not keep that.
  init(in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    type = try snapshot.participationType()
  }

  /// Returns what a conversation is to the user, and how many messages came since.
  /// - Complexity: O(log n).
  func own(in view: ConversationView) throws -> OwnParticipation {
    let row = view.row
    conversations.insert(row)
    let participation = try snapshot.ownParticipation(in: row, ofType: type) { view }
      .map { try snapshot.makeRecord($0).value(as: Participation.self) }
    return OwnParticipation(
      participation, unread: try snapshot.countUnread(in: row, after: participation?.lastReadPosition))
  }
}
