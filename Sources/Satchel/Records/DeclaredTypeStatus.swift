public import SatchelRecords

/// A declared record type of a store, and how many records of it there are.
public struct DeclaredTypeStatus: Hashable, Sendable {
  /// The type, with all of its fields.
  public let type: RecordType
  /// How many records of the type there are.
  public let records: Int
}

extension DeclaredTypeStatus: CustomStringConvertible {
  /// The type with its fields, and how many records of it there are: `todo (list: reference to list, title: text), 12 records`.
  public var description: String { "\(type), \(records) records" }
}
