#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The gate before LMDB's opening of a store.
///
/// LMDB lets the first opener make the lock file, and makes the others wait for that without a limit. So processes go through
/// this gate one at a time, which is a record lock on a byte of `data.mdb`, as the writers' gates are; and of a program that has
/// none, LMDB's own lock on the lock file is asked. If such a program is stopped in the microseconds after that question, the wait has
/// no limit.
package enum OpeningGate {
  /// Waits until no other process is opening the store, and goes in. Call it only while this process does not have the store open:
  /// closing the file loses all record locks on it.
  /// - Parameter limit: When to give up, in nanoseconds of `monotonicNanoseconds()`.
  /// - Returns: The file on which the gate is, for `leave`; -1 if there is none yet.
  /// - Throws: `openerBusy`; `readAlone` if another process reads the store without a lock file (`SoleReading`).
  package static func enter(_ directory: String, until limit: UInt64) throws(LMDBError) -> Int32 {
    let file = open("\(directory)/\(StoreFiles.dataFile)")
    let gate = WriterGate.lock(file, .opening)
    while file >= 0, !gate.take() {
      // Whoever may only read cannot lock, and asks.
      let mayLock = errno == EAGAIN || errno == EACCES || errno == EINTR
      if gate.holder() == nil, !mayLock { break }
      try pause(until: limit, directory, gate, file)
    }
    let lockFile = open("\(directory)/\(StoreFiles.lockFile)")
    defer { if lockFile >= 0 { close(lockFile) } }
    let ownLock = RecordLock(file: lockFile, offset: 0)
    while lockFile >= 0, ownLock.holder(isAlone: true) != nil {
      try pause(until: limit, directory, ownLock, file)
    }
    return file
  }

  /// Lets others open the store.
  package static func leave(_ file: Int32) { if file >= 0 { close(file) } }

  private static func open(_ path: String) -> Int32 {
    (try? OwnFile.open(path, create: false)) ?? (try? OwnFile.openForReading(path)) ?? -1
  }

  private static func pause(
    until limit: UInt64, _ directory: String, _ lock: RecordLock, _ file: Int32
  ) throws(LMDBError) {
    guard monotonicNanoseconds() < limit else {
      defer { if file >= 0 { close(file) } }
      throw SoleReading.busy(lock, directory)
    }
    usleep(500)
  }
}
