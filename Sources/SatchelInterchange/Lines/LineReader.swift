import SatchelBytes
import SatchelLines

/// Reads lines from a file descriptor, or from bytes that come piece by piece, and hashes the bytes. Memory grows with
/// the longest line only.
///
/// A line ends with a line feed or at the end of the file; a carriage return before its end is dropped. Empty lines
/// are counted and, unless they are wanted, skipped. The reader does not close the descriptor.
package struct LineReader: ~Copyable {
  /// A line longer than the limit. Reading may go on with the next line.
  package struct LineTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    /// The most bytes that a line may have.
    package let limit: Int

    package var description: String { "line \(line): longer than \(limit) bytes" }
  }

  /// The most bytes that a line of the interchange format may have: 64 MiB. At most 1,048,576 values of a line are
  /// kept; a line with more is rejected. The value of an unknown key is checked and skipped, and takes no memory.
  package static let formatLimit = 64 << 20
  /// The most values that are kept of a line.
  package static let formatValues = JSONReader.maximumValues

  /// The number of the line read last, counted from 1; 0 before the first.
  package private(set) var lineNumber = 0
  /// How many bytes the lines so far took, with line ends and skipped lines: the progress in the file.
  package private(set) var byteCount = 0

  private var input: LineInput
  private let limit: Int
  /// Bytes from the file. `lineStart ..< nextStart` is the line read last with its end; the bytes after it are still
  /// to be read as lines.
  private var buffer: [UInt8]
  private var lineStart = 0
  private var nextStart = 0
  /// How many bytes of `buffer` are filled.
  private var filled = 0
  private var isAtEnd = false
  /// The hash of all bytes before `hashedEnd`, which is at most `lineStart`: a bufferful is hashed at a time, not a
  /// line.
  private var hash = SHA256()
  private var hashedEnd = 0
  private var hashes: Bool
  /// The descriptor's offset at the beginning; negative if the input cannot be read again from there.
  private let origin: Int64
  /// Whether a digest is made by reading the file a second time.
  private var hashesLater = false
  private let keepsEmptyLines: Bool
  private let whileWaiting: (() throws -> Void)?

  /// - Parameters:
  ///   - input: Where the bytes come from.
  ///   - limit: The most bytes that a line may have, without its end.
  ///   - hashes: Whether `digestBeforeLine` will be needed; hashing is most of the cost of reading.
  ///   - keepsEmptyLines: Whether empty lines are wanted.
  ///   - bufferSize: How many bytes to ask for at a time, at least 1.
  ///   - whileWaiting: Called before bytes are asked for, and ten times a second while a pipe has nothing to read
  ///     yet. If it throws, the reading ends.
  package init(
    _ input: LineInput, limit: Int = LineReader.formatLimit, hashes: Bool = true,
    keepsEmptyLines: Bool = false,
    bufferSize: Int = 256 << 10,
    whileWaiting: (() throws -> Void)? = nil
  ) {
    self.whileWaiting = whileWaiting
    self.input = input
    origin = input.offset
    self.limit = limit
    self.hashes = hashes
    self.keepsEmptyLines = keepsEmptyLines
    buffer = [UInt8](repeating: 0, count: max(1, bufferSize))
  }

  /// Reads the next line into `line`, without its end.
  ///
  /// - Returns: False at the end of the file.
  /// - Throws: `LineTooLong`, once for each such line, what the input throws, or what `whileWaiting` throws.
  package mutating func next(into line: inout [UInt8]) throws -> Bool {
    while try advance() {
      var end = nextStart
      if end > lineStart, buffer[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      if end > lineStart, buffer[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      guard end > lineStart || keepsEmptyLines else { continue }
      guard end - lineStart <= limit else { throw LineTooLong(line: lineNumber, limit: limit) }
      line.removeAll(keepingCapacity: true)
      line.append(contentsOf: buffer[lineStart..<end])
      return true
    }
    return false
  }

  /// Stops hashing while reading, for a file whose digest will probably not be needed. If the digest is needed after
  /// all, `digestBeforeLine` reads the file a second time. A pipe cannot be read twice, so its bytes are still hashed
  /// while they are read.
  package mutating func hashOnDemand() {
    guard hashes, origin >= 0 else { return }
    hashes = false
    hashesLater = true
  }

  /// Returns the SHA-256, in hexadecimal, of all bytes before the line read last; nil if the reader was told not to
  /// hash. If that line is a trailer, this is the hash that the trailer gives. After `next` has returned false, it is
  /// the hash of the whole file.
  /// - Complexity: O(buffer); O(file) after `hashOnDemand`, because the file is read again.
  /// - Throws: `FileDescriptorError` if the file has to be read again and cannot be.
  package func digestBeforeLine() throws(FileDescriptorError) -> String? {
    if hashesLater { return try digestOfFile(bytes: byteCount - (nextStart - lineStart)) }
    guard hashes else { return nil }
    var hash = hash
    unsafe hash.update(buffer.span.bytes.extracting(hashedEnd..<lineStart))
    return hash.hexadecimalDigest()
  }

  /// Returns the digest of the first `count` bytes that the reader has read, by reading them again.
  private func digestOfFile(bytes count: Int) throws(FileDescriptorError) -> String {
    var hash = SHA256()
    var piece = [UInt8](repeating: 0, count: min(max(count, 1), 256 << 10))
    var offset = 0
    while offset < count {
      let read = try input.read(
        into: &piece, count: min(piece.count, count - offset), at: origin + Int64(offset))
      // A file that has become shorter meanwhile gets another digest.
      guard read > 0 else { break }
      unsafe hash.update(piece.span.bytes.extracting(0..<read))
      offset += read
    }
    return hash.hexadecimalDigest()
  }
}

extension LineReader {
  /// Moves on to the next line, which then is `lineStart ..< nextStart`. Returns false at the end of the file.
  private mutating func advance() throws -> Bool {
    lineStart = nextStart
    var searched = nextStart
    while true {
      if let lineFeed = firstLineFeed(from: searched) {
        nextStart = lineFeed + 1
        break
      }
      searched = filled
      if isAtEnd {
        nextStart = filled
        break
      }
      // A line within the limit has at most two bytes more: its end.
      if filled - lineStart > limit + 2 { return try skipLongLine() }
      searched -= lineStart  // `fill` moves the line to the front.
      try fill()
    }
    guard nextStart > lineStart else { return false }
    lineNumber += 1
    byteCount += nextStart - lineStart
    return true
  }

  private func firstLineFeed(from start: Int) -> Int? {
    unsafe buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe FileDescriptor.find(0x0A, at: base + start, count: filled - start)
      else { return nil }
      return unsafe found - base
    }
  }

  /// Reads more of the file after the bytes in the buffer. First hashes and drops the lines already read.
  private mutating func fill() throws {
    try input.wait(calling: whileWaiting)
    if hashes {
      let bytes = buffer  // `hash` may not change while `buffer` is borrowed from the same value.
      unsafe hash.update(bytes.span.bytes.extracting(hashedEnd..<lineStart))
    }
    if lineStart > 0 {
      unsafe buffer.withUnsafeMutableBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[lineStart..<filled])
        unsafe bytes.copyMemory(from: rest)
      }
      filled -= lineStart
      nextStart -= lineStart
      lineStart = 0
    }
    hashedEnd = 0
    if filled == buffer.count {
      buffer.append(contentsOf: repeatElement(0, count: buffer.count))
    }
    let count = try input.read(into: &buffer, from: filled)
    filled += count
    isAtEnd = count == 0
  }

  /// Drops the rest of a line that is too long, piece by piece, and throws `LineTooLong`.
  private mutating func skipLongLine() throws -> Bool {
    lineNumber += 1
    while true {
      let lineFeed = firstLineFeed(from: lineStart)
      nextStart = lineFeed.map { $0 + 1 } ?? filled
      byteCount += nextStart - lineStart
      if lineFeed != nil || isAtEnd { break }
      lineStart = nextStart
      try fill()
    }
    throw LineTooLong(line: lineNumber, limit: limit)
  }
}
