/// A value of metadata that is neither a text nor a dictionary, or that it is a list, as bytes that compare as the values do: equal values have
/// equal bytes, and a lesser value has lesser bytes. FORMAT.md, 5.4, specifies them. Predicates, sorting, indexes and groups
/// of aggregates all stand on this one order.
///
/// | value | bytes |
/// | --- | --- |
/// | false, true | 1; 2 |
/// | a number | 3, then its place among the numbers |
/// | a date | 4, then the microseconds since 1970 plus 2⁶³, as eight bytes |
/// | a text | 5, then its NFC: only where texts stand among other values |
/// | a list | 6: all lists are one key; their texts have keys of their own |
/// | a reference | 7, then `Reference.keyBytes`: longer than what this type holds, as texts are |
///
/// The place of a number is that of the greatest Double that is not greater: its bits as eight bytes, so mapped that they
/// ascend (2⁶³ plus the bits of a positive one, minus those of a negative one without its sign; −0 is 0), without the zero
/// bytes at the end. An integer that is no Double has all eight, and two more: by how much it is greater than that Double.
package struct ValueKey: Sendable, Hashable {
  /// The first eight bytes as a big-endian number, with zeros behind the last byte.
  private let high: UInt64
  /// The next four bytes, in the same way.
  private let low: UInt32
  /// The number of bytes.
  private let count: UInt8

  /// The first bytes of keys, by which values of different types are told apart and ordered.
  package enum Tag {
    package static let `false`: UInt8 = 1
    package static let `true`: UInt8 = 2
    package static let number: UInt8 = 3
    package static let date: UInt8 = 4
    package static let text: UInt8 = 5
    package static let list: UInt8 = 6
    package static let reference: UInt8 = 7
  }

  /// The most bytes of a key.
  package static let maximumBytes = 11

  private init(_ tag: UInt8, word: UInt64, rest: UInt16 = 0, count: Int) {
    high = UInt64(tag) << 56 | word >> 8
    low = UInt32(truncatingIfNeeded: word & 0xFF) << 24 | UInt32(rest) << 8
    self.count = UInt8(count)
  }

  /// The key that all lists have.
  package static let list = ValueKey(Tag.list, word: 0, count: 1)

  package init(_ value: Bool) {
    self.init(value ? Tag.true : Tag.false, word: 0, count: 1)
  }

  /// - Parameter date: Microseconds since 1970.
  package init(date: Int64) {
    self.init(Tag.date, word: UInt64(bitPattern: date) ^ 1 << 63, count: 9)
  }

  /// Makes the key of a number, which may be infinite; nil for NaN.
  package init?(_ number: Double) {
    guard !number.isNaN else { return nil }
    self.init(double: number)
  }

  package init(_ integer: Int64) {
    var floor = Double(integer)
    if floor >= 0x1p63 || Int64(floor) > integer { floor = floor.nextDown }
    // Neighbouring Doubles within the range of Int64 are at most 1024 apart.
    let rest = UInt16(truncatingIfNeeded: integer &- Int64(floor))
    if rest == 0 {
      self.init(double: floor)
    } else {
      self.init(Tag.number, word: Self.word(floor), rest: rest, count: Self.maximumBytes)
    }
  }

  private init(double: Double) {
    let word = Self.word(double)
    self.init(Tag.number, word: word, count: 1 + 8 - word.trailingZeroBitCount / 8)
  }

  /// Returns the bits of a Double, so mapped that they ascend as the numbers do. Never zero.
  private static func word(_ double: Double) -> UInt64 {
    let magnitude = double.magnitude.bitPattern
    return double.sign == .minus ? 1 << 63 - magnitude : 1 << 63 + magnitude
  }

  /// The bytes.
  package var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }

  /// Calls `body` with the bytes. Allocates nothing.
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      try unsafe bytes.withMemoryRebound(to: UInt8.self) {
        try unsafe body(UnsafeBufferPointer(rebasing: $0[..<Int(count)]))
      }
    }
  }
}

extension ValueKey: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    // A shorter key never differs from a longer one by zero bytes alone.
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ValueKey {
  /// Makes the key from its bytes; nil if they are none.
  package init?(bytes: some RandomAccessCollection<UInt8>) {
    guard let tag = bytes.first, bytes.count <= Self.maximumBytes else { return nil }
    var word: UInt64 = 0
    var rest: UInt16 = 0
    for (offset, byte) in bytes.dropFirst().enumerated() {
      if offset < 8 {
        word |= UInt64(byte) << UInt64(56 - 8 * offset)
      } else {
        rest = rest << 8 | UInt16(byte)
      }
    }
    self.init(tag, word: word, rest: rest, count: bytes.count)
    if self == .list { return }
    // A key has one spelling: that of the value that it stands for.
    guard let value, value.key == self else { return nil }
  }

  /// The value that the key stands for, a whole number as an integer wherever it is one; nil if it stands for none: also
  /// for a list, whose texts it does not have.
  package var value: MetadataScalar? {
    let word = high << 8 | UInt64(low >> 24)
    switch UInt8(truncatingIfNeeded: high >> 56) {
    case Tag.false: return .boolean(false)
    case Tag.true: return .boolean(true)
    case Tag.date: return .date(Int64(bitPattern: word ^ 1 << 63))
    case Tag.number:
      let isNegative = word < 1 << 63
      let magnitude = Double(bitPattern: isNegative ? 1 << 63 - word : word - 1 << 63)
      guard magnitude.isFinite else { return nil }
      let double = isNegative ? -magnitude : magnitude
      let rest = Int64(low >> 8 & 0xFFFF)
      if let integer = Int64(exactly: double) {
        let (sum, isOver) = integer.addingReportingOverflow(rest)
        return isOver ? nil : .integer(sum)
      }
      return rest == 0 ? .number(bits: double.bitPattern) : nil
    default: return nil
    }
  }
}
