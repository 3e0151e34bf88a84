import Dispatch
import Journal
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Somebody has been stopped while he opens or closes the store, and keeps his lock: nobody waits for him without an end.
@Suite struct StandingOpenerTests {
  /// Runs `body`, which may hang: then the test ends without it.
  @discardableResult
  private func ended<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let end = DispatchSemaphore(value: 0)
    let result = Slot<R>()
    DispatchQueue(label: "may hang").async {
      result.value = Result { try body() }
      end.signal()
    }
    try #require(end.wait(timeout: .now() + 60) == .success, "it waits for ever")
    return try #require(result.value).get()
  }

  private final class Slot<R: Sendable>: @unchecked Sendable { var value: Result<R, any Error>? }

  /// A head that is another file's is no proof: all but the last commit show, whichever of the two locks is held.
  @Test(arguments: ["journal", "journal.head"], [false, true])
  func withoutAHeadAllButTheLastCommitShow(_ name: String, isReadOnly: Bool) throws {
    let scene = try JournaledStore(seed: 31)
    try scene.write(20)
    var before = try scene.operations.withLock { $0.model }
    let sequence = try scene.store.sequence()
    while try scene.store.sequence() == sequence {
      before = try scene.operations.withLock { $0.model }
      try scene.write(1)
    }
    let copy = scene.directory.path + "/copy"
    try JournaledStore.copy(["data.mdb", "journal", "journal.head"], from: scene.path, to: copy)
    let stopped = try JournalLock(copy + "/" + name, .writing)
    try stopped.acquire(.exclusive)

    var options = Store.Options()
    options.create = false
    options.readOnly = isReadOnly
    options.writerWait = 0.3
    options.journal.commitsBefore = 0
    let store = try ended { [options] in try Store.open(directory: copy, user: nil, options: options) }
    defer { store.close() }
    for _ in 0..<2 {
      let found = try ended { try store.sequence() }
      #expect(found == sequence)
      let difference = try store.read { try before.difference($0) }
      #expect(difference == nil)
    }
    if !isReadOnly {
      let outcome = try ended { Result { try store.write { try $0.setFollowed(true, "later") } } }
      let error = #expect(throws: SatchelError.self) { try outcome.get() }
      #expect(error?.code == .busy)
      let unchanged = try ended { try store.sequence() }
      #expect(unchanged == sequence)
    }
    // When he goes on, all is there.
    stopped.release()
    let whole = try ended { try store.sequence() }
    #expect(whole == sequence + 1)
    try scene.expectHolds(store)
    if !isReadOnly {
      try ended { try store.write { try $0.setFollowed(true, "later") } }
      #expect(try store.sequence() == sequence + 2)
      try expectSound(store)
    }
  }

  /// Somebody has the claim alone, of whatever program: what is waited for altogether is bounded as for each of the other locks.
  @Test func whoHasTheClaimKeepsNobodyForLong() async throws {
    let directory = try TemporaryDirectory()
    let path: String = directory.path + "/store"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = Store.Options()
      options.journal.commitsBefore = 0
      let store = try Store.open(directory: path, user: "me", options: options)
      for number in 0..<20 { try store.writeHere { try $0.setFollowed(true, Identity.ID("\(number)")) } }
      kill(getpid(), SIGKILL)
    }
    let file = open(path + "/data.mdb", O_RDWR)
    defer { close(file) }
    try #require(flock(file, LOCK_EX) == 0)
    var options = Store.Options()
    options.create = false
    options.writerWait = 0.3
    options.journal.commitsBefore = 0
    let begin = ContinuousClock.now
    let store = try ended { [options] in try Store.open(directory: path, user: nil, options: options) }
    defer { store.close() }
    for _ in 0..<2 {
      try store.read { snapshot in
        for number in 0..<20 { try #expect(snapshot.users.number(of: "\(number)") != nil) }
      }
      let outcome = try ended { Result { try store.writeHere { try $0.setFollowed(true, "later") } } }
      let error = #expect(throws: SatchelError.self) { try outcome.get() }
      #expect(error?.code == .busy)
    }
    // Two seconds on a machine that does nothing else; it was a minute and more when each lock had a patience of its own.
    #expect(ContinuousClock.now - begin < .seconds(30))
    _ = flock(file, LOCK_UN)
    try ended { try store.writeHere { try $0.setFollowed(true, "later") } }
    try expectSound(store)
  }

  /// The head of a store that is open elsewhere says what is published: nothing is missing. Who waits is told for whom.
  @Test func whatTheHeadPublishesShows() async throws {
    let scene = try JournaledStore(seed: 32)
    try scene.write(20)
    let stopped = try JournalLock(scene.path + "/journal", .writing)
    try stopped.acquire(.exclusive)
    let expected = "\(scene.path) \(try scene.store.sequence()) \(getpid())"
    await #expect(processExitsWith: .success) { [expected = expected as String] in
      // A hang ends the process.
      alarm(60)
      let words = expected.split(separator: " ").map(String.init)
      var options = Store.Options()
      options.create = false
      options.writerWait = 0.3
      for isReadOnly in [true, false] {
        options.readOnly = isReadOnly
        let store = try Store.open(directory: words[0], user: nil, options: options)
        try #require(try store.sequence() == UInt64(words[1]))
        if !isReadOnly {
          do {
            try store.write { try $0.setFollowed(true, "later") }
            Issue.record("it writes without the lock")
          } catch let error as SatchelError {
            try #require(error.code == .busy)
            #if os(Linux)
              try #require(error.context["process"] == words[2])
            #endif
          }
        }
        store.close()
      }
    }
    stopped.release()
    try scene.write(3)
    try scene.expectHolds()
  }

  /// Who has read beside an opener, and opens the journal when he has ended, writes: the handle that he has read by cannot.
  @Test func whoHasReadBesideAnOpenerWritesAfterHim() async throws {
    let scene = try JournaledStore(seed: 33)
    try scene.write(20)
    let stopped = try JournalLock(scene.path + "/journal", .writing)
    try stopped.acquire(.exclusive)
    let hasRead = scene.directory.path + "/has read"
    DispatchQueue(label: "opener").async {
      while access(hasRead, F_OK) != 0 { usleep(5000) }
      stopped.release()
    }
    let expected = "\(try scene.store.sequence()) \(scene.path)"
    await #expect(processExitsWith: .success) {
      [expected = expected as String, hasRead = hasRead as String] in
      // A hang ends the process.
      alarm(60)
      let words = expected.split(separator: " ", maxSplits: 1).map(String.init)
      var options = Store.Options()
      options.create = false
      options.journal.commitsBefore = 0
      let store = try Store.open(directory: words[1], user: nil, options: options)
      try #require(try store.sequence() == UInt64(words[0]))
      close(open(hasRead, O_CREAT | O_WRONLY, 0o600))
      for number in 1...3 {
        try store.write { try $0.setFollowed(true, Identity.ID("later \(number)")) }
        try #require(try store.sequence() == UInt64(words[0])! + UInt64(number))
      }
      store.close()
    }
    // If the other process has not come that far.
    close(open(hasRead, O_CREAT | O_WRONLY, 0o600))
    try scene.store.read { snapshot in
      for number in 1...3 { try #expect(snapshot.users.number(of: "later \(number)") != nil) }
    }
    try expectSound(scene.store)
  }
}
