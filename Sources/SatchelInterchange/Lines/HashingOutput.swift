/// Writes bytes in large pieces, to a file descriptor or a closure, and hashes them.
///
/// The descriptor is not closed. Bytes that are still buffered when the value is destroyed are lost: end with
/// `flush()`.
package struct HashingOutput: ~Copyable {
  /// How many bytes were taken so far.
  package private(set) var byteCount = 0

  private let sink: (_ bytes: [UInt8]) throws -> Void
  private let capacity: Int
  private var buffer: [UInt8] = []
  private var hash = SHA256()

  /// - Parameters:
  ///   - descriptor: An open descriptor; writing begins at its current offset.
  ///   - capacity: How many bytes to gather before they are written.
  package init(descriptor: Int32, capacity: Int = 256 << 10) {
    self.init(capacity: capacity) { try Self.write($0, to: descriptor) }
  }

  /// - Parameter sink: Writes each piece.
  package init(capacity: Int = 256 << 10, to sink: @escaping (_ bytes: [UInt8]) throws -> Void) {
    self.sink = sink
    self.capacity = capacity
    buffer.reserveCapacity(capacity)
  }

  /// Takes `bytes`, and writes once enough bytes are buffered.
  package mutating func write(_ bytes: [UInt8]) throws {
    byteCount += bytes.count
    hash.update(bytes)
    if buffer.count + bytes.count > capacity { try flush() }
    if bytes.count >= capacity {
      try sink(bytes)
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  /// Writes the buffered bytes.
  package mutating func flush() throws {
    try sink(buffer)
    // The sink may keep these bytes for another thread.
    buffer = []
    buffer.reserveCapacity(capacity)
  }

  /// Returns the SHA-256, in hexadecimal, of all bytes taken so far, written or not.
  package func digest() -> String {
    hash.hexadecimalDigest()
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileDescriptorError) {
    let result: Result<Void, FileDescriptorError> = bytes.withUnsafeBytes { buffer in
      do throws(FileDescriptorError) {
        return .success(try FileDescriptor.write(descriptor, buffer))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
