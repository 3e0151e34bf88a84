import Satchel
import SatchelRelations
import SatchelResponses

/// What comes with messages and conversations, and conditions on what conversations are to the user and on relations.
extension Checker {
  /// All of it.
  func allResponses(_ answers: Answers, _ snapshot: StoreSnapshot) throws {
    guard answers.model.keepsResponses else { return }
    let said = Said(answers)
    try Difference.check(
      "what is said to messages",
      try snapshot.fetch(Message.all.including(\.reactions).including(\.replies)).map { Self.text(of: $0) },
      answers.messages().map { said.text(of: $0) })
    try Difference.check(
      "what conversations are to the user",
      try snapshot.fetch(Conversation.all.including(\.participation)).map { Self.text(of: $0) },
      answers.conversations().map { said.text(of: $0.0) })
    try Difference.check(
      "number of participants' states", String(try snapshot.recordCount(of: Participation.recordType)),
      String(answers.model.states.count))
    for kind in ResponseEdit.relationKinds {
      try Difference.check(
        "number of whom the user is related to by \(kind)",
        String(try snapshot.relationCount(RelationKind(kind), .outward)),
        String(answers.model.relations.count { $0.kind == kind && $0.from == 0 }))
    }
  }

  private static func text(of message: Message) -> String {
    let kinds =
      message.reactionSummary?.kinds.map { "\($0.kind) \($0.count)\($0.isMine ? " mine" : "")" } ?? []
    let thread = message.threadSummary
    return
      "\(message.id) \(kinds), \(thread?.replyCount ?? -1) replies, the last \(thread?.lastReply?.rawValue ?? "–")"
  }

  private static func text(of conversation: Conversation) -> String {
    let own = conversation.participation
    return Said.text(
      conversation.id.rawValue,
      .init(
        pinnedAt: own?.pinnedAt.map { Timestamp($0).microseconds }, isMuted: own?.isMuted ?? false,
        isArchived: own?.isArchived ?? false, role: own?.role, lastRead: own?.lastReadPosition),
      isSaid: own != nil, unread: conversation.unreadSinceLastRead ?? -1)
  }
}

/// What the model has of messages and conversations, found at once.
struct Said {
  private let model: Model
  private let reactions: [Int: [ResponseEdit.Reaction]]
  private let replies: [Int?: [Model.Reply]]
  /// The messages of others by conversations.
  private let others: [Int: [Model.Message]]

  init(_ answers: Answers) {
    model = answers.model
    others = Dictionary(grouping: answers.messages { $0.sender != 0 }, by: \.conversation)
    reactions = Dictionary(grouping: model.reactions, by: \.message)
    replies = Dictionary(grouping: model.parents, by: \.parent)
  }

  func text(of message: Model.Message) -> String {
    let kinds = Dictionary(grouping: reactions[message.number] ?? [], by: \.kind)
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { kind, of in "\(kind) \(of.count)\(of.contains { $0.user == 0 } ? " mine" : "")" }
    let replies = replies[message.number] ?? []
    let last = replies.last.map { Names.message($0.message).rawValue } ?? "–"
    return "\(Names.message(message.number)) \(kinds), \(replies.count) replies, the last \(last)"
  }

  func text(of conversation: Model.Conversation) -> String {
    let own = model.states[.init(user: 0, conversation: conversation.number)]
    let unread = (others[conversation.number] ?? []).filter { message in
      guard let position = message.position else { return false }
      return own?.lastRead.map { position > $0 } ?? true
    }
    return Self.text(
      Names.conversation(conversation.number).rawValue, own ?? .init(), isSaid: own != nil,
      unread: unread.count)
  }

  static func text(_ id: String, _ state: ResponseEdit.State, isSaid: Bool, unread: Int) -> String {
    "\(id) \(isSaid ? "\(state)" : "nothing said"), \(unread) since the last read position"
  }
}
