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
  /// A process that was stopped while it creates or opens a store keeps its lock: who opens the store then is told of it.
  @Suite struct StandingOpenerTests {
    enum Place: String, CaseIterable {
      /// LMDB's lock on its lock file, of a program that has no gate.
      case lockFile
      /// The gate before LMDB's opening.
      case gate
      /// The directory, in which it makes the store.
      case creation
    }

    @Test(arguments: Place.allCases) func itIsNamed(_ place: Place) async throws {
      let scratch = Scratch()
      let path: String = scratch.store
      if place == .creation {
        try #require(mkdir(path, 0o700) == 0)
      } else {
        try makeStore(scratch).0.close()
      }
      let scene = "\(place.rawValue) \(path)"
      await #expect(processExitsWith: .success) { [scene = scene as String] in
        // A hang ends the process.
        alarm(60)
        let words = scene.split(separator: " ").map(String.init)
        let (place, path) = (try #require(Place(rawValue: words[0])), words[1])
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let other = fork()
        if other == 0 {
          var lock = flock()
          lock.l_type = Int16(F_WRLCK)
          lock.l_whence = Int16(SEEK_SET)
          lock.l_len = 1
          var isTaken = false
          switch place {
          case .lockFile: isTaken = fcntl(open("\(path)/lock.mdb", O_RDWR), F_SETLK, &lock) == 0
          case .gate:
            lock.l_start = off_t.max - 4
            isTaken = fcntl(open("\(path)/data.mdb", O_RDWR), F_SETLK, &lock) == 0
          case .creation: isTaken = flock(open(path, O_RDONLY | O_DIRECTORY), LOCK_EX) == 0
          }
          guard isTaken else { _exit(1) }
          _ = Foundation.write(ends[1], [1], 1)
          while true { pause() }
        }
        var byte: UInt8 = 0
        try #require(read(ends[0], &byte, 1) == 1)
        kill(other, SIGSTOP)
        var options = Environment.Options(databases: ["t"], create: place == .creation)
        options.openWait = 0.3
        try #require(
          code { try Environment.open(directory: path, options: options).close() }
            == .openerBusy(process: other))
        kill(other, SIGKILL)
        var status: Int32 = -1
        waitpid(other, &status, 0)
        try Environment.open(directory: path, options: options).close()
      }
    }
  }
#endif
