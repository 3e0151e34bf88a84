import SatchelText

/// The value that an object has for a field, for code that handles all fields of an object alike.
package enum FieldValue: Hashable, Sendable {
  case text(String?)
  case boolean(Bool)
  case date(Timestamp?)
  /// The number of a value of an enumeration.
  case choice(UInt8?)

  /// The value as the change log has it: 0 or 1, microseconds since 1970, or a value's number. Nil for a missing value,
  /// and for a text.
  package var number: Int64? {
    switch self {
    case .text: nil
    case .boolean(let value): value ? 1 : 0
    case .date(let date): date?.microseconds
    case .choice(let number): number.map(Int64.init)
    }
  }

  /// Returns whether both are written with the same bytes. `==` is not enough: Swift's strings are equal in any normal
  /// form.
  package func hasSameBytes(as other: FieldValue) -> Bool {
    switch (self, other) {
    case (.text(let left?), .text(let right?)): UTF8Order.areEqual(left, right)
    default: self == other
    }
  }
}
