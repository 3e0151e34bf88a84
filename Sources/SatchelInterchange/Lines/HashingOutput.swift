/// Writes to a file descriptor in large pieces and hashes what it was given.
///
/// The descriptor is not closed, and what is still buffered when the value ends is lost: end with `flush()`.
package struct HashingOutput: ~Copyable {
  /// How many bytes were given so far.
  package private(set) var byteCount = 0

  private let sink: (_ bytes: [UInt8]) throws -> Void
  private let capacity: Int
  private var buffer: [UInt8] = []
  private var hash = SHA256()

  /// - Parameters:
  ///   - descriptor: an open descriptor, written from where it stands.
  ///   - capacity: how many bytes to gather before they are written.
  package init(descriptor: Int32, capacity: Int = 256 << 10) {
    self.init(capacity: capacity) { try Self.write($0, to: descriptor) }
  }

  /// - Parameter sink: Takes the pieces.
  package init(capacity: Int = 256 << 10, to sink: @escaping (_ bytes: [UInt8]) throws -> Void) {
    self.sink = sink
    self.capacity = capacity
    buffer.reserveCapacity(capacity)
  }

  /// Takes `bytes`, and writes when enough have come together.
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

  /// Writes what is buffered.
  package mutating func flush() throws {
    try sink(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// SHA-256, in hexadecimal, of all bytes given so far, written or not.
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
