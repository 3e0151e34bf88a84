public import SatchelModel

/// A value that a program computes of each record that a query gives. It is the same as its copies, and as no other: what two closures do
/// cannot be compared.
package final class RecordComputation: Hashable, Sendable {
  package let name: String
  package let value: @Sendable (Record) -> MetadataValue?

  package init(_ name: String, _ value: @escaping @Sendable (Record) -> MetadataValue?) {
    self.name = name
    self.value = value
  }

  package static func == (left: RecordComputation, right: RecordComputation) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Record {
  /// Returns a value that the query has had computed of the record: see `Query.computing(_:_:)`.
  ///
  /// ```swift
  /// task.computed("isLate")?.booleanValue == true
  /// ```
  ///
  /// It is of the record as it was read: a change of the value in the program computes nothing anew. It is no field, is not part of the
  /// coded form and is not saved with the record.
  /// - Parameter name: The name that the query has given it.
  /// - Returns: Nil if the query computes no value of that name, or if its closure has given nil.
  /// - Complexity: O(1). Computes nothing.
  public func computed(_ name: String) -> MetadataValue? { inclusions?.computed[name] }
}
