#if os(Linux)
  import Foundation
  import LMDB
  import Satchel
  import SatchelStorage
  import Testing

  /// A process stands still, or was killed, between the last step of a commit of LMDB in the file and its announcement. Everybody sees
  /// the state before it, whose pages stay as they are: the store is whole, and what is damaged in that state is found.
  @Suite struct UnannouncedCommitTests {
    /// Runs `body` as if another process stood at that place, with LMDB's lock.
    /// - Parameter isKilled: Whether it ends there, so that the commit is never announced.
    private func unannounced(
      _ store: Store, isKilled: Bool = false, _ body: (_ announced: UInt64) throws -> Void
    ) throws {
      for name in ["x", "y"] {
        _ = try store.write { try $0.setFollowed(true, Identity.ID(name)) }
        try store.checkpointBeside()
      }
      _ = try store.write { try $0.setFollowed(true, "z") }
      let last = try store.environment.info.lastTransaction
      try store.environment.writeBeside { _ in
        try Self.announce(last - 1, insteadOf: last, store.directory)
        guard !isKilled else { return }
        defer {
          #expect(throws: Never.self) { try Self.announce(last, insteadOf: last - 1, store.directory) }
        }
        try body(last - 1)
      }
      if isKilled { try body(last - 1) }
    }

    /// Changes which transaction the lock file says is the last one.
    private static func announce(_ number: UInt64, insteadOf before: UInt64, _ path: String) throws {
      let file = open(path + "/lock.mdb", O_RDWR)
      // Behind two words and the readers' mutex. The file is not closed: LMDB's locks on it would be lost.
      let place = off_t(8 + MemoryLayout<pthread_mutex_t>.size)
      var found: UInt64 = 0
      try #require(pread(file, &found, 8, place) == 8 && found == before)
      var number = number
      try #require(pwrite(file, &number, 8, place) == 8)
    }

    private static func opened(_ path: String) throws -> Store {
      var options = Store.Options()
      options.create = false
      options.journal.commitsBefore = 0
      return try Store.open(directory: path, user: nil, options: options)
    }

    @Test(arguments: [false, true]) func everybodyReadsTheStateBefore(isKilled: Bool) throws {
      let directory = try Tool.Directory()
      let path = try Sample.make(in: directory)
      let store = try Self.opened(path)
      defer { store.close() }
      try unannounced(store, isKilled: isKilled) { announced in
        if isKilled { try store.environment.read { #expect($0.id == announced) } }
        for arguments in [
          ["verify", path], ["verify", path, "--format", "json"], ["stats", path], ["export", path],
          ["query", path, "messages"], ["explain", path, "messages", "--run"], ["dump", path, "seal"],
          ["dump", path, "nodes"], ["backup", path, directory("copy")],
          ["backup", path, directory("compact"), "--compact"], ["salvage", path, directory("saved")],
          ["verify", directory("copy")], ["verify", directory("compact")], ["verify", directory("saved")],
        ] {
          let result = try Tool.run(arguments)
          #expect(result.status == 0, "\(arguments): \(result.output)\(result.errors)")
        }
        #expect(try Tool.run("verify", path).lines.last?.hasSuffix("; 0 faults") == true)
      }
    }

    @Test func aDamagedPageIsFound() throws {
      let directory = try Tool.Directory()
      let path = try Sample.make(in: directory)
      let store = try Self.opened(path)
      defer { store.close() }
      // It is not closed: that would take the locks of this process along.
      let file = open(path + "/data.mdb", O_RDWR)
      let size = try store.environment.info.pageSize
      try unannounced(store) { _ in
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")))
        let text = Array("bob@example.org".utf8)
        var damaged = 0
        for page in 2..<bytes.count / size {
          guard bytes[page * size..<(page + 1) * size].firstRange(of: text) != nil else { continue }
          damaged += 1
          // Its own number.
          #expect(pwrite(file, [bytes[page * size] ^ 0x40], 1, off_t(page * size)) == 1)
        }
        #expect(damaged > 0)
        let result = try Tool.run("verify", path)
        #expect(result.status == 4 && result.output.contains("page "), "\(result.output)\(result.errors)")
        for page in 2..<bytes.count / size { pwrite(file, [bytes[page * size]], 1, off_t(page * size)) }
        #expect(try Tool.run("verify", path).status == 0)
      }
    }

    /// The meta page of the commit before the announced one, or of the one that nobody has announced, is damaged.
    @Test func aDamagedMetaPageIsFound() throws {
      let directory = try Tool.Directory()
      let path = try Sample.make(in: directory)
      let store = try Self.opened(path)
      defer { store.close() }
      let file = open(path + "/data.mdb", O_RDWR)
      let size = try store.environment.info.pageSize
      try unannounced(store) { announced in
        // The number of its transaction, which is neither the next one nor the one before.
        let place = off_t((1 - Int(announced & 1)) * size + 144)
        var number: UInt64 = 0
        try #require(pread(file, &number, 8, place) == 8 && number == announced + 1)
        for wrong in [announced + 3, announced + 1 << 40] {
          number = wrong
          #expect(pwrite(file, &number, 8, place) == 8)
          let result = try Tool.run("verify", path)
          #expect(result.status == 4 || result.status == 1, "\(result.output)\(result.errors)")
        }
        number = announced + 1
        #expect(pwrite(file, &number, 8, place) == 8)
      }
    }

    /// Who opens the store after the process was killed there, while others have it open, writes what follows.
    @Test func anotherProcessWritesOn() throws {
      let directory = try Tool.Directory()
      let path = try Sample.make(in: directory)
      let store = try Self.opened(path)
      defer { store.close() }
      try unannounced(store, isKilled: true) { _ in
        let line = #"{"kind":"conversation","identifier":"later","participants":["alice"]}"#
        let file = try directory.write("later.jsonl", lines: [Sample.header, line])
        let result = try Tool.run("import", path, file)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try Tool.run("verify", path).status == 0)
        #expect(try Tool.run("export", path).output.contains(#""identifier":"later""#))
      }
    }
  }
#endif
