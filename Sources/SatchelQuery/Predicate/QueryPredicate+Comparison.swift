import SatchelModel

extension QueryPredicate {
  /// A comparison of a property with a value: `parts.mimeType BEGINSWITH[c] 'image/'`.
  public struct Comparison: Sendable {
    /// Which values of a to-many path, or elements of a value of metadata, must pass. Nil means any; `!=` and NOT IN are then the
    /// complements of `=` and IN.
    public let quantifier: Quantifier?
    /// The names of the property's key path.
    public let path: [String]
    /// The operator that compares the values.
    public let `operator`: Operator
    /// What is ignored, with ``Operator/like``, ``Operator/beginsWith``, ``Operator/endsWith`` and
    /// ``Operator/contains``. ``Operator/autocomplete`` and ``Operator/matchesText`` have none, because they always ignore both.
    public let options: Options
    /// The value or property that the property is compared with.
    public let operand: Operand

    /// Creates a comparison. Whether the property supports the operator and the value is checked when a query runs.
    public init(
      _ path: [String], _ operator: Operator, _ operand: Operand, options: Options = [],
      quantifier: Quantifier? = nil
    ) {
      // Each meaning has only one form: the form that the parser makes of its text.
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
      self.options = `operator` == .autocomplete ? [] : options
      self.quantifier = quantifier
    }
  }

  /// Which values of a to-many path must pass a comparison, or which elements of a value of metadata. The elements of a list are its
  /// texts, those of any other value are itself, and a missing one has none.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one value.
    case any = "ANY"
    /// Every value; true if there are no values. A missing value of metadata passes only with ``Operator/notEqual`` and
    /// ``Operator/notIn``.
    case all = "ALL"
    /// No value; true if there are no values.
    case none = "NONE"
  }

  /// The way in which a property's value is compared.
  ///
  /// The operand of ``like``, ``beginsWith``, ``endsWith``, ``contains`` and ``autocomplete`` of a text has at most 16,384
  /// UTF-8 bytes; a longer operand is an `invalidValue`.
  /// - Complexity: O(text + operand) for the first four, O(text · log(words of the operand)) for the last one. A section of
  ///   LIKE's operand that lies between two `%` and contains `_` takes one step for each scalar of the text and each 64 of
  ///   its own scalars.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// The value is in a list. For participants: at least one participant is in the list.
    case `in` = "IN"
    /// The complement of ``in``.
    case notIn = "NOT IN"
    /// The value is equal to one of two bounds or lies between them.
    case between = "BETWEEN"
    /// The whole value matches a pattern of `%` (any run of scalars), `_` (one scalar) and `\` (the next scalar is
    /// literal).
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    /// The value contains a text. For participants: every user of the operand is a participant.
    case contains = "CONTAINS"
    /// Every word of the operand begins some word of the value, in any order. Case and diacritics are ignored. An operand without a word
    /// matches nothing. Words are those of Unicode's word boundaries that have a letter or a number.
    case autocomplete = "AUTOCOMPLETE"
    /// The value matches a pattern of full-text search: `noon OR "usual place" lunc*`. Case and diacritics are ignored. An empty operand
    /// matches nothing; one that does not follow the language of patterns is a `syntaxError` with the column in the operand.
    case matchesText = "MATCHES-TEXT"
    /// The value is a user who is related to another one, by edges that the store keeps: a kind, `'following'`, or a list of a kind, a
    /// direction and, unless it is the store's user, to whom: `{'friend', 'mutual', 'carol'}`.
    case related = "RELATED"
    /// The operand is one of the values of a property with several: `'bob' IN participants`.
    case member = "member"

    /// Whether the operator takes options. Those of ``autocomplete`` change nothing.
    public var takesOptions: Bool {
      switch self {
      case .like, .beginsWith, .endsWith, .contains, .autocomplete: true
      default: false
      }
    }
  }

  /// What a comparison of texts ignores.
  public struct Options: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: UInt8
    /// Makes the set of the options whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `[c]`: ignores case, scalar by scalar, without a locale.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: ignores diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }
}

extension QueryPredicate.Comparison: Hashable {
  /// Whether both compare the same property in the same way with the same value.
  public static func == (left: Self, right: Self) -> Bool {
    left.operator == right.operator && left.quantifier == right.quantifier && left.options == right.options
      && ExactText.areEqual(left.path, right.path) && left.operand == right.operand
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(`operator`)
    hasher.combine(quantifier)
    hasher.combine(options)
    ExactText.hash(path, into: &hasher)
    hasher.combine(operand)
  }
}
