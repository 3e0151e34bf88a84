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

#if os(Linux)
  /// Commits whose system calls fail. Each runs in a process of its own, whose file descriptors are replaced.
  @Suite struct FailureTests {
    @Test func aFailureOfTheLastStepIsOfUnknownOutcome() async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      let (environment, table) = try makeStore(scratch)
      try environment.write { try $0.put(table, "a", "old") }
      environment.close()
      await #expect(processExitsWith: .success) { [path = path as String] in
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let table = try environment.database("t")
        // LMDB writes the meta page through a descriptor of its own, which syncs each write.
        try #require(FailureTests.breakDescriptors(of: "\(path)/data.mdb") { $0 & O_DSYNC != 0 } == 1)
        let found = code { try environment.write { try $0.put(table, "a", "new") } }
        try #require(found == .outcomeUnknown)
        try #require(code { try environment.read { _ in } } == .closed)
        try #require(code { try environment.write { _ in } } == .closed)
        do {
          try environment.read { _ in }
        } catch {
          try #require("\(error)".contains("outcomeUnknown"))
        }
        environment.close()
        let again = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let database = try again.database("t")
        let value = try again.read { try $0.get(database, "a") }
        try #require(value == "old" || value == "new")
        try again.write { try $0.put(database, "a", "newer") }
        again.close()
      }
      let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      defer { again.close() }
      let database = try again.database("t")
      try #expect(again.read { try $0.get(database, "a") } == "newer")
    }

    @Test func aFailureBeforeTheLastStepStoresNothing() async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      let (environment, table) = try makeStore(scratch)
      try environment.write { try $0.put(table, "a", "old") }
      environment.close()
      await #expect(processExitsWith: .success) { [path = path as String] in
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let table = try environment.database("t")
        try #require(FailureTests.breakDescriptors(of: "\(path)/data.mdb") { $0 & O_DSYNC == 0 } == 1)
        let found = code { try environment.write { try $0.put(table, "a", "new") } }
        try #require(found == .io(EBADF))
        // The environment works on, with what was there before.
        try #require(environment.read { try $0.get(table, "a") } == "old")
        environment.close()
      }
    }

    /// Replaces this process's descriptors of a file, with these flags, by ones that can be read and not be written.
    static func breakDescriptors(of name: String, where matches: (Int32) -> Bool) -> Int {
      var broken = 0
      for descriptor in Int32(3)..<256 {
        var target = [UInt8](repeating: 0, count: 4096)
        let length = target.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map {
            readlink("/proc/self/fd/\(descriptor)", $0.assumingMemoryBound(to: CChar.self), 4096)
          } ?? -1
        }
        guard length > 0 else { continue }
        guard String(decoding: target.prefix(length), as: UTF8.self) == name else { continue }
        guard matches(fcntl(descriptor, F_GETFL)) else { continue }
        let useless = open(name, O_RDONLY)
        dup2(useless, descriptor)
        close(useless)
        broken += 1
      }
      return broken
    }

    @Test(.enabled(if: geteuid() == 0, "mounting a small file system takes root"))
    func aFullDiskRollsBack() throws {
      let scratch = Scratch()
      mkdir(scratch.store, 0o700)
      guard mount("tmpfs", scratch.store, "tmpfs", 0, "size=1m") == 0 else {
        Issue.record("no tmpfs: errno \(errno)")
        return
      }
      defer { umount(scratch.store) }
      let (environment, table) = try makeStore(scratch)
      defer { environment.close() }
      let (count, error) = RoomTests.fill(environment, table)
      #expect(count > 50)
      // Also where the system ends a write early, of which LMDB makes EIO.
      #expect(error?.code == .diskFull, "\(String(describing: error))")
      try RoomTests.expect(count, environment, table)
      // What was given up makes room, without another byte of disk.
      for index in stride(from: count - 1, to: count / 2, by: -1) {
        _ = try environment.write { try $0.delete(table, number: UInt64(index)) }
      }
      #expect(RoomTests.fill(environment, table, limit: count / 2) == (count / 2, nil))
    }

    @Test(.enabled(if: geteuid() == 0, "mounting a small file system takes root"))
    func aDiskTooFullForTheReaderTableIsAnError() throws {
      let scratch = Scratch()
      mkdir(scratch.store, 0o700)
      guard mount("tmpfs", scratch.store, "tmpfs", 0, "size=1m") == 0 else {
        Issue.record("no tmpfs: errno \(errno)")
        return
      }
      defer { umount(scratch.store) }
      let (environment, table) = try makeStore(scratch)
      try environment.write { try $0.put(table, "a", "b") }
      environment.close()
      // LMDB makes the reader table sparse and writes to it through its map: SIGBUS.
      unlink(scratch.store + "/lock.mdb")
      let filler = open(scratch.store + "/filler", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      let page = [UInt8](repeating: 1, count: 4096)
      while write(filler, page, page.count) > 0 {}
      close(filler)
      #expect(Environment.refusal(of: scratch.store)?.code == .diskFull)
      unlink(scratch.store + "/filler")
      #expect(Environment.refusal(of: scratch.store) == nil)
    }

    @Test func deniedAccessIsNamed() throws {
      let scratch = Scratch()
      let (environment, table) = try makeStore(scratch)
      try environment.write { try $0.put(table, "a", "b") }
      environment.close()
      let path = scratch.store
      let nowhere = "\(scratch.path)/new/store"
      let found = try Worker {
        Self.asNobody {
          [
            Environment.refusal(of: path),
            Environment.refusal(of: nowhere, .init(databases: [], create: true)),
          ]
        }
      }.value()
      #expect(found[0]?.code == .permission)
      #expect(found[0]?.description.contains(path) == true)
      #expect(found[1]?.code == .permission)
      chmod(scratch.path, 0o755)
      chmod(scratch.store, 0o755)
      chmod(scratch.data, 0o644)
      // A reader registers itself in lock.mdb, which it may not write.
      let reader = try Worker {
        Self.asNobody { Environment.refusal(of: path, .init(databases: ["t"], readOnly: true)) }
      }.value()
      #expect(reader?.code == .permission)
    }

    /// Runs the body as a user that owns nothing. Linux keeps the identity for file access per thread.
    private static func asNobody<R>(_ body: () -> R) -> R {
      guard geteuid() == 0 else { return body() }
      typealias SetUser = @convention(c) (uid_t) -> Int32
      guard let symbol = dlsym(nil, "setfsuid") else { return body() }
      let setUser = unsafeBitCast(symbol, to: SetUser.self)
      _ = setUser(65534)
      defer { _ = setUser(0) }
      return body()
    }
  }
#endif
