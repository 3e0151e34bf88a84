import Foundation
import LMDB
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// The first process that opens a store is killed while it makes the lock file, and another one, which has waited for it,
  /// goes on with what it has left.
  @Suite struct KilledOpenerTests {
    enum LockFile: CaseIterable {
      /// Whole but for the number of the last transaction.
      case withoutTransaction
      /// Of its length, and with nothing in it.
      case zeros
      case empty
    }

    @Test(arguments: LockFile.allCases) func theLockFileIsMadeAnew(_ lockFile: LockFile) async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      let (environment, table) = try makeStore(scratch)
      // Until the newest meta page is the second one: LMDB takes the first one for the last transaction's otherwise.
      var last: UInt64 = 0
      while last < 40 || last % 2 == 0 {
        try environment.write { try $0.put(table, "a", "\(last + 1)") }
        last = try environment.info.lastTransaction
      }
      environment.close()

      var bytes = contents(of: "\(path)/lock.mdb")
      switch lockFile {
      case .withoutTransaction:
        let header = Array(bytes.prefix(128))
        let places = stride(from: 0, to: 128, by: 8).filter { place in
          header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) } == last
        }
        // Its own, and that of a transaction which the last process had begun.
        for place in try #require(places.isEmpty ? nil : places) {
          bytes.replaceSubrange(place..<place + 8, with: repeatElement(0, count: 8))
        }
      case .zeros: bytes = [UInt8](repeating: 0, count: bytes.count)
      case .empty: bytes = []
      }
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/lock.mdb"))

      let expected = "\(last)"
      await #expect(processExitsWith: .success) { [path = path as String, expected = expected as String] in
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let other = fork()
        if other == 0 {
          // Somebody else who has opened the store with this file, finds it out a moment later, and lets go of it.
          let file = open("\(path)/lock.mdb", O_RDWR)
          var lock = flock()
          lock.l_type = Int16(F_RDLCK)
          lock.l_whence = Int16(SEEK_SET)
          lock.l_len = 1
          guard file >= 0, fcntl(file, F_SETLK, &lock) == 0 else { _exit(1) }
          _ = Foundation.write(ends[1], [1], 1)
          usleep(50_000)
          _exit(0)
        }
        var byte: UInt8 = 0
        try #require(read(ends[0], &byte, 1) == 1)
        let environment = try Environment.open(directory: path, options: .init(databases: ["t"]))
        let table = try environment.database("t")
        try #require(environment.read { try $0.get(table, "a") } == expected)
        try environment.write { try $0.put(table, "b", "after") }
        environment.close()
        let again = try Environment.open(directory: path, options: .init(databases: ["t"]))
        try #require(again.read { try $0.get(try again.database("t"), "a") } == expected)
        try #require(again.read { try $0.get(try again.database("t"), "b") } == "after")
        again.close()
        var status: Int32 = -1
        waitpid(other, &status, 0)
        try #require(status == 0)
      }
    }
  }
#endif
