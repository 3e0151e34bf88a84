/// A value of metadata that is no text, list, dictionary or reference, as it was given: 5 and 5.0 are two of them, and so are 0.0
/// and −0.0. Records and the change log hold it in this form; `key` is the form in which it compares.
package enum MetadataScalar: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int64)
  /// The bits of a Double, which is finite in every record.
  case number(bits: UInt64)
  /// Microseconds since 1970.
  case date(Int64)

  /// Makes the scalar of a value; nil for a text, a list, a dictionary or a reference.
  package init?(_ value: MetadataValue) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(bits: value.bitPattern)
    case .date(let date): self = .date(date.microseconds)
    case .text, .list, .dictionary, .reference: return nil
    }
  }

  /// The value.
  package var value: MetadataValue {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .number(let bits): .number(Double(bitPattern: bits))
    case .date(let microseconds): .date(Timestamp(microseconds: microseconds))
    }
  }

  /// The key by which it compares; nil for NaN.
  package var key: ValueKey? {
    switch self {
    case .boolean(let value): ValueKey(value)
    case .integer(let value): ValueKey(value)
    case .number(let bits): ValueKey(Double(bitPattern: bits))
    case .date(let microseconds): ValueKey(date: microseconds)
    }
  }
}
