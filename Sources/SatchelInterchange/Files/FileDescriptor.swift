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

  package var description: String {
    "cannot \(operation.rawValue): \(unsafe String(cString: strerror(code)))"
  }
}

/// Reads and writes that are tried again when a signal interrupts them or a non-blocking descriptor is not ready.
package enum FileDescriptor {
  /// Waits until there is something to read or the end of the file, for a tenth of a second at most.
  /// - Returns: False if the time has passed.
  static func awaitInput(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A descriptor that cannot be polled counts as ready: the read then reports what is wrong with it.
    let ready = unsafe poll(&request, 1, 100)
    return ready > 0 || (ready < 0 && errno != EINTR)
  }

  /// Reads bytes into the end of `bytes`, from the index `start`, and returns how many; 0 means the end of the file.
  static func read(_ descriptor: Int32, into bytes: inout [UInt8], from start: Int)
    throws(FileDescriptorError) -> Int
  {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[start...])
        #if canImport(Darwin)
          return unsafe Darwin.read(descriptor, room.baseAddress, room.count)
        #elseif canImport(Glibc)
          return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        #elseif canImport(Musl)
          return unsafe Musl.read(descriptor, room.baseAddress, room.count)
        #endif
      }
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
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, min(count, $0.count), off_t(offset))
      }
      if count >= 0 { return count }
      try recover(descriptor, .read, event: POLLIN)
    }
  }

  /// Writes all of `bytes`.
  package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(FileDescriptorError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        #if canImport(Darwin)
          return unsafe Darwin.write(descriptor, $0.baseAddress, $0.count)
        #elseif canImport(Glibc)
          return unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        #elseif canImport(Musl)
          return unsafe Musl.write(descriptor, $0.baseAddress, $0.count)
        #endif
      }
      if count < 0 {
        try recover(descriptor, .write, event: POLLOUT)
      } else {
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Returns the address of the first `byte` among the `count` bytes at `start`; nil if there is none.
  static func find(_ byte: UInt8, at start: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
    unsafe memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) }
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
      _ = unsafe poll(&request, 1, -1)
    default: throw FileDescriptorError(operation: operation, code: code)
    }
  }
}
