import LMDB
import SatchelModel
import SatchelStorage
import Synchronization
import Testing

/// Numbers in the order in which threads added them.
private final class Reports: Sendable {
  private let numbers = Mutex<[UInt64]>([])

  var all: [UInt64] { numbers.withLock { $0 } }

  /// Read under the lock: the thread sanitizer sees no order between giving up a copy of an array and changing the
  /// array in place.
  private var last: UInt64? { numbers.withLock { $0.last } }

  func add(_ number: UInt64) { numbers.withLock { $0.append(number) } }

  /// Waits until the last number is at least this one.
  func reaches(_ number: UInt64) async throws {
    while last ?? 0 < number { try await Task.sleep(nanoseconds: 1_000_000) }
  }
}

@Suite struct CommitSignalTests {
  @Test func observersHearOfEachCommit() async throws {
    let store = try makeStore()
    let reports = Reports()
    let observation = try store.commitSignal.observe { reports.add($0) }
    for round in 0..<10 {
      let last = try commit(store, "a\(round)")
      try await reports.reaches(last)
    }
    let seen = reports.all
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    observation.cancel()
    // The next observer has a thread of its own, which says nothing to the first.
    let later = Reports()
    let second = try store.commitSignal.observe { later.add($0) }
    try await later.reaches(try commit(store, "b"))
    #expect(reports.all == seen)
    second.cancel()
    store.close()
  }

  @Test func commitsOfAnotherProcessAreHeard() async throws {
    let store = try makeStore()
    let path: String = store.directory
    let reports = Reports()
    let observation = try store.commitSignal.observe { reports.add($0) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store.open(directory: path, user: nil)
      for round in 0..<5 { _ = try commit(store, "\(round)") }
      store.close()
    }
    try await reports.reaches(store.read { $0.number })
    observation.cancel()
    store.close()
  }

  @Test func anObservationEndsWithItsLastReference() async throws {
    let store = try makeStore()
    let (kept, dropped) = (Reports(), Reports())
    let observation = try store.commitSignal.observe { kept.add($0) }
    var other: CommitObservation? = try store.commitSignal.observe { dropped.add($0) }
    withExtendedLifetime(other) {}
    other = nil
    try await kept.reaches(try commit(store, "a"))
    #expect(dropped.all.isEmpty)
    // An observer that owns another one gives it up with itself.
    let nested = try store.commitSignal.observe { dropped.add($0) }
    var owner: CommitObservation? = try store.commitSignal.observe { _ in withExtendedLifetime(nested) {} }
    withExtendedLifetime(owner) {}
    owner = nil
    observation.cancel()
    store.close()
  }

  @Test func closingCallsOnceMore() async throws {
    let store = try makeStore()
    let calls = Reports()
    let observation = try store.commitSignal.observe { [weak store] _ in
      calls.add((try? store?.sequence()) == nil ? 1 : 0)
    }
    store.close()
    try await calls.reaches(1)
    withExtendedLifetime(observation) {}
    #expect(calls.all.last == 1)
    #expect(throws: SatchelError.self) { _ = try store.commitSignal.observe { _ in } }
  }

  @Test func aTaskWaitsForTheNextCommit() async throws {
    let store = try makeStore()
    let signal = store.commitSignal
    let start = try store.read { $0.number }
    let waiting = Task { try await signal.next(after: start) }
    let last = try commit(store, "a")
    #expect(try await waiting.value == last)
    #expect(try await signal.next(after: start) == last)
    let cancelled = Task { try await signal.next(after: last) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let left = Task { try await signal.next(after: last) }
    try await Task.sleep(nanoseconds: 5_000_000)
    store.close()
    await #expect(throws: SatchelError.self) { try await left.value }
  }

  private func makeStore() throws -> Store {
    try Store.open(directory: TemporaryDirectory().path + "/store", user: "me")
  }
}

/// Makes a commit; returns its number.
private func commit(_ store: Store, _ user: String) throws -> UInt64 {
  try store.write { try $0.setFollowed(true, Identity.ID(user)) }
  return try store.read { $0.number }
}
