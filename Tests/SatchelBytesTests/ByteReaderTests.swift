import SatchelBytes
import TestSupport
import Testing

/// What the writer writes, the reader reads; and no bytes whatever make it read beyond their end.
@Suite struct ByteReaderTests {
  @Test func numbersOfEveryWidth() throws {
    var writer = ByteWriter()
    writer.u8(0x12)
    writer.u16(0x1234)
    writer.u32(0x1234_5678)
    writer.u64(0x1234_5678_9ABC_DEF0)
    writer.be64(0x1234_5678_9ABC_DEF0)
    writer.counted("né")
    #expect(
      writer.bytes == [
        0x12, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xF0, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12,
        0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 3, 0x6E, 0xC3, 0xA9,
      ])
    let bytes = writer.bytes.span.bytes
    var reader = ByteReader()
    #expect(try reader.u8(bytes) == 0x12)
    #expect(try reader.u16(bytes) == 0x1234)
    #expect(try reader.u32(bytes) == 0x1234_5678)
    #expect(try reader.u64(bytes) == 0x1234_5678_9ABC_DEF0)
    #expect(try reader.be64(bytes) == 0x1234_5678_9ABC_DEF0)
    #expect(try reader.counted(bytes) == 24..<27)
    try reader.end(bytes)
  }

  /// Around each length of a varint, and at random.
  @Test func varintsComeBack() throws {
    var random = SeededGenerator()
    var values: [UInt64] = [0, .max]
    for bits in 0..<64 as Range<UInt64> { values += [1 << bits, (1 << bits) - 1, (1 << bits) + 1] }
    for _ in 0..<1000 { values.append(random.next() >> UInt64(random.below(64))) }
    for value in values {
      var writer = ByteWriter()
      writer.varint(value)
      #expect(writer.count == max(1, (64 - value.leadingZeroBitCount + 6) / 7), "\(value)")
      var reader = ByteReader()
      #expect(try reader.varint(writer.bytes.span.bytes) == value)
      try reader.end(writer.bytes.span.bytes)
    }
  }

  /// Each number has one form: not the shortest one, or one of more than 64 bits, is refused, at its first byte.
  @Test(
    arguments: [
      [0x80, 0x00], [0xFF, 0x00], [0x80, 0x80, 0x00],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    ] as [[UInt8]])
  func otherFormsAreRefused(_ bytes: [UInt8]) {
    let all = [7] + bytes
    #expect(throws: ByteError(offset: 1)) {
      var reader = ByteReader(offset: 1)
      _ = try reader.varint(all.span.bytes)
    }
  }

  @Test func nothingBeyondTheEndIsRead() throws {
    let bytes: [UInt8] = [0xFF, 0xFF, 0xFF]
    for offset in [0, 1, 2, 3, 4, -1, .min, .max] {
      var reader = ByteReader(offset: offset)
      #expect(throws: ByteError.self, "\(offset)") { _ = try reader.u32(bytes.span.bytes) }
      reader = ByteReader(offset: offset)
      #expect(throws: ByteError.self, "\(offset)") { _ = try reader.varint(bytes.span.bytes) }
      reader = ByteReader(offset: offset)
      #expect(throws: ByteError.self, "\(offset)") { _ = try reader.take(.max, bytes.span.bytes) }
      reader = ByteReader(offset: offset)
      #expect(throws: ByteError.self, "\(offset)") { _ = try reader.take(-1, bytes.span.bytes) }
    }
    let longerThanAll: [UInt8] = [5, 1, 2]
    var reader = ByteReader()
    #expect(throws: ByteError.self) { _ = try reader.counted(longerThanAll.span.bytes) }
  }

  @Test func bytesAreComparedAsTheyStand() {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let left = (0..<random.below(20)).map { _ in UInt8(random.below(3)) &* 0x7F }
      let right = random.oneIn(3) ? left : (0..<random.below(20)).map { _ in UInt8(random.below(3)) &* 0x7F }
      let order = left.span.bytes.compare(right.span.bytes)
      #expect((order < 0) == left.lexicographicallyPrecedes(right), "\(left) \(right)")
      #expect((order == 0) == (left == right), "\(left) \(right)")
      #expect(left.span.bytes.equals(right.span.bytes) == (left == right))
    }
  }
}
