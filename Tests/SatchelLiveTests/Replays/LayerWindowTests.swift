import Foundation
import Satchel
import Testing

/// Layer's lessons about windows, counts, errors and threads.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct LayerWindowTests {
  let chats: ChatStore
  let latest: Query<Message>

  init() throws {
    chats = try ChatStore()
    latest = Message.filter { $0.conversation == "a" }.order { $0.position.descending }
  }

  @Test("Layer 0.9.6: what is inserted outside of the window does not make it larger")
  func insertOutside() async throws {
    try chats.chat("a", messages: 10)
    let controller = chats.store.controller(for: latest, window: .first(3))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.receive([.text("late")], in: "a", from: "bob", position: 0) }
    await eventually("the total is told") { controller.totalNumberOfObjects == 11 }
    #expect(table.ids == ["a-10", "a-9", "a-8"])
    #expect(table.batches.map(\.changes) == [[]])
  }

  @Test("Layer 0.15.0: an empty controller has no object at any index path")
  func emptyController() async throws {
    let controller = chats.store.controller(for: latest)
    for isExecuted in [false, true] {
      if isExecuted { try await controller.execute() }
      for indexes in [[0, 0], [0, -1], [0, .max], [0, .min], [1, 0], [-1, 0], [0], [], [0, 0, 0]] {
        #expect(try await controller.object(at: IndexPath(indexes: indexes)) == nil)
      }
      #expect(controller.numberOfSections == 1)
      #expect(controller.numberOfObjects(inSection: 0) == 0)
      #expect(controller.numberOfObjects(inSection: 7) == 0)
      #expect(controller.indexPath(for: "nobody") == nil)
    }
  }

  @Test("Layer 0.14.1: a count that cannot be made is an error, no number")
  func impossibleCount() throws {
    let impossible = try Query<Message>(format: "nothing = 1")
    let error = #expect(throws: SatchelError.self) { try chats.store.liveCount(of: impossible) }
    #expect(error?.code == .unqueryableProperty)
  }

  @Test("Layer 0.9.2: a writer at work is no error for a query, and keeps it from nothing")
  func readingBesideAWriter() async throws {
    try chats.chat("a", messages: 3)
    let begun = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let chats = chats
    Thread {
      try? chats.write { transaction in
        try transaction.receive([.text("4")], in: "a", from: "bob", id: "a-4", position: 4)
        begun.signal()
        end.wait()
      }
      done.signal()
    }.start()
    synchronously { begun.wait() }
    let controller = chats.store.controller(for: latest)
    try synchronously { try controller.execute() }
    #expect(controller.count == 3)
    end.signal()
    synchronously { done.wait() }
    await eventually("the fourth has come") { controller.count == 4 }
  }

  @Test("Layer 0.13.1: thousands of conversations are a list like any other")
  func thousands() async throws {
    try chats.write { transaction in
      for number in 0..<3_000 {
        let id = Conversation.ID("c\(number)")
        try transaction.createConversation(with: ["bob"], id: id)
        try transaction.receive(
          [.text("hello")], in: id, from: "bob", position: 1, receivedAt: ChatStore.date(number))
      }
    }
    let controller = chats.store.controller(for: Conversation.order { $0.lastMessage.receivedAt.descending })
    let table = ModelTable<Conversation>()
    try await table.show(controller)
    #expect(table.sections[0].count == 3_000)
    try chats.receive("again", in: "c0", at: 5_000)
    await eventually("c0 is first") { table.ids.first == "c0" }
    #expect(table.changes == [.init(type: .move, id: "c0", at: [0, 2_999], to: [0, 0])])
  }

  @Test("Layer 0.14.2: controllers may be made and executed while others are told of changes")
  func controllersMadeInCallbacks() async throws {
    try chats.chat("a", messages: 3)
    let controller = chats.store.controller(for: latest)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var made: [QueryController<Message>] = []
    table.onChange = { [chats, latest] _, _ in
      let new = chats.store.controller(for: latest)
      try? new.execute()
      made.append(new)
    }
    for number in 4...13 { try chats.receive("\(number)", in: "a", at: number) }
    await eventually("all have come") { table.ids.count == 13 }
    await eventually("also to those made meanwhile") { made.allSatisfy { $0.count == 13 } }
    #expect(made.count == 10)
  }

  @Test("Layer 0.19.0: objects are complete in several controllers on several threads")
  func completeObjects() async throws {
    try chats.chat("a", metadata: ["title": "Lunch"])
    let chats = chats
    let latest = latest
    let incomplete = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var incomplete = 0
          for round in 0..<25 {
            try chats.receive("text", in: "a", at: worker * 100 + round)
            let controller = chats.store.controller(for: latest, window: .first(50))
            try synchronously { try controller.execute() }
            incomplete += controller.objects.count {
              $0.text != "text" || $0.sender != "bob" || $0.position == nil
            }
          }
          return incomplete
        }
      }
      var sum = 0
      for try await number in group { sum += number }
      return sum
    }
    #expect(incomplete == 0)
  }

  @Test("Layer 0.19.2: batches come one after the other, each from where the last one ended")
  func serialDelivery() async throws {
    try chats.chat("a", messages: 1)
    let controller = chats.store.controller(for: latest)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var errors = 0
    // Executing while an update is being told of was an error there; here it is no more than another look.
    table.onChange = { controller, _ in
      do { try controller.execute() } catch { errors += 1 }
    }
    let chats = chats
    let writers = (0..<3).map { writer in
      Task.detached {
        for number in 0..<20 { try chats.receive("x", in: "a", at: 10 + writer * 100 + number) }
      }
    }
    for writer in writers { try await writer.value }
    await eventually("all have come") { table.ids.count == 61 }
    #expect(errors == 0)
    for (earlier, later) in zip(table.sets, table.sets.dropFirst()) {
      #expect(earlier.after.objects == later.before.objects)
      #expect(earlier.sequence <= later.sequence)
    }
  }
}
