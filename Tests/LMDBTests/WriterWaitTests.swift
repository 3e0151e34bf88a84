import LMDB
import LMDBScenes
import StoreFiles
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A writer that another process keeps waiting knows for whom it waits, and may give up.
@Suite struct WriterWaitTests {
  /// Another process that is inside a write until the file `go` is there, or until it is killed.
  static func holdWrite(_ path: String, then exit: ExitTest.Condition) -> Task<Void, Never> {
    Task {
      _ = await #expect(processExitsWith: exit) { [path = path as String] in
        let environment = try Environment.open(directory: "\(path)/store", options: .init(databases: ["t"]))
        let table = try environment.database("t")
        try environment.write { transaction in
          try transaction.put(table, "child", "written")
          write(Array("\(getpid())".utf8), to: "\(path)/pid.new")
          rename("\(path)/pid.new", "\(path)/pid")
          while access("\(path)/go", F_OK) != 0 { usleep(1000) }
        }
        environment.close()
      }
    }
  }

  /// A write that is refused before its closure is called keeps nobody waiting.
  @Test func aRefusedWriteLetsOthersWrite() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    let (maker, rows) = try makeStore(scratch)
    try maker.write { transaction in
      for index in 0..<500 { try transaction.put(rows, "key \(index)", String(repeating: "x", count: 40)) }
    }
    maker.close()
    var bytes = contents(of: scratch.data)
    // No page knows its number any more.
    for page in stride(from: 2 * 4096, to: bytes.count, by: 4096) { bytes[page] ^= 0x55 }
    write(bytes, to: scratch.data)
    let environment = try Self.damaged(path)
    defer { environment.close() }
    #expect(code { try environment.write { _ in } } == .corrupted)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let other = try WriterWaitTests.damaged(path)
      try #require(code { try other.write { _ in } } == .corrupted)
      other.close()
    }
  }

  /// Opens a store whose tables cannot be found.
  private static func damaged(_ path: String) throws -> Environment {
    var options = Environment.Options(databases: [])
    options.writerWait = 0.5
    return try Environment.open(directory: path, options: options)
  }

  static func holder(_ path: String) async throws -> Int32 {
    while access("\(path)/pid", F_OK) != 0 { try await Task.sleep(for: .milliseconds(2)) }
    return try #require(Int32(String(decoding: contents(of: "\(path)/pid"), as: UTF8.self)))
  }

  @Test func theWaitHasABoundAndNamesTheProcess() async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let (environment, table) = try makeStore(scratch) { $0.writerWait = 0.1 }
    defer { environment.close() }
    let child = Self.holdWrite(path, then: .success)
    let process = try await Self.holder(path)
    for _ in 0..<3 {
      #expect(code { try environment.write { try $0.put(table, "a", "b") } } == .writerBusy(process: process))
    }
    #expect(code { try environment.inTurn(waiting: 0.1) {} } == .writerBusy(process: process))
    // Those in line behind it give up, too, and so does a write on the writer thread.
    let writers = (0..<4).map { _ in Worker { code { try environment.write { _ in } } } }
    for writer in writers { #expect(try writer.value() == .writerBusy(process: process)) }
    let failure = await #expect(throws: LMDBError.self) { try await environment.writeOnWriterThread { _ in } }
    #expect(failure?.code == .writerBusy(process: process))
    #expect(failure?.description.contains("\(process)") == true)
    // Readers never wait.
    try #expect(environment.read { try $0.get(table, "child") } == nil)
    write([], to: "\(path)/go")
    await child.value
    try environment.write { try $0.put(table, "a", "b") }
    try #expect(environment.read { try $0.get(table, "child") } == "written")
    try #expect(environment.read { try $0.get(table, "a") } == "b")
  }

  @Test func whoWaitsIsToldForWhomAndGoesOnWhenThatOneIsKilled() async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let (told, processes) = (Signal(), Log())
    let (environment, table) = try makeStore(scratch) {
      $0.onWriterWait = { wait in
        processes.add(Int(wait.process ?? 0))
        told.set()
      }
    }
    defer { environment.close() }
    let child = Self.holdWrite(path, then: .signal(SIGKILL))
    let process = try await Self.holder(path)
    let writer = Worker { try environment.write { try $0.put(table, "a", "b") } }
    while !told.isUp { try await Task.sleep(for: .milliseconds(10)) }
    #expect(!writer.isFinished)
    #expect(processes.entries.first == Int(process))
    kill(process, SIGKILL)
    await child.value
    try writer.value()
    try #expect(environment.read { try $0.get(table, "a") } == "b")
    try #expect(environment.read { try $0.get(table, "child") } == nil)
  }

  /// Two processes write in turns for a while, one with a bound that is long enough: none loses a write.
  @Test func writersOfTwoProcessesTakeTurns() async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let (environment, table) = try makeStore(scratch) {
      $0.writerWait = 60
      $0.durability = .relaxed
    }
    defer { environment.close() }
    try environment.write { try $0.put(table, "n", "0") }
    func count(_ environment: Environment, _ table: Database) throws {
      for _ in 0..<200 {
        try environment.write { transaction in
          let number = try #require(try transaction.get(table, "n").flatMap { Int($0) })
          try transaction.put(table, "n", String(number + 1))
        }
      }
    }
    let child = Task {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        var options = Environment.Options(databases: ["t"], durability: .relaxed)
        options.writerWait = 60
        let environment = try Environment.open(directory: "\(path)/store", options: options)
        let table = try environment.database("t")
        for _ in 0..<200 {
          try environment.write { transaction in
            let number = try #require(try transaction.get(table, "n").flatMap { Int($0) })
            try transaction.put(table, "n", String(number + 1))
          }
        }
        environment.close()
      }
    }
    try count(environment, table)
    await child.value
    try #expect(environment.read { try $0.get(table, "n") } == "400")
  }

  /// The table of readers has 1,022 slots; the next reader is told so, and nothing else happens to it.
  @Test func theReaderBeyondTheTableIsTold() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    // A process that another test starts meanwhile would keep it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (source, begun) = (ends[0], Log())
    let readers = (0..<environmentReaders).map { _ in
      Worker {
        try environment.read { _ in
          begun.add(1)
          var byte: UInt8 = 0
          _ = read(source, &byte, 1)
        }
      }
    }
    while begun.count < environmentReaders, !readers.contains(where: \.isFinished) {
      usleep(20_000)
    }
    #expect(code { try environment.read { _ in } } == .readersFull)
    try environment.write { try $0.put(table, "a", "c") }
    close(ends[1])
    for reader in readers { try reader.value() }
    close(source)
    try #expect(environment.read { try $0.get(table, "a") } == "c")
  }
}

private let environmentReaders = 1022
