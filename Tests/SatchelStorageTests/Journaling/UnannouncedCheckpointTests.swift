#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif
  import Journal
  import SatchelModel
  import SatchelStorage
  import StoreFiles
  import StoreModel
  import Synchronization
  import TestSupport
  import Testing

  /// A process may be killed between the last step of a checkpoint in the file and its announcement. A read that begins during that
  /// step can see the checkpoint; those after it see the state before, until somebody writes to LMDB again.
  @Suite struct UnannouncedCheckpointTests {
    @Test func whoHasSeenItReadsTheStateBefore() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try expectSound(store)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let store = try UnannouncedCheckpointTests.opened(path)
        for name in ["d", "e"] {
          try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) }
          try store.checkpointBeside()
        }
        try store.writeHere { try $0.setFollowed(true, "f") }
        store.close()
      }
      let last = try store.environment.info.lastTransaction
      let names = ["a", "b", "c", "d", "e", "f"]
      func check(_ names: [String]) throws {
        try store.read { snapshot in
          for name in names { try #expect(snapshot.users.number(of: name) != nil) }
        }
      }
      try check(names)
      // As if one had ended before it announced the second checkpoint: with LMDB's lock.
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, last = last as UInt64] in
        let store = try UnannouncedCheckpointTests.opened(path)
        try store.environment.writeBeside { _ in
          try UnannouncedCheckpointTests.takeBack(last, path)
          kill(getpid(), SIGKILL)
        }
      }
      try store.environment.read { #expect($0.id == last - 1) }
      for _ in 0..<3 { try check(names) }
      try store.writeHere { try $0.setFollowed(true, "g") }
      try check(names + ["g"])
      try store.checkpoint()
      try check(names + ["g"])
      try expectSound(store)
    }

    /// The same with a large commit of its own: it was not acknowledged, and comes true with the next write.
    @Test func aWriteFollowsALargeCommitThatNobodyHasAnnounced() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      let last = try store.environment.info.lastTransaction
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, last = last as UInt64] in
        let store = try UnannouncedCheckpointTests.opened(path)
        try store.writeHere { writer in
          for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
        }
        let head = try JournalHead(path + "/journal.head", .writing)
        try head.beginCommit()
        try store.environment.writeBeside { _ in
          try UnannouncedCheckpointTests.takeBack(last + 1, path)
          kill(getpid(), SIGKILL)
        }
      }
      try store.environment.read { #expect($0.id == last) }
      for name in ["d", "e"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try store.read { snapshot in
        for name in ["a", "c", "large 0", "large 14999", "d", "e"] {
          try #expect(snapshot.users.number(of: name) != nil)
        }
      }
      try expectSound(store)
      try store.checkpoint()
      try expectSound(store)
    }

    /// A read that begins while a writer commits to LMDB can see his commit before he has announced it, and the next one would see the
    /// state before: it waits for him, unless he has ended.
    @Test(arguments: [false, true]) func noReadGoesBack(hasEnded: Bool) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try store.writeHere { writer in
        for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
      }
      let sequence = try store.sequence()
      let last = try store.environment.info.lastTransaction
      try Self.takeBack(last, path)
      try store.environment.read { #expect($0.id == last - 1) }
      if hasEnded {
        for _ in 0..<3 { try #expect(store.sequence() == sequence - 1) }
        return try Self.announce(last, path)
      }
      // On a thread of its own: those that tasks share may all be busy for longer than a read waits.
      let outcome = Mutex<Result<Void, any Error>?>(nil)
      let isStarted = BackgroundThread.start { [path = path as String] in
        usleep(100_000)
        let result = Result { try Self.announce(last, path) }
        outcome.withLock { $0 = result }
      }
      #expect(isStarted)
      try #expect(store.sequence() == sequence)
      while outcome.withLock({ $0 == nil }) { usleep(1000) }
      try outcome.withLock { try $0?.get() }
      try expectSound(store)
    }

    /// The same, for a process that has the store open since before its journal was in use: it opens the journal as the only one, and
    /// what the head said of the commit must outlive that.
    @Test func aWriterWhoOpensTheJournalLaterFindsIt() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try UnannouncedCheckpointTests.opened(path)
        for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
        try store.writeHere { writer in
          for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
        }
        let last = try store.environment.info.lastTransaction
        let head = try JournalHead(path + "/journal.head", .writing)
        try head.beginCommit()
        try store.environment.writeBeside { _ in
          try UnannouncedCheckpointTests.takeBack(last, path)
          kill(getpid(), SIGKILL)
        }
      }
      for name in ["d", "e"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try store.checkpoint()
      try store.read { snapshot in
        for name in ["a", "c", "large 0", "large 14999", "d", "e"] {
          try #expect(snapshot.users.number(of: name) != nil)
        }
      }
      try expectSound(store)
    }

    /// The same with a commit that was made before the journal was in use, or that has begun to use it: nothing but LMDB's file tells of it.
    @Test(arguments: [0, 1])
    func aWriteBeforeTheJournalFollowsACommitThatNobodyHasAnnounced(commitsBefore: Int) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path, commitsBefore: commitsBefore)
      defer { store.close() }
      let last = try store.environment.info.lastTransaction
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, last = last as UInt64, commitsBefore = commitsBefore as Int] in
        let store = try UnannouncedCheckpointTests.opened(path, commitsBefore: commitsBefore)
        try store.writeHere { try $0.setFollowed(true, "a") }
        try store.environment.writeBeside { _ in
          try UnannouncedCheckpointTests.takeBack(last + 1, path)
          kill(getpid(), SIGKILL)
        }
      }
      try store.environment.read { #expect($0.id == last) }
      for name in ["b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try store.read { snapshot in
        for name in ["a", "b", "c"] { try #expect(snapshot.users.number(of: name) != nil) }
      }
      try expectSound(store)
      try store.checkpoint()
      try expectSound(store)
    }

    /// The same, where LMDB's lock does not tell that its owner has ended. A loss of power may leave the commit that has begun to use the
    /// journal, so that the journal has to stay until another commit has taken its place.
    @Test func aJournalStaysThatACommitNeedsWhichNobodyHasAnnounced() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      let last = try store.environment.info.lastTransaction
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try UnannouncedCheckpointTests.opened(path)
        try store.writeHere { try $0.setFollowed(true, "a") }
        kill(getpid(), SIGKILL)
      }
      try Self.takeBack(last + 1, path)
      let left = directory.path + "/left"
      try JournaledStore.copy(["data.mdb"], from: path, to: left)
      try store.writeHere { try $0.setFollowed(true, "b") }
      try JournaledStore.copy(["journal"], from: path, to: left)
      let other = try Self.opened(left)
      defer { other.close() }
      try other.read { snapshot in try #expect(snapshot.users.number(of: "a") != nil) }
      // The journal comes into use all the same.
      for name in ["c", "d"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      try #expect(store.environment.info.lastTransaction == last + 2)
      try expectSound(store)
    }

    /// Makes the last transaction one that was not announced.
    private static func takeBack(_ last: UInt64, _ path: String) throws {
      try replace(last, by: last - 1, path)
    }

    /// Announces it.
    private static func announce(_ last: UInt64, _ path: String) throws {
      try replace(last - 1, by: last, path)
    }

    private static func replace(_ last: UInt64, by next: UInt64, _ path: String) throws {
      let file = open(path + "/lock.mdb", O_RDWR)
      defer { close(file) }
      // Behind two words and the readers' mutex.
      let place = off_t(8 + MemoryLayout<pthread_mutex_t>.size)
      var number: UInt64 = 0
      try #require(pread(file, &number, 8, place) == 8 && number == last)
      number = next
      try #require(pwrite(file, &number, 8, place) == 8)
    }

    private static func opened(_ path: String, commitsBefore: Int = 0) throws -> Store {
      var options = Store.Options()
      options.journal.commitsBefore = commitsBefore
      return try Store.open(directory: path, user: "me", options: options)
    }
  }
#endif
