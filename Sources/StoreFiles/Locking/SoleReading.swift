#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reading a store without LMDB's lock file, for whom the disk has no room to make one.
///
/// Without the table of readers, nobody who writes knows of this one, and pages that he reads would be used again. So he keeps all
/// others from opening the store: as long as he reads, he has the gate of those who open it (`OpeningGate`), by a lock that belongs
/// to his descriptor, since a record lock of the process is lost with any descriptor of `data.mdb` that it closes. And as no lock
/// file is there, nobody has had the store open before.
package enum SoleReading {
  /// Keeps others from opening a store.
  /// - Parameter limit: When to give up, in nanoseconds of `monotonicNanoseconds()`.
  /// - Returns: The file that has the lock; closing it lets others open the store. -1 if somebody has made a lock file meanwhile.
  /// - Throws: `openerBusy`; `readAlone` if another process reads it this way; `diskFull` where the system has no such locks, or if this user may not write the file.
  package static func begin(_ directory: String, until limit: UInt64) throws(LMDBError) -> Int32 {
    #if canImport(Darwin)
      throw StoreFiles.noRoomForLockFile(directory)
    #else
      let file: Int32
      do { file = try OwnFile.open("\(directory)/\(StoreFiles.dataFile)", create: false) } catch {
        throw StoreFiles.noRoomForLockFile(directory)
      }
      let gate = WriterGate.lock(file, .opening)
      var lock = gate.byte(F_WRLCK)
      while unsafe fcntl(file, setsLockOfDescriptor, &lock) != 0 {
        guard [EAGAIN, EACCES, EINTR].contains(errno) else {
          close(file)
          throw StoreFiles.noRoomForLockFile(directory)
        }
        guard monotonicNanoseconds() < limit else {
          defer { close(file) }
          throw busy(gate, directory)
        }
        usleep(500)
      }
      guard StoreFiles.lacksLockFile(directory) else {
        close(file)
        return -1
      }
      return file
    #endif
  }

  /// Returns the error for whoever has waited in vain for a lock of those who open a store.
  static func busy(_ lock: RecordLock, _ directory: String) -> LMDBError {
    let holder = lock.holder(isAlone: true) ?? 0
    let code: LMDBError.Code = lock.isOfDescriptor ? .readAlone : .openerBusy(process: holder)
    return LMDBError(code, operation: "open", path: directory)
  }

  /// Lets others open the store.
  package static func end(_ file: Int32) { if file >= 0 { close(file) } }

  #if !canImport(Darwin)
    /// The value of `F_OFD_SETLK`.
    private static let setsLockOfDescriptor: Int32 = 37
  #endif
}
