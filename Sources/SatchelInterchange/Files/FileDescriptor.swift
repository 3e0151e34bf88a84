#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A read from or a write to a file descriptor that the system refused.
package struct FileDescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Operation: String, Sendable {
    case read, write
  }

  package let operation: Operation
  /// The system's error number, `errno`.
  package let code: Int32

  package var description: String { "cannot \(operation.rawValue): \(String(cString: strerror(code)))" }
}

/// Reads and writes that are tried again when a signal interrupts them or a non-blocking descriptor is not ready.
package enum FileDescriptor {
  /// Waits until there is something to read or the end of the file, for a tenth of a second at most.
  /// - Returns: False if the time has passed.
  static func awaitInput(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A descriptor that cannot be polled counts as ready: the read then reports what is wrong with it.
    let ready = poll(&request, 1, 100)
    return ready > 0 || (ready < 0 && errno != EINTR)
  }

  /// Reads at most `buffer.count` bytes and returns how many; 0 means the end of the file.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer)
    throws(FileDescriptorError) -> Int
  {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      try recover(descriptor, .read, event: POLLIN)
    }
  }

  /// Returns the current offset of a descriptor; negative if it has none (a pipe, for example).
  static func offset(_ descriptor: Int32) -> Int64 { Int64(lseek(descriptor, 0, SEEK_CUR)) }

  /// Reads at most `count` bytes from an offset in the file, whatever the descriptor's current offset, and returns
  /// how many; 0 means the end of the file.
  static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], count: Int, at offset: Int64
  ) throws(FileDescriptorError) -> Int {
    while true {
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, min(count, $0.count), off_t(offset))
      }
      if count >= 0 { return count }
      try recover(descriptor, .read, event: POLLIN)
    }
  }

  /// Writes all of `buffer`.
  package static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) throws(FileDescriptorError)
  {
    var rest = buffer
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
        let count = Musl.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        try recover(descriptor, .write, event: POLLOUT)
      } else {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Returns the address of the first `byte` among the `count` bytes at `start`; nil if there is none.
  static func find(_ byte: UInt8, at start: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) }
  }

  /// Returns if the call that has just failed is worth another try, after waiting for the descriptor if need be.
  /// - Throws: The system's error for any other failure.
  private static func recover(
    _ descriptor: Int32, _ operation: FileDescriptorError.Operation, event: some BinaryInteger
  ) throws(FileDescriptorError) {
    let code = errno
    switch code {
    case EINTR: return
    case EAGAIN:
      var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      _ = poll(&request, 1, -1)
    default: throw FileDescriptorError(operation: operation, code: code)
    }
  }
}
