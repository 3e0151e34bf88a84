internal import LMDB
internal import SatchelBytes
internal import SatchelCoding

extension Writer {
  /// Writes content to `bodies`, piece by piece, and returns its digest.
  func storePieces(of content: RawSpan, _ part: UInt16, of message: MessageKey) throws -> UInt64 {
    let length = UInt64(content.byteCount)
    var digest: UInt64 = 0
    for number in 0..<BodyLayout.pieceCount(length: length) {
      let range = BodyLayout.range(ofPiece: number, length: length)
      let key = BodyKey(message: message, part: part, piece: UInt32(truncatingIfNeeded: number))
      let piece = content.extracting(Int(range.lowerBound)..<Int(range.upperBound))
      // The reserved memory is filled before anything else changes the transaction.
      let place = unsafe try key.bytes.withUnsafeBytes { key throws(LMDBError) in
        unsafe try transaction.reserve(
          databases.bodies, key, count: BodyLayout.valueBytes(content: piece.byteCount))
      }
      let checksum = unsafe BodyLayout.fill(place, with: piece, key: key)
      seal[.bodies].add(checksum)
      digest &+= checksum
    }
    return digest
  }

  /// Removes the contents of a message from `bodies`. If they have very many pieces, leaves that to the purge queue.
  func removeContents(of fields: StoredMessage, _ message: MessageKey) throws {
    var pieces: UInt64 = 0
    for part in fields.parts {
      if case .stored(let length, _) = part.content { pieces += BodyLayout.pieceCount(length: length) }
    }
    guard pieces > 0 else { return }
    guard pieces <= Self.immediatePieces else { return try queueForPurge(message) }
    for (index, part) in fields.parts.enumerated() {
      guard case .stored(let length, _) = part.content else { continue }
      for number in 0..<BodyLayout.pieceCount(length: length) {
        let key = BodyKey(
          message: message, part: UInt16(truncatingIfNeeded: index), piece: UInt32(truncatingIfNeeded: number)
        )
        guard let bytes = unsafe try transaction.get(databases.bodies, key.bytes) else {
          throw RecordError(
            "bodies", "\(message.conversation)/\(message.sequence)/\(index)/\(number)",
            "its message's record names it, and it is missing")
        }
        let checksum = unsafe RecordFrame.storedChecksum(bytes)
        try remove(.bodies, databases.bodies, key.bytes, checksum: checksum)
      }
    }
  }

  /// The most pieces that a deletion removes in its own commit.
  private static let immediatePieces: UInt64 = 256
}
