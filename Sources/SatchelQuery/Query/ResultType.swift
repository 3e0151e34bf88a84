/// What of a query's results is wanted.
public enum ResultType: String, Sendable, Hashable, CaseIterable {
  /// The objects.
  case objects
  /// Their identifiers.
  case identifiers
  /// How many there are.
  case count
}
