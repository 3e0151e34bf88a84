import Foundation
import Satchel
import Testing

/// When a controller follows its store, and when it does not any more.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct LifetimeTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 3)
  }

  @Test func aStoreClosedUnderAController() async throws {
    let controller = chats.store.controller(for: messages, window: .first(2))
    let table = ModelTable<Message>()
    try await table.show(controller)
    let bare = chats.store.controller(for: messages)
    try await bare.execute()
    let changes = bare.changes
    chats.store.close()
    await eventually("the delegate is told") { !table.failures.isEmpty }
    #expect(table.failures.map(\.code) == [.closed])
    #expect(controller.failure?.code == .closed)
    #expect(table.ids == ["a-1", "a-2"])
    // The window is the controller's own; what is outside of it is not.
    #expect(try await controller.object(at: IndexPath(indexes: [0, 1]))?.id == "a-2")
    let outside = await #expect(throws: SatchelError.self) {
      try await controller.object(at: IndexPath(indexes: [0, 2]))
    }
    #expect(outside?.code == .closed)
    let again = #expect(throws: SatchelError.self) { try controller.execute() }
    #expect(again?.code == .closed)
    var sets = 0
    for await _ in changes { sets += 1 }
    #expect(sets == 0)
    #expect(bare.count == 3)
  }

  @Test func inTheWindowTheStoreIsNotRead() async throws {
    let controller = chats.store.controller(for: messages, window: .last(2))
    try await controller.execute()
    // A read inside another one is an error: so none is made.
    try synchronously {
      try chats.store.read { _ in
        let first = try controller.object(at: IndexPath(indexes: [0, 0]))
        #expect(first?.id == "a-2")
        #expect(controller.indexPath(for: "a-3") == IndexPath(indexes: [0, 1]))
        #expect(controller.indexPaths(for: ["a-1", "a-2"]) == ["a-2": IndexPath(indexes: [0, 0])])
        #expect(controller.objects.count == 2)
        let outside = #expect(throws: SatchelError.self) {
          try controller.object(at: IndexPath(indexes: [0, -1]))
        }
        #expect(outside?.code == .nestedTransaction)
      }
    }
  }

  @Test func outsideOfTheWindowItIsTheNewest() async throws {
    let controller = chats.store.controller(for: messages, window: .first(1))
    let table = ModelTable<Message>()
    try await table.show(controller)
    try chats.write { try $0.markAsRead("a-2" as Message.ID) }
    let second = try await controller.object(at: IndexPath(indexes: [0, 1]))
    #expect(second?.id == "a-2")
    #expect(second?.isUnread == false)
    try chats.write { try $0.delete("a-3" as Message.ID) }
    #expect(try await controller.object(at: IndexPath(indexes: [0, 2])) == nil)
  }

  @Test func executingInsideAReadOrWriteIsAnErrorAndNothingElse() async throws {
    let controller = chats.store.controller(for: messages)
    try synchronously {
      try chats.store.read { _ in
        let error = #expect(throws: SatchelError.self) { try controller.execute() }
        #expect(error?.code == .nestedTransaction)
      }
      try chats.write { _ in
        let error = #expect(throws: SatchelError.self) { try controller.execute() }
        #expect(error?.code == .nestedTransaction)
      }
    }
    #expect(!controller.isExecuted)
    try await controller.execute()
    #expect(controller.count == 3)
    try chats.receive("4", in: "a", at: 4)
    await eventually("it follows") { controller.count == 4 }
  }

  @Test func aControllerWithoutReferencesIsGone() async throws {
    weak var gone: QueryController<Message>?
    do {
      let controller = chats.store.controller(for: messages)
      try await controller.execute()
      gone = controller
    }
    await eventually("the controller is gone") { gone == nil }
    // The store goes on without it, and with new ones.
    try chats.receive("4", in: "a", at: 4)
    let next = chats.store.controller(for: messages)
    try await next.execute()
    try chats.receive("5", in: "a", at: 5)
    await eventually("the next one follows") { next.count == 5 }
  }

  @Test func aClosedControllerStaysAsItIs() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    let changes = controller.changes
    // What is committed before the end and not yet told stays untold.
    try synchronously {
      try chats.receive("4", in: "a", at: 4)
      controller.close()
      controller.close()
    }
    try chats.receive("5", in: "a", at: 5)
    try await chats.settled()
    #expect(table.batches.isEmpty)
    #expect(controller.count == 3)
    let error = await #expect(throws: SatchelError.self) { try await controller.execute() }
    #expect(error?.code == .closed)
    for await set in changes { #expect(set.after.count <= 4) }
  }

  @Test func aStoreMayGoWhileItsControllerStays() async throws {
    var store: MessageStore? = try MessageStore(
      at: chats.directory, user: "alice", options: ChatStore.options)
    let controller = store?.controller(for: messages)
    try await controller?.execute()
    store = nil
    #expect(controller?.count == 3)
    #expect(try await controller?.object(at: IndexPath(indexes: [0, 0]))?.id == "a-1")
  }

  @Test func manyControllersOnManyThreads() async throws {
    let (chats, messages) = (chats, messages)
    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<6 {
        group.addTask {
          var wrong = 0
          for round in 0..<15 {
            let controller = chats.store.controller(for: messages, window: round % 2 == 0 ? .all : .last(5))
            try synchronously { try controller.execute() }
            let id = Message.ID("\(worker)-\(round)")
            try chats.receive("x", in: "a", id: id, at: 100 + worker * 100 + round)
            try synchronously { try controller.setWindow(.all) }
            if !controller.objects.contains(where: { $0.id == id }) { wrong += 1 }
            if round % 3 == 0 { controller.close() }
          }
          return wrong
        }
      }
      var sum = 0
      for try await number in group { sum += number }
      return sum
    }
    #expect(wrong == 0)
  }
}
