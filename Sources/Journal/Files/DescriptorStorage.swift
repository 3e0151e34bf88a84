internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file of the operating system. Whoever opened the descriptor closes it.
struct DescriptorStorage: JournalStorage {
  let file: Int32
  let path: String

  func size() throws(SystemFailure) -> Int {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw SystemFailure(errno) }
    return Int(status.st_size)
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    while true {
      let count = unsafe pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw SystemFailure(errno) }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    while true {
      let count = unsafe pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw SystemFailure(errno) }
    }
  }

  func sync() throws(SystemFailure) {
    #if canImport(Darwin)
      if fcntl(file, F_FULLFSYNC) == 0 { return }
      // Some file systems do not know this call.
      guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { throw SystemFailure(errno) }
      guard fsync(file) == 0 else { throw SystemFailure(errno) }
    #else
      // Also writes what is needed to find the data again: the file's size, and which blocks hold it.
      guard fdatasync(file) == 0 else { throw SystemFailure(errno) }
    #endif
  }

  func beginSync(at offset: Int, count: Int) { FileSystem.beginWriting(file, at: offset, count: count) }

  func syncName() throws(SystemFailure) {
    do {
      try FileSystem.syncDirectory(FileSystem.parent(of: path))
    } catch {
      throw SystemFailure(error.rawCode)
    }
  }

  func truncate() throws(SystemFailure) {
    guard ftruncate(file, 0) == 0 else { throw SystemFailure(errno) }
  }

  func identity() throws(SystemFailure) -> FileIdentity {
    guard let identity = FileIdentity(descriptor: file) else { throw SystemFailure(errno) }
    return identity
  }
}
