import SatchelCoding
import TestSupport
import Testing

/// A content is cut into pieces that cover it exactly, each of one page or a share of one.
struct BodyLayoutTests {
  @Test func piecesCoverTheContent() {
    let full = UInt64(BodyLayout.pieceContent)
    let small = UInt64(BodyLayout.tailPieceContent)
    for length in [0, 1, 513, small, small + 1, full - 1, full, full + 1, 2 * full + 3 * small, 1_000_003] {
      var next: UInt64 = 0
      for piece in 0..<BodyLayout.pieceCount(length: length) {
        let range = BodyLayout.range(ofPiece: piece, length: length)
        #expect(range.lowerBound == next)
        #expect(!range.isEmpty)
        #expect(
          range.count == Int(full) || range.count <= Int(small) && range.lowerBound / full == length / full)
        #expect(BodyLayout.piece(at: range.lowerBound, length: length) == piece)
        #expect(BodyLayout.piece(at: range.upperBound - 1, length: length) == piece)
        next = range.upperBound
      }
      #expect(next == length)
      #expect(BodyLayout.range(ofPiece: BodyLayout.pieceCount(length: length), length: length).isEmpty)
    }
  }

  @Test func piecesAreVerifiedAlone() throws {
    var random = SeededGenerator()
    let content = random.bytes(9000...9000)
    for piece in 0..<BodyLayout.pieceCount(length: 9000) {
      let key = BodyKey(message: random.messageKey(), part: 1, piece: UInt32(piece))
      let range = BodyLayout.range(ofPiece: piece, length: 9000)
      let bytes = Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
      let value = BodyLayout.encode(bytes.span.bytes, key: key)
      #expect(value.count <= (bytes.count > BodyLayout.tailPieceContent ? 4080 : 700))
      #expect(
        try value.withUnsafeBytes { [UInt8](try BodyLayout.decode($0, key: key, length: 9000)) } == bytes)
      for bit in stride(from: 0, to: value.count * 8, by: 61) {
        var damaged = value
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: CodingError.self) {
          _ = try damaged.withUnsafeBytes { try BodyLayout.decode($0, key: key, length: 9000) }
        }
      }
      for wrong in [value + [0], Array(value.dropLast()), []] {
        #expect(throws: CodingError.self) {
          _ = try wrong.withUnsafeBytes { try BodyLayout.decode($0, key: key, length: 9000) }
        }
      }
    }
  }

  @Test func theLongestContentHasNumbersForAllPieces() throws {
    let length = BodyLayout.maximumLength
    let count = BodyLayout.pieceCount(length: length)
    #expect(count < UInt64(UInt32.max))
    #expect(BodyLayout.range(ofPiece: count - 1, length: length).upperBound == length)
    #expect(BodyLayout.piece(at: length - 1, length: length) == count - 1)

    let key = MessageKey(conversation: 1, sequence: 1)
    for length in [length, length + 1] {
      let part = StoredPart(
        mimeType: 0, kind: .data, size: nil, content: .stored(length: length, digest: 0))
      let fields = StoredMessage(identifier: [65], sender: 0, typeSet: 0, parts: [part])
      let decoded = try? AnyRecord.message(key, fields).decode(fields.encode(key: key))
      #expect((decoded != nil) == (length == BodyLayout.maximumLength))
    }
  }

  @Test func smallContentsStayInTheRecord() {
    #expect(BodyLayout.isInline(length: 512, total: 0))
    #expect(!BodyLayout.isInline(length: 513, total: 0))
    #expect(BodyLayout.isInline(length: 512, total: 512))
    #expect(!BodyLayout.isInline(length: 512, total: 513))
  }
}
