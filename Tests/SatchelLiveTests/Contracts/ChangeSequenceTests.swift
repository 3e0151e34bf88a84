import Foundation
import Satchel
import Synchronization
import Testing

/// The change sets of a controller as asynchronous sequences.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ChangeSequenceTests {
  let chats: ChatStore
  let messages = Message.filter { $0.conversation == "a" }.order { $0.position }

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 3)
  }

  @Test func theFirstSetFillsWhatWasEmpty() async throws {
    let controller = chats.store.controller(for: messages)
    var iterator = controller.changes.makeAsyncIterator()
    try await controller.execute()
    let first = await iterator.next()
    #expect(first?.before.isEmpty == true)
    #expect(first?.changes.map(\.type) == [.insert, .insert, .insert])
    var late = controller.changes.makeAsyncIterator()
    try chats.receive("4", in: "a", at: 4)
    let next = await late.next()
    #expect(next?.changes.map(\.newIndexPath) == [IndexPath(indexes: [0, 3])])
  }

  @Test func aSlowLoopGetsWhatHappenedMeanwhileAsOneSet() async throws {
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    var iterator = controller.changes.makeAsyncIterator()
    try synchronously {
      for number in 4...203 { try chats.receive("x", in: "a", id: Message.ID("a-\(number)"), at: number) }
      try chats.write { transaction in
        for number in 4...103 { try transaction.delete(Message.ID("a-\(number)")) }
        try transaction.markAsRead("a-1" as Message.ID)
      }
    }
    try await chats.settled()
    let set = await iterator.next()
    #expect(set?.difference.inserts.count == 100)
    #expect(set?.difference.deletes == [])
    #expect(set?.difference.updates.count == 1)
    #expect(set?.after.count == 103)
  }

  @Test func loopsAreIndependent() async throws {
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    var fast = controller.changes.makeAsyncIterator()
    var slow = controller.changes.makeAsyncIterator()
    var told: [Int] = []
    for number in 4...6 {
      try chats.receive("x", in: "a", at: number)
      if let set = await fast.next() { told.append(set.difference.inserts.count) }
    }
    #expect(told == [1, 1, 1])
    let all = await slow.next()
    #expect(all?.difference.inserts == [3, 4, 5])
    #expect(all?.before.count == 3)
  }

  @Test func aLoopBesideADelegate() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    var iterator = controller.changes.makeAsyncIterator()
    try chats.receive("4", in: "a", at: 4)
    let set = await iterator.next()
    #expect(set?.difference.inserts == [3])
    await eventually("the delegate is told, too") { table.ids.count == 4 }
    #expect(table.batches.count == 1)
  }

  @Test func whatChangesBackIsNoSet() async throws {
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    var iterator = controller.changes.makeAsyncIterator()
    try synchronously {
      try chats.write { try $0.update("a-1" as Message.ID) { $0.isUnread = false } }
      try chats.write { try $0.update("a-1" as Message.ID) { $0.isUnread = true } }
    }
    try await chats.settled()
    try chats.receive("4", in: "a", at: 4)
    let set = await iterator.next()
    #expect(set?.changes.map(\.type) == [.insert])
  }

  @Test func cancellationEndsALoop() async throws {
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    let loop = Task { () -> Int in
      var sets = 0
      for await _ in controller.changes { sets += 1 }
      return sets
    }
    let idle = Task.detached { for await _ in controller.changes {} }
    try chats.receive("4", in: "a", at: 4)
    await eventually("it has come") { controller.count == 4 }
    loop.cancel()
    idle.cancel()
    #expect(await loop.value <= 1)
    await idle.value
  }

  @Test func closingEndsALoopAfterWhatHasHappened() async throws {
    let controller = chats.store.controller(for: messages)
    let changes = controller.changes
    try await controller.execute()
    controller.close()
    var sets: [Int] = []
    for await set in changes { sets.append(set.after.count) }
    #expect(sets == [3])
    for await _ in changes { sets.append(0) }
    #expect(sets == [3, 0])
  }

  @Test func aClosureOnAnActor() async throws {
    actor Log {
      var counts: [Int] = []
      // Not the array itself: a copy that is given up here while the actor appends is a race for the thread
      // sanitizer, which does not see reference counts.
      var last: Int? { counts.last }
    }
    let log = Log()
    let controller = chats.store.controller(for: messages)
    try await controller.execute()
    var observation: ChangeObservation? = controller.observe(on: log) { log, set in
      log.counts.append(set.after.count)
    }
    try chats.receive("4", in: "a", at: 4)
    while await log.last != 4 { try await Task.sleep(for: .milliseconds(1)) }
    try chats.receive("5", in: "a", at: 5)
    while await log.last != 5 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(observation != nil)
    observation = nil
    try await Task.sleep(for: .milliseconds(20))
    try chats.receive("6", in: "a", at: 6)
    await eventually("the controller follows on") { controller.count == 6 }
    #expect(await log.counts == [4, 5])
  }

  @Test func anObservationDoesNotKeepWhatHasEnded() async throws {
    weak var gone: QueryController<Message>?
    do {
      let controller = chats.store.controller(for: messages)
      try await controller.execute()
      let observation = controller.observe(on: MainActor.shared) { _, _ in }
      gone = controller
      observation.cancel()
    }
    await eventually("the controller is gone") { gone == nil }
  }
}
