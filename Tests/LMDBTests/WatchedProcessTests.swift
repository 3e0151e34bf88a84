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

/// Commits of other processes, as a watcher sees them.
@Suite struct WatchedProcessTests {
  @Test func commitsOfAnotherProcessEndTheWait() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, _) = try makeStore(scratch)
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let start = try environment.lastTransaction
    let waiting = Worker { CommitWatcherTests.follow(watcher, from: start, to: start + 50) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      for round in 0..<50 { try environment.write { try $0.put(table, "\(round)", "x") } }
      environment.close()
    }
    try CommitWatcherTests.expectAscending(waiting.value(), to: start + 50)
  }

  @Test func aWriterThatIsKilledAfterItsCommitIsHeard() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let start = try environment.lastTransaction
    let waiting = Worker { watcher.wait(after: start) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try environment.write { try $0.put(table, "a", "1") }
      kill(getpid(), SIGKILL)
    }
    try #expect(waiting.value() == .committed(start + 1))
    try #expect(environment.read { try $0.get(table, "a") } == "1")
  }

  /// A writer that dies between its last write to the file and its word to the readers: its commit is there, and no read
  /// sees it before the next writer has come.
  @Test func aCommitThatCannotBeReadYetIsNotReported() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "1") }
    let start = try environment.lastTransaction
    let watcher = try CommitWatcher(environment)
    let waiting = Worker { watcher.wait(after: start) }
    // Such a commit, without any change: the newest meta page over the older one, numbered one higher.
    let page = try environment.info.pageSize
    var meta = Array(contents(of: scratch.data)[(page * Int(start % 2))...].prefix(page))
    let next = start + 1
    withUnsafeBytes(of: next) { for (index, byte) in $0.enumerated() { meta[144 + index] = byte } }
    withUnsafeBytes(of: next % 2) { for (index, byte) in $0.enumerated() { meta[index] = byte } }
    let file = open(scratch.data, O_WRONLY)
    #expect(pwrite(file, meta, page, off_t(page * Int(next % 2))) == page)
    close(file)
    try #expect(environment.lastTransaction == next)
    try #expect(environment.readableTransaction == start)
    watcher.wake()
    try #expect(waiting.value() == .woken)
    // A writer that had really died would have left its lock, and the next one would take over what it wrote. Here LMDB
    // numbers the next transaction by what readers see, and it takes that number again.
    let again = Worker { watcher.wait(after: start) }
    try environment.write { try $0.put(table, "b", "2") }
    try #expect(again.value() == .committed(next))
  }

  @Test func readersWatchToo() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    try makeStore(scratch).0.close()
    let environment = try Environment.open(
      directory: scratch.store, options: .init(databases: ["t"], readOnly: true))
    defer { environment.close() }
    let watcher = try CommitWatcher(environment)
    let start = try environment.lastTransaction
    let waiting = Worker { watcher.wait(after: start) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      try environment.write { try $0.put(table, "a", "1") }
      environment.close()
    }
    try #expect(waiting.value() == .committed(start + 1))
  }

  @Test func withoutDescriptorsTheWatcherLooksByItself() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let other = Scratch()
    let signal: String = other.path
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let start = try environment.lastTransaction
    let child = Worker {
      // The child says so when it watches.
      while access("\(other.path)/watching", F_OK) != 0 { usleep(1000) }
      try environment.write { try $0.put(table, "a", "1") }
    }
    await #expect(processExitsWith: .success) {
      [path = path as String, signal = signal as String, start = start as UInt64] in
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      var limits = rlimit()
      let spare = dup(0)
      let old = (getrlimit(Self.descriptors, &limits), limits).1
      limits.rlim_cur = rlim_t(spare)
      close(spare)
      setrlimit(Self.descriptors, &limits)
      let watcher = try CommitWatcher(environment)
      var restored = old
      setrlimit(Self.descriptors, &restored)
      try #require(!watcher.isNotified)
      watcher.wake()
      try #require(watcher.wait(after: start) == .woken)
      write([], to: "\(signal)/watching")
      try #require(watcher.wait(after: start) == .committed(start + 1))
      // Calls end a wait that looks by itself as well.
      let last = start + 1
      let waiting = Worker { watcher.wait(after: last) }
      environment.close()
      try #require(waiting.value() == .cancelled)
    }
    try child.value()
  }

  #if canImport(Glibc)
    private static var descriptors: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
  #else
    private static var descriptors: Int32 { RLIMIT_NOFILE }
  #endif

  #if os(Linux)
    @Test func aForkedChildDoesNotUseItsParentsWatcher() async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      let (environment, _) = try makeStore(scratch)
      environment.close()
      await #expect(processExitsWith: .success) { [path = path as String] in
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let watcher = try CommitWatcher(environment)
        let last = try environment.lastTransaction
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 {
          watcher.wake()
          watcher.cancel()
          guard watcher.wait(after: 0) == .cancelled else { _exit(1) }
          guard code({ _ = try environment.lastTransaction }) == .forked else { _exit(2) }
          guard code({ _ = try CommitWatcher(environment) }) == .forked else { _exit(3) }
          _exit(0)
        }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        try #require(status == 0, "child ended with \(status >> 8)")
        watcher.wake()
        try #require(watcher.wait(after: last) == .woken)
        environment.close()
      }
    }
  #endif
}
