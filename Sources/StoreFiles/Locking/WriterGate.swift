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

  package init(process: Int32?, seconds: Double) {
    self.process = process
    self.seconds = seconds
  }
}

/// The lock at which several processes wait for one another, before they take the one that it stands before: that which orders
/// the writers (`WriterOrder`), or LMDB's own.
///
/// Those do not tell who has them, and a wait for them has no time limit. The gate is a record lock on a byte of
/// `data.mdb` far after the end of the file: the system knows which process has it, and takes it from a process that
/// ends in whatever way. The gate protects nothing: the lock behind it does. So it does no harm that a process loses its
/// record lock when it closes another descriptor of the file: one who comes then waits for the lock behind it, as long for that of the
/// writers, without a limit for LMDB's. A gate costs two system calls a transaction; a transaction makes some forty.
///
/// Only one thread of the process uses it at a time: the one whose turn it is in the queue, or that has `databaseTurn`.
package final class WriterGate: Sendable {
  private struct Desk: Sendable {
    /// Whether a writer of this process has the gate.
    var isHeld = false
    /// Whether a writer waits for the thread to get the lock.
    var isWanted = false
    var hasThread = false
    var isClosed = false
    /// Whether nobody is to wait any more.
    var isInterrupted = false
    /// How often the gate was opened: a thread that the system still lets wait for an earlier file is of no use.
    var openings = 0
  }

  /// The bytes of `data.mdb` that are locked, from its greatest possible end.
  package enum Place: Int64 {
    /// The gate before the lock that orders the writers.
    case order = 1
    /// The gate before LMDB's lock.
    case database = 2
    /// Locked by the process whose turn it is among the writers, while it waits at the gate before LMDB's lock.
    case waiting = 3
    /// The gate before LMDB's opening of the store: see `OpeningGate`.
    case opening = 4
  }

  private let place: Place
  private let desk = Monitor(Desk())

  package init(_ place: Place) { self.place = place }

  /// What has become of a wait.
  package enum Outcome: Sendable {
    /// This process has the gate.
    case inside
    /// The process that had it at the deadline; 0 if that is unknown.
    case busy(Int32)
    /// Nobody is to wait any more.
    case interrupted
  }

  /// Waits until no other process is inside, and takes the gate. Balance with `leave`.
  /// - Parameters:
  ///   - deadline: When to give up, in nanoseconds of `monotonicNanoseconds()`; nil for never.
  ///   - report: Told each second which process the writer waits for.
  package func enter(_ file: Int32, until deadline: UInt64?, _ report: (@Sendable (WriterWait) -> Void)?)
    -> Outcome
  {
    if tryToEnter(file) { return .inside }
    guard startThread(file) else {
      // Without a thread the wait has no bound.
      wait(file)
      return .inside
    }
    let begin = monotonicNanoseconds()
    var next = begin &+ Self.reportInterval
    while true {
      let limit = min(deadline ?? .max, report == nil ? .max : next)
      let outcome = desk.locked(when: { $0.isHeld || $0.isInterrupted }, until: limit) {
        desk, _ -> Outcome? in
        if desk.isHeld || desk.isInterrupted || monotonicNanoseconds() >= deadline ?? .max {
          desk.isWanted = false
        }
        return desk.isHeld ? .inside : desk.isInterrupted ? .interrupted : nil
      }
      if let outcome { return outcome }
      let holder = culprit(file)
      let now = monotonicNanoseconds()
      if now >= deadline ?? .max { return .busy(holder ?? 0) }
      if now >= next {
        report?(WriterWait(process: holder, seconds: Double(now &- begin) / 1e9))
        next = now &+ Self.reportInterval
      }
    }
  }

  /// Releases the gate, so that other processes can write.
  package func leave(_ file: Int32) {
    desk.locked { desk in
      guard desk.isHeld else { return }
      desk.isHeld = false
      Self.lock(file, place).release()
    }
  }

  /// Ends the thread, as soon as the system ends its wait for the lock.
  package func close() {
    desk.locked { $0.isClosed = true }
    desk.notify()
  }

  /// Opens it again, for a file that was opened anew.
  package func open() {
    desk.locked { desk in desk = Desk(openings: desk.openings + 1) }
    desk.notify()
  }

  /// Ends the wait of whoever waits for another process, and all later ones, until `goOn`.
  package func interrupt() {
    desk.locked { $0.isInterrupted = true }
    desk.notify()
  }

  package func goOn() { desk.locked { $0.isInterrupted = false } }

  /// Takes the gate unless another process has it. Returns whether it was taken.
  package func tryToEnter(_ file: Int32) -> Bool {
    desk.locked { desk in
      desk.isHeld = Self.lock(file, place).take()
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
      if !Self.lock(file, place).take(waiting: true), errno == EDEADLK { usleep(Self.pause) }
    }
  }

  /// Makes a thread wait for the lock, so that the caller can sleep with a time limit. Returns false if there is no
  /// thread.
  private func startThread(_ file: Int32) -> Bool {
    let (isNeeded, opening) = desk.locked { desk in
      desk.isWanted = true
      defer { desk.hasThread = true }
      return (!desk.hasThread, desk.openings)
    }
    desk.notify()
    guard isNeeded, !BackgroundThread.start({ self.serve(file, opening) }) else { return true }
    desk.locked {
      $0.isWanted = false
      $0.hasThread = false
    }
    return false
  }

  private func serve(_ file: Int32, _ opening: Int) {
    func isOver(_ desk: Desk) -> Bool { desk.isClosed || desk.openings != opening }
    while true {
      let isWanted = desk.locked(when: { $0.isWanted && !$0.isHeld || isOver($0) }) { desk, _ in !isOver(desk)
      }
      guard isWanted else { return }
      let isLocked = Self.lock(file, place).take(waiting: true)
      if !isLocked, errno != EINTR { usleep(Self.pause) }
      desk.locked { desk in
        guard !desk.isHeld, !isOver(desk) else { return }
        if desk.isWanted {
          // Tried once more, since a writer that was inside meanwhile has released the lock when it left.
          desk.isHeld = Self.lock(file, place).take()
        } else if isLocked {
          Self.lock(file, place).release()
        }
      }
      desk.notify()
    }
  }

  /// Says to those who wait for this process that it waits for the one behind the gate before LMDB's lock, or does no longer.
  package static func setWaiting(_ file: Int32, _ isWaiting: Bool) {
    let lock = lock(file, .waiting)
    if isWaiting { _ = lock.take() } else { lock.release() }
  }

  /// Returns the process for which those at the gate wait: the one that is inside, or, while that one waits for LMDB's lock in its
  /// turn among the writers, the one that has that. Nil if it is unknown, or if it is this one.
  package func culprit(_ file: Int32) -> Int32? {
    let holder = Self.lock(file, place).holder()
    guard place == .order, let holder, Self.lock(file, .waiting).holder() == holder else { return holder }
    return Self.lock(file, .database).holder() ?? holder
  }

  /// The lock on a place of an open `data.mdb`.
  static func lock(_ file: Int32, _ place: Place) -> RecordLock {
    RecordLock(file: file, offset: off_t.max - off_t(place.rawValue))
  }

  /// Nanoseconds between two reports of a writer that waits.
  package static let reportInterval: UInt64 = 1_000_000_000
  /// Microseconds before another attempt.
  private static let pause: UInt32 = 5000
}
