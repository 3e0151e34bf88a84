#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The pages of a data file, read by `pread`: a file that was cut off is an error here, where a map of it would end the
/// process.
package struct FilePages {
  /// The open file, which its owner closes.
  package let descriptor: Int32
  package let pageSize: Int

  package init(descriptor: Int32, pageSize: Int) {
    self.descriptor = descriptor
    self.pageSize = pageSize
  }

  /// Fills the buffer with bytes of the file, from `offset` bytes after the start of a page on.
  package func read(
    _ number: UInt64, offset: Int = 0, into buffer: UnsafeMutableRawBufferPointer
  ) throws(PageFault) {
    let (start, overflow) = number.multipliedReportingOverflow(by: UInt64(pageSize))
    guard !overflow, var fileOffset = off_t(exactly: start) else { throw PageFault(number, .outside) }
    fileOffset += off_t(offset)
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: rest)
      let count = unsafe pread(descriptor, part.baseAddress, part.count, fileOffset)
      if count < 0 {
        if errno == EINTR { continue }
        throw PageFault(number, .unreadable, systemError: errno)
      }
      guard count > 0 else { throw PageFault(number, .unreadable) }
      unsafe rest = rest.dropFirst(count)
      fileOffset += off_t(count)
    }
  }

  /// Writes bytes from the start of a page on.
  package func write(_ bytes: [UInt8], at number: UInt64) throws(PageFault) {
    let start = off_t(number) * off_t(pageSize)
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, start + off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PageFault(number, .unreadable, systemError: count < 0 ? errno : ENOSPC) }
      done += count
    }
  }

  /// The number of complete pages in the file.
  package var pages: UInt64 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else { return 0 }
    return UInt64(status.st_size) / UInt64(pageSize)
  }
}
