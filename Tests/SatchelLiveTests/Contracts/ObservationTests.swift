import Foundation
import Observation
import Satchel
import Synchronization
import Testing

/// Lists for the Observation framework, counts, and single objects.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ObservationTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 3)
  }

  @Test func resultsLoadAndFollow() async throws {
    let results = chats.store.results(of: messages, window: .last(2))
    #expect(!results.isLoaded)
    let loads = Mutex(0)
    withObservationTracking {
      _ = results.objects
    } onChange: {
      loads.withLock { $0 += 1 }
    }
    await eventually("it has loaded") { results.isLoaded }
    #expect(loads.withLock { $0 } == 1)
    #expect(results.objects.map(\.id) == ["a-2", "a-3"])
    #expect(results.total == 3)
    withObservationTracking {
      _ = results.total
    } onChange: {
      loads.withLock { $0 += 1 }
    }
    try chats.receive("4", in: "a", id: "a-4", at: 4)
    await eventually("the fourth shows") { results.objects.map(\.id) == ["a-3", "a-4"] }
    #expect(loads.withLock { $0 } == 2)
    try await results.controller.loadPrevious(10)
    await eventually("all show") { results.objects.count == 4 }
    chats.store.close()
    await eventually("the failure shows") { results.failure?.code == .closed }
    #expect(results.objects.count == 4)
  }

  @Test func resultsOfAnImpossibleQuery() async throws {
    let results = chats.store.results(of: try Query<Message>(format: "nothing = 1"))
    await eventually("the failure shows") { results.failure != nil }
    #expect(results.failure?.code == .unqueryableProperty)
    #expect(!results.isLoaded)
  }

  @Test func resultsWithoutReferencesAreGone() async throws {
    weak var gone: QueryController<Message>?
    do {
      let results = chats.store.results(of: messages)
      await eventually("it has loaded") { results.isLoaded }
      gone = results.controller
    }
    await eventually("its controller is gone") { gone == nil }
  }

  @Test func countsFollow() async throws {
    let all = try await chats.store.liveCount(of: messages)
    let limited = try await chats.store.liveCount(of: messages.limit(4).offset(1))
    let texts = try await chats.store.liveCount(of: messages) { $0.text == "1" || $0.text == "x" }
    #expect(all.value == 3)
    #expect(limited.value == 2)
    #expect(texts.value == 1)
    var values = all.values.makeAsyncIterator()
    #expect(await values.next() == 3)
    for number in 4...9 { try chats.receive("x", in: "a", at: number) }
    await eventually("all count") { all.value == 9 && limited.value == 4 && texts.value == 7 }
    var next = await values.next()
    while let number = next, number < 9 { next = await values.next() }
    #expect(next == 9)
    let ended = Task { () -> Int? in
      var values = all.values.makeAsyncIterator()
      _ = await values.next()
      return await values.next()
    }
    ended.cancel()
    #expect(await ended.value == nil)
    chats.store.close()
    await eventually("the failure shows") { all.failure?.code == .closed }
    #expect(await values.next() == nil)
    await #expect(throws: SatchelError.self) { try await chats.store.liveCount(of: messages) }
  }

  @Test func anObjectFromItsBeginningToItsEnd() async throws {
    let observer = try await chats.store.observe("b" as Conversation.ID)
    #expect(observer.object == nil)
    var changes = observer.changes.makeAsyncIterator()
    var story: [String] = []
    func word(_ change: ObjectObserver<Conversation>.Change?) -> String {
      switch change {
      case .created(let new): "created \(new.messageCount)"
      case .updated(let old, let new): "updated \(old.messageCount) \(new.messageCount)"
      case .deleted(let old): "deleted \(old.messageCount)"
      case nil: "end"
      }
    }
    try chats.chat("b", messages: 1)
    story.append(word(await changes.next()))
    try chats.receive("2", in: "b", at: 2)
    story.append(word(await changes.next()))
    // Out of sight and back.
    try chats.write { try $0.removeParticipants(["alice"], from: "b") }
    story.append(word(await changes.next()))
    #expect(observer.object == nil)
    try chats.write { try $0.addParticipants(["alice"], to: "b") }
    story.append(word(await changes.next()))
    try chats.write { try $0.delete("b" as Conversation.ID) }
    story.append(word(await changes.next()))
    try chats.chat("b", messages: 3)
    story.append(word(await changes.next()))
    #expect(observer.object?.messageCount == 3)
    chats.store.close()
    story.append(word(await changes.next()))
    #expect(
      story == ["created 1", "updated 1 2", "deleted 2", "created 2", "deleted 2", "created 3", "end"])
    #expect(observer.failure?.code == .closed)
  }

  @Test func aConversationBeforeItsFirstMessage() async throws {
    let observer = try await chats.store.observe("new" as Conversation.ID)
    let list = chats.store.controller(for: Conversation.filter { $0.identifier == "new" })
    try await list.execute()
    var changes = observer.changes.makeAsyncIterator()
    func count(_ change: ObjectObserver<Conversation>.Change?) -> [Int?] {
      switch change {
      case .created(let new): [nil, new.messageCount]
      case .updated(let old, let new): [old.messageCount, new.messageCount]
      case .deleted(let old): [old.messageCount, nil]
      case nil: []
      }
    }
    try chats.chat("new")
    #expect(count(await changes.next()) == [nil, 0])
    #expect(observer.object?.participants == ["alice", "bob"])
    try chats.write { try $0.setMetadata("red", at: "color", of: .conversation("new")) }
    #expect(count(await changes.next()) == [0, 0])
    #expect(observer.object?.metadata["color"] == "red")
    #expect(try await chats.store.observe("new" as Conversation.ID).object == observer.object)
    try await chats.settled()
    #expect(list.totalNumberOfObjects == 0, "a query never returns it")
    try chats.receive("1", in: "new", id: "first", at: 1)
    #expect(count(await changes.next()) == [0, 1])
    try chats.write { try $0.delete("first" as Message.ID) }
    #expect(count(await changes.next()) == [1, 0])
    // The user leaves it, and comes back, while it is empty.
    try chats.write { try $0.removeParticipants(["alice"], from: "new") }
    #expect(count(await changes.next()) == [0, nil])
    try chats.write { try $0.addParticipants(["alice"], to: "new") }
    #expect(count(await changes.next()) == [nil, 0])
    try chats.write { try $0.delete("new" as Conversation.ID) }
    #expect(count(await changes.next()) == [0, nil])
  }

  @Test func aMessageThatComesAndGoesWithItsConversation() async throws {
    let message = try await chats.store.observe("b-1" as Message.ID)
    let part = try await chats.store.observe("b-1/parts/0" as MessagePart.ID)
    var changes = message.changes.makeAsyncIterator()
    func kind(_ change: ObjectObserver<Message>.Change?) -> String {
      switch change {
      case .created: "created"
      case .updated: "updated"
      case .deleted: "deleted"
      case nil: "end"
      }
    }
    try chats.chat("b", messages: 1)
    #expect(kind(await changes.next()) == "created")
    try chats.write { try $0.removeParticipants(["alice"], from: "b") }
    #expect(kind(await changes.next()) == "deleted")
    try await chats.settled()
    #expect(message.object == nil && part.object == nil)
    try chats.write { try $0.addParticipants(["alice"], to: "b") }
    #expect(kind(await changes.next()) == "created")
    try await chats.settled()
    #expect(message.object?.text == "1" && part.object?.message == "b-1")
    try chats.write { try $0.delete("b" as Conversation.ID) }
    #expect(kind(await changes.next()) == "deleted")
    try await chats.settled()
    #expect(part.object == nil)
  }

  @Test func objectsOfEachKind() async throws {
    try chats.write { transaction in
      try transaction.put(Identity(userID: "bob", displayName: "Bob"))
      try transaction.announce([.text("hear")], from: "bob", id: "notice")
    }
    #expect(try await chats.store.observe("a-1" as Message.ID).object?.text == "1")
    #expect(try await chats.store.observe("bob" as Identity.ID).object?.displayName == "Bob")
    #expect(try await chats.store.observe("notice" as Announcement.ID).object?.text == "hear")
    #expect(try await chats.store.observe("notice" as Message.ID).object == nil)
    #expect(try await chats.store.observe("a-1/parts/0" as MessagePart.ID).object?.mimeType == "text/plain")
    #expect(try await chats.store.observe("" as Message.ID).object == nil)
  }

  @Test func aMessageThatIsDeletedAndMadeAgainInOneGo() async throws {
    let observer = try await chats.store.observe("a-1" as Message.ID)
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { transaction in
      try transaction.delete("a-1" as Message.ID)
      try transaction.receive(
        [.text("again")], in: "a", from: "bob", id: "a-1", position: 1, restoresDeleted: true)
    }
    await eventually("it shows again") { observer.object?.text == "again" }
    await eventually("in the list, too") { table.sections[0].first?.text == "again" }
    #expect(table.changes == [.init(type: .update, id: "a-1", at: [0, 0], to: nil)])
    try chats.write { transaction in
      try transaction.delete("a-1" as Message.ID)
      try transaction.receive(
        [.text("later")], in: "a", from: "bob", id: "a-1", position: 9, restoresDeleted: true)
    }
    await eventually("it has moved") { table.ids == ["a-2", "a-3", "a-1"] }
    #expect(table.changes.last == .init(type: .move, id: "a-1", at: [0, 0], to: [0, 2]))
  }

  @Test func aConditionOfTheProgramsOwn() async throws {
    let short = chats.store.controller(for: messages) { ($0.text ?? "").count < 3 }
    let table = ModelTable<Message>()
    try await table.show(short)
    try chats.receive("long", in: "a", id: "long", at: 4)
    try chats.receive("s", in: "a", id: "s", at: 5)
    await eventually("the short one shows") { table.ids == ["a-1", "a-2", "a-3", "s"] }
    let busy = chats.store.controller(for: Conversation.all) { $0.messageCount > 5 }
    let busyTable = ModelTable<Conversation>()
    try await busyTable.show(busy)
    #expect(busyTable.ids.isEmpty)
    try chats.receive("s", in: "a", at: 6)
    await eventually("a is busy") { busyTable.ids == ["a"] }
    try await short.setQuery(messages.filter { $0.isUnread })
    try chats.write { try $0.markAsRead("s" as Message.ID) }
    await eventually("the closure stays with another query") { !table.ids.contains("s") }
    #expect(!table.ids.contains("long"))
  }
}
