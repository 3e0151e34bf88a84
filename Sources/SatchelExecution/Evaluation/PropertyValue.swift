package import SatchelCoding
package import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelText

/// The value of a property of one row.
///
/// It is safe to use within its transaction. To make one of bytes in the map is unsafe, because they have to exist as
/// long as it does.
@safe package enum PropertyValue {
  case missing
  /// A number, a date's microseconds, a Boolean's 0 or 1, a recipient status's number.
  case integer(Int64)
  /// A value of metadata that is neither a text nor a list.
  case scalar(MetadataScalar)
  /// A list of metadata, in the file's map like `mapped`.
  case list(MetadataListView)
  /// The bytes of a reference in a record's field, in the file's map like `mapped`.
  case reference(UnsafeRawBufferPointer)
  /// Bytes in the file's map, valid until the transaction ends.
  case mapped(UnsafeRawBufferPointer)
  /// Bytes that the value owns.
  case bytes([UInt8])

  init(_ number: Int64?) {
    self = number.map { .integer($0) } ?? .missing
  }

  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }

  init(_ value: MetadataView.Value?) {
    switch value {
    case nil: self = .missing
    case .text(let text)?: unsafe self = .mapped(text)
    case .scalar(let scalar)?: self = .scalar(scalar)
    case .list(let list)?: self = .list(list)
    case .reference(let bytes)?: unsafe self = .reference(bytes)
    }
  }

  init(_ bytes: UnsafeRawBufferPointer?) {
    self = unsafe bytes.map { unsafe .mapped($0) } ?? .missing
  }

  /// The same value with bytes of its own, where it has some: it may be kept while the write goes on.
  var owned: PropertyValue { if case .mapped(let bytes) = self { unsafe .bytes(Array(bytes)) } else { self } }

  /// The same value in the form in which texts are compared.
  var canonical: PropertyValue {
    switch self {
    case .missing, .integer, .scalar, .list, .reference: self
    case .mapped(let bytes):
      unsafe Self.canonical(bytes.assumingMemoryBound(to: UInt8.self)) ?? self
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBufferPointer(Self.canonical) ?? self
    }
  }

  /// Returns the NFC of a text that may not be in it; nil if the text surely is.
  private static func canonical(_ bytes: UnsafeBufferPointer<UInt8>) -> PropertyValue? {
    unsafe NFC.isSurelyNormalized(bytes) ? nil : .bytes(NFC.bytes(String(decoding: bytes, as: UTF8.self)))
  }

  /// Whether the value is a text in the set; nil if it is no text.
  func isIn(_ set: TextSet) -> Bool? { unsafe withBytes { unsafe set.contains($0) } }

  /// Calls `body` with the value's bytes; returns nil if the value has none.
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    switch self {
    case .missing, .integer, .scalar, .list, .reference: nil
    case .mapped(let bytes): unsafe try body(bytes.assumingMemoryBound(to: UInt8.self))
    case .bytes(let bytes): unsafe try bytes.withUnsafeBufferPointer(body)
    }
  }
}
