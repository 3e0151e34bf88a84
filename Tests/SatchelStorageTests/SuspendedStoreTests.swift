import LMDB
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreFiles
import StoreModel
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A store that gives its files back for a while.
@Suite struct SuspendedStoreTests {
  private static var now: UInt64 { deadline(afterSeconds: 0) }
  /// Long enough for whatever the machine does meanwhile.
  private static var whatever: UInt64 { deadline(afterSeconds: 60) }

  private func code(_ body: () throws -> Void) -> SatchelError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? SatchelError)?.code }
  }

  private func expectGivenBack(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #if os(Linux)
      #expect(HeldByProcess.things(in: path) == [], sourceLocation: sourceLocation)
    #endif
  }

  /// Makes a commit, in another process, for each name.
  private static func follow(_ names: [String], _ path: String) throws {
    let store = try Store.open(directory: path, user: nil)
    for name in names { try store.write { try $0.setFollowed(true, Identity.ID(name)) } }
    store.close()
  }

  @Test(arguments: [Environment.Durability.full, .relaxed])
  func givesAllBackAndGoesOn(_ durability: Environment.Durability) async throws {
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "givesAllBackAndGoesOn")) {
      $0.durability = durability
      $0.purgePause = 0.001
      $0.journal.checkpointCommits = 5
    }
    let (store, path) = (scene.store, scene.path as String)
    let calls = Atomic(0)
    let observation = try store.commitSignal.observe { _ in calls.add(1, ordering: .relaxed) }
    for round in 0..<4 {
      // In the journal, in LMDB, on the writer thread and in what is being removed.
      try scene.write(12)
      try await store.write { try $0.setFollowed(true, Identity.ID("asynchronous \(round)")) }
      try store.suspend(until: Self.whatever)
      expectGivenBack(path)
      try store.suspend(until: Self.now)
      #expect(code { _ = try store.sequence() } == .suspended)
      #expect(code { try store.write { _ in } } == .suspended)
      let failure = await #expect(throws: SatchelError.self) { try await store.write { _ in } }
      #expect(failure?.code == .suspended)
      #expect(failure?.description.contains("resume()") == true)
      let left = try scene.left(name: "left \(round)")
      let sequence = try left.sequence()
      left.close()
      await #expect(processExitsWith: .success) { [path = path as String, round = round as Int] in
        try SuspendedStoreTests.follow((0..<30).map { "\(round) \($0)" }, path)
        try #require(unlink(path + "/lock.mdb") == 0)
      }
      let called = calls.load(ordering: .relaxed)
      try store.resume()
      try store.resume()
      try #expect(store.sequence() == sequence + 30)
      while calls.load(ordering: .relaxed) == called { usleep(1000) }
      try expectSound(store)
    }
    observation.cancel()
    try scene.write(12)
    try expectSound(store)
    store.close()
    let again = try Store.open(directory: path, user: "me")
    try expectSound(again)
    again.close()
  }

  /// What it has is what its operations have made, whatever was suspended in between, and whatever was going on.
  @Test func nothingIsLostOrMadeTwice() throws {
    let seed = TestEnvironment.seed(for: "nothingIsLostOrMadeTwice")
    var generator = SeededGenerator(seed: seed)
    let scene = try JournaledStore(seed: seed &+ 1) {
      $0.purgePause = 0.0005
      $0.journal.checkpointCommits = 9
    }
    for _ in 0..<TestEnvironment.rounds(40) {
      try scene.write(generator.below(20))
      usleep(UInt32(generator.below(1500)))
      try scene.store.suspend(until: generator.oneIn(2) ? Self.whatever : Self.now, orLater: true)
      if generator.oneIn(3) { usleep(UInt32(generator.below(3000))) }
      try scene.store.resume()
      if generator.oneIn(4) { try scene.expectHolds() }
    }
    try scene.expectHolds()
    try scene.expectHolds(scene.left(name: "left"))
  }

  @Test func threadsOfTheStoreEnd() async throws {
    #if os(Linux)
      let directory = try TemporaryDirectory()
      await #expect(processExitsWith: .success) { [path = directory.path + "/store" as String] in
        func use(_ path: String) async throws -> (Store, CommitObservation) {
          var options = Store.Options()
          options.purgePause = 3600
          options.journal.commitsBefore = 0
          options.journal.checkpointCommits = 2
          let store = try Store.open(directory: path, user: "me", options: options)
          let observation = try store.commitSignal.observe { _ in }
          try PurgeScene.fill(store, "c", messages: 600, withContents: 0)
          try await store.write { try $0.deleteConversation("c") }
          for name in ["a", "b", "c"] {
            try await store.write { try $0.setFollowed(true, Identity.ID(name)) }
          }
          return (store, observation)
        }
        // Of one that is closed only what the system keeps is left.
        let first = try await use(path + " 1")
        first.0.close()
        func settled(_ most: Int) -> Bool {
          for _ in 0..<20_000 where HeldByProcess.threads > most { usleep(500) }
          return HeldByProcess.threads <= most
        }
        usleep(200_000)
        let usual = HeldByProcess.threads
        let second = try await use(path + " 2")
        try #require(HeldByProcess.threads > usual)
        try second.0.suspend(until: deadline(afterSeconds: 60))
        try #require(settled(usual), "\(HeldByProcess.threads) threads, and \(usual) before")
        try second.0.resume()
        try #require(second.0.sequence() > 0)
        second.0.close()
      }
    #endif
  }

  /// The checkpoint that is being made is broken off: the journal has everything.
  @Test func aCheckpointIsBrokenOff() throws {
    let hold = HeldCheckpoint()
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "aCheckpointIsBrokenOff")) {
      $0.journal.limits.segmentSize = 64 << 10
      $0.writerEnvironment.journalStorage = hold.interposer
    }
    let store = scene.store
    try scene.write(20)
    let last = try scene.databaseCommits
    let checkpoint = OtherThread()
    hold.begin()
    checkpoint.start { try store.checkpointBeside() }
    hold.waitUntilHeld()
    let failure = #expect(throws: SatchelError.self) { try store.suspend(until: Self.now) }
    #expect(failure?.code == .busy)
    #expect(failure?.description.contains("a checkpoint") == true)
    hold.end()
    #expect(throws: LMDBError.self) { try checkpoint.finish() }
    try store.suspend(until: Self.whatever)
    expectGivenBack(scene.path)
    try store.resume()
    try #expect(scene.databaseCommits == last)
    try scene.expectHolds()
    try store.checkpointBeside()
    try #expect(scene.databaseCommits == last + 1)
    try scene.write(5)
    try scene.expectHolds()
    try scene.expectHolds(scene.left(name: "left"))
  }

  /// What was deleted goes on being removed afterwards.
  @Test func aPurgeGoesOnLater() throws {
    let scene = try JournaledStore(seed: 1) { $0.purgePause = 0.0005 }
    let store = scene.store
    try PurgeScene.fill(store, "c", messages: 3000, withContents: 10)
    try store.write { try $0.deleteConversation("c") }
    var left: [UInt64] = []
    for _ in 0..<5 {
      usleep(2000)
      try store.suspend(until: Self.whatever)
      expectGivenBack(scene.path)
      try store.resume()
      left.append(try store.read { $0.seal[.purge].count })
    }
    #expect(left == left.sorted(by: >))
    var number = 0
    while try store.read({ $0.seal[.purge].count > 0 }) {
      number += 1
      try store.write { try $0.setFollowed(true, Identity.ID("\(number)")) }
    }
    try expectSound(store)
  }

  @Test func anImportIsWaitedForAndRefused() throws {
    let scene = try JournaledStore(seed: 1)
    let store = scene.store
    var calls = 0
    func importTwo() throws {
      _ = try ImportSession.run(
        into: store,
        wait: { _, _ in
          calls += 1
          if calls == 2 {
            let failure = #expect(throws: SatchelError.self) { try store.suspend(until: Self.now) }
            #expect(failure?.code == .busy)
            #expect(failure?.description.contains("an import") == true)
          }
          return true
        },
        next: { session in
          let draft = ConversationDraft(identifier: Conversation.ID("c \(calls)"), participants: ["bob"])
          try session.addConversation(draft, line: UInt64(calls))
          return false
        }, apply: { _, _, _ in })
    }
    #expect(code { try importTwo() } == .suspended)
    try store.suspend(until: Self.whatever)
    expectGivenBack(scene.path)
    try store.resume()
    #expect(try store.read { try $0.locateConversation("c 1") } == nil)
    try expectSound(store)
  }

  @Test func anotherHandleKeepsTheFilesOpen() throws {
    var scene = try JournaledStore(seed: TestEnvironment.seed(for: "anotherHandleKeepsTheFilesOpen"))
    let second = try Store.open(directory: scene.path, user: "me")
    try scene.write(5)
    try scene.store.suspend(until: Self.whatever)
    #expect(code { _ = try scene.store.sequence() } == .suspended)
    try second.write { try $0.setFollowed(true, "second") }
    // As the last one that has it open, it takes all to LMDB; the suspended one opens it again.
    second.close()
    expectGivenBack(scene.path)
    try scene.store.resume()
    try expectSound(scene.store)
    try scene.store.write { try $0.setFollowed(true, "first") }
    try expectSound(scene.store)
    try scene.store.suspend(until: Self.whatever)
    let third = try Store.open(directory: scene.path, user: "me")
    try third.write { try $0.setFollowed(true, "third") }
    try scene.store.resume()
    try #expect(scene.store.sequence() == third.sequence())
    third.close()
    try expectSound(scene.store)
    try scene.reopen()
    try expectSound(scene.store)
  }

  @Test func aSuspendedStoreCanBeClosed() async throws {
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "aSuspendedStoreCanBeClosed"))
    let store = scene.store
    try scene.write(5)
    let observed = AsyncStream.makeStream(of: SatchelError.Code?.self)
    let observation = try store.commitSignal.observe { _ in
      do { _ = try store.sequence() } catch { observed.continuation.yield((error as? SatchelError)?.code) }
    }
    let waiting = Task { try await store.commitSignal.resumed() }
    try store.suspend(until: Self.whatever)
    store.close()
    store.close()
    #expect(code { _ = try store.sequence() } == .closed)
    #expect(code { try store.resume() } == .closed)
    #expect(code { try store.suspend(until: Self.now) } == nil)
    for await code in observed.stream where code == .closed { break }
    observation.cancel()
    _ = await waiting.result
    expectGivenBack(scene.path)
    let again = try Store.open(directory: scene.path, user: "me")
    try scene.expectHolds(again)
    again.close()
  }

  /// Waits for commits last through a suspension, and end with the first commit after it.
  @Test func waitsForCommitsGoOn() async throws {
    let scene = try JournaledStore(seed: 1)
    let (store, path) = (scene.store, scene.path as String)
    try scene.write(3)
    let number = try store.read { $0.number }
    try store.suspend(until: Self.whatever)
    let waiting = Task { try await store.commitSignal.next(after: number) }
    let resumed = Task { try await store.commitSignal.resumed() }
    await #expect(processExitsWith: .success) { [path = path as String] in
      try SuspendedStoreTests.follow(["a"], path)
    }
    try store.resume()
    try await resumed.value
    try #expect(await waiting.value == store.read { $0.number })
  }

  /// Who is called because the store was resumed is not called once more: a list that could not read then would stay as it was.
  @Test func observersThatResumingCallsCanRead() throws {
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "observersThatResumingCallsCanRead")) {
      _ in
    }
    let store = scene.store
    try scene.write(3)
    let calls = Atomic(0)
    let refusals = Atomic(0)
    let observation = try store.commitSignal.observe { _ in
      if (try? store.sequence()) == nil { refusals.add(1, ordering: .relaxed) }
      calls.add(1, ordering: .releasing)
    }
    for _ in 0..<300 {
      try store.suspend(until: Self.whatever)
      let called = calls.load(ordering: .acquiring)
      try store.resume()
      while calls.load(ordering: .acquiring) == called { usleep(50) }
    }
    #expect(refusals.load(ordering: .relaxed) == 0)
    observation.cancel()
  }

  @Test func otherFilesAreRefused() throws {
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "otherFilesAreRefused"))
    let store = scene.store
    let path = scene.path
    let files = ["data.mdb", "journal"]
    // Random writes may change nothing; three that do are enough for a journal, and one more for a later state.
    func writeForSure(_ names: String...) throws {
      try scene.write(5)
      for name in names { try store.write { try $0.setFollowed(true, Identity.ID(name)) } }
    }
    try writeForSure("first", "second", "third")
    try JournaledStore.copy(files, from: path, to: path + " earlier")
    try writeForSure("fourth")
    let other = try JournaledStore(seed: 2)
    try other.write(20)
    other.store.close()
    try store.suspend(until: Self.whatever)
    try JournaledStore.copy(files, from: path, to: path + " latest")
    // In place: the files have the same numbers.
    for place in [path + " earlier", other.path] {
      // It would tell that commits are missing.
      unlink(path + "/journal.head")
      try JournaledStore.copy(files, from: place, to: path)
      // Open files must not be written over.
      try #require(code { try store.resume() } == .storeReplaced)
      #expect(code { _ = try store.sequence() } == .suspended)
      expectGivenBack(path)
    }
    unlink(path + "/journal.head")
    try JournaledStore.copy(files, from: path + " latest", to: path)
    // Under its name: another file.
    #expect(rename(path + "/data.mdb", path + "/data.mdb.away") == 0)
    #expect(code { try store.resume() } == .noSuchStore)
    try JournaledStore.copy(["data.mdb"], from: path + " latest", to: path)
    #expect(code { try store.resume() } == .storeReplaced)
    #expect(rename(path + "/data.mdb.away", path + "/data.mdb") == 0)
    // Without its journal.
    #expect(rename(path + "/journal", path + "/journal.away") == 0)
    #expect(code { try store.resume() } == .journalMissing)
    expectGivenBack(path)
    #expect(rename(path + "/journal.away", path + "/journal") == 0)
    try store.resume()
    try scene.expectHolds()
  }

  @Test func aTransactionOfTheThreadIsRefused() throws {
    let scene = try JournaledStore(seed: 1)
    let store = scene.store
    try store.read { _ in #expect(code { try store.suspend(until: Self.now) } == .nestedTransaction) }
    try store.write { _ in #expect(code { try store.suspend(until: Self.now) } == .nestedTransaction) }
    try scene.write(1)
    try scene.expectHolds()
  }

  /// From several threads at once, while others read and write.
  @Test func isSafeFromSeveralThreads() throws {
    let scene = try JournaledStore(seed: TestEnvironment.seed(for: "isSafeFromSeveralThreads")) {
      $0.journal.checkpointCommits = 20
      $0.purgePause = 0.001
    }
    let store = scene.store
    let isOver = Atomic(false)
    let observation = try store.commitSignal.observe { _ in _ = try? store.sequence() }
    func thread(_ body: @escaping @Sendable () throws -> Void) -> OtherThread {
      let thread = OtherThread()
      thread.start {
        while !isOver.load(ordering: .relaxed) {
          do { try body() } catch let error as SatchelError where error.code == .suspended { usleep(100) }
        }
      }
      return thread
    }
    let start = try store.sequence()
    let written = Atomic(0)
    let workers = (0..<2).map { number in
      thread {
        try store.write {
          try $0.setFollowed(true, Identity.ID("\(number) \(written.load(ordering: .relaxed))"))
        }
        written.add(1, ordering: .relaxed)
      }
    }
    let readers = (0..<2).map { _ in
      thread { _ = try store.read { try $0.changes(after: $0.seal.commit - 1) } }
    }
    let turners = (0..<2).map { number in
      let thread = OtherThread()
      thread.start {
        var generator = SeededGenerator(seed: UInt64(number))
        for _ in 0..<TestEnvironment.rounds(40) {
          try store.suspend(until: generator.oneIn(2) ? deadline(afterSeconds: 60) : 0, orLater: true)
          usleep(UInt32(generator.below(500)))
          try store.resume()
          usleep(UInt32(generator.below(4000)))
        }
      }
      return thread
    }
    for turner in turners { try turner.finish() }
    try store.resume()
    isOver.store(true, ordering: .relaxed)
    for thread in workers + readers { try thread.finish() }
    observation.cancel()
    let (found, expected) = (try store.sequence(), start + UInt64(written.load(ordering: .relaxed)))
    #expect(found == expected)
    try expectSound(store)
  }

  #if os(Linux)
    @Test func aForkedChildIsRefused() async throws {
      let directory = try TemporaryDirectory()
      await #expect(processExitsWith: .success) { [path = directory.path + "/store" as String] in
        let store = try Store.open(directory: path, user: "me")
        typealias Fork = @convention(c) () -> pid_t
        // Swift hides `fork`, for good reasons; others in the process may call it all the same.
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        for isSuspended in [false, true] {
          if isSuspended { try store.suspend(until: deadline(afterSeconds: 60)) }
          let child = fork()
          if child == 0 {
            var refused: Int32 = 0
            do { try store.suspend(until: 0) } catch { refused += 1 }
            do { try store.resume() } catch { refused += 1 }
            store.close()
            _exit(refused)
          }
          var status: Int32 = -1
          try #require(waitpid(child, &status, 0) == child)
          try #require(status == 2 << 8, "the child ended with \(status)")
        }
        try store.resume()
        try #require(store.sequence() > 0)
        store.close()
      }
    }
  #endif
}

extension Store {
  /// Suspends, and may leave it to what has begun to close the files.
  fileprivate func suspend(until limit: UInt64, orLater: Bool) throws {
    do { try suspend(until: limit) } catch let error as SatchelError where error.code == .busy {}
  }
}
