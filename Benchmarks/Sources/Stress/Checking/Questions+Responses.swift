import Satchel
import SatchelRelations
import SatchelResponses

/// Questions for what conversations are to the user, and for who is related to him.
extension Questions {
  static func ofStates(_ random: inout Randomness) -> Question<Conversation> {
    switch random.below(4) {
    case 0:
      return conversations("pinned conversations", Conversation.filter { $0.my.isPinned }) { state, _ in
        state.pinnedAt != nil
      }
    case 1:
      return conversations(
        "conversations that are neither archived nor muted",
        Conversation.filter { !$0.my.isArchived && $0.my.isMuted == false }
      ) { state, _ in !state.isArchived && !state.isMuted }
    case 2:
      return conversations(
        "conversations with unread messages in which the user is no admin",
        Conversation.filter { $0.hasUnreadMessages && $0.my.role != "admin" }
      ) { state, summary in summary.unread > 0 && state.role != "admin" }
    default:
      return conversations(
        "conversations that were read up to 2,000", Conversation.filter { $0.my.lastReadPosition >= 2_000 }
      ) { state, _ in state.lastRead.map { $0 >= 2_000 } ?? false }
    }
  }

  private static func conversations(
    _ name: String, _ query: Query<Conversation>,
    where condition: @escaping (ResponseEdit.State, Summary) -> Bool
  ) -> Question<Conversation> {
    Question(
      name: name, query: query,
      expected: { answers in
        answers.conversations { conversation, summary in
          let own = answers.model.states[.init(user: 0, conversation: conversation.number)]
          return condition(own ?? .init(), summary)
        }.map { Description.of($0.0, $0.1) }
      }, describe: { Description.of($0) })
  }

  static func ofRelations(_ random: inout Randomness) -> Question<Message> {
    let order = random.one(of: MessageOrder.allCases)
    let kind = random.one(of: ResponseEdit.relationKinds)
    switch random.below(3) {
    case 0:
      return Question(
        "messages of who is related to the user by \(kind)",
        Message.filter { $0.sender.isRelated(RelationKind(kind), .inward) }, order
      ) { message, answers in answers.model.isRelated(kind, from: message.sender, to: 0) }
    case 1:
      return Question(
        "unread messages of others than those to whom the user is related by \(kind)",
        Message.filter { $0.isUnread && !$0.sender.isRelated(RelationKind(kind), .outward) }, order
      ) { message, answers in
        message.isUnread && !answers.model.isRelated(kind, from: 0, to: message.sender)
      }
    default:
      return Question(
        "messages behind the last read position",
        Message.filter { $0.position > $0.conversation.my.lastReadPosition },
        order
      ) { message, answers in
        let own = answers.model.states[.init(user: 0, conversation: message.conversation)]
        guard let position = message.position, let read = own?.lastRead else { return false }
        return position > read
      }
    }
  }
}

extension Model {
  fileprivate func isRelated(_ kind: String, from: Int, to: Int) -> Bool {
    relations.contains(.init(kind: kind, from: from, to: to))
  }
}
