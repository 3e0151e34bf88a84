package import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelText

/// Standard output, written in large pieces. Bytes that are still buffered when the value is destroyed are lost: end
/// with `flush`.
///
/// `line` is for people: characters that could steer or deceive a terminal are escaped, wherever the line goes.
/// `write` is for JSON, which goes to other programs as it is. On a terminal the same characters are written as
/// `\uXXXX`, which is the same JSON.
package struct Output: ~Copyable {
  private let stream: OutputStream

  package init() { stream = OutputStream() }

  /// Continues a stream that another value has begun.
  package init(_ stream: OutputStream) { self.stream = stream }

  /// Writes JSON.
  package mutating func write(_ json: [UInt8]) throws {
    try stream.write(Terminal.isOutput ? DisplayJSON.escaped(json) : json)
  }

  /// Writes a record of CSV, which goes to other programs as it is. At a terminal it is a line for people.
  package mutating func write(csv fields: [String]) throws {
    guard !Terminal.isOutput else { return try line(CSV.record(fields.map(\.oneLine))) }
    try stream.write(Array((CSV.record(fields) + "\r\n").utf8))
  }

  /// Writes a line for people, or several.
  package mutating func line(_ text: String) throws {
    try stream.write(Array((text.displayLines + "\n").utf8))
  }

  /// Writes a line for people in pieces, coloured where the terminal takes that.
  package mutating func line(_ pieces: [(text: String, colour: Colour?)]) throws {
    let hasColours = pieces.contains { $0.colour != nil } && Terminal.hasColours
    let line = pieces.map { piece in
      let text = piece.text.displayLines
      guard hasColours, let colour = piece.colour, !text.isEmpty else { return text }
      return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
    try stream.write(Array((line.joined() + "\n").utf8))
  }

  /// Hands the buffered bytes to the system.
  package mutating func flush() throws { try stream.flush() }
}

/// Bytes on their way to standard output.
package final class OutputStream {
  private var buffer: [UInt8] = []
  private let behind: WriteBehind?
  private var lease: ReaderLease?

  package init() {
    behind = nil
    buffer.reserveCapacity(Self.capacity)
  }

  /// Creates a stream that waits for its reader only when megabytes are unwritten: for what is written from a
  /// snapshot. End with `finish`, after the snapshot has ended.
  package init(behind: WriteBehind) {
    self.behind = behind
    buffer.reserveCapacity(Self.capacity)
  }

  /// How many bytes the reader has taken.
  package var written: Int { behind?.written ?? 0 }

  /// Sets the lease that ends the waiting for the reader from now on; nil to wait without end.
  package func hold(_ lease: ReaderLease?) { self.lease = lease }

  /// Takes whole lines.
  package func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Hands the buffered bytes on. If that fails they stay buffered.
  package func flush() throws {
    if let behind {
      try behind.write(buffer) { try lease?.check(written: $0) }
      // Those bytes belong to the thread that writes them.
      buffer = []
      buffer.reserveCapacity(Self.capacity)
    } else {
      try FileDescriptor.write(1, buffer[...])
      buffer.removeAll(keepingCapacity: true)
    }
  }

  /// Waits until everything is written, however long the reader takes.
  package func finish() throws {
    lease = nil
    try flush()
    try behind?.drain()
  }

  private static let capacity = 64 << 10
}
