internal import SatchelModel
package import SatchelWriting

// Many small messages at once.
extension RandomOperations {
  private static let titles: [String?] = ["red", "blue", "gr\u{FC}n", nil]

  /// Adds conversations with small messages: more than a declaration of an index builds by itself.
  package mutating func fill(_ writer: Writer?, conversations: Int, messages: Int) throws {
    for _ in 0..<conversations {
      let order = model.next()
      let id = Conversation.ID("c\(order)")
      _ = try writer?.createConversation(ConversationDraft(identifier: id, participants: ["bob"]))
      model.conversations[id] = ReferenceStore.Conversation(
        order: order, participants: ["bob", "me"], metadata: Metadata())
      for _ in 0..<messages {
        var (message, draft) = newMessage()
        message.parts = []
        message.metadata = Metadata()
        if let title = generator.draw(from: Self.titles) {
          try message.metadata.set(.text(title), at: ["title"])
        }
        draft.parts = []
        draft.recipientStatus = []
        draft.metadata = message.metadata
        _ = try writer?.insertMessage(draft, in: id)
        put(message, message.id, id)
      }
    }
  }
}
