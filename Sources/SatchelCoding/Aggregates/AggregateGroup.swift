/// The value that the objects of a group have in common, and the bytes under which `aggregate.totals` has the group:
/// byte order is that of the values, objects without a value first.
package enum AggregateGroup: Sendable, Hashable {
  /// Without a value; also the one group of an aggregate that does not group.
  case missing
  /// A number, a date's microseconds, a Boolean's 0 or 1.
  case integer(Int64)
  /// The UTF-8 bytes of an identifier, or of a text in NFC.
  case text([UInt8])

  /// The most bytes of a text that tell groups apart. Longer ones belong to the group of as many whole scalars of their
  /// beginning as these hold: a metadata value is never that long.
  package static let maximumTextBytes = 4096

  private static let integerTag: UInt8 = 1
  private static let textTag: UInt8 = 2

  /// The group of a text, whose end may be cut off.
  package init(_ utf8: some Collection<UInt8>) {
    guard utf8.count > Self.maximumTextBytes else {
      self = .text(Array(utf8))
      return
    }
    var bytes = Array(utf8.prefix(Self.maximumTextBytes + 1))
    // Never between the bytes of one scalar: the first byte left out has to begin one.
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    self = .text(bytes)
  }

  /// The bytes of the group.
  package var bytes: [UInt8] {
    switch self {
    case .missing: []
    case .integer(let value):
      [Self.integerTag]
        + (0..<8).map { UInt8(truncatingIfNeeded: KeyWords.word(value) >> UInt64(56 - 8 * $0)) }
    case .text(let bytes): [Self.textTag] + bytes
    }
  }

  /// The group of its bytes; nil for bytes that are none.
  package init?(bytes: [UInt8]) {
    switch bytes.first {
    case nil: self = .missing
    case Self.integerTag? where bytes.count == 9:
      self = .integer(KeyWords.value(bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }))
    case Self.textTag? where bytes.count <= 1 + Self.maximumTextBytes:
      guard String(validating: bytes.dropFirst(), as: UTF8.self) != nil else { return nil }
      self = .text(Array(bytes.dropFirst()))
    default: return nil
    }
  }
}
