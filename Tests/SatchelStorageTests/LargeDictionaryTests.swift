import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

@Suite struct LargeDictionaryTests {
  /// Texts of numbers beyond those that a table has slots for are found like the others, however often they are met.
  @Test func manyUsersKeepTheirNames() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    let last = (1 << 18) + 3
    try store.write { writer in
      let conversation = try writer.createConversation(ConversationDraft(participants: ["other"]))
      for chunk in stride(from: 0, through: last, by: 4096) {
        let recipients = (chunk..<min(chunk + 4096, last + 1)).map {
          RecipientStatusEntry(user: Identity.ID("user \($0)"), status: .delivered)
        }
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("\(chunk)"), sender: "other", recipientStatus: recipients),
          in: conversation)
      }
    }
    store.close()
    // Nothing is remembered of what has been written.
    let again = try openStore(directory.path)
    for _ in 0..<2 {
      let message = try again.read { snapshot in
        let key = try #require(try snapshot.locateMessage("\(last / 4096 * 4096)"))
        return try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence)
      }
      #expect(message.recipientStatus.count == last % 4096 + 1)
      #expect(message.recipientStatus[Identity.ID("user \(last)")] == .delivered)
    }
  }
}
