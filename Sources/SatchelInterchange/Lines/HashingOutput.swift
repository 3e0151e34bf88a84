import SatchelBytes
package import SatchelReading

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
    self.init(capacity: capacity) { try FileDescriptor.write(descriptor, $0[...]) }
  }

  /// - Parameter sink: Writes each piece.
  package init(capacity: Int = 256 << 10, to sink: @escaping (_ bytes: [UInt8]) throws -> Void) {
    self.sink = sink
    self.capacity = capacity
    buffer.reserveCapacity(capacity)
  }

  /// Creates an output to a reader that may stop reading: a write fails when the reader's lease ends.
  package init(_ output: WriteBehind, _ snapshot: Snapshot, lease limits: ReaderLease.Limits) {
    var lease = ReaderLease(snapshot, limits)
    self.init { try output.write($0) { try lease.check(written: $0) } }
  }

  /// Creates an output to a closure, which is called on this thread while the snapshot is held: a write fails if the
  /// closure takes longer than its lease.
  package init(
    _ sink: @escaping (_ bytes: [UInt8]) throws -> Void, _ snapshot: Snapshot,
    lease limits: ReaderLease.Limits
  ) {
    var lease = ReaderLease(snapshot, limits)
    var written = 0
    self.init { bytes in
      guard !bytes.isEmpty else { return }
      // Twice, so that the second check sees what has happened since the first, while the closure took nothing else.
      try lease.check(written: written)
      try sink(bytes)
      try lease.check(written: written)
      written += bytes.count
    }
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

  /// Takes a line and empties it. Its memory serves the next line, unless the sink may have given it to another thread.
  package mutating func take(_ line: inout [UInt8]) throws {
    try write(line)
    if line.count >= capacity { line = [] } else { line.removeAll(keepingCapacity: true) }
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
}
