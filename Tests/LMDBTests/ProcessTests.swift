import LMDB
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Two processes with one store: the test, and a child that the test starts and that runs the closure.
@Suite struct ProcessTests {
  @Test func twoProcessesSeeEachOthersCommits() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "parent", "1") }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try #require(environment.read { try $0.get(table, "parent") } == "1")
      try environment.write { try $0.put(table, "child", "2") }
      environment.close()
    }
    try #expect(environment.read { try $0.get(table, "child") } == "2")
    try environment.write { try $0.put(table, "parent", "3") }
  }

  @Test func aMapThatAnotherProcessOutgrewIsRenewed() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch) { $0.initialMapSize = 1 << 20 }
    defer { environment.close() }
    try environment.read { _ in }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try #require(RoomTests.fill(environment, table, limit: 300) == (300, nil))
      environment.close()
    }
    try RoomTests.expect(300, environment, table)
    #expect(RoomTests.fill(environment, table, limit: 320) == (320, nil))
    try #expect(environment.info.mapSize > 1 << 30)
  }

  @Test func aWriterFindsTheMapOutgrownToo() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch) {
      $0.initialMapSize = 1 << 20
      $0.mapWait = 0.05
    }
    defer { environment.close() }
    let (begun, go) = (Signal(), Signal())
    let reader = Worker {
      try environment.read { _ in
        begun.set()
        go.wait()
      }
    }
    begun.wait()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try #require(RoomTests.fill(environment, table, limit: 300) == (300, nil))
      environment.close()
    }
    // This process's own reader stands in the way; the wait for it is bounded.
    #expect(code { try environment.write { try $0.put(table, "a", "b") } } == .mapResizedTimeout)
    #expect(code { try environment.read { _ in } } == .mapResizedTimeout)
    go.set()
    try reader.value()
    try environment.write { try $0.put(table, "a", "b") }
    try #expect(environment.read { try $0.get(table, "a") } == "b")
  }

  @Test func aWriterThatIsKilledLeavesNothing() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "old") }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try environment.write { transaction in
        try transaction.put(table, "a", "new")
        kill(getpid(), SIGKILL)
      }
    }
    try #expect(environment.read { try $0.get(table, "a") } == "old")
    try environment.write { try $0.put(table, "b", "x") }
    try #expect(environment.read { try $0.get(table, "b") } == "x")
  }

  @Test func slotsOfDeadReadersAreFreed() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    // Four slots: four readers that die at once leave none.
    let (environment, table) = try makeStore(scratch) { $0.maxReaders = 4 }
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    let before = try environment.info.readers
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let (begun, go) = (Log(), Signal())
      for _ in 0..<2 {
        _ = Worker {
          try environment.read { _ in
            begun.add(1)
            go.wait()
          }
        }
      }
      while begun.count < 2 { usleep(1000) }
      kill(getpid(), SIGKILL)
    }
    try environment.write { try $0.put(table, "a", "c") }
    let info = try environment.info
    #expect(info.readers > before)
    #expect(info.readerLag >= 1)
    // As many readers at once as there are slots: the dead ones have to make room.
    let (begun, go) = (Log(), Signal())
    let readers = (0..<4).map { _ in
      Worker {
        try environment.read { _ in
          begun.add(1)
          go.wait()
        }
      }
    }
    while begun.count < 4, !readers.contains(where: \.isFinished) {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(code { try environment.read { _ in } } == .readersFull)
    go.set()
    for reader in readers { try reader.value() }
    try environment.read { _ in }
    try #expect(environment.info.readerLag == 0)
  }

  @Test func aThousandCommitsFreeTheSlotsOfDeadReaders() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch) { $0.durability = .temporaryImport }
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = Environment.Options(databases: ["t"])
      options.durability = .temporaryImport
      let environment = try Environment.open(directory: path, options: options)
      try environment.read { _ in _ = kill(getpid(), SIGKILL) }
    }
    try environment.write { try $0.put(table, "a", "c") }
    try #expect(environment.info.readerLag > 0)
    for _ in 0..<1000 { try environment.write { try $0.put(table, "a", "d") } }
    try #expect(environment.info.readerLag == 0)
  }

  #if os(Linux)
    @Test func aForkedChildIsRefusedAndMayOpenAnew() async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      let (environment, table) = try makeStore(scratch)
      try environment.write { try $0.put(table, "a", "b") }
      environment.close()
      await #expect(processExitsWith: .success) { [path = path as String] in
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let table = try environment.database("t")
        try #require(environment.read { try $0.get(table, "a") } == "b")
        typealias Fork = @convention(c) () -> pid_t
        // Swift hides `fork`, for good reasons; others in the process may call it all the same.
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 {
          guard code({ try environment.read { _ in } }) == .forked else { _exit(1) }
          guard code({ try environment.write { _ in } }) == .forked else { _exit(2) }
          guard code({ _ = try environment.info }) == .forked else { _exit(3) }
          guard code({ try environment.sync() }) == .forked else { _exit(4) }
          environment.close()
          guard let own = try? Environment.open(directory: path, options: .init(databases: ["t"])),
            own !== environment
          else { _exit(5) }
          guard let database = try? own.database("t") else { _exit(6) }
          guard (try? own.write { try $0.put(database, "a", "child") }) != nil else { _exit(7) }
          own.close()
          _exit(0)
        }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        try #require(status == 0, "child ended with \(status >> 8)")
        try #require(environment.read { try $0.get(table, "a") } == "child")
        environment.close()
      }
    }
  #endif
}
