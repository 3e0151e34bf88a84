package import SatchelModel

/// A value of a sort key. Missing values come first, except that a missing position comes last: an unsent message is
/// newer than every message that has a position.
package enum SortValue: Comparable, Hashable, Sendable {
  case missing
  /// A value of metadata that is neither a text nor a list; those are before all texts.
  case scalar(ValueKey)
  case integer(Int64)
  case bytes([UInt8])
  /// A list of metadata; all lists are equal.
  case list
  /// The bytes of a reference.
  case reference([UInt8])
  case unsent

  private var rank: Int {
    switch self {
    case .missing: 0
    case .scalar: 1
    case .integer, .bytes: 2
    case .list: 3
    case .reference: 4
    case .unsent: 5
    }
  }

  package static func < (left: SortValue, right: SortValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.scalar(let left), .scalar(let right)): left < right
    case (.bytes(let left), .bytes(let right)), (.reference(let left), .reference(let right)):
      left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }
}
