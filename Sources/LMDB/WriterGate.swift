internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The wait of a writer for another process.
package struct WriterWait: Sendable, Equatable {
  /// The id of the process that writes; nil if the system does not tell it, as for a process of another container.
  package let process: Int32?
  /// Seconds that this process has waited so far.
  package let seconds: Double
}

/// The lock at which the writers of several processes wait for one another, before they take the one that orders them
/// (`WriterOrder`).
///
/// That lock does not tell who has it, and a wait for it has no time limit. The gate is a record lock on a byte of
/// `data.mdb` far after the end of the file: the system knows which process has it, and takes it from a process that
/// ends in whatever way. The gate protects nothing: the order does. So it does no harm that a process loses its
/// record lock when it closes another descriptor of the file: the writer then waits for the order, without a limit. The gate costs two system
/// calls a transaction; a transaction makes some forty.
///
/// Only one writer of the process uses it at a time: the one whose turn it is in the queue.
final class WriterGate: Sendable {
  private struct Desk: Sendable {
    /// Whether a writer of this process has the gate.
    var isHeld = false
    /// Whether a writer waits for the thread to get the lock.
    var isWanted = false
    var hasThread = false
    var isClosed = false
  }

  private let desk = Monitor(Desk())

  /// Waits until no other process is writing, and takes the gate. Balance with `leave`.
  /// - Parameters:
  ///   - deadline: When to give up, in nanoseconds of `monotonicNanoseconds()`; nil for never.
  ///   - report: Told each second which process the writer waits for.
  /// - Returns: Nil if this process has the gate; otherwise the process that had it at the deadline, or 0 if that is
  ///   unknown.
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

  /// Releases the gate, so that other processes can write.
  func leave(_ file: Int32) {
    desk.locked { desk in
      guard desk.isHeld else { return }
      desk.isHeld = false
      Self.unlock(file)
    }
  }

  /// Ends the thread, as soon as the system ends its wait for the lock.
  func close() {
    desk.locked { $0.isClosed = true }
    desk.notify()
  }

  private func tryToEnter(_ file: Int32) -> Bool {
    desk.locked { desk in
      desk.isHeld = Self.lock(file, F_SETLK)
      // If the file cannot be locked, the writer relies on LMDB's lock alone.
      if !desk.isHeld, errno != EAGAIN, errno != EACCES, errno != EINTR { desk.isHeld = true }
      return desk.isHeld
    }
  }

  /// Takes the gate, however long that takes.
  private func wait(_ file: Int32) {
    while !tryToEnter(file) {
      // If threads of several processes wait for each other, the system reports a deadlock, although there need not be
      // one.
      if !Self.lock(file, F_SETLKW), errno == EDEADLK { usleep(Self.pause) }
    }
  }

  /// Makes a thread wait for the lock, so that the caller can sleep with a time limit. Returns false if there is no
  /// thread.
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
          // Tried once more, since a writer that was inside meanwhile has released the lock when it left.
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
    return unsafe fcntl(file, command, &lock) == 0
  }

  private static func unlock(_ file: Int32) {
    var lock = byte(F_UNLCK)
    _ = unsafe fcntl(file, F_SETLK, &lock)
  }

  /// Returns the process that has the lock, or nil if it is unknown.
  private static func holder(of file: Int32) -> Int32? {
    var lock = byte(F_WRLCK)
    guard unsafe fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else {
      return nil
    }
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

  /// Nanoseconds between two reports of a writer that waits.
  private static let reportInterval: UInt64 = 1_000_000_000
  /// Microseconds before another attempt.
  private static let pause: UInt32 = 5000
}

extension Environment {
  /// Returns the time at which a writer that comes now gives up waiting for other processes; nil for never.
  func writerDeadline() -> UInt64? { options.writerWait.map { deadline(afterSeconds: $0) } }

  /// Waits until no other process is writing, and takes the gate and the order.
  /// - Throws: `writerBusy`, or the system's error.
  func enterOrder(_ environment: OpaquePointer, until deadline: UInt64?) throws(LMDBError) {
    let file = unsafe file(of: environment)
    if let process = hasGate ? gate.enter(file, until: deadline, options.onWriterWait) : nil {
      throw error(
        .writerBusy(process: process), "write", detail: "after \(options.writerWait ?? 0) s")
    }
    do throws(LMDBError) {
      try order.acquire()
    } catch {
      if hasGate { gate.leave(file) }
      throw error
    }
  }

  /// Lets other processes write.
  func leaveOrder() {
    order.release()
    guard hasGate, let handle = unsafe lifecycle.locked({ unsafe $0.handle }) else { return }
    unsafe gate.leave(file(of: handle))
  }

  /// Whether writers wait at the gate. No other process is expected to know the file of an import.
  private var hasGate: Bool { options.durability != .temporaryImport }

  private func file(of environment: OpaquePointer) -> Int32 {
    var file: Int32 = -1
    unsafe mdb_env_get_fd(environment, &file)
    return file
  }
}
