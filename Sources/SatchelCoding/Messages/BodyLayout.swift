internal import SatchelBytes

/// The way in which a content that is too large for its message's record is divided into values of the database
/// `bodies`.
///
/// A full piece fills one overflow page of LMDB. The rest is divided into small pieces, several of which share a page:
/// every allocation is one page, whatever the size. Each piece ends with the checksum over its key and bytes, and can
/// be read and verified alone.
package enum BodyLayout {
  /// The greatest size of a content that is kept in its message's record, in bytes.
  package static let maximumInlineBytes = 512
  /// The most bytes of contents that a record keeps in all, so that they do not bring the record to the 2,000 bytes
  /// from which on LMDB gives a value pages of its own.
  package static let maximumInlineTotal = 1024
  /// The size of a value that holds a full piece: an LMDB page of 4,096 bytes without its header.
  package static let pieceBytes = 4080
  /// The greatest size of a value that holds a piece of the tail, in bytes.
  package static let tailPieceBytes = 700
  /// The bytes of content in a full piece.
  package static let pieceContent = pieceBytes - RecordFrame.checksumBytes
  /// The most bytes of content in a piece of the tail.
  package static let tailPieceContent = tailPieceBytes - RecordFrame.checksumBytes
  /// The greatest size of a content, a tebibyte: the numbers of its pieces fit in 32 bits, and no sum of sizes
  /// overflows.
  package static let maximumLength: UInt64 = 1 << 40

  /// Returns whether a content is kept in the record, after contents of `total` bytes that are kept there already.
  package static func isInline(length: Int, total: Int) -> Bool {
    length <= maximumInlineBytes && total + length <= maximumInlineTotal
  }

  /// Returns the number of pieces of a content.
  package static func pieceCount(length: UInt64) -> UInt64 {
    let (full, tail) = length.quotientAndRemainder(dividingBy: UInt64(pieceContent))
    return full + (tail + UInt64(tailPieceContent) - 1) / UInt64(tailPieceContent)
  }

  /// Returns the range of the content's bytes that a piece holds; empty after the last piece.
  package static func range(ofPiece piece: UInt64, length: UInt64) -> Range<UInt64> {
    let full = length / UInt64(pieceContent)
    guard piece < pieceCount(length: length) else { return length..<length }
    if piece < full { return piece * UInt64(pieceContent)..<(piece + 1) * UInt64(pieceContent) }
    let start = full * UInt64(pieceContent) + (piece - full) * UInt64(tailPieceContent)
    return start..<min(length, start + UInt64(tailPieceContent))
  }

  /// Returns the number of the piece that holds the byte at an offset below `length`.
  package static func piece(at offset: UInt64, length: UInt64) -> UInt64 {
    let full = length / UInt64(pieceContent)
    let piece = offset / UInt64(pieceContent)
    return piece < full ? piece : full + (offset - full * UInt64(pieceContent)) / UInt64(tailPieceContent)
  }

  /// Returns the value of a piece: the content's bytes, then the checksum.
  package static func encode(_ content: RawSpan, key: BodyKey) -> [UInt8] {
    let count = valueBytes(content: content.byteCount)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      _ = unsafe fill(UnsafeMutableRawBufferPointer(buffer), with: content, key: key)
      initialized = count
    }
  }

  /// Returns the size of the value of a piece with the given number of content bytes.
  package static func valueBytes(content: Int) -> Int { content + RecordFrame.checksumBytes }

  /// Writes the value of a piece to memory with room for `valueBytes`, and returns its checksum.
  package static func fill(
    _ target: UnsafeMutableRawBufferPointer, with content: RawSpan, key: BodyKey
  ) -> UInt64 {
    precondition(target.count >= valueBytes(content: content.byteCount))
    let checksum = Checksum.hash(content, seed: key.bytes.checksumSeed)
    unsafe content.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    unsafe target.storeBytes(
      of: checksum.littleEndian, toByteOffset: content.byteCount, as: UInt64.self)
    return checksum
  }

  /// Verifies the size and checksum of a piece of a content of `length` bytes, and returns the content's bytes in it.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, key: BodyKey, length: UInt64
  ) throws(CodingError) -> UnsafeRawBufferPointer {
    let expected = range(ofPiece: UInt64(key.piece), length: length).count
    guard expected > 0, bytes.count == expected + RecordFrame.checksumBytes else {
      throw CodingError(.bodyPiece, .malformed, offset: bytes.count)
    }
    guard unsafe RecordFrame.hasValidChecksum(bytes, key: key.bytes) else {
      throw CodingError(.bodyPiece, .checksum, offset: expected)
    }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<expected])
  }
}
