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
  /// The meta pages are written again, with the bytes that they have, where a failed sync may have lost them.
  @Suite struct LostSyncTests {
    @Test func aWriteAfterAFailedSyncWritesTheMetaPagesAgain() throws {
      let scratch = Scratch()
      let (environment, table) = try makeStore(scratch) { $0.durability = .relaxed }
      defer { environment.close() }
      try environment.write { try $0.put(table, "a", "b") }
      #expect(try !Self.changesFile(scratch) { try environment.write { _ in } })

      try Self.replacing(scratch, by: Self.unsyncable()) {
        #expect(code { try environment.sync() } == .io(EINVAL))
      }
      // The system would say that all is well.
      #expect(code { try environment.sync() } == .io(EIO))
      let before = contents(of: scratch.data)
      #expect(try Self.changesFile(scratch) { try environment.write { _ in } })
      #expect(contents(of: scratch.data) == before)
      try environment.sync()
      #expect(try !Self.changesFile(scratch) { try environment.write { _ in } })
      #expect(try environment.read { try $0.get(table, "a") } == "b")
    }

    /// Whoever had the file open before may have met a failure.
    @Test func theFirstWriteOfAnEnvironmentDoesSoToo() throws {
      let scratch = Scratch()
      let (maker, table) = try makeStore(scratch)
      try maker.write { try $0.put(table, "a", "b") }
      maker.close()
      let before = contents(of: scratch.data)
      let environment = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      defer { environment.close() }
      #expect(try Self.changesFile(scratch) { try environment.write { _ in } })
      #expect(contents(of: scratch.data) == before)
      #expect(try !Self.changesFile(scratch) { try environment.write { _ in } })
    }

    /// A write that cannot do so ends before it has begun.
    @Test func aFailureToDoSoIsMetByEachWrite() throws {
      let scratch = Scratch()
      let (maker, _) = try makeStore(scratch)
      maker.close()
      let environment = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      defer { environment.close() }
      let table = try environment.database("t")
      let readable = open(scratch.data, O_RDONLY | O_CLOEXEC)
      try Self.replacing(scratch, by: readable) {
        for _ in 0..<2 {
          #expect(code { try environment.write { try $0.put(table, "a", "b") } } == .io(EBADF))
        }
      }
      #expect(try Self.changesFile(scratch) { try environment.write { _ in } })
      try environment.write { try $0.put(table, "a", "b") }
      #expect(try environment.read { try $0.get(table, "a") } == "b")
    }

    /// Whether something changes the time of the file's last change.
    private static func changesFile(_ scratch: Scratch, _ body: () throws -> Void) throws -> Bool {
      let long = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
      try #require(utimensat(AT_FDCWD, scratch.data, long, 0) == 0)
      try body()
      var status = stat()
      try #require(stat(scratch.data, &status) == 0)
      return status.st_mtim.tv_sec != 1
    }

    /// A descriptor of which the system can sync nothing.
    private static func unsyncable() throws -> Int32 {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      return ends[1]
    }

    /// Puts another descriptor, which it closes, in the place of the one through which LMDB writes and syncs pages.
    private static func replacing(_ scratch: Scratch, by other: Int32, _ body: () throws -> Void) throws {
      let own = try #require(
        (Int32(3)..<256).first { descriptor in
          var target = [CChar](repeating: 0, count: 4096)
          let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
          return length > 0 && target.prefix(length).map { UInt8(bitPattern: $0) } == Array(scratch.data.utf8)
            && fcntl(descriptor, F_GETFL) & O_DSYNC == 0
        })
      let kept = dup(own)
      dup2(other, own)
      close(other)
      defer {
        dup2(kept, own)
        close(kept)
      }
      try body()
    }
  }
#endif
