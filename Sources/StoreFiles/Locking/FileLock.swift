#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock on an open file (`flock`), waited for no longer than somebody has patience.
///
/// A process that is stopped keeps its locks, and the system's own wait has no limit: so the lock is asked for again and again.
package enum FileLock {
  /// What has become of an attempt.
  package enum Outcome: Sendable, Equatable {
    case taken
    /// Somebody else has it.
    case busy
    /// The system refuses, with its `errno`.
    case failed(Int32)
  }

  /// Takes the lock. If others have it for longer, an earlier mode of this open file is lost as well.
  /// - Parameter deadline: When to give up, in nanoseconds of `monotonicNanoseconds()`; nil for never.
  package static func take(_ file: Int32, isShared: Bool, until deadline: UInt64?) -> Outcome {
    let mode = isShared ? LOCK_SH : LOCK_EX
    var pause = leastPause
    while true {
      if flock(file, deadline == nil ? mode : mode | LOCK_NB) == 0 { return .taken }
      let number = errno
      if number == EINTR { continue }
      guard number == EWOULDBLOCK else { return .failed(number) }
      guard let deadline, monotonicNanoseconds() < deadline else { return .busy }
      usleep(pause)
      pause = min(pause * 2, mostPause)
    }
  }

  /// Returns the process that has the lock on an open file; nil if the system does not tell it, or if it is this one.
  ///
  /// Linux lists all locks of the machine, those of other containers without a process.
  package static func holder(of file: Int32) -> Int32? {
    #if os(Linux)
      var status = stat()
      guard unsafe fstat(file, &status) == 0, let text = contents(of: "/proc/locks") else { return nil }
      return holder(of: status.st_ino, on: status.st_dev, in: text)
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Finds a file's lock in what `/proc/locks` says: `1: FLOCK ADVISORY WRITE 4711 08:01:131090 0 EOF`.
    static func holder(of inode: ino_t, on device: dev_t, in text: String) -> Int32? {
      let major = String((device >> 8) & 0xfff | (device >> 32) & ~0xfff, radix: 16)
      let minor = String(device & 0xff | (device >> 12) & ~0xff, radix: 16)
      func padded(_ number: String) -> String { number.count < 2 ? "0" + number : number }
      let wanted = "\(padded(major)):\(padded(minor)):\(inode)"
      var found: Int32?
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        // Of one who waits, the second word is an arrow.
        guard words.count > 5, words[1] == "FLOCK", words[5] == wanted, let process = Int32(words[4]),
          process > 0, process != getpid()
        else { continue }
        if words[3] == "WRITE" { return process }
        found = found ?? process
      }
      return found
    }

    private static func contents(of path: String) -> String? {
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      var text: [UInt8] = []
      while text.count < mostBytes {
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { break }
        text += bytes[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// More than a machine has locks.
    private static let mostBytes = 16 << 20
  #endif

  /// Microseconds between two attempts.
  private static let leastPause: UInt32 = 50
  private static let mostPause: UInt32 = 5000
}
