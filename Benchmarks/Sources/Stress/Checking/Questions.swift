import Satchel

/// The questions that are asked at random.
enum Questions {
  /// Asks one question about messages, about conversations, or about records.
  enum Drawn {
    case messages(Question<Message>)
    case conversations(Question<Conversation>)
    /// Queries do not ask for records: what is asked for is drawn with the question.
    case records
  }

  static func random(_ random: inout Randomness, _ model: Model) -> Drawn {
    switch random.below(model.keepsResponses ? 17 : 14) {
    case 14, 15: .conversations(ofStates(&random))
    case 16: .messages(ofRelations(&random))
    case 12...: .records
    case 0: .messages(messagePairs(&random))
    case 1: .conversations(conversationPairs(&random))
    case 2..<9: .messages(messages(&random, model))
    default: .conversations(conversations(&random))
    }
  }

  static func messages(_ random: inout Randomness, _ model: Model) -> Question<Message> {
    let order = random.one(of: MessageOrder.allCases)
    let number = random.any(of: model.conversations)?.number ?? 1
    let id = Names.conversation(number)
    let user = random.below(Names.users)
    let time = 1_750_000_000_000_000 + Int64(random.below(model.progress + 100)) * 1_000_000
    switch random.below(9) {
    case 0: return Question("all messages", Message.all, order) { _, _ in true }
    case 1:
      return Question("messages of \(id)", Message.filter { $0.conversation == id }, order) { message, _ in
        message.conversation == number
      }
    case 2:
      return Question("unread messages", Message.filter { $0.isUnread && $0.sender.userID != "alice" }, order)
      {
        message, _ in message.isUnread && message.sender != 0
      }
    case 3:
      return Question("messages since \(time)", Message.filter { $0.sentAt > time.date }, order) {
        message, _ in
        message.sentAt.map { $0 > time } ?? false
      }
    case 4:
      return Question(
        "messages with pictures", Message.filter { $0.parts.any { $0.mimeType == "image/png" } }, order
      ) { message, _ in message.parts.contains { $0.mimeType == "image/png" } }
    case 5:
      let path = random.one(of: Generator.paths)
      let text = random.one(of: Generator.metadata[path] ?? [])
      return Question(
        "messages whose \(path) is \(text)", Message.filter { $0.metadata[path] == text }, order
      ) { message, _ in message.metadata[path] == text }
    case 6:
      return Question(
        "messages of \(id) by \(user)",
        Message.filter { $0.conversation == id && $0.sender.userID == Names.user(user) }, order
      ) { message, _ in message.conversation == number && message.sender == user }
    case 7:
      return Question(
        "messages of red conversations that are not read",
        Message.filter { $0.conversation.metadata["color"] == "red" && $0.isUnread }, order
      ) { message, answers in
        guard let place = answers.model.conversation(message.conversation) else { return false }
        return message.isUnread && answers.model.conversations[place].metadata["color"] == "red"
      }
    default:
      return Question("unsent messages", Message.filter { !$0.isSent || $0.position == nil }, order) {
        message, _ in
        !message.isSent || message.position == nil
      }
    }
  }

  static func conversations(_ random: inout Randomness) -> Question<Conversation> {
    let user = random.below(Names.users)
    let least = random.below(20)
    switch random.below(6) {
    case 0: return conversations("all conversations", Conversation.all) { _, _ in true }
    case 1: return newest
    case 2:
      return conversations("unread conversations", Conversation.filter { $0.hasUnreadMessages }) {
        $1.unread > 0
      }
    case 3:
      return conversations(
        "conversations with \(user)", Conversation.filter { $0.participants.contains(Names.user(user)) }
      ) { conversation, _ in conversation.participants.contains(user) }
    case 4:
      return conversations(
        "red or blue conversations", Conversation.filter { $0.metadata["color"].in(["red", "blue"]) }
      ) { conversation, _ in ["red", "blue"].contains(conversation.metadata["color"] ?? "") }
    default:
      return conversations(
        "conversations of \(least) messages", Conversation.filter { $0.messageCount >= least }
      ) { $1.messages >= least }
    }
  }

  /// The list that a chat shows: conversations by their last messages.
  static var newest: Question<Conversation> {
    Question(
      name: "conversations by last message", query: Conversation.order { $0.lastMessage.sentAt.descending },
      expected: { answers in
        func key(_ pair: (Model.Conversation, Summary)) -> (Int64, Int) {
          (pair.1.last?.sentAt ?? .min, pair.0.number)
        }
        return answers.conversations().sorted { key($0) > key($1) }.map { Description.of($0.0, $0.1) }
      },
      describe: { Description.of($0) })
  }

  static func conversations(
    _ name: String, _ query: Query<Conversation>,
    where condition: @escaping (Model.Conversation, Summary) -> Bool
  ) -> Question<Conversation> {
    Question(
      name: name, query: query,
      expected: { answers in answers.conversations(where: condition).map { Description.of($0.0, $0.1) } },
      describe: { Description.of($0) })
  }
}
