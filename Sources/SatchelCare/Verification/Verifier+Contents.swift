internal import LMDB
internal import SatchelBytes
internal import SatchelCoding

/// Checks the contents of messages: their pieces, their sizes, and that texts are UTF-8.
extension Verifier {
  mutating func checkContent(of part: PartView, _ index: Int, _ key: MessageKey) throws {
    let name = "\(key.conversation)/\(key.sequence)/\(index)"
    if part.mimeType >= snapshot.seal[nextID: .mimeTypes] {
      report.add("messages", name, "type \(part.mimeType) is no number of the dictionary")
    }
    guard let expected = part.storedDigest else {
      if part.kind != .data, unsafe !part.inlineBytes.isUTF8 {
        report.add("messages", name, "the text is not UTF-8")
      }
      return
    }
    var digest: UInt64 = 0
    var text = UTF8Pieces()
    for piece in 0..<BodyLayout.pieceCount(length: part.length) {
      let body = BodyKey(
        message: key, part: UInt16(truncatingIfNeeded: index), piece: UInt32(truncatingIfNeeded: piece))
      guard let bytes = unsafe try snapshot.tables.get(.bodies, body.bytes) else {
        return report.add("bodies", "\(name)/\(piece)", "its message names it, and it is missing")
      }
      let size = BodyLayout.range(ofPiece: piece, length: part.length).count
      guard bytes.count == BodyLayout.valueBytes(content: size) else {
        return report.add(
          "bodies", "\(name)/\(piece)",
          "it has \(bytes.count) bytes, and a content of \(part.length) makes it \(BodyLayout.valueBytes(content: size))"
        )
      }
      digest &+= unsafe RecordFrame.storedChecksum(bytes)
      if part.kind != .data {
        unsafe text.append(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
      }
    }
    if digest != expected {
      report.add("bodies", name, "the content is not the one its message had")
    } else if part.kind != .data, !text.isUTF8 {
      report.add("bodies", name, "the text is not UTF-8")
    }
  }

  /// Checks every piece of content, and that it belongs to a message.
  mutating func checkBodies() throws {
    var message: MessageKey?
    var pieces: [UInt64] = []
    var isExplained = false
    try scan(
      .bodies, "bodies", key: { bytes throws(CodingError) in unsafe try BodyKey(bytes) }
    ) {
      verifier, key, value in
      let name = "\(key.message.conversation)/\(key.message.sequence)/\(key.part)/\(key.piece)"
      unsafe try verifier.count(.bodies, key.bytes, value, name)
      if unsafe !RecordFrame.hasValidChecksum(value, key: key.bytes) {
        verifier.report.add("bodies", name, "the checksum does not match")
      }
      if message != key.message {
        message = key.message
        pieces = []
        isExplained = verifier.isPurged(key.message)
        try verifier.attempt("bodies", name) { verifier in
          guard let view = try verifier.snapshot.message(key.message) else { return }
          view.forEachPart { part in
            pieces.append(part.isStored ? BodyLayout.pieceCount(length: part.length) : 0)
          }
        }
      }
      let isNamed = Int(key.part) < pieces.count && UInt64(key.piece) < pieces[Int(key.part)]
      if !isNamed && !isExplained { verifier.report.addDerived("bodies", name, "no message has it") }
    }
  }
}

/// Checks whether a text that is read in pieces is UTF-8. A scalar may begin in one piece and end in the next.
private struct UTF8Pieces {
  private var isValid = true
  /// The first bytes of a scalar that is incomplete at the end of the pieces so far: at most three bytes.
  private var carry: [UInt8] = []

  var isUTF8: Bool { isValid && carry.isEmpty }

  mutating func append(_ piece: UnsafeRawBufferPointer) {
    guard isValid else { return }
    let bytes = unsafe carry + piece
    // Find the last byte that begins a scalar. If the scalar is not complete in this piece, keep its bytes for the next
    // one.
    var start = bytes.count
    while start > 0, bytes.count - start < 3 {
      start -= 1
      if bytes[start] & 0xC0 != 0x80 { break }
    }
    let length =
      if start < bytes.count {
        switch bytes[start] {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF7: 4
        default: 1
        }
      } else { 1 }
    let end = start < bytes.count && length > bytes.count - start ? start : bytes.count
    carry = Array(bytes[end...])
    isValid = unsafe bytes.withUnsafeBytes { unsafe UnsafeRawBufferPointer(rebasing: $0[..<end]).isUTF8 }
  }
}
