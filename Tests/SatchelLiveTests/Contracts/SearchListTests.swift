import Satchel
import Testing

/// Lists of what full-text search finds.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct SearchListTests {
  @Test func aListFollowsWhatMatches() async throws {
    let chats = try ChatStore()
    try chats.chat("a", messages: 0)
    try chats.receive("At noon.", in: "a", id: "m1", at: 1)
    try chats.receive("At midnight.", in: "a", id: "m2", at: 2)
    let controller = chats.store.controller(
      for: Message.filter { $0.parts.any { $0.text.matches("noon OR lunc* -late") } }.order { $0.position })
    try await controller.execute()
    #expect(controller.objects.map(\.id) == ["m1"])
    var iterator = controller.changes.makeAsyncIterator()
    try synchronously {
      try chats.receive("Lunch!", in: "a", id: "m3", at: 3)
      try chats.receive("A late lunch", in: "a", id: "m4", at: 4)
      try chats.write { try $0.delete(Message.ID("m1")) }
    }
    try await chats.settled()
    let set = await iterator.next()
    #expect(set?.after.count == 1)
    #expect(controller.objects.map(\.id) == ["m3"])
  }
}
