import Satchel

extension MessageStore {
  /// Makes a commit of a chat that ages.
  public func make(_ commit: AgeingCommit) throws {
    switch commit {
    case .add(let message): try insert([message])
    case .read(let key): try write { _ = try $0.markAsRead(Conversation.ID(key.identifier)) }
    case .readOne(let message): try write { try $0.markAsRead(Message.ID(message.identifier)) }
    case .rename(let key, let title):
      let id = Conversation.ID(key.identifier)
      try write { try $0.setMetadata(.text(title), at: "title", of: .conversation(id)) }
    case .edit(let message, let text, let date):
      try write { transaction in
        try transaction.update(Message.ID(message.identifier)) {
          $0.replacedParts[0] = .text(text)
          $0.editedAt = Timestamp(microseconds: date).date
        }
      }
    case .delete(let message): try write { try $0.delete(Message.ID(message.identifier)) }
    case .begin(let values):
      try write { transaction in
        try transaction.createConversation(
          with: values.participants.map { Identity.ID($0) }, id: Conversation.ID(values.identifier),
          metadata: ["title": .text(values.metadataTexts[0].value)])
      }
    case .end(let key): try write { try $0.delete(Conversation.ID(key.identifier)) }
    }
  }
}
