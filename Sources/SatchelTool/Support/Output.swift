import SatchelInterchange

/// Standard output in large pieces. What is still buffered when the value goes is lost: end with `flush`.
struct Output: ~Copyable {
  private var buffer: [UInt8] = []

  init() { buffer.reserveCapacity(Self.capacity) }

  mutating func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  mutating func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  mutating func line(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try write([UInt8(ascii: "\n")])
  }

  /// Hands what was written to the system.
  mutating func flush() throws {
    try buffer.withUnsafeBytes { try FileDescriptor.write(1, $0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private static let capacity = 64 << 10
}
