import SatchelModel

/// A property to sort results by, ascending or descending.
///
/// It is written and printed as `position` or `-sentAt`. Missing values come first in ascending and last in
/// descending order, except for a missing `position`, which comes last in ascending order.
public struct SortKey: Sendable {
  /// The names of the property's key path.
  public let path: [String]
  /// Whether the greatest value comes first.
  public let descending: Bool

  /// Creates a sort key. Whether the property can be sorted by is checked when a query runs.
  public init(_ path: [String], descending: Bool = false) {
    self.path = path
    self.descending = descending
  }

  /// The key with the opposite order.
  public var reversed: SortKey { SortKey(path, descending: !descending) }
}

extension SortKey: Hashable {
  /// Whether both sort by the same property in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.descending == right.descending && ExactText.areEqual(left.path, right.path)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(descending)
    ExactText.hash(path, into: &hasher)
  }
}
