import SatchelModel

extension Predicate {
  /// A property compared with a value: `parts.mimeType BEGINSWITH[c] 'image/'`.
  public struct Comparison: Sendable {
    /// Which of the values of a to-many path must pass; nil is any, with `!=` and NOT IN as the complements.
    public let quantifier: Quantifier?
    /// The names of the property's key path.
    public let path: [String]
    /// How the values are compared.
    public let `operator`: Operator
    /// What is overlooked, with ``Operator/like`` and its kin.
    public let options: Options
    /// What the property is compared with.
    public let operand: Operand

    /// A comparison; whether the property takes the operator and the value is found out when a query runs.
    public init(
      _ path: [String], _ operator: Operator, _ operand: Operand, options: Options = [],
      quantifier: Quantifier? = nil
    ) {
      // Each meaning is kept in one shape only, the one that its text parses to.
      var path = path.isEmpty ? [""] : path
      var `operator` = `operator`
      var operand = operand
      switch operand {
      case .dictionary(let metadata) where metadata.isEmpty: operand = .list([])
      case .path(let names) where names.isEmpty: operand = .path([""])
      default: break
      }
      if `operator` == .member, case .path(let other) = operand {
        (path, `operator`, operand) = (other, .in, .path(path))
      }
      self.path = path
      self.operator = `operator`
      self.operand = operand
      self.options = options
      self.quantifier = quantifier
    }
  }

  /// Which of the values of a to-many path must pass a comparison.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// One at least.
    case any = "ANY"
    /// Each one; true without values.
    case all = "ALL"
    /// Not one; true without values.
    case none = "NONE"
  }

  /// How a property's value is compared.
  ///
  /// The operand of ``like``, ``beginsWith``, ``endsWith`` and ``contains`` of a text has at most 16,384 UTF-8 bytes; a longer
  /// one is `invalidValue`. They cost O(text + operand), and a part of LIKE's operand with `_` between two `%` one step for 64 of its
  /// scalars and each scalar of the text.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// The value is one of a list; participants: one of them is on the list.
    case `in` = "IN"
    /// The complement of ``in``.
    case notIn = "NOT IN"
    /// The value is one of two bounds or lies between them.
    case between = "BETWEEN"
    /// The whole value matches a pattern of `%` (any run), `_` (one scalar) and `\` (the next scalar as it is).
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    /// The value holds a text; participants: each one of the operand is a participant.
    case contains = "CONTAINS"
    /// Full-text search, which is reserved.
    case matchesText = "MATCHES-TEXT"
    /// The operand is one of the property's several values: `'bob' IN participants`.
    case member = "member"

    /// True for the operators that take options.
    public var takesOptions: Bool {
      switch self {
      case .like, .beginsWith, .endsWith, .contains: true
      default: false
      }
    }
  }

  /// What a comparison of texts overlooks.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `[c]`: upper and lower case are the same, scalar by scalar, without a locale.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: diacritics are dropped.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }
}

extension Predicate.Comparison: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.operator == right.operator && left.quantifier == right.quantifier && left.options == right.options
      && ExactText.areEqual(left.path, right.path) && left.operand == right.operand
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(`operator`)
    hasher.combine(quantifier)
    hasher.combine(options)
    ExactText.hash(path, into: &hasher)
    hasher.combine(operand)
  }
}

/// Equality and hashing of texts by their bytes, for values made of several.
enum ExactText {
  static func areEqual(_ left: [String], _ right: [String]) -> Bool {
    left.elementsEqual(right, by: UTF8Order.areEqual)
  }

  static func hash(_ texts: [String], into hasher: inout Hasher) {
    hasher.combine(texts.count)
    for text in texts { UTF8Order.hash(text, into: &hasher) }
  }

  static func areEqual(_ left: Metadata, _ right: Metadata) -> Bool {
    left.entries.elementsEqual(right.entries) { left, right in
      guard UTF8Order.areEqual(left.key, right.key) else { return false }
      return switch (left.value, right.value) {
      case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
      case (.dictionary(let left), .dictionary(let right)): areEqual(left, right)
      default: false
      }
    }
  }

  static func hash(_ metadata: Metadata, into hasher: inout Hasher) {
    hasher.combine(metadata.entries.count)
    for entry in metadata.entries {
      UTF8Order.hash(entry.key, into: &hasher)
      switch entry.value {
      case .text(let text): UTF8Order.hash(text, into: &hasher)
      case .dictionary(let inner): hash(inner, into: &hasher)
      }
    }
  }
}
