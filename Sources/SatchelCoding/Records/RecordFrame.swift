internal import SatchelBytes

/// The frame that all records have: the kind and version at the beginning, the checksum over key and value at the end.
package enum RecordFrame {
  /// The size of the checksum in bytes; it is the end of every record.
  package static let checksumBytes = 8

  /// Returns a writer that already holds the kind and the version.
  /// - Parameter version: The version of the layout; nil for the last one.
  static func writer(_ kind: RecordKind, version: UInt8? = nil, capacity: Int) -> ByteWriter {
    var writer = ByteWriter(capacity: capacity + checksumBytes)
    writer.u8(kind.rawValue)
    writer.u8(version ?? kind.versions.upperBound)
    return writer
  }

  /// Starts a record in the memory of an earlier one.
  static func begin(_ kind: RecordKind, version: UInt8, in writer: inout ByteWriter) {
    writer.removeAll()
    writer.u8(kind.rawValue)
    writer.u8(version)
  }

  /// Appends the checksum and returns the written bytes.
  static func finish(_ writer: inout ByteWriter, key: KeyBytes) -> [UInt8] {
    writer.u64(Checksum.hash(writer.bytes, seed: key.checksumSeed))
    return writer.bytes
  }

  /// Computes the checksum of a record in which bytes have been changed.
  static func reseal(_ record: inout [UInt8], key: KeyBytes) {
    let end = record.count - checksumBytes
    guard end >= 0 else { return }
    let checksum = unsafe Checksum.hash(record.span.bytes.extracting(0..<end), seed: key.checksumSeed)
    for index in 0..<checksumBytes {
      record[end + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index))
    }
  }

  /// Checks the kind, the version, the checksum and that there are at least `minimum` bytes before the checksum, and
  /// returns the record without its checksum.
  static func open(
    _ bytes: UnsafeRawBufferPointer, _ kind: RecordKind, key: KeyBytes, minimum: Int
  ) throws(CodingError) -> UnsafeRawBufferPointer {
    unsafe try open(bytes, kind, seed: key.checksumSeed, minimum: minimum)
  }

  /// Does the same as `open`, with the checksum's seed already computed from the key.
  static func open(
    _ bytes: UnsafeRawBufferPointer, _ kind: RecordKind, seed: UInt64, minimum: Int
  ) throws(CodingError) -> UnsafeRawBufferPointer {
    let end = bytes.count - checksumBytes
    guard end >= 2 else { throw CodingError(kind, .malformed, offset: bytes.count) }
    let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
    let span = unsafe body.bytes
    guard unsafe Checksum.hash(span, seed: seed) == bytes.bytes.u64(end) else {
      throw CodingError(kind, .checksum, offset: end)
    }
    guard span.u8(0) == kind.rawValue else { throw CodingError(kind, .kind(span.u8(0))) }
    guard kind.versions.contains(span.u8(1)) else { throw CodingError(kind, .version(span.u8(1)), offset: 1) }
    guard end >= max(minimum, 4), end <= Int(UInt32.max) else {
      throw CodingError(kind, .malformed, offset: end)
    }
    return unsafe body
  }

  /// Returns the checksum in a record, without verifying it: what the record adds to the digest of its table. Zero if
  /// there is none.
  package static func storedChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let end = bytes.count - checksumBytes
    return end < 0 ? 0 : unsafe bytes.bytes.u64(end)
  }

  /// Returns the checksum in a record, without verifying it. Zero if there is none.
  package static func storedChecksum(_ bytes: [UInt8]) -> UInt64 {
    let end = bytes.count - checksumBytes
    return unsafe end < 0 ? 0 : bytes.span.bytes.u64(end)
  }

  /// Verifies the checksum of any record or piece under any key, without reading the rest.
  package static func hasValidChecksum(_ bytes: UnsafeRawBufferPointer, key: KeyBytes) -> Bool {
    let end = bytes.count - checksumBytes
    guard end >= 0 else { return false }
    let span = unsafe bytes.bytes
    return Checksum.hash(span.extracting(0..<end), seed: key.checksumSeed) == span.u64(end)
  }

  /// Runs a decoder and adds the kind of record to its error.
  static func decode<R>(_ kind: RecordKind, _ body: () throws(ByteError) -> R) throws(CodingError) -> R {
    do throws(ByteError) {
      return try body()
    } catch {
      throw CodingError(kind, .malformed, offset: error.offset)
    }
  }

  /// Returns bytes as a string; throws if they are not UTF-8.
  static func text(_ bytes: UnsafeRawBufferPointer, in kind: RecordKind) throws(CodingError) -> String {
    guard let string = unsafe String(utf8: bytes) else { throw CodingError(kind, .text) }
    return string
  }
}
