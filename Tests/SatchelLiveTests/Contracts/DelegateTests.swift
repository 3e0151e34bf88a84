import Foundation
import Satchel
import Testing

/// What a delegate may rely on and what it may do in its methods.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct DelegateTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 3)
  }

  @Test func theListBeforeInWillAndTheListAfterFromTheFirstChangeOn() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var counts: [Int] = []
    table.onWill = { counts.append($0.count) }
    table.onChange = { controller, change in
      counts.append(controller.count)
      let path = controller.indexPath(for: Message.ID(change.id))
      #expect(path.map { Array($0) } == change.to)
    }
    table.onDid = { counts.append($0.count) }
    try chats.write { transaction in
      try transaction.delete("a-1" as Message.ID)
      try transaction.receive([.text("4")], in: "a", from: "bob", position: 4)
      try transaction.receive([.text("5")], in: "a", from: "bob", position: 5)
    }
    await eventually("the batch is there") { table.batches.count == 1 }
    #expect(counts == [3, 4, 4, 4, 4])
  }

  @Test func theFirstListComesWithoutADelivery() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    controller.delegate = table
    try await controller.execute()
    try await controller.execute()
    #expect(table.batches.isEmpty)
    #expect(controller.count == 3)
  }

  @Test func aDelegateThatComesLaterHearsOfWhatHappensThen() async throws {
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    try chats.receive("4", in: "a", at: 4)
    await eventually("the fourth has come") { controller.count == 4 }
    let table = ModelTable<Message>()
    controller.delegate = table
    table.reload(controller)
    try chats.receive("5", in: "a", at: 5)
    await eventually("the fifth has come") { table.ids.count == 5 }
    #expect(table.changes.map(\.to) == [[0, 4]])
  }

  @Test func aDelegateMayChangeTheQuestion() async throws {
    let controller = chats.store.controller(for: messages, window: .last(2))
    let table = ModelTable<Message>()
    try await table.show(controller)
    var steps: [() throws -> Void] = [
      { try controller.execute() },
      { try controller.setWindow(.last(3)) },
      { [chats] in
        try controller.setUpdatableProperties(["position"])
        try controller.setQuery(Message.filter { $0.conversation == "a" }.order { $0.position.descending })
        try chats.receive("5", in: "a", id: "a-5", at: 5)
      },
      { try controller.setWindow(.all) },
    ]
    table.onChange = { _, _ in
      if !steps.isEmpty { #expect(throws: Never.self) { try steps.removeFirst()() } }
    }
    try chats.receive("4", in: "a", id: "a-4", at: 4)
    await eventually("all steps are done") {
      steps.isEmpty && table.ids == ["a-5", "a-4", "a-3", "a-2", "a-1"]
    }
  }

  @Test func aDelegateMayWriteToTheStore() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    let chats = chats
    table.onWill = { _ in
      guard table.batches.isEmpty else { return }
      #expect(throws: Never.self) { try chats.receive("synchronous", in: "a", id: "sync", at: 5) }
      Task {
        try await chats.store.write {
          try $0.receive([.text("x")], in: "a", from: "bob", id: "async", position: 6)
        }
      }
    }
    try chats.receive("4", in: "a", id: "four", at: 4)
    await eventually("all have come") { table.ids == ["a-1", "a-2", "a-3", "four", "sync", "async"] }
    #expect(table.batches[0].changes.map(\.id) == ["four"])
  }

  @Test func aDelegateMayLetGoOfTheController() async throws {
    var controller: QueryController<Message>? = chats.store.controller(for: messages)
    weak let gone = controller
    let table = ModelTable<Message>()
    if let controller { try await table.show(controller) }
    table.onWill = { _ in controller = nil }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the batch is told to its end") { table.ids.count == 4 }
    await eventually("the controller is gone") { gone == nil }
    try chats.receive("5", in: "a", at: 5)
    try await chats.settled()
    #expect(table.batches.count == 1)
  }

  @Test func aDelegateMayLetGoOfItself() async throws {
    let controller = chats.store.controller(for: messages)
    var table: ModelTable<Message>? = ModelTable<Message>()
    weak let gone = table
    try await table?.show(controller)
    table?.onWill = { _ in table = nil }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the delegate is gone") { gone == nil }
    await eventually("the controller shows the newest list") { controller.count == 4 }
    #expect(controller.delegate == nil)
  }

  @Test func aDelegateIsNotKeptAlive() async throws {
    let controller = chats.store.controller(for: messages)
    weak var gone: ModelTable<Message>?
    do {
      let table = ModelTable<Message>()
      try await table.show(controller)
      gone = table
    }
    #expect(gone == nil)
    try chats.receive("4", in: "a", at: 4)
    await eventually("the controller follows without it") { controller.count == 4 }
  }

  @Test func aDelegateMayHandOverToAnother() async throws {
    let controller = chats.store.controller(for: messages)
    let (first, second) = (ModelTable<Message>(), ModelTable<Message>())
    try await first.show(controller)
    first.onDid = { controller in
      controller.delegate = second
      second.reload(controller)
    }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the first is told") { first.ids.count == 4 }
    try chats.receive("5", in: "a", at: 5)
    await eventually("the second is told") { second.ids.count == 5 }
    #expect(first.batches.count == 1)
  }

  @Test func oneThatIsSetDuringTheCallsOfAnotherIsToldOfWhatItHasNotBeenShown() async throws {
    let controller = chats.store.controller(for: messages)
    let (first, second) = (ModelTable<Message>(), ModelTable<Message>())
    try await first.show(controller)
    first.onDid = { controller in
      #expect(throws: Never.self) { try controller.setWindow(.first(2)) }
      controller.delegate = nil
      controller.delegate = second
      second.reload(controller)
    }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the second shows the window") { second.ids.count == 2 }
    try await controller.execute()
    #expect(second.batches.isEmpty)
    try chats.receive("0", in: "a", id: "zero", at: 0)
    await eventually("the second is told") { second.ids == ["zero", "a-1"] }
    #expect(second.batches.count == 1)
  }

  @Test func aDelegateMayCloseTheController() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    table.onWill = { $0.close() }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the batch is told to its end") { table.ids.count == 4 }
    try chats.receive("5", in: "a", at: 5)
    try await chats.settled()
    #expect(controller.count == 4)
    #expect(table.batches.count == 1)
  }

  @Test func aDelegateMayCloseTheStore() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    table.onChange = { [chats] _, _ in chats.store.close() }
    try chats.receive("4", in: "a", at: 4)
    await eventually("the failure is told") { table.failures.count == 1 }
    #expect(table.ids.count == 4)
    #expect(table.failures.first?.code == .closed)
  }
}
