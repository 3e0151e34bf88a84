import Foundation
import LMDB
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// The sequence of commits: what it begins with, what wakes it, what ends it.
@Suite struct CommitsTests {
  let scratch: Scratch
  let store: MessageStore

  init() throws {
    scratch = try Scratch()
    store = scratch.store
    try follow("bob")
  }

  private func follow(_ user: Identity.ID) throws {
    try store.writing { tx in try tx.setFollowed(true, user) }
  }

  @Test func itBeginsWithWhatIsCommittedAfterTheCall() async throws {
    let commits = store.commits()
    try follow("carol")
    var iterator = commits.makeAsyncIterator()
    var other = commits.makeAsyncIterator()
    #expect(try await iterator.next()?.changes.map(\.object) == [.identity("carol")])
    let waiting = Task { [iterator] in
      var iterator = iterator
      return try await iterator.next()
    }
    try follow("dan")
    #expect(try await waiting.value?.changes.map(\.object) == [.identity("dan")])
    #expect(try await other.next()?.changes.map(\.object) == [.identity("carol")])
    #expect(try await other.next()?.changes.map(\.object) == [.identity("dan")])
  }

  @Test func commitsOfAnotherProcessWakeIt() async throws {
    let path: String = store.path
    let start = try store.lastSequence()
    let reading = Task { [store] in
      var seen: [ChangedObject] = []
      for try await commit in store.commits(after: start) {
        seen += commit.changes.map(\.object)
        if seen.count == 50 { break }
      }
      return seen
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try MessageStore(existingAt: path)
      for round in 0..<50 {
        try store.writing { tx in try tx.setFollowed(true, Identity.ID("u\(round)")) }
      }
    }
    #expect(try await reading.value == (0..<50).map { .identity(Identity.ID("u\($0)")) })
  }

  @Test func itEndsWithTheTaskAndWithTheStore() async throws {
    let cancelled = Task { [store] in
      var iterator = store.commits().makeAsyncIterator()
      return try await iterator.next()
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let other = try scratch.reopened()
    let left = Task { () -> (SatchelError.Code?, Bool) in
      var iterator = other.commits().makeAsyncIterator()
      do {
        _ = try await iterator.next()
        return (nil, false)
      } catch {
        return ((error as? SatchelError)?.code, try await iterator.next() == nil)
      }
    }
    try await Task.sleep(nanoseconds: 5_000_000)
    other.close()
    let (code, isOver) = try await left.value
    #expect(code == .closed)
    #expect(isOver)
  }

  @Test func itSaysWhenTheLogHasBeenTrimmed() async throws {
    let directory = try TemporaryDirectory()
    let (store, start) = try makeStore(directory, commits: 1300, consumer: nil)
    var iterator = store.commits(after: start).makeAsyncIterator()
    do {
      _ = try await iterator.next()
      Issue.record("it reads what is gone")
    } catch let error as SatchelError {
      #expect(error.code == .logTrimmed)
      #expect(error.context["after"] == String(start))
      #expect(error.context["last"] == String(start + 1300))
    }
    #expect(try await iterator.next() == nil)
    var late = store.commits(after: start + 1299).makeAsyncIterator()
    #expect(try await late.next()?.sequence == start + 1300)
    var ahead = store.commits(after: start + 1301).makeAsyncIterator()
    await #expect(throws: SatchelError.self) { try await ahead.next() }
  }

  @Test func aStoreThatIsOnlyReadHasThemToo() async throws {
    let start = try store.lastSequence()
    try follow("carol")
    store.close()
    var options = MessageStore.Options()
    options.isReadOnly = true
    let reader = try MessageStore(existingAt: store.path, options: options)
    var iterator = reader.commits(after: start).makeAsyncIterator()
    #expect(try await iterator.next()?.sequence == start + 1)
    failure(.permissionDenied) { _ = try reader.consumer(named: "x") }
    reader.close()
  }
}
