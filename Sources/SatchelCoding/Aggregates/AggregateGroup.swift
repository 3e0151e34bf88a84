package import SatchelModel

/// The value that the objects of a group have in common, or that a minimum or a maximum is, with the bytes under which
/// `aggregate.totals` has it. The order of the bytes is the order of the values; the group of the objects without a value is first.
package enum AggregateGroup: Sendable, Hashable {
  /// The group of the objects without a value; also the only group of an aggregate without groups.
  case missing
  /// The group of a value of metadata that is no text.
  case scalar(ValueKey)
  /// The group of a number, of a date as microseconds, or of a Boolean as 0 or 1.
  case integer(Int64)
  /// The group of an identifier, or of a text in NFC, as UTF-8 bytes.
  case text([UInt8])
  /// The group of a reference, by its bytes: `Reference.keyBytes`.
  case reference([UInt8])

  /// The most bytes of a text by which groups are distinguished. A longer text belongs to the group of its beginning,
  /// cut after the last whole scalar within this limit. A metadata value is never that long.
  package static let maximumTextBytes = 4096

  static let scalarTag: UInt8 = 0
  static let integerTag: UInt8 = 1
  static let textTag: UInt8 = 2
  static let referenceTag: UInt8 = 3

  /// Makes the group of a text; the end of a long text is cut off.
  package init(_ utf8: some Collection<UInt8>) {
    guard utf8.count > Self.maximumTextBytes else {
      self = .text(Array(utf8))
      return
    }
    var bytes = Array(utf8.prefix(Self.maximumTextBytes + 1))
    // Never cuts between the bytes of a scalar: the first byte that is left out must begin a scalar.
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    self = .text(bytes)
  }

  /// The bytes of the group.
  package var bytes: [UInt8] {
    switch self {
    case .missing: []
    case .scalar(let key): [Self.scalarTag] + key.bytes
    case .integer(let value):
      [Self.integerTag]
        + (0..<8).map { UInt8(truncatingIfNeeded: KeyWords.word(value) >> UInt64(56 - 8 * $0)) }
    case .text(let bytes): [Self.textTag] + bytes
    case .reference(let bytes): [Self.referenceTag] + bytes
    }
  }

  /// Makes the group from its bytes; nil if the bytes are not a group.
  package init?(bytes: [UInt8]) {
    switch bytes.first {
    case nil: self = .missing
    case Self.scalarTag?:
      guard let key = ValueKey(bytes: bytes.dropFirst()) else { return nil }
      self = .scalar(key)
    case Self.integerTag? where bytes.count == 9:
      self = .integer(KeyWords.value(bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }))
    case Self.textTag? where bytes.count <= 1 + Self.maximumTextBytes:
      guard String(validating: bytes.dropFirst(), as: UTF8.self) != nil else { return nil }
      self = .text(Array(bytes.dropFirst()))
    case Self.referenceTag?:
      let key = Array(bytes.dropFirst())
      guard unsafe key.withUnsafeBytes({ unsafe Reference(keyBytes: $0) }) != nil else { return nil }
      self = .reference(key)
    default: return nil
    }
  }
}
