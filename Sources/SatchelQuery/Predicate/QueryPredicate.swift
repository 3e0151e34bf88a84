/// A condition that each object of a kind either meets or does not meet. There is no third result: `NOT p` is the
/// exact complement of `p`.
///
/// Write a predicate as a closure (`Message.filter { $0.isUnread }`), as text (``init(format:_:)``), or with the
/// functions below. It prints as text of the predicate language, and that text parses back to an equal predicate.
/// Predicates compare their strings by bytes: the two encodings of "é" make two different predicates, although text
/// is matched in NFC.
///
/// A predicate has at most ``maximumNodes`` nodes and ``maximumDepth`` levels. The functions that build predicates
/// cannot throw. A predicate that would be larger becomes a placeholder, which is refused when a query runs.
public struct QueryPredicate: Sendable {
  /// The forms of a predicate.
  public indirect enum Form: Hashable, Sendable {
    /// True for every object, or false for every object.
    case constant(Bool)
    /// True if all predicates are true; there are two or more.
    case and([QueryPredicate])
    /// True if at least one predicate is true; there are two or more.
    case or([QueryPredicate])
    /// True if the other predicate is false.
    case not(QueryPredicate)
    /// A property compared with a value.
    case comparison(Comparison)
    /// Conditions that one and the same element of a relation has to meet.
    case elements(ElementGroup)
    /// A predicate that cannot be used. It is refused when a query runs.
    case invalid(Defect)
  }

  /// The reason why a predicate cannot be used.
  public enum Defect: Hashable, Sendable {
    /// The predicate has too many nodes or levels.
    case tooLarge
    /// The predicate has several conditions on one and the same element of a list of metadata.
    case combinedQuantifier
    /// The conditions of a part ask for a property that is not the part's own. These are the names of its key path.
    case beyondElement([String])
  }

  /// The greatest number of levels: of NOTs and parentheses that are open at the same point of the text.
  public static let maximumDepth = 200
  /// The greatest number of nodes: of comparisons, constants, ANDs, ORs, NOTs and groups of conditions on one element together. The
  /// values of a list do not count.
  public static let maximumNodes = 10_000

  /// The form of the predicate.
  public let form: Form
  /// The number of NOTs and parentheses that are open at the deepest point of its text.
  let depth: Int
  /// The number of nodes.
  let nodes: Int

  /// Every predicate is created here. A predicate that is too large is never created. Code that recurses over a
  /// predicate, including its deallocation, therefore needs only a bounded stack.
  private init(_ form: Form, depth: Int, nodes: Int) {
    if depth > Self.maximumDepth || nodes > Self.maximumNodes {
      self.form = .invalid(.tooLarge)
      self.depth = 0
      self.nodes = 1
    } else {
      self.form = form
      self.depth = depth
      self.nodes = nodes
    }
  }

  /// Creates a predicate of one node.
  init(leaf form: Form) { self.init(form, depth: 0, nodes: 1) }

  /// A predicate that is true for every object.
  public static let `true` = QueryPredicate(leaf: .constant(true))
  /// A predicate that is true for no object.
  public static let `false` = QueryPredicate(leaf: .constant(false))

  /// Returns a predicate of a comparison.
  public static func comparison(_ comparison: Comparison) -> QueryPredicate {
    QueryPredicate(leaf: .comparison(comparison))
  }

  static func invalid(_ defect: Defect) -> QueryPredicate { QueryPredicate(leaf: .invalid(defect)) }

  /// Returns a predicate that is true if all predicates are true; without predicates, it is true for every object.
  public static func and(_ predicates: [QueryPredicate]) -> QueryPredicate {
    joined(predicates, empty: .true) {
      .and($0)
    } needsParentheses: {
      $0.isAnd || $0.isOr
    }
  }

  /// Returns a predicate that is true if at least one predicate is true; without predicates, it is true for no
  /// object.
  public static func or(_ predicates: [QueryPredicate]) -> QueryPredicate {
    joined(predicates, empty: .false) {
      .or($0)
    } needsParentheses: {
      $0.isOr
    }
  }

  /// Returns a predicate that is true if another predicate is false.
  public static func not(_ predicate: QueryPredicate) -> QueryPredicate {
    if let defect = predicate.defect { return .invalid(defect) }
    let parentheses = predicate.isAnd || predicate.isOr ? 1 : 0
    return QueryPredicate(
      .not(predicate), depth: predicate.depth + parentheses + 1, nodes: predicate.nodes + 1)
  }

  /// Returns a predicate that is true if any, every or no element of a relation meets another predicate, all of it:
  /// `ANY parts (mimeType = 'image/png' AND size > 100000)`.
  /// - Parameters:
  ///   - quantifier: Which elements have to meet the predicate. Without elements ANY is false, ALL and NONE are true.
  ///   - relation: The names of the key path from the queried object to the elements: `["parts"]` of a message or an announcement.
  ///     Whether it leads to elements is checked when a query runs.
  ///   - predicate: The predicate of an element. Its paths begin at the element, and it has no quantifier in it.
  public static func elements(
    _ quantifier: Quantifier, of relation: [String], _ predicate: QueryPredicate
  ) -> QueryPredicate {
    if let defect = predicate.defect { return .invalid(defect) }
    let group = ElementGroup(quantifier, relation, predicate)
    return QueryPredicate(.elements(group), depth: predicate.depth + 1, nodes: predicate.nodes + 1)
  }

  private static func joined(
    _ predicates: [QueryPredicate], empty: QueryPredicate, _ form: ([QueryPredicate]) -> Form,
    needsParentheses: (QueryPredicate) -> Bool
  ) -> QueryPredicate {
    guard predicates.count > 1 else { return predicates.first ?? empty }
    var depth = 0
    var nodes = 1
    for predicate in predicates {
      if let defect = predicate.defect { return .invalid(defect) }
      depth = max(depth, predicate.depth + (needsParentheses(predicate) ? 1 : 0))
      nodes += predicate.nodes
    }
    return QueryPredicate(form(predicates), depth: depth, nodes: nodes)
  }

  var isAnd: Bool { if case .and = form { true } else { false } }
  var isOr: Bool { if case .or = form { true } else { false } }
  /// The reason why the predicate cannot be used; nil if it can.
  var defect: Defect? { if case .invalid(let defect) = form { defect } else { nil } }
}

extension QueryPredicate: Hashable {
  /// Whether both are written alike. Two predicates may be true for the same objects and not be equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.nodes == right.nodes && left.depth == right.depth && left.form == right.form
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

extension QueryPredicate: Codable {
  /// Decodes a text of the predicate language.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is not a predicate.
  public init(from decoder: any Decoder) throws {
    self = try QueryPredicate(format: decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the predicate as text of the predicate language.
  /// - Throws: `EncodingError` if the predicate cannot be used.
  public func encode(to encoder: any Encoder) throws {
    guard defect == nil else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "The predicate cannot be asked"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
