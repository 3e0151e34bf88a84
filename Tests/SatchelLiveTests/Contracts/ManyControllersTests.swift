import Satchel
import Testing

@MainActor
@Suite struct ManyControllersTests {
  private let chats: ChatStore

  init() throws {
    chats = try ChatStore()
    for id in ["a", "b", "c"] as [Conversation.ID] { try chats.chat(id, messages: 20) }
  }

  @Test func aThousandControllersShowWhatAQueryGives() async throws {
    let queries: [Query<Message>] = [
      Message.order { $0.sentAt.descending }, Message.filter { $0.conversation == "a" }.order { $0.position },
      Message.filter { $0.conversation == "b" }.order { $0.position.descending },
      Message.filter { $0.isUnread && $0.conversation == "a" }.order { $0.position.descending },
      Message.filter { $0.conversation == "c" && $0.parts.any { $0.text.contains("1") } }.order { $0.sentAt },
    ]
    let controllers = try (0..<1000).map { number in
      let controller = chats.store.controller(
        for: queries[number % queries.count],
        window: number % 3 == 0 ? .last(1 + number % 17) : .first(1 + number % 23))
      try controller.execute()
      return controller
    }
    let conversations: [Conversation.ID] = ["a", "b", "c"]
    for number in 0..<30 { try chats.receive("\(number)", in: conversations[number % 3], at: 100 + number) }
    try chats.write { try $0.markAsRead("a-3" as Message.ID) }
    try chats.write { try $0.delete("b-20" as Message.ID) }
    try await chats.settled()
    for controller in controllers {
      let rows = try chats.fetch(controller.query).map(\.id)
      switch controller.window {
      case .first(let count): #expect(controller.objects.map(\.id) == Array(rows.prefix(count)))
      case .last(let count): #expect(controller.objects.map(\.id) == Array(rows.suffix(count)))
      default: Issue.record("another window")
      }
      #expect(controller.totalNumberOfObjects == rows.count)
    }
  }
}
