import LMDB
import LMDBScenes
import StoreFiles
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

/// An environment that gives its files back for a while.
@Suite struct SuspensionTests {
  private static let soon = deadline(afterSeconds: 0)

  /// Long enough for whatever the machine does meanwhile.
  private static var whatever: UInt64 { deadline(afterSeconds: 60) }

  @Test func givesAllBackAndTakesItAgain() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "1") }
    try #expect(environment.read { try $0.get(table, "a") } == "1")
    // So many looks that the system is asked to tell of changes of names.
    for round in 0..<100 { try environment.write { try $0.put(table, "b", "\(round)") } }
    for round in 2...4 {
      try environment.suspend()
      try environment.waitUntilGivenBack(until: Self.whatever)
      #if os(Linux)
        #expect(HeldByProcess.things(in: path) == [])
      #endif
      #expect(code { try environment.read { _ in } } == .suspended)
      #expect(code { try environment.write { _ in } } == .suspended)
      #expect(code { _ = try environment.lastTransaction } == .suspended)
      #expect(code { _ = try CommitWatcher(environment) } == .suspended)
      let failure = await #expect(throws: LMDBError.self) {
        try await environment.writeOnWriterThread { _ in }
      }
      #expect(failure?.code == .suspended)
      await #expect(processExitsWith: .success) { [path = path as String, round = round as Int] in
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let table = try environment.database("t")
        try environment.write { try $0.put(table, "a", "\(round)") }
        environment.close()
        // What only the last one leaves can be made anew.
        try #require(unlink(path + "/lock.mdb") == 0)
      }
      try environment.resume(until: Self.whatever)
      try #expect(environment.read { try $0.get(table, "a") } == "\(round)")
      try environment.write { try $0.put(table, "own", "\(round)") }
      try #expect(environment.read { try $0.get(table, "own") } == "\(round)")
    }
  }

  /// Handles of databases stay what they were, in whatever order they were opened.
  @Test func databasesKeepTheirHandles() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let names = ["z", "a", "m"]
    for name in names {
      try Environment.open(directory: scratch.store, options: .init(databases: [name], create: true)).close()
    }
    for name in names + ["t"] {
      try environment.write { try $0.put(environment.database(name), "name", name) }
    }
    try environment.suspend()
    try environment.resume(until: Self.whatever)
    for name in names + ["t"] {
      try #expect(environment.read { try $0.get(environment.database(name), "name") } == name)
    }
    try environment.write { try $0.put(table, "name", "again") }
    try #expect(environment.read { try $0.get(table, "name") } == "again")
  }

  /// A map at another place, in a file that others have made larger and smaller in use.
  @Test func whatWasKnownOfTheFileIsForgotten() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch) { $0.initialMapSize = 1 << 20 }
    defer { environment.close() }
    try #require(RoomTests.fill(environment, table, limit: 10) == (10, nil))
    try RoomTests.expect(10, environment, table)
    try environment.suspend()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try #require(RoomTests.fill(environment, table, limit: 300) == (300, nil))
      environment.close()
    }
    try environment.resume(until: Self.whatever)
    try RoomTests.expect(300, environment, table)
    #expect(RoomTests.fill(environment, table, limit: 320) == (320, nil))
    try RoomTests.expect(320, environment, table)
  }

  @Test func aReadDelaysIt() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "1") }
    let (begun, go) = (Signal(), Signal())
    let reader = Worker {
      try environment.read { transaction in
        begun.set()
        go.wait()
        return try transaction.get(table, "a")
      }
    }
    begun.wait()
    try environment.suspend()
    let failure = #expect(throws: LMDBError.self) { try environment.waitUntilGivenBack(until: Self.soon) }
    #expect(failure?.code == .stillInUse)
    #expect(failure?.description.contains("at work: a read") == true)
    #expect(code { try environment.read { _ in } } == .suspended)
    go.set()
    try #expect(reader.value() == "1")
    try environment.waitUntilGivenBack(until: Self.whatever)
    #if os(Linux)
      #expect(HeldByProcess.things(in: scratch.store) == [])
    #endif
    try environment.resume(until: Self.whatever)
    try #expect(environment.read { try $0.get(table, "a") } == "1")
  }

  /// It is taken back while a read still holds the files: they were never closed.
  @Test func itIsTakenBackBeforeTheFilesAreClosed() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "1") }
    try environment.read { transaction in
      let other = Worker { try environment.suspend() }
      try other.value()
      #expect(code { try environment.waitUntilGivenBack(until: Self.soon) } == .stillInUse)
      // Reads that look at their lease give way.
      #expect(code { try transaction.checkLease() } == .suspended)
      try Worker { try environment.resume(until: Self.whatever) }.value()
      try transaction.checkLease()
      try Worker { try environment.write { try $0.put(table, "a", "2") } }.value()
      try #expect(transaction.get(table, "a") == "1")
    }
    try #expect(environment.read { try $0.get(table, "a") } == "2")
  }

  @Test func aWriteThatRunsEndsAndOthersAreRefused() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let (begun, go) = (Signal(), Signal())
    let writer = Worker {
      try environment.write { transaction in
        begun.set()
        go.wait()
        try transaction.put(table, "a", "1")
      }
    }
    begun.wait()
    let queued = (0..<4).map { number in
      Worker { code { try environment.write { try $0.put(table, "queued \(number)", "1") } } }
    }
    while environment.waitingWriters < 4 { usleep(1000) }
    try environment.suspend()
    for writer in queued { #expect(try writer.value() == .suspended) }
    let failure = #expect(throws: LMDBError.self) { try environment.waitUntilGivenBack(until: Self.soon) }
    #expect(failure?.description.contains("at work: a write") == true)
    go.set()
    try writer.value()
    try environment.waitUntilGivenBack(until: Self.whatever)
    try environment.resume(until: Self.whatever)
    try #expect(environment.read { try $0.get(table, "a") } == "1")
    try #expect(environment.read { try $0.get(table, "queued 0") } == nil)
    try environment.write { try $0.put(table, "a", "2") }
  }

  /// A writer who waits for another process has not begun: however long that one writes, the files are given back at once.
  @Test(arguments: [nil, 1000.0])
  func aWriterWhoWaitsForAnotherProcessGivesUp(_ wait: Double?) async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let (environment, table) = try makeStore(scratch) { $0.writerWait = wait }
    defer { environment.close() }
    try environment.write { try $0.put(table, "own", "0") }
    let child = WriterWaitTests.holdWrite(path, then: .success)
    _ = try await WriterWaitTests.holder(path)
    for round in 0..<3 {
      let writer = Worker { code { try environment.write { try $0.put(table, "own", "no") } } }
      while !environment.writers.isAtWork { usleep(1000) }
      // Also before it has come to the wait.
      if round > 0 { usleep(20_000) }
      try environment.suspend()
      try environment.waitUntilGivenBack(until: Self.whatever)
      #expect(try writer.value() == .suspended)
      #if os(Linux)
        #expect(HeldByProcess.things(in: scratch.store) == [])
      #endif
      try environment.resume(until: Self.whatever)
    }
    let last = Worker { try environment.write { try $0.put(table, "own", "1") } }
    write([], to: "\(path)/go")
    await child.value
    try last.value()
    try #expect(environment.read { try $0.get(table, "own") } == "1")
    try #expect(environment.read { try $0.get(table, "child") } == "written")
  }

  @Test func anotherReferenceKeepsTheFilesOpen() throws {
    let scratch = Scratch()
    let (first, table) = try makeStore(scratch)
    let second = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    try first.suspend()
    try first.waitUntilGivenBack(until: Self.soon)
    #expect(!first.isSuspended)
    try second.write { try $0.put(table, "a", "1") }
    // The last one that is closed leaves the suspended one.
    second.close()
    #expect(first.isSuspended)
    try first.waitUntilGivenBack(until: Self.soon)
    #if os(Linux)
      #expect(HeldByProcess.things(in: scratch.store) == [])
    #endif
    // Whoever opens the store opens the files again.
    let third = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    #expect(third === first)
    try #expect(third.read { try $0.get(table, "a") } == "1")
    try first.resume(until: Self.whatever)
    third.close()
    try #expect(first.read { try $0.get(table, "a") } == "1")
    first.close()
    #expect(code { try first.read { _ in } } == .closed)
  }

  @Test func aSuspendedOneCanBeClosed() throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    try environment.suspend()
    environment.closeSuspended()
    #expect(code { try environment.read { _ in } } == .closed)
    #expect(code { try environment.resume(until: Self.whatever) } == .closed)
    #expect(code { try environment.suspend() } == .closed)
    // Nothing of it is left in the way of another one.
    let other = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    #expect(other !== environment)
    other.close()
  }

  @Test func filesThatWereReplacedAreRefused() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { try $0.put(table, "a", "1") }
    try environment.suspend()
    try environment.waitUntilGivenBack(until: Self.whatever)
    #expect(rename(scratch.data, scratch.data + ".away") == 0)
    #expect(code { try environment.resume(until: Self.whatever) } == .noSuchStore)
    // Somebody opens what has come in its place; it is not ours.
    let (other, rows) = try makeStore(scratch)
    #expect(other !== environment)
    try other.write { try $0.put(rows, "a", "other") }
    #expect(code { try environment.resume(until: Self.whatever) } == .alreadyOpenElsewhere)
    other.close()
    #expect(code { try environment.resume(until: Self.whatever) } == .replaced)
    #expect(code { try environment.read { _ in } } == .suspended)
    // Once it is back, all goes on.
    #expect(rename(scratch.data + ".away", scratch.data) == 0)
    try environment.resume(until: Self.whatever)
    try #expect(environment.read { try $0.get(table, "a") } == "1")
    environment.close()
  }

  @Test func aThreadInsideIsRefused() throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    defer { environment.close() }
    try environment.read { _ in #expect(code { try environment.suspend() } == .nested) }
    try environment.write { _ in #expect(code { try environment.suspend() } == .nested) }
    try environment.read { _ in }
  }

  /// What can be done later is broken off, at its next change.
  @Test func workBesideIsBrokenOff() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let (begun, go) = (Signal(), Signal())
    let worker = Worker {
      code {
        try environment.writeBeside { transaction in
          try transaction.put(table, "a", "1")
          begun.set()
          go.wait()
          try transaction.put(table, "b", "1")
        }
      }
    }
    begun.wait()
    try environment.suspend()
    #expect(code { try environment.waitUntilGivenBack(until: Self.soon) } == .stillInUse)
    go.set()
    #expect(try worker.value() == .suspended)
    try environment.waitUntilGivenBack(until: Self.whatever)
    try environment.resume(until: Self.whatever)
    try #expect(environment.read { try $0.get(table, "a") } == nil)
    try environment.writeBeside { try $0.put(table, "a", "2") }
    try #expect(environment.read { try $0.get(table, "a") } == "2")
  }

  /// Threads read and write while others suspend and resume: each call does all or nothing of its work, and says which.
  @Test func threadsSuspendAndResumeAtRandom() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    var generator = SeededGenerator()
    let isOver = Atomic(false)
    let written = (0..<3).map { number in
      Worker {
        var last = 0
        while !isOver.load(ordering: .relaxed) {
          do {
            try environment.write { try $0.put(table, "\(number)", "\(last + 1)") }
            last += 1
          } catch let error as LMDBError where error.code == .suspended {
            usleep(50)
          }
        }
        return last
      }
    }
    let readers = (0..<3).map { number in
      Worker {
        var last = 0
        while !isOver.load(ordering: .relaxed) {
          do {
            let found = try environment.read { try $0.get(table, "\(number)") }.flatMap { Int($0) } ?? 0
            try #require(found >= last)
            last = found
          } catch let error as LMDBError where error.code == .suspended {
            usleep(50)
          }
        }
      }
    }
    for _ in 0..<TestEnvironment.rounds(60) {
      try environment.suspend()
      if generator.oneIn(2) {
        try environment.waitUntilGivenBack(until: Self.whatever)
        if generator.oneIn(4) { try makeStore(scratch).0.close() }
      }
      usleep(UInt32(generator.below(300)))
      try environment.resume(until: Self.whatever)
      usleep(UInt32(generator.below(3000)))
    }
    isOver.store(true, ordering: .relaxed)
    for reader in readers { try reader.value() }
    for (number, writer) in written.enumerated() {
      let last = try writer.value()
      try #expect(environment.read { try $0.get(table, "\(number)") } == (last == 0 ? nil : "\(last)"))
    }
  }
}
