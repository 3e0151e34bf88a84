import Satchel
import SatchelRelations
import SatchelResponses
import Testing

/// Lists of the messages of one conversation that ask for what is none of its messages: relations between users, and what the conversation is
/// to the store's user. They follow commits in which nothing but that has changed.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct OneConversationTests {
  let chats: ChatStore

  init() throws {
    chats = try ChatStore()
    try chats.write { try $0.enable(.relations, .participations) }
    try chats.chat("a", with: ["bob", "carol"], messages: 2)
    try chats.receive("three", in: "a", from: "carol", id: "a-3", at: 3)
  }

  /// What a list shows that was there before a write.
  private func shown(
    _ format: String, after write: (WriteTransaction) throws -> Void
  ) async throws -> [Message.ID] {
    let controller = chats.store.controller(for: try Query<Message>(format: format).order { $0.position })
    try synchronously { try controller.execute() }
    try chats.write(write)
    // No other commit may be taken in together with this one.
    chats.store.live.catchUp()
    try await chats.settled()
    return controller.list.map(\.id)
  }

  @Test func aRelationComesAndGoes() async throws {
    let format = "conversation = 'a' AND sender RELATED 'following'"
    #expect(try await shown(format) { try $0.relate(.following, to: "bob") } == ["a-1", "a-2"])
    #expect(try await shown(format) { try $0.unrelate(.following, to: "bob") } == [])
    #expect(
      try await shown("conversation = 'a' AND NOT sender RELATED 'blocked'") {
        try $0.relate(.blocked, to: "carol")
      } == ["a-1", "a-2"])
  }

  @Test func theConversationIsMutedAndPinned() async throws {
    let loud = "conversation = 'a' AND conversation.my.isMuted = FALSE"
    #expect(try await shown(loud) { try $0.mute("a") } == [])
    #expect(try await shown(loud) { try $0.unmute("a") } == ["a-1", "a-2", "a-3"])
    #expect(
      try await shown("conversation = 'a' AND conversation.my.lastReadPosition < position") {
        try $0.markRead("a", upTo: 2)
      } == ["a-3"])
  }
}
