import Foundation
import LMDB
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// Registered readers of commits.
@Suite struct CommitConsumerTests {
  let scratch: Scratch
  let store: MessageStore

  init() throws {
    scratch = try Scratch()
    store = scratch.store
    try follow("bob")
  }

  @discardableResult
  private func follow(_ user: Identity.ID) throws -> UInt64 {
    try store.writing { tx in try tx.setFollowed(true, user) }
    return try store.lastSequence()
  }

  private func next(_ iterator: inout CommitConsumer.Iterator) async throws -> UInt64 {
    guard case .commit(let commit)? = try await iterator.next() else { return 0 }
    return commit.sequence
  }

  @Test func whatIsNotAcknowledgedComesAgain() async throws {
    let consumer = try await store.consumer(named: "index")
    let first = try follow("carol")
    let second = try follow("dan")
    var iterator = consumer.makeAsyncIterator()
    #expect(try await next(&iterator) == first)
    #expect(try await next(&iterator) == second)
    try await consumer.acknowledge(first)
    // As after a restart.
    let again = try scratch.reopened()
    let same = try await again.consumer(named: "index")
    #expect(try same.acknowledged == first)
    var later = same.makeAsyncIterator()
    #expect(try await next(&later) == second)
    // Acknowledging is a commit without changes: nobody hears of it.
    try await same.acknowledge(second)
    let third = try follow("eve")
    #expect(try await next(&iterator) == third)
    #expect(try await next(&later) == third)
    #expect(try await store.consumers().map(\.name) == ["index"])
    again.close()
    try expectSound(store)
  }

  @Test func oneThatFellBehindStartsFromASnapshot() async throws {
    let directory = try TemporaryDirectory()
    let (store, start) = try makeStore(directory, commits: 10_001, consumer: "index")
    let consumer = try await store.consumer(named: "index")
    #expect(try consumer.acknowledged == start)
    let last = try store.lastSequence()
    var iterator = consumer.makeAsyncIterator()
    #expect(try await iterator.next() == .snapshot(sequence: last))
    #expect(last == start + 10_001)
    try store.writing { tx in try tx.setFollowed(true, "dan") }
    let after = last + 1
    #expect(try await next(&iterator) == after)
    // Not acknowledged: it still has to start anew.
    var again = consumer.makeAsyncIterator()
    #expect(try await again.next() == .snapshot(sequence: after))
    try await consumer.acknowledge(last)
    var late = consumer.makeAsyncIterator()
    #expect(try await next(&late) == after)
    try expectSound(store)
  }

  @Test func aConsumerGoesOnlyWhereItMay() async throws {
    let consumer = try await store.consumer(named: "index")
    let last = try store.lastSequence()
    failure(.invalidValue) { try consumer.acknowledge(last + 1) }
    failure(.invalidIdentifier) { _ = try store.consumer(named: "") }
    failure(.invalidIdentifier) { _ = try store.consumer(named: "a\0") }
    failure(.invalidIdentifier) { _ = try store.consumer(named: String(repeating: "x", count: 257)) }
    try store.writing { tx in
      try tx.setFollowed(true, "carol")
      try tx.acknowledge(last, consumer: "index")
      failure(.unknownConsumer) { try tx.acknowledge(last, consumer: "nobody") }
    }
    try await consumer.unregister()
    #expect(try await store.consumers().isEmpty)
    failure(.unknownConsumer) { try consumer.unregister() }
    failure(.unknownConsumer) { _ = try consumer.acknowledged }
    failure(.unknownConsumer) { try consumer.acknowledge(last) }
  }

  @Test func unregisteringEndsAnIteration() async throws {
    let consumer = try await store.consumer(named: "index")
    let reading = Task { () -> SatchelError.Code? in
      do {
        for try await _ in consumer {}
        return nil
      } catch {
        return (error as? SatchelError)?.code
      }
    }
    try await Task.sleep(nanoseconds: 2_000_000)
    try await consumer.unregister()
    #expect(await reading.value == .unknownConsumer)
  }

  @Test func twoProcessesShareTheWork() async throws {
    let consumer = try await store.consumer(named: "index")
    let path: String = store.path
    let (first, second) = (try follow("u1"), try follow("u2"))
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try MessageStore(existingAt: path)
      let consumer = try await store.consumer(named: "index")
      var iterator = consumer.makeAsyncIterator()
      let event = try #require(try await iterator.next())
      try await consumer.acknowledge(event.sequence)
    }
    #expect(try consumer.acknowledged == first)
    var iterator = consumer.makeAsyncIterator()
    #expect(try await next(&iterator) == second)
  }
}
