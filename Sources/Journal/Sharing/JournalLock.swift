internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock between processes, on a file beside the store.
///
/// It belongs to the open file: two locks of one process on the same file exclude each other too, threads that share one
/// lock do not. It is held until `release`, or until the object is gone; the system takes it from a process that ends in
/// whatever way. A forked child has no part in it: its copy of
/// the descriptor is closed in the fork, or the lock would last until the child ends.
package final class JournalLock: Sendable {
  /// Whether others may have the lock at the same time, in the same mode.
  package enum Mode: Sendable, Hashable {
    case shared
    case exclusive
  }

  /// How long to wait for others who have the lock.
  package enum Waiting: Sendable, Hashable {
    case no
    /// A hundredth of a second: for those who are ending, from whom the system takes one lock after the other. Whoever waits may have his
    /// turn among the writers, for which others wait meanwhile.
    case aMoment
    /// Until a time, in nanoseconds of the system's monotonic clock; in a simulation, in which nobody is stopped, as long as it takes.
    case until(UInt64)
  }

  /// One descriptor, or what a test puts in its place.
  private enum Backing {
    case descriptor(Int32)
    case other(any LockStorage)
  }

  package let path: String
  private let backing: Backing
  private let generation: UInt32

  /// Opens the file of a lock, without taking the lock.
  /// - Throws: `file`, if it is missing, may not be opened, or is not ours.
  package init(_ path: String, _ access: JournalFile.Access) throws(JournalError) {
    ForkGeneration.watch()
    self.path = path
    generation = ForkGeneration.current
    let file = try access.open(path)
    backing = .descriptor(file)
    guard LockDescriptors.add(file) else {
      close(file)
      throw JournalError(.system(EMFILE), operation: "open", path: path)
    }
  }

  /// A lock on something else than a file.
  package init(_ storage: any LockStorage, path: String = "journal") {
    ForkGeneration.watch()
    self.path = path
    generation = ForkGeneration.current
    backing = .other(storage)
  }

  deinit {
    switch backing {
    case .descriptor(let file):
      // In a forked child the number may have been given to another file by now.
      guard generation == ForkGeneration.current else { return }
      LockDescriptors.remove(file)
      close(file)
    case .other(let storage): storage.unlock()
    }
  }

  /// Takes the lock as soon as others let go of it. Going from one mode to the other may let others in between.
  /// - Parameter limit: When to give up, in nanoseconds of the system's monotonic clock: a process that is stopped keeps the lock. 0
  ///   to ask once only; nil for some seconds from now.
  /// - Throws: `busy` after that time; an earlier mode is lost then. `forked`, `system`.
  package func acquire(_ mode: Mode, until limit: UInt64? = nil) throws(JournalError) {
    let limit = limit ?? deadline(afterSeconds: Self.patience)
    guard try !attempt(mode, limit > 0 ? .until(limit) : .no) else { return }
    var process: Int32?
    if case .descriptor(let file) = backing { process = FileLock.holder(of: file) }
    throw JournalError(.busy(process: process ?? 0), operation: "lock", path: path)
  }

  /// Takes the lock unless somebody else has it. Returns whether it was taken; if not, an earlier mode is lost as well.
  /// - Throws: `forked`, `system`.
  package func tryAcquire(_ mode: Mode) throws(JournalError) -> Bool {
    try attempt(mode, .no)
  }

  /// Does the same, and waits for those who are just ending.
  /// - Throws: `forked`, `system`.
  package func tryAcquirePatiently(_ mode: Mode) throws(JournalError) -> Bool {
    try attempt(mode, .aMoment)
  }

  /// Lets others have the lock. Does nothing in a forked child, and if this lock is not taken.
  package func release() {
    guard generation == ForkGeneration.current else { return }
    switch backing {
    case .descriptor(let file): _ = flock(file, LOCK_UN)
    case .other(let storage): storage.unlock()
    }
  }

  private func attempt(_ mode: Mode, _ waiting: Waiting) throws(JournalError) -> Bool {
    guard generation == ForkGeneration.current else {
      throw JournalError(.forked, operation: "lock", path: path)
    }
    do {
      switch backing {
      case .descriptor(let file): return try Self.lock(file, mode, until: waiting.limit)
      case .other(let storage): return try storage.lock(mode, waiting: waiting)
      }
    } catch {
      throw JournalError(.system(error.number), operation: "lock", path: path)
    }
  }

  private static func lock(_ file: Int32, _ mode: Mode, until limit: UInt64) throws(SystemFailure) -> Bool {
    switch FileLock.take(file, isShared: mode == .shared, until: limit) {
    case .taken: return true
    case .busy: return false
    case .failed(let number): throw SystemFailure(number)
    }
  }

  /// Seconds to wait for others who do for some milliseconds what nobody else may do meanwhile.
  package static let patience = 10.0
}

extension JournalLock.Waiting {
  /// When to give up, in nanoseconds of the system's monotonic clock.
  fileprivate var limit: UInt64 {
    switch self {
    case .no: 0
    case .aMoment: deadline(afterSeconds: 0.01)
    case .until(let limit): limit
    }
  }
}

/// What tests put in the place of a lock's file: see `JournalLock`.
package protocol LockStorage: AnyObject, Sendable {
  /// Takes the lock, or goes over to another mode. Returns false if others have it and the call was not to wait for longer; an
  /// earlier mode is lost then.
  func lock(_ mode: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool
  /// Lets others have the lock, if it is taken.
  func unlock()
}
