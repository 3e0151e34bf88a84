import Satchel
import SatchelScenes
import Testing

/// Waiting for a message that is still to arrive.
@Suite(.timeLimit(.minutes(2))) struct WaitingTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch")
      try tx.receive([.text("here")], in: "lunch", from: "bob", id: "here")
    }
  }

  /// Begins to wait, for so long that only a commit can end it, and returns when the task has begun.
  private func waiting(for id: Message.ID) async -> Task<Message?, any Error> {
    let store = store
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let task = Task {
      begin.finish()
      return try await store.message(id, waitingUpTo: .seconds(86_400))
    }
    for await _ in begun {}
    return task
  }

  private func receive(_ id: Message.ID, in store: MessageStore? = nil) async throws {
    try await (store ?? self.store).write { tx in
      _ = try tx.receive([.text("new")], in: "lunch", from: "bob", id: id)
    }
  }

  @Test func whatIsThereIsNotWaitedFor() async throws {
    for limit: Duration in [.seconds(-1), .zero, .seconds(86_400)] {
      #expect(try await store.message("here", waitingUpTo: limit)?.text == "here")
    }
  }

  @Test func theTimeEnds() async throws {
    for limit: Duration in [.seconds(-1), .zero, .nanoseconds(1), .milliseconds(20)] {
      #expect(try await store.message("none", waitingUpTo: limit) == nil)
    }
  }

  @Test func anyHandleMayWriteIt() async throws {
    let other = try scratch.reopened()
    for round in 0..<20 {
      let id = Message.ID("new \(round)")
      let waiters = [await waiting(for: id), await waiting(for: id)]
      if round % 2 == 0 { await Task.yield() }
      // Other commits come before it.
      for number in 0..<round % 4 { try await receive(Message.ID("\(round)/\(number)")) }
      try await receive(id, in: round % 3 == 0 ? other : nil)
      for waiter in waiters { #expect(try await waiter.value?.id == id) }
    }
  }

  @Test func oneThatBecomesVisible() async throws {
    try await store.write { tx in try tx.leave("lunch") }
    #expect(try await store.message("here", waitingUpTo: .zero) == nil)
    let waiter = await waiting(for: "here")
    try await store.write { tx in try tx.addParticipants(["alice"], to: "lunch") }
    #expect(try await waiter.value?.text == "here")
  }

  @Test func cancelling() async throws {
    let waiter = await waiting(for: "none")
    await Task.yield()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // A task that is cancelled already does not get what is there, either.
    let early = Task { [store] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.message("here", waitingUpTo: .zero)
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test func closing() async throws {
    let waiter = await waiting(for: "none")
    await Task.yield()
    store.close()
    let error = await #expect(throws: SatchelError.self) { try await waiter.value }
    #expect(error?.code == .closed)
  }
}
