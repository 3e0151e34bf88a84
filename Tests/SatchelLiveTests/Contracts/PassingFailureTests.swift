import Foundation
import Satchel
import SatchelLive
import Synchronization
import Testing

/// A read of live queries that fails for a reason that goes by again.
@Suite struct PassingFailureTests {
  /// The store has room for 1,022 reads. While all of them are open, live queries cannot read what a commit has changed.
  @Test(.timeLimit(.minutes(2))) func liveQueriesOutliveATimeWithTooManyReaders() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("passing-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    var options = MessageStore.Options()
    // A write that goes to the journal begins as a read.
    options.journal.use = .never
    let store = try MessageStore(at: directory, user: "alice", options: options)
    let conversation = try await store.write { try $0.conversation(with: ["bob"]).id }
    let count = try await store.liveCount(of: Message.all)
    #expect(count.value == 0)
    let readers = try Readers(1022, of: store)
    #expect { try store.read { _ in } } throws: { ($0 as? SatchelError)?.code == .tooManyReaders }
    try await store.write { _ = try $0.receive([.text("late")], in: conversation, from: "bob") }
    while store.liveQueryDelay == nil, count.failure == nil { usleep(200) }
    #expect(store.liveQueryDelay?.code == .tooManyReaders)
    #expect(count.failure == nil)
    #expect(count.value == 0)
    readers.end()
    for await value in count.values where value == 1 { break }
    #expect(count.value == 1)
    #expect(count.failure == nil)
    store.close()
  }

  @Test func triesComeToAnEnd() {
    var retries = LiveRetries()
    let start = ContinuousClock.now
    #expect(retries.pause(at: start) == 0.01)
    #expect(retries.pause(at: start + .seconds(1)) == 0.02)
    for _ in 0..<20 { _ = retries.pause(at: start + .seconds(2)) }
    #expect(retries.pause(at: start + .seconds(29)) == 1)
    #expect(retries.pause(at: start + LiveRetries.patience) == nil)
    retries.reset()
    #expect(retries.pause(at: start + LiveRetries.patience) == 0.01)
  }
}

/// Reads that are open, each on a thread of its own.
private final class Readers: Sendable {
  private let isOver = Atomic(false)
  private let counts = Mutex((begun: 0, ended: 0))
  private let count: Int

  /// Returns when all of them are open.
  init(_ count: Int, of store: MessageStore) throws {
    self.count = count
    for _ in 0..<count {
      let thread = Thread { [self] in
        try? store.read { _ in
          counts.withLock { $0.begun += 1 }
          while !isOver.load(ordering: .acquiring) { usleep(20_000) }
        }
        counts.withLock { $0.ended += 1 }
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    while counts.withLock({ $0.begun < count && $0.ended == 0 }) { usleep(1000) }
    #expect(counts.withLock { $0.ended } == 0, "a read could not begin")
  }

  /// Ends all of them, and returns when they have ended.
  func end() {
    isOver.store(true, ordering: .releasing)
    while counts.withLock({ $0.ended < count }) { usleep(1000) }
  }
}
