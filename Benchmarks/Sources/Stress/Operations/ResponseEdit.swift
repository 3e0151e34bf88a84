import Satchel
import SatchelRelations
import SatchelResponses

/// What an edit does to what is said to messages, to what conversations are to their participants, and to relations between users.
enum ResponseEdit: Codable, Hashable {
  /// Lets the store keep all of it.
  case enable
  case react(String, user: Int, message: Int)
  case removeReaction(String, user: Int, message: Int)
  /// Nil to answer none.
  case setParent(Int?, message: Int)
  case setState(Participant, State)
  case relate(String, from: Int, to: Int)
  case unrelate(String, from: Int, to: Int)

  struct Participant: Codable, Hashable {
    var user: Int
    var conversation: Int
  }

  /// What a conversation is to a participant.
  struct State: Codable, Hashable {
    /// In microseconds; nil of one that is not pinned.
    var pinnedAt: Int64?
    var isMuted = false
    var isArchived = false
    var role: String?
    var lastRead: Int64?
  }

  struct Relation: Codable, Hashable {
    var kind: String
    var from: Int
    var to: Int
  }

  struct Reaction: Codable, Hashable {
    var kind: String
    var user: Int
    var message: Int
  }

  static let kinds = ["👍", "🎉", "a/b%"]
  static let relationKinds = ["following", "friend", "team"]
  /// What is archived is so since then.
  private static let archived: Int64 = 1_750_000_000_000_000

  /// Makes the edit in a transaction.
  func apply(to transaction: WriteTransaction) throws {
    switch self {
    case .enable: try transaction.enable(.reactions, .threads, .participations, .relations)
    case .react(let kind, let user, let message):
      try transaction.react(
        to: Names.message(message), with: kind, by: user == 0 ? nil : Names.user(user), at: Self.archived.date
      )
    case .removeReaction(let kind, let user, let message):
      try transaction.removeReaction(from: Names.message(message), with: kind, by: Names.user(user))
    case .setParent(let parent, let message):
      try transaction.setParent(parent.map(Names.message), of: Names.message(message))
    case .setState(let participant, let state):
      let conversation = Names.conversation(participant.conversation)
      try transaction.setParticipation(of: Names.user(participant.user), in: conversation) {
        $0.pinnedAt = state.pinnedAt?.date
        $0.isMuted = state.isMuted
        $0.archivedAt = state.isArchived ? Self.archived.date : nil
        $0.role = state.role
        $0.lastReadPosition = state.lastRead
      }
    case .relate(let kind, let from, let to):
      try transaction.relate(RelationKind(kind), from: Names.user(from), to: Names.user(to))
    case .unrelate(let kind, let from, let to):
      try transaction.unrelate(RelationKind(kind), from: Names.user(from), to: Names.user(to))
    }
  }
}
