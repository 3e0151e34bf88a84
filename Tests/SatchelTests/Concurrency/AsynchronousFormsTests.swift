import Foundation
import Satchel
import SatchelScenes
import Testing

/// The asynchronous forms of what takes long, and the synchronous forms in asynchronous functions.
@Suite(.timeLimit(.minutes(2))) struct AsynchronousFormsTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  var copy: URL { scratch.directory.url.appendingPathComponent("copy") }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch")
      try tx.receive([.text("1")], in: "lunch", from: "bob", id: "m1")
    }
  }

  @Test(arguments: [false, true]) func backups(compacting: Bool) async throws {
    let told = Shared<[Int]>([])
    let backup = try await store.backup(to: copy, compacting: compacting) { bytes, total in
      told.update { $0 += [bytes, total] }
    }
    #expect(try await store.read { $0.sequence } == backup.sequence)
    #expect(told.value.contains { $0 > 0 })
    let opened = try MessageStore(at: copy, user: "alice")
    #expect(try await opened.message("m1")?.text == "1")
    opened.close()
    // A second one into the same place fails as the synchronous form does.
    let error = await #expect(throws: SatchelError.self) { try await store.backup(to: copy) }
    #expect(error?.code == .io)
  }

  @Test(arguments: [false, true]) func aCancelledBackupLeavesNothing(isBegun: Bool) async throws {
    let (store, copy) = (store, copy)
    let (said, say) = AsyncStream<Void>.makeStream()
    let heard = DispatchSemaphore(value: 0)
    let task = Task {
      if !isBegun { withUnsafeCurrentTask { $0?.cancel() } }
      return try await store.backup(to: copy) { _, _ in
        say.finish()
        heard.wait()
      }
    }
    if isBegun {
      for await _ in said {}
      task.cancel()
    }
    for _ in 0..<1000 { heard.signal() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.directory.url.path) == ["store"])
  }

  @Test func whatProgressThrowsIsPassedOn() async throws {
    struct Enough: Error {}
    await #expect(throws: Enough.self) { try await store.backup(to: copy) { _, _ in throw Enough() } }
  }

  @Test func checkpoints() async throws {
    let store = store
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? store.read { _ in
        begin.finish()
        isDone.wait()
      }
    }
    for await _ in begun {}
    try await store.write { tx in _ = try tx.send([.text("2")], to: "lunch", id: "m2") }
    let before = try await store.readers().map(\.commitsBehind)
    let sequence = try await store.read { $0.sequence }
    try await store.checkpoint()
    // What was in the journal has come to the file by one transaction.
    let after = try await store.readers().map(\.commitsBehind)
    isDone.signal()
    #expect(before == [0] && after == [1])
    #expect(try await store.read { $0.sequence } == sequence)
    #expect(try await store.message("m2")?.text == "2")
    store.close()
    let error = await #expect(throws: SatchelError.self) { try await store.checkpoint() }
    #expect(error?.code == .closed)
  }

  @Test func commitsAndConsumers() async throws {
    let known = try await store.read { $0.sequence }
    let consumer = try await store.consumer(named: "index")
    try await store.write { tx in try tx.markAsRead("m1" as Message.ID) }
    let commits = try await store.changes(since: known)
    #expect(commits == (try store.synchronously { try $0.changes(since: known) }))
    #expect(commits.contains { $0.changes.contains { $0.object == .message("m1") } })
    let error = await #expect(throws: SatchelError.self) { try await store.changes(since: known + 1000) }
    #expect(error?.code == .invalidValue)
    #expect(try await store.consumers().map(\.name) == ["index"])
    try await consumer.unregister()
    #expect(try await store.consumers().isEmpty)
    let gone = await #expect(throws: SatchelError.self) { try await consumer.unregister() }
    #expect(gone?.code == .unknownConsumer)
  }

  @Test @MainActor func synchronousFormsOnAnActor() async throws {
    let store = store
    var steps = 0
    // Without an `await` nothing else runs on the actor, and what is the actor's can be used.
    let id = try store.synchronously { store in
      steps += 1
      return try store.write { try $0.send([.text("3")], to: "lunch") }
    }
    #expect(steps == 1)
    #expect(try store.synchronously { try $0.message(id) }?.text == "3")
    #expect(throws: CancellationError.self) { try store.synchronously { _ in throw CancellationError() } }
  }
}
