import Dispatch
import Foundation
import Satchel
import SatchelScenes
import Synchronization
import Testing

/// Where reads run: called with `await`, never on the caller's actor.
@Suite(.timeLimit(.minutes(2))) struct WhereReadsRunTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  static let messages = Message.filter { $0.conversation == "lunch" }.order { $0.position }
  /// No index counts these.
  static let texts = Message.filter { $0.parts.any { $0.text.contains("1") } }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch")
      for number in 1...12 {
        try tx.receive(
          [.text("\(number)")], in: "lunch", from: "bob", id: Message.ID("m\(number)"),
          position: Int64(number),
          sentAt: date(Double(number)))
      }
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
    }
  }

  // MARK: Any actor

  /// On this actor any read of the store fails, as one inside another: so whatever succeeds has read elsewhere.
  @Test func noReadRunsOnTheActorThatAwaitsIt() async throws {
    let actor = InsideARead(store)
    try await actor.run { actor, store in
      // The synchronous forms do run there, and are told so.
      let refused: [() throws -> Void] = store.synchronously { store in
        let list = store.controller(for: Self.messages)
        return [
          { _ = try store.count(Self.texts) }, { _ = try store.message("m1") },
          { _ = try store.liveCount(of: Self.texts) },
          { _ = try store.virtualList(of: Self.messages) },
          { _ = try store.observe("lunch" as Conversation.ID) },
          { try list.execute() }, { try store.forEachRecord(of: Self.messages) { _ in } },
        ]
      }
      for body in refused { failure(.nestedTransaction, body) }

      // What follows commits reads for the first time, moves its window, and reads outside of it.
      #expect(try await store.liveCount(of: Self.texts).value == 4)
      #expect(try await store.liveCount(of: Message.all) { $0.text == "1" }.value == 1)
      let list = try await store.virtualList(of: Self.messages)
      #expect(try await list.object(at: 2)?.id == "m3")
      #expect(try await list.objects(at: 0..<2).map { $0?.id } == ["m1", "m2"])
      #expect(try await store.observe("lunch" as Conversation.ID).object?.messageCount == 12)
      let controller = store.controller(for: Self.messages, window: .first(2))
      try await controller.execute()
      #expect(controller.objects.map(\.id) == ["m1", "m2"])
      #expect(try await controller.object(at: IndexPath(indexes: [0, 5]))?.id == "m6")
      try await controller.loadNext(1)
      try await controller.setWindow(.last(2))
      try await controller.loadPrevious(1)
      try await controller.loadAround("m5", before: 1, after: 1)
      try await controller.loadAround(date(7), before: 1, after: 1)
      try await controller.setPaginationWindow(3)
      try await controller.setUpdatableProperties([])
      try await controller.setQuery(Self.texts)
      #expect(controller.totalNumberOfObjects == 4)

      // Reads.
      #expect(try await store.count(Self.texts) == 4)
      #expect(try await store.message("m1")?.text == "1")
      #expect(try await store.messages(["m2", "m1"]).map(\.text) == ["2", "1"])
      #expect(try await store.fetch(Self.texts).count == 4)
      #expect(try await store.page(Self.messages.limit(2)).rowsAfter == 10)
      #expect(try await store.text(of: "m3/parts/0") == "3")
      var seen = 0
      try await store.forEachRecord(of: Self.messages) { _ in seen += 1 }
      try await store.forEach(Self.messages) { _ in seen += 1 }
      #expect(seen == 24)
      #expect(try await store.read { try $0.count(Message.all) } == 12)
      #expect(try await !store.changes(since: 1).isEmpty)
      #expect(try await store.consumers().isEmpty)
      _ = try await store.readers()

      // Writes: they would be refused as well.
      try await store.write { try $0.markAsRead("m1" as Message.ID) }
      #expect(try await store.count(Message.filter { !$0.isUnread }) == 1)
    }
  }

  // MARK: The main actor

  private static let isMain = DispatchSpecificKey<Bool>()

  /// A condition of the program's own runs where the objects are read: it notes whether that is the main actor's queue.
  @Test @MainActor func noFirstReadRunsOnTheMainActor() async throws {
    DispatchQueue.main.setSpecific(key: Self.isMain, value: true)
    defer { DispatchQueue.main.setSpecific(key: Self.isMain, value: nil) }
    let places = Shared<[Bool]>([])
    let isIncluded = { @Sendable (_: Message) -> Bool in
      places.update { $0.append(DispatchQueue.getSpecific(key: Self.isMain) == true) }
      return true
    }
    func ranOnTheMainActor(_ what: String) -> Bool {
      let found = places.value
      places.update { $0 = [] }
      #expect(!found.isEmpty, "\(what) has read nothing")
      return found.contains(true)
    }

    // Who asks for the synchronous form has it there: so the note can be trusted.
    _ = try store.synchronously { try $0.liveCount(of: Self.texts, where: isIncluded) }
    #expect(ranOnTheMainActor("a count in synchronous form"))
    let now = store.controller(for: Self.messages, where: isIncluded)
    try store.synchronously { _ in try now.execute() }
    #expect(ranOnTheMainActor("a controller in synchronous form"))

    let count = try await store.liveCount(of: Self.texts, where: isIncluded)
    #expect(!ranOnTheMainActor("a count"))
    #expect(count.value == 4)
    let controller = store.controller(for: Self.messages, where: isIncluded)
    try await controller.execute()
    #expect(!ranOnTheMainActor("a controller"))
    try await controller.setQuery(Self.texts)
    #expect(!ranOnTheMainActor("another query"))
    let results = store.results(of: Self.messages, where: isIncluded)
    while !results.isLoaded { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!ranOnTheMainActor("an observable list"))
    #expect(results.objects.count == 12)
  }
}

/// An actor whose thread is inside a read of a store whenever the actor runs.
private actor InsideARead {
  private let store: MessageStore
  private let executor: Executor

  init(_ store: MessageStore) {
    self.store = store
    executor = Executor(store)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run(_ body: @Sendable (isolated InsideARead, MessageStore) async throws -> Void) async throws {
    try await body(self, store)
  }

  private final class Executor: SerialExecutor {
    private let store: MessageStore
    private let queue = DispatchQueue(label: "inside a read")

    init(_ store: MessageStore) { self.store = store }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let place = asUnownedSerialExecutor()
      queue.async { [store] in
        var isDone = false
        try? store.read { _ in
          isDone = true
          job.runSynchronously(on: place)
        }
        if !isDone { job.runSynchronously(on: place) }
      }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  }
}
