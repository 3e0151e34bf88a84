import SatchelModel

/// The value of a property of one row.
package enum PropertyValue {
  case missing
  /// A number, a date's microseconds, a Boolean's 0 or 1, a recipient status's number.
  case integer(Int64)
  /// Bytes in the file's map, valid until the transaction ends.
  case mapped(UnsafeRawBufferPointer)
  /// Bytes that the value owns.
  case bytes([UInt8])

  init(_ number: Int64?) {
    self = number.map { .integer($0) } ?? .missing
  }

  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }

  init(_ bytes: UnsafeRawBufferPointer?) {
    self = bytes.map { .mapped($0) } ?? .missing
  }

  /// The same value in the form in which texts are compared.
  var canonical: PropertyValue {
    switch self {
    case .missing, .integer: self
    case .mapped(let bytes):
      Self.canonical(bytes.assumingMemoryBound(to: UInt8.self)) ?? self
    case .bytes(let bytes):
      bytes.withUnsafeBufferPointer(Self.canonical) ?? self
    }
  }

  /// Returns the NFC of a text that may not be in it; nil if the text surely is.
  private static func canonical(_ bytes: UnsafeBufferPointer<UInt8>) -> PropertyValue? {
    NFC.isSurelyNormalized(bytes) ? nil : .bytes(NFC.bytes(String(decoding: bytes, as: UTF8.self)))
  }

  /// Calls `body` with the value's bytes; returns nil if the value has none.
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    switch self {
    case .missing, .integer: nil
    case .mapped(let bytes): try body(bytes.assumingMemoryBound(to: UInt8.self))
    case .bytes(let bytes): try bytes.withUnsafeBufferPointer(body)
    }
  }
}
