internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a writer waits for that another process keeps waiting.
package struct WriterWait: Sendable, Equatable {
  /// The number of the process that writes; nil when the system does not tell, as for one of another container.
  package let process: Int32?
  /// For how many seconds this process has waited.
  package let seconds: Double
}

/// Where the writers of several processes wait for one another, before LMDB's own lock.
///
/// That one says neither who has it nor when to give up. The gate is a record lock on a byte of `data.mdb` far behind
/// its end: the system knows whose it is, and takes it from a process that ends in whatever way. It protects nothing:
/// LMDB's lock does. So it does no harm that a process loses its record lock when it closes another descriptor of the file,
/// or that an older program does not know the gate: then the wait is for LMDB's lock, of any length, as it was before there was a
/// gate. It costs two calls of the system a transaction, where that makes some forty.
///
/// One writer of the process uses it at a time: the one whose turn it is in the line.
final class WriterGate: Sendable {
  private struct Desk: Sendable {
    /// Whether a writer of this process is inside.
    var isHeld = false
    /// Whether one waits for the thread to get the lock.
    var isWanted = false
    var hasThread = false
    var isClosed = false
  }

  private let desk = Monitor(Desk())

  /// Waits until no other process is writing. Balance with `leave`.
  /// - Parameters:
  ///   - deadline: When to give up; nil for never.
  ///   - report: Told each second whom it waits for.
  /// - Returns: The process in the way at the deadline, 0 when it cannot be told; nil when this one is inside.
  func enter(_ file: Int32, until deadline: UInt64?, _ report: (@Sendable (WriterWait) -> Void)?) -> Int32? {
    if tryToEnter(file) { return nil }
    guard deadline != nil || report != nil else {
      wait(file)
      return nil
    }
    guard startThread(file) else {
      // Without a thread the wait has no bound.
      wait(file)
      return nil
    }
    let begin = monotonicNanoseconds()
    var next = begin &+ Self.reportInterval
    while true {
      let limit = min(deadline ?? .max, report == nil ? .max : next)
      let isInside = desk.locked(when: \.isHeld, until: limit) { desk, isHeld in
        if isHeld || monotonicNanoseconds() >= deadline ?? .max { desk.isWanted = false }
        return isHeld
      }
      if isInside { return nil }
      let holder = Self.holder(of: file)
      let now = monotonicNanoseconds()
      if now >= deadline ?? .max { return holder ?? 0 }
      if now >= next {
        report?(WriterWait(process: holder, seconds: Double(now &- begin) / 1e9))
        next = now &+ Self.reportInterval
      }
    }
  }

  /// Lets others write.
  func leave(_ file: Int32) {
    desk.locked { desk in
      guard desk.isHeld else { return }
      desk.isHeld = false
      Self.unlock(file)
    }
  }

  /// Ends the thread, as soon as the system lets it go.
  func close() {
    desk.locked { $0.isClosed = true }
    desk.notify()
  }

  private func tryToEnter(_ file: Int32) -> Bool {
    desk.locked { desk in
      desk.isHeld = Self.lock(file, F_SETLK)
      // What cannot be locked is left to LMDB.
      if !desk.isHeld, errno != EAGAIN, errno != EACCES, errno != EINTR { desk.isHeld = true }
      return desk.isHeld
    }
  }

  /// Waits as long as it takes.
  private func wait(_ file: Int32) {
    while !tryToEnter(file) {
      // The system takes threads of several processes that wait crosswise for a deadlock, which it need not be.
      if !Self.lock(file, F_SETLKW), errno == EDEADLK { usleep(Self.pause) }
    }
  }

  /// Has a thread wait for the lock, which the caller sleeps on with a limit.
  private func startThread(_ file: Int32) -> Bool {
    let isNeeded = desk.locked { desk in
      desk.isWanted = true
      defer { desk.hasThread = true }
      return !desk.hasThread
    }
    desk.notify()
    guard isNeeded, !BackgroundThread.start({ self.serve(file) }) else { return true }
    desk.locked {
      $0.isWanted = false
      $0.hasThread = false
    }
    return false
  }

  private func serve(_ file: Int32) {
    while true {
      let isWanted = desk.locked(when: { $0.isWanted && !$0.isHeld || $0.isClosed }) { desk, _ in
        !desk.isClosed
      }
      guard isWanted else { return }
      let isLocked = Self.lock(file, F_SETLKW)
      if !isLocked, errno != EINTR { usleep(Self.pause) }
      desk.locked { desk in
        guard !desk.isHeld, !desk.isClosed else { return }
        if desk.isWanted {
          // Once more, since a writer that was inside meanwhile has unlocked it when it left.
          desk.isHeld = Self.lock(file, F_SETLK)
        } else if isLocked {
          Self.unlock(file)
        }
      }
      desk.notify()
    }
  }

  private static func lock(_ file: Int32, _ command: Int32) -> Bool {
    var lock = byte(F_WRLCK)
    return fcntl(file, command, &lock) == 0
  }

  private static func unlock(_ file: Int32) {
    var lock = byte(F_UNLCK)
    _ = fcntl(file, F_SETLK, &lock)
  }

  /// The process that has the lock.
  private static func holder(of file: Int32) -> Int32? {
    var lock = byte(F_WRLCK)
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
    return lock.l_pid
  }

  private static func byte(_ type: some BinaryInteger) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t.max - 1
    lock.l_len = 1
    return lock
  }

  /// How often a writer that waits says so.
  private static let reportInterval: UInt64 = 1_000_000_000
  /// Microseconds before another attempt.
  private static let pause: UInt32 = 5000
}

extension Environment {
  /// When a writer that comes now gives up waiting for other processes; nil for never.
  func writerDeadline() -> UInt64? { options.writerWait.map { deadline(afterSeconds: $0) } }

  /// Waits for the writers of other processes.
  func enterGate(_ environment: OpaquePointer, until deadline: UInt64?) throws(LMDBError) {
    // Nobody else knows the file of such a store yet.
    guard options.durability != .temporaryImport else { return }
    guard let process = gate.enter(file(of: environment), until: deadline, options.onWriterWait) else {
      return
    }
    throw error(.writerBusy(process: process), "write", detail: "after \(options.writerWait ?? 0) s")
  }

  /// Ends a write that has begun: others may write, and the map may be renewed.
  func endWrite() {
    if let handle = lifecycle.locked({ $0.handle }) { leaveGate(handle) }
    leave()
  }

  /// Lets other processes write.
  func leaveGate(_ environment: OpaquePointer) {
    if options.durability != .temporaryImport { gate.leave(file(of: environment)) }
  }

  private func file(of environment: OpaquePointer) -> Int32 {
    var file: Int32 = -1
    mdb_env_get_fd(environment, &file)
    return file
  }
}
