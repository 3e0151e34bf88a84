internal import LMDB
internal import RecordStore
internal import SatchelBytes
package import SatchelCoding
internal import SatchelModel

extension Snapshot {
  /// Returns the bytes of a part's content, wherever they are stored.
  package func content(of part: PartView, index: Int, in message: MessageKey) throws -> [UInt8] {
    try content(of: part, index: index, in: message, range: 0..<part.length)
  }

  /// Returns the bytes of a range of a part's content; the range is limited to the content. Reads only the pieces that
  /// it needs.
  package func content(
    of part: PartView, index: Int, in message: MessageKey, range: Range<UInt64>
  ) throws -> [UInt8] {
    let wanted = range.clamped(to: 0..<part.length)
    guard part.isStored else {
      return unsafe Array(part.inlineBytes[Int(wanted.lowerBound)..<Int(wanted.upperBound)])
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(wanted.count)
    try forEachPiece(of: part, index: index, in: message, range: wanted) { piece in
      unsafe bytes.append(contentsOf: piece)
    }
    metrics.bodyBytesRead &+= bytes.count
    return bytes
  }

  /// Calls `body` with the content of a part, piece by piece and in order. Each piece is valid only during its call:
  /// only to read it is unsafe.
  @safe package func forEachPiece(
    of part: PartView, index: Int, in message: MessageKey, range: Range<UInt64>? = nil,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let wanted = (range ?? 0..<part.length).clamped(to: 0..<part.length)
    guard !wanted.isEmpty else { return }
    guard part.isStored else {
      let slice = unsafe part.inlineBytes[Int(wanted.lowerBound)..<Int(wanted.upperBound)]
      return unsafe try body(UnsafeRawBufferPointer(rebasing: slice))
    }
    try forEachPiece(of: message, part: index, length: part.length, range: wanted, body)
  }

  /// Calls `body` with a range, which is not empty, of a content of `length` bytes in `bodies`, piece by piece and in order.
  @safe package func forEachPiece(
    of message: MessageKey, part index: Int, length: UInt64, range wanted: Range<UInt64>,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    metrics.bodiesRead &+= 1
    let first = BodyLayout.piece(at: wanted.lowerBound, length: length)
    let last = BodyLayout.piece(at: wanted.upperBound - 1, length: length)
    for number in first...last {
      let key = BodyKey(message: message, part: UInt16(truncatingIfNeeded: index), piece: UInt32(number))
      let piece = unsafe try self.piece(key, length: length)
      let range = BodyLayout.range(ofPiece: number, length: length)
      let inside = wanted.clamped(to: range)
      let start = Int(inside.lowerBound - range.lowerBound)
      unsafe try body(UnsafeRawBufferPointer(rebasing: piece[start..<start + inside.count]))
    }
  }

  /// Returns one piece of a content. A message's record says that the piece exists.
  private func piece(_ key: BodyKey, length: UInt64) throws -> UnsafeRawBufferPointer {
    metrics.piecesRead &+= 1
    let name = { "\(key.message.conversation)/\(key.message.sequence)/\(key.part)/\(key.piece)" }
    guard let bytes = unsafe try tables.get(.bodies, key.bytes) else {
      throw RecordError("bodies", name(), "its message's record names it, and it is missing")
    }
    do {
      return unsafe try BodyLayout.decode(bytes, key: key, length: length)
    } catch {
      throw RecordError("bodies", name(), error.description)
    }
  }

  /// Returns a part of a message or announcement that the user can see, and the key of the message.
  /// - Throws: ``SatchelError`` `unknownMessage` if there is none.
  package func part(_ index: Int, ofMessage identifier: String) throws -> (part: PartView, key: MessageKey) {
    guard let key = try locateMessage(identifier),
      try key.isAnnouncement || conversation(key.conversation).isVisible,
      let part = try part(at: index, of: existingMessage(key))?.part
    else {
      throw SatchelError(
        .unknownMessage, "No message or announcement has such a part",
        ["message": identifier, "part": String(index)])
    }
    return (part, key)
  }
}
