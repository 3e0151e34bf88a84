import Foundation
import Satchel
import Synchronization
import TestSupport
import Testing

/// Writers of some processes, watchers of others: what the watchers print gives what a query gives in the end, whoever
/// was killed meanwhile. `SATCHEL_WATCH_COMMITS` sets how many commits, `SATCHEL_SEED` what they change.
@Suite struct WatchedWritesTests {
  /// Arguments of a query, and the window on its results.
  static let lists: [(query: [String], window: Int?)] = [
    (["messages"], nil),
    (["messages", "--sort", "sentAt"], -20),
    (["messages", "--where", "isUnread = TRUE AND sender.userID != 'alice'", "--sort", "-position"], 30),
    (["messages", "--where", "conversation.unreadCount > 2", "--sort", "-sentAt", "--offset", "3"], 10),
    (["conversations", "--sort", "-lastMessage.sentAt"], 10),
    (
      ["conversations", "--where", "hasUnreadMessages = TRUE", "--sort", "metadata.title", "--limit", "8"],
      nil
    ),
    (["parts", "--where", "mimeType = 'image/png'", "--sort", "-message.sentAt"], 25),
    (["announcements"], -5),
    (["identities", "--sort", "-displayName"], 12),
  ]

  @Test func watchersFollowTheWritersOfOtherProcesses() async throws {
    let seed = TestEnvironment.seed()
    let commits = UInt64(TestEnvironment.count("SATCHEL_WATCH_COMMITS", usual: 1500))
    let directory = try Tool.Directory()
    let path = directory("store")
    let store = try MessageStore(path: path, user: "alice")
    defer { store.close() }
    var changes = try RandomChanges(store, seed: seed)
    try changes.commit(20, pause: 0)
    let writing = Writing()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, list) in Self.lists.enumerated() {
        group.addTask {
          try await Self.follow(path, list, seed: seed &+ UInt64(number)) { writing.isOver }
        }
      }
      defer { writing.end() }
      try await Self.write(commits, to: store, path, seed: seed)
    }
  }

  /// One writer after the other, until there are enough commits; every other one is killed at any moment.
  private static func write(_ commits: UInt64, to store: MessageStore, _ path: String, seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    var isKilled = false
    let end = try await store.read { $0.sequence } + commits
    while case let sequence = try await store.read({ $0.sequence }), sequence < end {
      let writer = random.next()
      if isKilled {
        let delay = UInt32.random(in: 1000...400_000, using: &random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, writer = writer as UInt64, delay = delay as UInt32] in
          Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
          }
          try Self.commit(.max, to: path, seed: writer)
        }
      } else {
        let count = min(Int(end - sequence), Int.random(in: 50...(50 + Int(commits) / 10), using: &random))
        await #expect(processExitsWith: .success) {
          [path = path as String, writer = writer as UInt64, count = count as Int] in
          try Self.commit(count, to: path, seed: writer)
        }
      }
      isKilled.toggle()
    }
  }

  private static func commit(_ count: Int, to path: String, seed: UInt64) throws {
    var options = MessageStore.Options()
    options.durability = .relaxed
    let store = try MessageStore(existingAt: path, options: options)
    var changes = try RandomChanges(store, seed: seed)
    try changes.commit(count, pause: 4000)
    store.close()
  }

  /// Watches a list with one process after the other; the one that sees the last commit must come to what a query gives.
  private static func follow(
    _ path: String, _ list: (query: [String], window: Int?), seed: UInt64, until isWritten: () -> Bool
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let window = list.window.map { ["--window", String($0)] } ?? []
    while true {
      let watch = try await RunningWatch.start([path] + list.query + window)
      for _ in 0..<Int.random(in: 1...20, using: &random) where !isWritten() {
        // One that sleeps for a while has much to catch up with.
        let isAsleep = random.next() % 8 == 0
        if isAsleep { watch.signal(SIGSTOP) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 20...150, using: &random)))
        if isAsleep { watch.signal(SIGCONT) }
      }
      if isWritten() { return try await expectEnd(watch, path, list) }
      let number = [SIGKILL, SIGTERM, SIGINT][Int.random(in: 0..<3, using: &random)]
      #expect(watch.end(number) == (number == SIGKILL ? nil : 0), "\(list)")
      #expect(throws: Never.self, "\(list)") { try watch.list() }
    }
  }

  private static func expectEnd(
    _ watch: RunningWatch, _ path: String, _ list: (query: [String], window: Int?)
  ) async throws {
    let all = try Tool.run(["query", path] + list.query + ["--select", "identifiers"]).lines.map {
      try JSONDecoder().decode(String.self, from: Data($0.utf8))
    }
    let wanted = Array(
      list.window.map { $0 < 0 ? all.suffix(-$0) : all.prefix($0) } ?? all[...])
    let comes = try await watch.comes { $0.identifiers == wanted && $0.total == all.count }
    #expect(comes, "\(list)")
    #expect(watch.end() == 0)
    #expect(try watch.list().identifiers == wanted, "\(list)")
    #expect(try watch.errors == "")
  }
}

/// Whether the last commit has been made.
private final class Writing: Sendable {
  private let state = Mutex(false)

  var isOver: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = true } }
}
