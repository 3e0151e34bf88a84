public import SatchelRecords

/// A declared record type of a store: how many records of it there are, and which indexes and aggregates of these are declared.
public struct DeclaredTypeStatus: Hashable, Sendable {
  /// The type, with all of its fields.
  public let type: RecordType
  /// How many records of the type there are.
  public let records: Int
  /// The declared indexes of its records, in the order of their declarations, and how far each has got.
  public let indexes: [DeclaredIndexStatus]
  /// The declared aggregates of its records, in the order of their declarations.
  public let aggregates: [AggregateDescription]
}

extension DeclaredTypeStatus: CustomStringConvertible {
  /// The type with its fields, how many records of it there are, the names and columns of the indexes and the names of the aggregates:
  /// `todo (list: reference to list, title: text), 12 records; index tasks (list, -due); aggregate open`.
  public var description: String {
    "\(type), \(records) records"
      + indexes.map { status in
        "; index \(status.index.name) (\(status.index.columns.map(\.description).joined(separator: ", ")))"
      }.joined()
      + aggregates.map { "; aggregate \($0.name)" }.joined()
  }
}
