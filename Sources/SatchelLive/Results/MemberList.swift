import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning

/// The participants of a conversation, as live results know them: until it is concerned by a batch, they are the same.
struct MemberList: Sendable {
  /// The numbers of their user ids.
  private let users: Set<UInt32>
  /// The conversation's row; nil while there is none in which the store's user participates.
  private let row: UInt32?

  init(of conversation: Conversation.ID, _ executor: Executor) throws {
    users = Set(try executor.members(of: conversation))
    row = try executor.snapshot.locate(conversation.rawValue, .conversations)
      .map { UInt32(truncatingIfNeeded: $0.sequence) }
  }

  func contains(_ row: RowReference) -> Bool { row.member.map(users.contains) ?? false }

  /// Returns whether the conversation may have other participants after a batch, or another one its name.
  func isConcerned(by batch: CommitBatch) -> Bool {
    let isChanged = batch.conversations.contains { other, change in
      row == nil || row == other && change.concerns(Self.properties)
    }
    if isChanged { return true }
    // A conversation of which the log has only a range may have been made, or deleted and made again.
    return row.map(batch.ranges.contains) ?? !batch.ranges.isEmpty
  }

  private static let properties = LoggedProperties([.participantSet, .remoteID])
}
