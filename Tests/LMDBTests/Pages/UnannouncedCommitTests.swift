#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif
  import LMDB
  import LMDBPages
  import LMDBScenes
  import StoreFiles
  import TestSupport
  import Testing

  /// A process stands still, or was killed, between the last step of a commit in the file and its announcement. Everybody sees the
  /// state before it, whose pages stay as they are: the store is whole, and what is damaged in that state is found.
  @Suite struct UnannouncedCommitTests {
    private let scratch = Scratch()

    /// Makes a store of three commits, of which nobody has announced the last one.
    /// - Parameters:
    ///   - first: What is done before them.
    ///   - body: Called while somebody has LMDB's lock, as if he stood at that place.
    private func unannounced(
      after first: (Environment, Database) throws -> Void = { _, _ in },
      _ body: (_ environment: Environment, _ announced: UInt64) throws -> Void
    ) throws -> Environment {
      let (environment, table) = try makeStore(scratch)
      try first(environment, table)
      for name in ["a", "b", "c"] {
        try environment.write { try $0.put(table, name, "the value of \(name)") }
      }
      let last = try environment.info.lastTransaction
      try environment.writeBeside { _ in
        let file = open(scratch.store + "/lock.mdb", O_RDWR)
        // Behind two words and the readers' mutex. It is not closed: that would take LMDB's locks along.
        let place = off_t(8 + MemoryLayout<pthread_mutex_t>.size)
        var number: UInt64 = 0
        try #require(pread(file, &number, 8, place) == 8 && number == last)
        number -= 1
        try #require(pwrite(file, &number, 8, place) == 8)
        try body(environment, last - 1)
      }
      return environment
    }

    /// Checks the pages as another thread that reads.
    private static func audit(_ environment: Environment, _ announced: UInt64) throws -> PageReport {
      try Worker {
        try environment.read { transaction in
          #expect(transaction.id == announced)
          return try transaction.auditPages()
        }
      }.value()
    }

    /// It may have written to pages that are free in the state before it.
    @Test func itsPagesAreNotGivenBack() throws {
      var rows = GivingBackTests.Rows()
      var random = SeededGenerator(for: "itsPagesAreNotGivenBack")
      let environment = try unannounced { environment, table in
        try rows.put(2_000, from: 0, environment, table, &random)
        try rows.delete(0.9, environment, table, &random)
      } _: { _, _ in
      }
      defer { environment.close() }
      #expect(try GivingBackTests.giveBack(environment) == 0)
      // Its place is taken.
      for _ in 0..<2 { try environment.write { try $0.put(environment.database("t"), "d", "later") } }
      #expect(try GivingBackTests.giveBack(environment) > 0)
      #expect(try environment.read { try $0.auditPages().isSound })
    }

    @Test func theStateBeforeIsJudged() throws {
      let environment = try unannounced { environment, announced in
        let report = try Self.audit(environment, announced)
        #expect(report.isSound, "\(report.faults)")
      }
      defer { environment.close() }
      // It was killed there.
      let announced = try environment.info.lastTransaction - 1
      let report = try Self.audit(environment, announced)
      #expect(report.isSound, "\(report.faults)")
    }

    @Test func aDamagedPageOfItIsFound() throws {
      try unannounced { environment, announced in
        let size = try environment.info.pageSize
        let data = open(scratch.store + "/data.mdb", O_RDWR)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = pread(data, &bytes, bytes.count, 0)
        let text = Array("the value of b".utf8)
        let pages = (2..<count / size).filter { page in
          bytes[page * size..<(page + 1) * size].firstRange(of: text) != nil
        }
        #expect(!pages.isEmpty)
        // Its own number.
        for page in pages { #expect(pwrite(data, [bytes[page * size] ^ 0x40], 1, off_t(page * size)) == 1) }
        #expect(try !Self.audit(environment, announced).isSound)
        for page in pages { #expect(pwrite(data, [bytes[page * size]], 1, off_t(page * size)) == 1) }
        #expect(try Self.audit(environment, announced).isSound)
        // The other meta page may be of the next transaction, and of no other.
        let place = off_t((1 - Int(announced & 1)) * size + 144)
        for wrong in [announced + 3, announced + 1 << 40] {
          var number = wrong
          #expect(pwrite(data, &number, 8, place) == 8)
          let error = #expect(throws: LMDBError.self) { try Self.audit(environment, announced) }
          #expect(error?.code == .corrupted)
        }
        var number = announced + 1
        #expect(pwrite(data, &number, 8, place) == 8)
      }.close()
    }

    /// Who opens the store after the process was killed there, while others have it open, writes what follows.
    @Test func anotherProcessWritesOn() async throws {
      let environment = try unannounced { _, _ in }
      defer { environment.close() }
      let path: String = scratch.store
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Environment.open(directory: path, options: Environment.Options(databases: ["t"]))
        let table = try other.database("t")
        try other.write { try $0.put(table, "d", "the value of d") }
        try #require(try other.read { try $0.auditPages() }.isSound)
        other.close()
      }
      let report = try environment.read { try $0.auditPages() }
      #expect(report.isSound, "\(report.faults)")
    }
  }
#endif
