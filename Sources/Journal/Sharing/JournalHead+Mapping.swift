internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension JournalHead {
  /// Gives a file its length, with bytes: storing to a map of a hole on a full disk would stop the process.
  static func lengthen(_ file: Int32, _ path: String) throws(JournalError) {
    let length = try length(of: file, path)
    guard length < size else { return }
    let zeros = [UInt8](repeating: 0, count: size - length)
    let count = unsafe zeros.withUnsafeBytes { bytes in
      unsafe pwrite(file, bytes.baseAddress, bytes.count, off_t(length))
    }
    guard count == zeros.count else {
      throw JournalError(.system(count < 0 ? errno : ENOSPC), operation: "create", path: path)
    }
  }

  static func map(
    _ file: Int32, _ path: String, isWritable: Bool
  ) throws(JournalError) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let length = try length(of: file, path)
    guard length == size else {
      throw JournalError(
        .invalid, operation: "open", path: path, detail: "\(length) bytes instead of \(size)")
    }
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    let start = unsafe mmap(nil, size, access, MAP_SHARED, file, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw JournalError(.system(errno), operation: "open", path: path)
    }
    // An atomic number is nothing but its bytes.
    return unsafe start.bindMemory(to: Atomic<UInt64>.self, capacity: size / 8)
  }

  private static func length(of file: Int32, _ path: String) throws(JournalError) -> Int {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw JournalError(.system(errno), operation: "open", path: path)
    }
    return Int(status.st_size)
  }
}
