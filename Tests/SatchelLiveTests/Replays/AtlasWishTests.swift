import Foundation
import Satchel
import Testing

/// What users of Layer's and Atlas' lists complained of or wished for.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct AtlasWishTests {
  let chats: ChatStore

  init() throws { chats = try ChatStore() }

  @Test("Atlas PR 927, 1117, 1267, 1277: when loading more returns, the rows are there and have been told of")
  func loadMore() async throws {
    try chats.chat("a", messages: 70)
    let controller = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.position }, window: .last(30))
    let table = ModelTable<Message>()
    try await table.show(controller)
    for expected in [60, 70, 70] {
      #expect(controller.hasMoreBefore == (table.ids.count < 70))
      try await controller.loadPrevious(30)
      #expect(table.ids.count == expected)
      #expect(controller.count == expected)
    }
    #expect(table.ids.first == "a-1")
    #expect(table.batches.count == 2)
  }

  @Test("Layer's header: a window of -25 on 100 messages is the last 25 of them")
  func lastTwentyFive() async throws {
    try chats.chat("a", messages: 100)
    let controller = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.position })
    try synchronously { try controller.setPaginationWindow(-25) }
    #expect(controller.objects.map(\.id.rawValue) == (76...100).map { "a-\($0)" })
    #expect(controller.totalNumberOfObjects == 100)
  }

  @Test("Atlas 1299: identities by two names, without oneself")
  func identities() async throws {
    let controller = chats.store.controller(
      for: Identity.filter { $0.userID.notIn(["alice"]) }.order { ($0.firstName, $0.lastName) })
    let table = ModelTable<Identity>()
    try await table.show(controller)
    try chats.write { transaction in
      for (user, first, last) in [
        ("alice", "A", "A"), ("bob", "Bo", "Z"), ("bo", "Bo", "B"), ("anna", "Anna", "C"),
      ] {
        try transaction.put(Identity(userID: Identity.ID(user), firstName: first, lastName: last))
      }
    }
    await eventually("all but alice") { table.ids == ["anna", "bo", "bob"] }
    try chats.write { try $0.put(Identity(userID: "bob", firstName: "Abe", lastName: "Z")) }
    await eventually("Abe is first") { table.ids == ["bob", "anna", "bo"] }
  }

  @Test("Atlas 1073: a query that cannot be asked is a concrete error, and the controller is as before")
  func concreteErrors() async throws {
    try chats.chat("a", messages: 2)
    let controller = chats.store.controller(for: Message.all)
    try await controller.execute()
    for format in ["nothing = 1", "sentAt = 'x'", "isUnread < TRUE", "position LIKE 'a'"] {
      let query = try Query<Message>(format: format)
      let error = #expect(throws: SatchelError.self) { try controller.setQuery(query) }
      #expect(error?.message.isEmpty == false)
      #expect(controller.query == Message.all)
      #expect(controller.count == 2)
    }
    try chats.receive("3", in: "a", at: 3)
    await eventually("it follows still") { controller.count == 3 }
  }

  @Test("Atlas PR 807: a list by sentAt; Atlas-Android 276: by metadata, the archived ones at the bottom")
  func orders() async throws {
    try chats.chat("a", messages: 1)
    try chats.chat("b", messages: 2)
    try chats.chat("c", messages: 3)
    let bySent = chats.store.controller(for: Conversation.order { $0.lastMessage.sentAt.descending })
    let sentTable = ModelTable<Conversation>()
    try await sentTable.show(bySent)
    let archive = chats.store.controller(
      for: Conversation.order { ($0.metadata.archived, $0.lastMessage.receivedAt.descending) })
    let table = ModelTable<Conversation>()
    try await table.show(archive)
    #expect(sentTable.ids == ["c", "b", "a"])
    #expect(table.ids == ["c", "b", "a"])
    try chats.write { try $0.setMetadata("yes", at: "archived", of: .conversation("c")) }
    await eventually("c is at the bottom") { table.ids == ["b", "a", "c"] }
    try chats.write { try $0.update("a-1" as Message.ID) { $0.sentAt = ChatStore.date(9) } }
    await eventually("a was sent last") { sentTable.ids == ["a", "c", "b"] }
    try chats.write { try $0.removeMetadata(at: "archived", of: .conversation("c")) }
    await eventually("c is back") { table.ids == ["c", "b", "a"] }
  }

  @Test("Atlas 771: groups and pairs are told apart; Atlas 956, websdk 56: also by metadata that is missing")
  func filters() async throws {
    try chats.chat("a", messages: 1)
    try chats.chat("b", with: ["bob", "carol"], messages: 1)
    let pairs = chats.store.controller(for: Conversation.filter { $0.participantCount == 2 })
    let pairTable = ModelTable<Conversation>()
    try await pairTable.show(pairs)
    let active = chats.store.controller(for: Conversation.filter { $0.metadata.archived != "yes" })
    let table = ModelTable<Conversation>()
    try await table.show(active)
    #expect(pairTable.ids == ["a"])
    #expect(table.ids == ["a", "b"])
    try chats.write { transaction in
      try transaction.addParticipants(["dave"], to: "a")
      try transaction.removeParticipants(["carol"], from: "b")
      try transaction.setMetadata("yes", at: "archived", of: .conversation("a"))
    }
    await eventually("they have changed roles") { pairTable.ids == ["b"] && table.ids == ["b"] }
    #expect(pairTable.changes.map(\.type) == [.delete, .insert])
  }

  @Test("Atlas PR 844, 1428: another predicate in a live controller is one batch, the delegate stays")
  func anotherQuery() async throws {
    try chats.chat("a", messages: 6)
    try chats.write { try $0.markAsRead(["a-1", "a-3", "a-5"]) }
    let controller = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.position })
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.setQuery(
      Message.filter { $0.conversation == "a" && $0.isUnread }.order { $0.position })
    #expect(table.ids == ["a-2", "a-4", "a-6"])
    #expect(table.batches.map { $0.changes.map(\.type) } == [[.delete, .delete, .delete]])
    try chats.write { try $0.markAsRead(["a-2"]) }
    await eventually("the new predicate is followed") { table.ids == ["a-4", "a-6"] }
  }

  @Test("Atlas 1196, 797, PR 1054: search in texts, by type, and a jump to what was found")
  func search() async throws {
    try chats.chat("a", messages: 40)
    let search = chats.store.controller(for: try Query<Message>(format: "parts.text CONTAINS[cd] 'cafe'"))
    let images = chats.store.controller(for: Message.filter { $0.parts.any { $0.mimeType == "image/png" } })
    let (found, seen) = (ModelTable<Message>(), ModelTable<Message>())
    try await found.show(search)
    try await seen.show(images)
    try chats.write { transaction in
      try transaction.receive([.text("At the Café?")], in: "a", from: "bob", id: "cafe", position: 20)
      try transaction.receive(
        [.data([1], mimeType: "image/png")], in: "a", from: "bob", id: "image", position: 99)
    }
    await eventually("both are found") { found.ids == ["cafe"] && seen.ids == ["image"] }
    let controller = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.position }, window: .last(10))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.loadAround("cafe", before: 2, after: 2)
    #expect(table.ids == ["a-19", "a-20", "cafe", "a-21", "a-22"])
  }

  @Test("Atlas 765, Atlas-Android 104: a live number of unread messages, told of only when it changes")
  func unreadCount() async throws {
    try chats.chat("a", messages: 3)
    let count = try await chats.store.liveCount(
      of: Message.filter { $0.isUnread && $0.sender.userID != "alice" })
    var numbers: [Int] = []
    for await number in count.values {
      numbers.append(number)
      switch numbers.count {
      case 1:
        try synchronously {
          try chats.write { try $0.send([.text("mine")], to: "a") }
          try chats.receive("read already", in: "a", isUnread: false)
          try chats.receive("4", in: "a", at: 4)
        }
      case 2: try synchronously { try chats.write { _ = try $0.markAsRead("a" as Conversation.ID) } }
      default: break
      }
      if number == 0 { break }
    }
    #expect(numbers == [3, 4, 0])
  }

  @Test("Atlas 1137: loaded and empty is not the same as not loaded yet")
  func emptyOrNotLoaded() async throws {
    let controller = chats.store.controller(for: Message.all)
    #expect(!controller.isExecuted)
    #expect(controller.count == 0)
    try await controller.execute()
    #expect(controller.isExecuted)
    #expect(controller.count == 0)
    let results = chats.store.results(of: Message.all)
    #expect(!results.isLoaded)
    await eventually("it has loaded") { results.isLoaded }
    #expect(results.objects.isEmpty)
  }

  @Test("Atlas 1338, 756, 778: a controller made before its conversation exists shows its first message")
  func conversationOfTheFuture() async throws {
    let controller = chats.store.controller(
      for: Message.filter { $0.conversation == "a" }.order { $0.position })
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.chat("a")
    try await chats.settled()
    #expect(table.batches.isEmpty)
    try chats.receive("first", in: "a", id: "first", at: 1)
    await eventually("the first message shows") { table.ids == ["first"] }
    try chats.write { try $0.delete("a" as Conversation.ID) }
    await eventually("it goes with its conversation") { table.ids.isEmpty }
    try chats.chat("a", messages: 2)
    await eventually("one of the same name is the same") { table.ids == ["a-1", "a-2"] }
  }

  @Test("Atlas 1043: two who make the same distinct conversation at once get one row")
  func distinctConversation() async throws {
    let controller = chats.store.controller(for: Conversation.filter { $0.participants == ["bob"] })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    let chats = chats
    let makers = (0..<4).map { number in
      Task.detached {
        try chats.write { transaction in
          try transaction.send([.text("\(number)")], to: transaction.conversation(with: ["bob"]).id)
        }
      }
    }
    for maker in makers { _ = try await maker.value }
    await eventually("four messages in one conversation") { table.sections[0].first?.messageCount == 4 }
    #expect(table.ids.count == 1)
    #expect(table.changes.count { $0.type == .insert } == 1)
  }
}
