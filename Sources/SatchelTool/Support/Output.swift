import SatchelInterchange
import SatchelModel

/// Standard output in large pieces. What is still buffered when the value goes is lost: end with `flush`.
///
/// Lines are for people: what could steer or deceive a terminal is escaped in them, wherever they go. Bytes are JSON, which
/// goes to other programs as it is; for a terminal the same characters are written as `\uXXXX`, which is the same JSON.
struct Output: ~Copyable {
  private let stream: OutputStream

  init() { stream = OutputStream() }

  /// More of what another value has begun.
  init(_ stream: OutputStream) { self.stream = stream }

  /// Writes JSON.
  mutating func write(_ json: [UInt8]) throws {
    try stream.write(Terminal.isOutput ? DisplayJSON.escaped(json) : json)
  }

  /// Writes a line for people, or several.
  mutating func line(_ text: String) throws {
    try stream.write(Array((text.displayLines + "\n").utf8))
  }

  /// Hands what was written to the system.
  mutating func flush() throws { try stream.flush() }
}

/// Bytes on their way to standard output.
final class OutputStream {
  private var buffer: [UInt8] = []
  private let behind: WriteBehind?
  private var lease: ReaderLease?

  init() {
    behind = nil
    buffer.reserveCapacity(Self.capacity)
  }

  /// A stream whose reader the writer does not wait for before megabytes are behind: for what is written from a snapshot.
  /// End with `finish`, when the snapshot has gone.
  init(behind: WriteBehind) {
    self.behind = behind
    buffer.reserveCapacity(Self.capacity)
  }

  /// The bytes that the reader has taken.
  var written: Int { behind?.written ?? 0 }

  /// Ends the waiting for the reader with this lease from now on; without one never.
  func hold(_ lease: ReaderLease?) { self.lease = lease }

  /// Takes whole lines.
  func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Hands what was written on; when that fails it is still there.
  func flush() throws {
    if let behind {
      try behind.write(buffer) { try lease?.check(written: $0) }
    } else {
      try buffer.withUnsafeBytes { try FileDescriptor.write(1, $0) }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Waits until everything is written, however long its reader takes.
  func finish() throws {
    lease = nil
    try flush()
    try behind?.drain()
  }

  private static let capacity = 64 << 10
}
