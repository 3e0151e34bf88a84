#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock of this process on one byte of a file, of which the system tells who has it (`fcntl`).
///
/// It belongs to the process: closing any descriptor of the file loses it.
struct RecordLock {
  let file: Int32
  let offset: off_t

  /// Takes it. Returns false, and leaves the reason in `errno`, if it was not taken.
  func take(waiting: Bool = false) -> Bool {
    var lock = byte(F_WRLCK)
    return unsafe fcntl(file, waiting ? F_SETLKW : F_SETLK, &lock) == 0
  }

  func release() {
    var lock = byte(F_UNLCK)
    _ = unsafe fcntl(file, F_SETLK, &lock)
  }

  /// Returns the process that has the lock, or nil if it is unknown.
  /// - Parameter isAlone: Whether to ask for one that shares it with nobody.
  func holder(isAlone: Bool = false) -> Int32? {
    var lock = byte(isAlone ? F_RDLCK : F_WRLCK)
    guard unsafe fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else {
      return nil
    }
    return lock.l_pid
  }

  /// Whether a descriptor has the lock, and not a process.
  var isOfDescriptor: Bool {
    var lock = byte(F_WRLCK)
    // The system tells the process -1 then.
    return unsafe fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK) && lock.l_pid < 0
  }

  func byte(_ type: some BinaryInteger) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = offset
    lock.l_len = 1
    return lock
  }
}
