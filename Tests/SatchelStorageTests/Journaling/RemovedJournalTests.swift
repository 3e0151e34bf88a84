import LMDB
import SatchelCare
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

/// Somebody removes or replaces the journal or its head while a store is open: its programs go on, and what they acknowledge is
/// where others find it.
@Suite(.threadForEachJob) struct RemovedJournalTests {
  enum Accident: String, CaseIterable {
    case journalRemoved, journalRenamed, journalCopied
    case headRemoved, headRenamed, headCopied
    case bothRemoved, bothCopied

    private var files: [String] {
      switch self {
      case .journalRemoved, .journalRenamed, .journalCopied: ["journal"]
      case .headRemoved, .headRenamed, .headCopied: ["journal.head"]
      case .bothRemoved, .bothCopied: ["journal", "journal.head"]
      }
    }

    /// Whether the journal's file is under its name afterwards.
    var leavesJournal: Bool { !files.contains("journal") }
    /// Whether all that the store has is under its names afterwards.
    var leavesCommits: Bool { leavesJournal || self == .journalCopied || self == .bothCopied }

    func happen(to path: String) {
      for file in files.map({ path + "/" + $0 }) {
        switch self {
        case .journalRemoved, .headRemoved, .bothRemoved: #expect(unlink(file) == 0, "\(file)")
        case .journalRenamed, .headRenamed: #expect(rename(file, file + ".away") == 0, "\(file)")
        case .journalCopied, .headCopied, .bothCopied:
          do {
            try JournaledStore.writeFile(JournaledStore.readFile(file), to: file + ".copy")
            #expect(rename(file + ".copy", file) == 0)
          } catch { Issue.record(error) }
        }
      }
    }
  }

  static func opened(
    _ path: String, _ durability: Environment.Durability = .full, readOnly: Bool = false,
    _ interruption: Interruption? = nil
  ) throws -> Store {
    var options = Store.Options()
    options.durability = durability
    options.readOnly = readOnly
    options.journal.commitsBefore = 0
    options.writerEnvironment.journalStorage = interruption?.interposer
    return try Store.open(directory: path, user: readOnly ? nil : "me", options: options)
  }

  static func follow(_ name: String, _ store: Store) throws {
    try store.write { try $0.setFollowed(true, Identity.ID(name)) }
  }

  static func follows(_ name: String, _ store: Store) throws -> Bool {
    try store.read { try $0.users.number(of: name) != nil }
  }

  static func expectFollows(
    _ names: [String], _ store: Store, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let missing = try store.read { snapshot in
      try names.filter { try snapshot.users.number(of: $0) == nil }
    }
    #expect(missing.isEmpty, "not there: \(missing)", sourceLocation: sourceLocation)
  }

  /// Expects that the store, and what its processes would leave if they ended now, has all of these, and is sound.
  private static func expectHolds(
    _ names: [String], _ store: Store, _ directory: TemporaryDirectory,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectFollows(names, store, sourceLocation: sourceLocation)
    let copy = directory.path + "/left after \(names.count)"
    let files = ["data.mdb", "journal"].filter { access(directory.path + "/store/" + $0, F_OK) == 0 }
    try JournaledStore.copy(files, from: directory.path + "/store", to: copy)
    let left = try opened(copy)
    defer { left.close() }
    try expectFollows(names, left, sourceLocation: sourceLocation)
    try expectSound(left, sourceLocation: sourceLocation)
  }

  @Test(arguments: Accident.allCases, [Environment.Durability.full, .relaxed])
  func aWriterGoesOn(accident: Accident, durability: Environment.Durability) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    let store = try Self.opened(path, durability)
    var names: [String] = []
    for round in 0..<3 {
      for number in 0..<4 {
        names.append("\(round) \(number)")
        try Self.follow(names[names.count - 1], store)
        // After the accident of the round before, from the first commit on.
        if round > 0 { try Self.expectHolds(names, store, directory) }
      }
      accident.happen(to: path)
      // One that is thrown away changes nothing.
      struct Thrown: Error {}
      #expect(throws: Thrown.self) {
        try store.write { writer in
          try writer.setFollowed(true, "nobody")
          throw Thrown()
        }
      }
      try Self.expectFollows(names, store)
      try #expect(!Self.follows("nobody", store))
    }
    try Self.follow("last", store)
    // Of the commits that follow, one begins a journal again, and the others go there.
    let last = try store.environment.info.lastTransaction
    for number in 0..<5 { try Self.follow("more \(number)", store) }
    try #expect(store.environment.info.lastTransaction <= last + 2)
    names += ["last"] + (0..<5).map { "more \($0)" }
    try Self.expectHolds(names, store, directory)
    store.close()
    let again = try Self.opened(path, durability)
    defer { again.close() }
    try Self.expectFollows(names, again)
    try #expect(again.verify().isSound)
  }

  /// The names are there when the write begins, and gone when it has been synced.
  @Test(arguments: Accident.allCases) func aCommitOnItsWayIsFound(accident: Accident) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    let interruption = Interruption()
    let store = try Self.opened(path, .full, interruption)
    defer { store.close() }
    var names = ["a", "b", "c"]
    for name in names { try Self.follow(name, store) }
    interruption.beforeSync { accident.happen(to: path) }
    names.append("d")
    try Self.follow("d", store)
    #expect(interruption.hasHappened)
    try Self.expectFollows(names, store)
    if accident == .journalCopied || accident == .bothCopied {
      // The file in the journal's place has the commit as it was on its way: a journal of another history is nothing to write over.
      let error = #expect(throws: SatchelError.self) { try Self.follow("e", store) }
      #expect(error?.code == .foreignJournal)
      #expect(unlink(path + "/journal") == 0)
    }
    for name in ["e", "f", "g"] {
      names.append(name)
      try Self.follow(name, store)
      try Self.expectHolds(names, store, directory)
    }
    try expectSound(store)
  }

  /// What goes to LMDB with a large write or a checkpoint, or when the store is closed, is all that the journal has.
  @Test(arguments: Accident.allCases, ["large", "checkpoint", "beside", "close", "close beside"])
  func whatGoesToTheDatabaseIsWhole(accident: Accident, way: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    let store = try Self.opened(path)
    var names = ["a", "b", "c"]
    for name in names { try Self.follow(name, store) }
    accident.happen(to: path)
    switch way {
    case "large":
      try store.write { writer in
        for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
      }
      names.append("large 14999")
    case "checkpoint": try store.checkpoint()
    case "beside":
      // The next writer does it.
      #expect(throws: SatchelError.self) { try store.checkpointBeside() }
    default: break
    }
    try Self.expectFollows(names, store)
    // As a process has it that closes the store at the same time.
    let other = way == "close beside" ? open(path + "/data.mdb", O_RDONLY | O_CLOEXEC) : -1
    #expect(way != "close beside" || flock(other, LOCK_SH) == 0)
    store.close()
    if other >= 0 { close(other) }
    let again = try Self.opened(path)
    defer { again.close() }
    try Self.expectFollows(names, again)
    for name in ["d", "e", "f"] { try Self.follow(name, again) }
    try #expect(again.verify().isSound)
  }

  #if os(Linux)
    /// Waits for a file that another process makes, unless that one has failed.
    static func wait(for file: String) throws {
      for _ in 0..<60_000 where access(file, F_OK) != 0 { usleep(500) }
      try #require(access(file, F_OK) == 0, "\(file) was not made")
    }

    /// Takes the names of the journal and its head away.
    static func removeJournal(of path: String) {
      for file in ["/journal", "/journal.head"] { #expect(unlink(path + file) == 0) }
    }

    /// Two processes have the same files open when they are taken away. Both write, by turns, and each reads what the other has
    /// written as soon as that has returned.
    @Test(arguments: Accident.allCases) func twoProcessesGoOn(accident: Accident) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      var names = ["a", "b", "c"]
      for name in names { try Self.follow(name, store) }
      async let other: Void = {
        await #expect(processExitsWith: .success) { [path = path as String] in
          let other = try RemovedJournalTests.opened(path)
          try RemovedJournalTests.follow("ready", other)
          for round in 0..<3 {
            try RemovedJournalTests.wait(for: path + "/go \(round)")
            let mine = (0..<4).map { "mine \(round) \($0)" }
            try RemovedJournalTests.expectFollows(["a", "b", "c", "ready"] + mine, other)
            for number in 0..<3 { try RemovedJournalTests.follow("yours \(round) \(number)", other) }
            try JournaledStore.writeFile([], to: path + "/done \(round)")
          }
          try #expect(other.verify().isSound)
          other.close()
        }
      }()
      while try !Self.follows("ready", store) { usleep(500) }
      names.append("ready")
      for round in 0..<3 {
        if round != 1 { accident.happen(to: path) }
        for number in 0..<4 {
          names.append("mine \(round) \(number)")
          try Self.follow(names[names.count - 1], store)
          try Self.expectHolds(names, store, directory)
        }
        try JournaledStore.writeFile([], to: path + "/go \(round)")
        try Self.wait(for: path + "/done \(round)")
        names += (0..<3).map { "yours \(round) \($0)" }
        try Self.expectHolds(names, store, directory)
      }
      await other
      try Self.follow("last", store)
      try Self.expectHolds(names + ["last"], store, directory)
      store.close()
      let again = try Self.opened(path)
      defer { again.close() }
      try Self.expectFollows(names + ["last"], again)
      try #expect(again.verify().isSound)
    }

    /// Whoever opens the store while its last commits are those of another process alone is told so, may not give them up, and finds
    /// them when that one has written.
    @Test(arguments: [Accident.journalRemoved, .journalCopied, .headRemoved, .headCopied, .bothCopied])
    func nobodyGoesOnWithoutThem(accident: Accident) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      for name in ["a", "b", "c"] { try Self.follow(name, store) }
      accident.happen(to: path)
      await #expect(processExitsWith: .success) { [path = path as String] in
        for readOnly in [true, false] {
          let error = #expect(throws: SatchelError.self) {
            _ = try RemovedJournalTests.opened(path, readOnly: readOnly)
          }
          #expect(error?.code == .journalMissing)
          #expect(error?.message.contains("a program has the last commits") == true, "\(error as Any)")
        }
        let refusal = #expect(throws: SatchelError.self) { _ = try Store.repair(directory: path) }
        #expect(refusal?.code == .journalMissing)
      }
      try Self.expectFollows(["a", "b", "c"], store)
      try Self.follow("d", store)
      await #expect(processExitsWith: .success) { [path = path as String] in
        for readOnly in [true, false] {
          let other = try RemovedJournalTests.opened(path, readOnly: readOnly)
          try RemovedJournalTests.expectFollows(["a", "b", "c", "d"], other)
          if !readOnly { try RemovedJournalTests.follow("e", other) }
          try #expect(other.verify().isSound)
        }
      }
      try Self.expectFollows(["a", "b", "c", "d", "e"], store)
    }

    /// A program that may only read has the files open, and no writer has: one who comes makes a head anew, and is followed at
    /// once.
    @Test(arguments: Accident.allCases.filter(\.leavesCommits))
    func aReaderFollowsAnotherHead(accident: Accident) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      await #expect(processExitsWith: .success) { [path = path as String] in
        let writer = try RemovedJournalTests.opened(path)
        for name in ["a", "b", "c"] { try RemovedJournalTests.follow(name, writer) }
        _exit(0)
      }
      let reader = try Self.opened(path, readOnly: true)
      defer { reader.close() }
      try Self.expectFollows(["a", "b", "c"], reader)
      accident.happen(to: path)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let writer = try RemovedJournalTests.opened(path)
        for name in ["d", "e"] { try RemovedJournalTests.follow(name, writer) }
        _exit(0)
      }
      try Self.expectFollows(["a", "b", "c", "d", "e"], reader)
    }

    /// A process has left the files for new ones, which have lost their names as well before another one has opened them. That one
    /// goes on as soon as the first one has written.
    @Test(arguments: [false, true]) func whoIsLeftBehindWaitsForTheCommits(isWriting: Bool) async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      try Self.follow("a", store)
      async let other: Void = {
        await #expect(processExitsWith: .success) { [path = path as String] in
          let other = try RemovedJournalTests.opened(path)
          RemovedJournalTests.removeJournal(of: path)
          for name in ["b", "c", "d"] { try RemovedJournalTests.follow(name, other) }
          // The one that it has begun meanwhile.
          RemovedJournalTests.removeJournal(of: path)
          try JournaledStore.writeFile([], to: path + "/left")
          try RemovedJournalTests.wait(for: path + "/begun")
          usleep(100_000)
          try RemovedJournalTests.follow("e", other)
          try RemovedJournalTests.wait(for: path + "/done")
        }
      }()
      try Self.wait(for: path + "/left")
      try JournaledStore.writeFile([], to: path + "/begun")
      if isWriting { try Self.follow("f", store) }
      try Self.expectFollows(["a", "b", "c", "d", "e"], store)
      try JournaledStore.writeFile([], to: path + "/done")
      await other
      try Self.follow("last", store)
      try expectSound(store)
    }

    /// The one that has the commits only reads from then on, and gives them to data.mdb all the same.
    @Test func whoOnlyReadsHandsThemOver() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      try Self.follow("a", store)
      async let other: Void = {
        await #expect(processExitsWith: .success) { [path = path as String] in
          let other = try RemovedJournalTests.opened(path)
          RemovedJournalTests.removeJournal(of: path)
          for name in ["b", "c", "d"] { try RemovedJournalTests.follow(name, other) }
          RemovedJournalTests.removeJournal(of: path)
          try JournaledStore.writeFile([], to: path + "/left")
          while access(path + "/done", F_OK) != 0 {
            try RemovedJournalTests.expectFollows(["a", "b", "c", "d"], other)
            usleep(5000)
          }
        }
      }()
      try Self.wait(for: path + "/left")
      var refusals = 0
      while refusals < 10 {
        do {
          try Self.expectFollows(["a", "b", "c", "d"], store)
          break
        } catch let error as SatchelError where error.code == .journalMissing {
          refusals += 1
        }
      }
      #expect(refusals < 10)
      try JournaledStore.writeFile([], to: path + "/done")
      await other
      try Self.follow("last", store)
      try expectSound(store)
    }

    /// Many processes are left behind like that, and the one that has the commits needs a turn to write: who waits for the commits has
    /// none meanwhile.
    @Test func whoHasTheCommitsGetsHisTurn() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      try Self.follow("a", store)
      let others = 8
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<others {
          group.addTask {
            await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
              let other = try RemovedJournalTests.opened(path)
              try RemovedJournalTests.expectFollows(["a"], other)
              try JournaledStore.writeFile([], to: path + "/ready \(number)")
              try RemovedJournalTests.wait(for: path + "/left")
              try RemovedJournalTests.follow("other \(number)", other)
            }
          }
        }
        for number in 0..<others { try Self.wait(for: path + "/ready \(number)") }
        RemovedJournalTests.removeJournal(of: path)
        for name in ["b", "c", "d"] { try Self.follow(name, store) }
        RemovedJournalTests.removeJournal(of: path)
        try JournaledStore.writeFile([], to: path + "/left")
        // Some of them have begun.
        usleep(200_000)
        try Self.follow("e", store)
        try await group.waitForAll()
      }
      try Self.expectFollows(["a", "b", "c", "d", "e"] + (0..<others).map { "other \($0)" }, store)
      try expectSound(store)
    }

    /// A process that has the files open that others have left holds nobody up.
    @Test func whoLagsBehindHoldsNobodyUp() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      defer { store.close() }
      for name in ["a", "b", "c"] { try Self.follow(name, store) }
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try RemovedJournalTests.opened(path)
        RemovedJournalTests.removeJournal(of: path)
        for name in ["d", "e", "f"] { try RemovedJournalTests.follow(name, other) }
        // It is killed, and leaves a journal.
        _exit(0)
      }
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try RemovedJournalTests.opened(path)
        try RemovedJournalTests.expectFollows(["a", "b", "c", "d", "e", "f"], other)
        try RemovedJournalTests.follow("g", other)
        _exit(0)
      }
      try Self.expectFollows(["a", "b", "c", "d", "e", "f", "g"], store)
      try Self.follow("h", store)
      try #expect(store.verify().isSound)
    }
  #endif
}
