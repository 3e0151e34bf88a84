package import SatchelModel
import SatchelText

/// A test that compares two properties of one object, each its own or one of an object that it refers to. It holds if some
/// value of the left one is related to some value of the right one: a property of parts has a value for each part, a list of
/// metadata has its texts, and participants are user ids. A missing value is related to none.
package struct PropertyPair: Hashable, Sendable {
  /// How a left value has to compare with a right one. Values of different types are never related; two Booleans, and
  /// two references, only if they are equal.
  package enum Relation: UInt8, Hashable, Sendable {
    case equal, less, lessOrEqual, greater, greaterOrEqual

    /// How the right value compares with the left one.
    fileprivate var mirrored: Relation {
      switch self {
      case .equal: .equal
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      }
    }

    /// The operator as the predicate language spells it.
    package var spelling: String {
      switch self {
      case .equal: "="
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      }
    }
  }

  package let left: ObjectProperty
  package let relation: Relation
  package let right: ObjectProperty
  /// True if some left value has to be related to *no* right one: `ANY metadata.tags != sender.userID`. A missing value of metadata
  /// has no such value, a part without a value has one.
  package let isComplement: Bool
  /// True for the complement of the whole test.
  package let isNegated: Bool

  package init(
    _ left: ObjectProperty, _ relation: Relation, _ right: ObjectProperty, isComplement: Bool = false,
    isNegated: Bool = false
  ) {
    // One form for each meaning, so that equal tests are found to be equal: of a pair of values, either may be the left one.
    let isMirrored =
      if isComplement { false } else {
        switch relation {
        case .equal: UTF8Order.isLess(right.path.spelledPath, left.path.spelledPath)
        case .greater, .greaterOrEqual: true
        case .less, .lessOrEqual: false
        }
      }
    self.left = isMirrored ? right : left
    self.relation = isMirrored ? relation.mirrored : relation
    self.right = isMirrored ? left : right
    self.isComplement = isComplement
    self.isNegated = isNegated
  }

  /// Both properties.
  package var properties: [ObjectProperty] { [left, right] }

  /// Whether texts compare as they are given: beside an identifier, a user id or a MIME type. Otherwise they compare in NFC.
  package var isExact: Bool { properties.contains { $0.type == .bytes || $0.type == .participants } }

  /// Whether one of the properties is a value of metadata or a field, whose type is known only from the value.
  package var hasCustom: Bool { properties.contains { $0.type == .custom } }

  /// Returns the same test of other properties; nil if one of them is missing.
  package func replacing(_ replacement: (ObjectProperty) -> ObjectProperty?) -> PropertyPair? {
    guard let left = replacement(left), let right = replacement(right) else { return nil }
    return PropertyPair(left, relation, right, isComplement: isComplement, isNegated: isNegated)
  }
}
