/// The form in which the results of a query are wanted.
public enum ResultType: String, Sendable, Hashable, CaseIterable {
  /// The objects.
  case objects
  /// The identifiers of the objects.
  case identifiers
  /// The number of objects.
  case count
}
