import SatchelText

/// A value that is one of a few. Its raw value is its number in records, indexes and the change log; the numbers begin
/// with 0 and have no gaps.
package protocol NamedValue: RawRepresentable, CaseIterable, Sendable where RawValue == UInt8 {
  /// The value as the interchange format and the predicate language spell it.
  var name: String { get }
}

extension NamedValue {
  /// Returns the value with this spelling; nil if there is none.
  package static func named(_ name: String) -> Self? {
    allCases.first { UTF8Order.areEqual($0.name, name) }
  }

  /// The names of all values, each at the value's number.
  package static var names: [String] { allCases.map(\.name) }
}
