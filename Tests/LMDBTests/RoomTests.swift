import LMDB
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct RoomTests {
  /// Writes values of 10 kB until it throws; returns how many transactions went through, and the error.
  static func fill(_ environment: Environment, _ table: Database, limit: Int = 10_000) -> (Int, LMDBError?) {
    for index in 0..<limit {
      do {
        try environment.write { transaction in
          let reserved = try transaction.reserve(table, number: UInt64(index), count: 10_000)
          reserved.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: index))
        }
      } catch {
        return (index, error as? LMDBError)
      }
    }
    return (limit, nil)
  }

  /// Expects exactly the first `count` values, whole.
  static func expect(_ count: Int, _ environment: Environment, _ table: Database) throws {
    try environment.read { transaction in
      try #expect(transaction.statistics(of: table).entries == count)
      for index in 0..<count {
        let value = try transaction.get(table, number: UInt64(index))
        #expect(value?.count == 10_000)
        #expect(value?.allSatisfy { $0 == UInt8(truncatingIfNeeded: index) } == true)
      }
    }
  }

  @Test func aFullMapRollsBack() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) {
      $0.initialMapSize = 1 << 20
      $0.maxMapSize = 1 << 20
    }
    defer { environment.close() }
    let (count, error) = Self.fill(environment, table)
    #expect(error?.code == .mapFull)
    #expect(count > 50)
    try Self.expect(count, environment, table)
    // A failure that the closure swallows still ends the write.
    #expect(
      code {
        try environment.write { transaction in
          try transaction.put(table, "x", "y")
          _ = try? transaction.reserve(table, number: 1 << 40, count: 1 << 19)
        }
      } == .mapFull)
    try Self.expect(count, environment, table)
    // Space that was given up can be used again.
    for index in 0..<count { _ = try environment.write { try $0.delete(table, number: UInt64(index)) } }
    #expect(Self.fill(environment, table, limit: 20) == (20, nil))
  }

  @Test func theMapGrowsBetweenWrites() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) { $0.initialMapSize = 1 << 20 }
    defer { environment.close() }
    #expect(Self.fill(environment, table, limit: 300) == (300, nil))
    let info = try environment.info
    #expect(info.mapSize >= 1 << 30)
    #expect(info.fileBytes > 3 << 20)
    try Self.expect(300, environment, table)
  }

  @Test func theMapIsNotRenewedUnderAReader() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch) {
      $0.initialMapSize = 1 << 20
      $0.mapWait = 0.05
    }
    defer { environment.close() }
    #expect(Self.fill(environment, table, limit: 10) == (10, nil))
    let (begun, go) = (Signal(), Signal())
    let reader = Worker {
      try environment.read { transaction in
        let value = try #require(try transaction.get(table, number: 5))
        begun.set()
        go.wait()
        // The memory of the snapshot is still mapped.
        return value.allSatisfy { $0 == 5 }
      }
    }
    begun.wait()
    let (count, error) = Self.fill(environment, table)
    #expect(error?.code == .mapFull)
    go.set()
    try #expect(reader.value())
    #expect(Self.fill(environment, table, limit: count + 100) == (count + 100, nil))
    try #expect(environment.info.mapSize > 1 << 30)
  }

  @Test func anExistingStoreIsMappedWhole() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    #expect(Self.fill(environment, table, limit: 300) == (300, nil))
    environment.close()
    var options = Environment.Options(databases: ["t"])
    options.initialMapSize = 1 << 20
    options.maxMapSize = 1 << 20
    let again = try Environment.open(directory: scratch.store, options: options)
    defer { again.close() }
    try Self.expect(300, again, try again.database("t"))
  }

  @Test func aFileSizeLimitRollsBack() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    try makeStore(scratch).0.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let table = try environment.database("t")
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: .max)
      setFileSizeLimit(&limit)
      let (count, error) = RoomTests.fill(environment, table)
      try #require(error?.code == .diskFull || error?.code == .io(EIO), "\(String(describing: error))")
      try RoomTests.expect(count, environment, table)
      limit.rlim_cur = .max
      setFileSizeLimit(&limit)
      try #require(RoomTests.fill(environment, table, limit: count + 50) == (count + 50, nil))
      environment.close()
    }
  }

  @Test(
    .disabled(
      if: getenv("SATCHEL_SANITIZER") != nil,
      "the sanitizers reserve more address space than the test leaves"))
  func littleAddressSpaceGivesASmallerMap() async throws {
    let scratch = Scratch()
    let path: String = scratch.store
    try makeStore(scratch).0.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      var limit = rlimit(rlim_cur: 8 << 30, rlim_max: .max)
      setAddressSpaceLimit(&limit)
      let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
      let size = try environment.info.mapSize
      try #require(size < 8 << 30 && size >= 16 << 20)
      let table = try environment.database("t")
      try environment.write { try $0.put(table, "a", "b") }
      environment.close()
    }
  }

  @Test func aFreedEndOfTheFileMayBeMissing() throws {
    var random = SeededGenerator(for: "aFreedEndOfTheFileMayBeMissing")
    var shortFiles = 0
    for _ in 0..<TestEnvironment.rounds(40) {
      let scratch = Scratch()
      let (environment, table) = try makeStore(scratch) { $0.durability = .temporaryImport }
      // Free pages must be known before pages at the end are taken and given up again.
      for number in UInt64(0)..<40 {
        try environment.write { try $0.reserve(table, number: number, count: 2000).initialize(repeating: 1) }
      }
      for number in UInt64(0)..<20 { _ = try environment.write { try $0.delete(table, number: number) } }
      try environment.write { transaction in
        for number in UInt64(100)..<104 {
          let count = Int.random(in: 50_000...400_000, using: &random)
          try transaction.reserve(table, number: number, count: count).initialize(repeating: 1)
          _ = try transaction.delete(table, number: number)
        }
        try transaction.put(table, "a", "b")
      }
      let info = try environment.info
      environment.close()
      if info.fileBytes < (Int(info.lastPage) + 1) * info.pageSize { shortFiles += 1 }
      let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      let database = try again.database("t")
      try #expect(again.read { try $0.get(database, "a") } == "b")
      try again.write { try $0.reserve(database, number: 1, count: 600_000).initialize(repeating: 2) }
      again.close()
      // Cut further, into pages that are in use.
      truncate(scratch.data, off_t(info.pageSize * 12))
      #expect(Environment.refusal(of: scratch.store)?.code == .invalid)
    }
    #expect(shortFiles > 0)
  }
}

private func setFileSizeLimit(_ limit: inout rlimit) {
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
}

private func setAddressSpaceLimit(_ limit: inout rlimit) {
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  #else
    setrlimit(RLIMIT_AS, &limit)
  #endif
}

extension UnsafeMutableRawBufferPointer {
  func initialize(repeating byte: UInt8) {
    initializeMemory(as: UInt8.self, repeating: byte)
  }
}
