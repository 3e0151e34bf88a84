internal import LMDB
internal import RecordStore
internal import SatchelBytes
internal import SatchelCoding

extension RecordTables {
  /// Writes content to `bodies`, piece by piece, and returns its digest.
  /// - Parameter first: How many full pieces the content has already, to which this is added.
  func storePieces(
    of content: RawSpan, _ part: UInt16, of message: MessageKey, after first: UInt64 = 0
  ) throws -> UInt64 {
    let length = UInt64(content.byteCount)
    var digest: UInt64 = 0
    for number in 0..<BodyLayout.pieceCount(length: length) {
      let range = BodyLayout.range(ofPiece: number, length: length)
      let key = BodyKey(message: message, part: part, piece: UInt32(truncatingIfNeeded: first + number))
      let piece = content.extracting(Int(range.lowerBound)..<Int(range.upperBound))
      let reserved = unsafe try reserve(
        piece: key.bytes, count: BodyLayout.valueBytes(content: piece.byteCount))
      let checksum = unsafe BodyLayout.fill(reserved, with: piece, key: key)
      count(piece: checksum)
      digest &+= checksum
    }
    return digest
  }

  /// Removes the pieces of a content from `bodies`.
  func removePieces(of part: UInt16, length: UInt64, of message: MessageKey) throws {
    for number in 0..<BodyLayout.pieceCount(length: length) {
      let key = BodyKey(message: message, part: part, piece: UInt32(truncatingIfNeeded: number))
      guard let bytes = unsafe try reader.get(.bodies, key.bytes) else {
        throw RecordError(
          "bodies", "\(message.conversation)/\(message.sequence)/\(part)/\(number)",
          "its message's record names it, and it is missing")
      }
      try remove(.bodies, key.bytes, checksum: unsafe RecordFrame.storedChecksum(bytes))
    }
  }
}
