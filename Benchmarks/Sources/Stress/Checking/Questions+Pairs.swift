import Satchel

/// Questions that compare two properties.
extension Questions {
  static func messagePairs(_ random: inout Randomness) -> Question<Message> {
    let order = random.one(of: MessageOrder.allCases)
    switch random.below(7) {
    case 0:
      return Question(
        "messages received later than they were sent", Message.filter { $0.receivedAt > $0.sentAt }, order
      ) { message, _ in message.sentAt.map { message.receivedAt > $0 } ?? false }
    case 1:
      return Question(
        "unread messages sent no earlier than they were received",
        Message.filter { $0.isUnread && $0.sentAt >= $0.receivedAt }, order
      ) { message, _ in message.isUnread && message.sentAt.map { $0 >= message.receivedAt } ?? false }
    case 2:
      return Question(
        "messages of who does not take part",
        Message.filter { !$0.conversation.participants.contains($0.sender.userID) }, order
      ) { message, answers in
        !(answers.conversation(of: message)?.participants.contains(message.sender) ?? false)
      }
    case 3:
      let path = random.one(of: Generator.paths)
      return Question(
        "messages with the \(path) of their conversations",
        Message.filter { $0.metadata[path] == $0.conversation.metadata[path] }, order
      ) { message, answers in
        message.metadata[path].map { $0 == answers.conversation(of: message)?.metadata[path] } ?? false
      }
    case 4:
      return Question(
        "messages before the number of messages",
        Message.filter { $0.position < $0.conversation.messageCount }, order
      ) { message, answers in
        guard let position = message.position else { return false }
        return position < answers.summaries[message.conversation]?.messages ?? 0
      }
    case 5:
      return Question(
        "unread messages that are not the last ones",
        Message.filter { $0.isUnread && $0.identifier != $0.conversation.lastMessage }, order
      ) { message, answers in
        message.isUnread && answers.summaries[message.conversation]?.last?.number != message.number
      }
    default:
      return Question(
        "messages that are sent or else unread", Message.filter { $0.isSent != $0.isUnread }, order
      ) { message, _ in message.isSent != message.isUnread }
    }
  }

  static func conversationPairs(_ random: inout Randomness) -> Question<Conversation> {
    switch random.below(4) {
    case 0:
      return conversations(
        "conversations of which nothing is read", Conversation.filter { $0.unreadCount == $0.messageCount }
      ) { $1.unread == $1.messages }
    case 1:
      return conversations(
        "conversations whose last sender takes part",
        Conversation.filter { $0.participants.contains($0.lastMessage.sender.userID) }
      ) { conversation, summary in summary.last.map { conversation.participants.contains($0.sender) } ?? false
      }
    case 2:
      return conversations(
        "conversations with more participants than messages",
        Conversation.filter { $0.participantCount > $0.messageCount }
      ) { $0.participants.count > $1.messages }
    default:
      return conversations(
        "conversations whose last message was sent after they were made",
        Conversation.filter { $0.lastMessage.sentAt > $0.createdAt }
      ) { conversation, summary in summary.last?.sentAt.map { $0 > conversation.createdAt } ?? false }
    }
  }
}

extension Answers {
  fileprivate func conversation(of message: Model.Message) -> Model.Conversation? {
    model.conversation(message.conversation).map { model.conversations[$0] }
  }
}
