/// A condition that every object of a kind meets or does not meet; there is no third answer, `NOT p` is the exact
/// complement of `p`.
///
/// Write it with a closure (`Message.filter { $0.isUnread }`), as text (``init(format:_:)``) or by the functions below.
/// It prints as the predicate language, and that text parses back to an equal predicate. Strings count by their bytes:
/// "é" in its two spellings makes two predicates, though text matches in NFC.
///
/// A predicate has at most ``maximumNodes`` nodes and ``maximumDepth`` levels. The functions that build one cannot
/// throw, so a larger one becomes a placeholder that is refused when a query runs.
public struct Predicate: Sendable {
  /// The ways to make a predicate.
  public indirect enum Form: Hashable, Sendable {
    /// True, or false, for every object.
    case constant(Bool)
    /// True where each one is; two or more.
    case and([Predicate])
    /// True where one of them is; two or more.
    case or([Predicate])
    /// True where the other one is false.
    case not(Predicate)
    /// A property compared with a value.
    case comparison(Comparison)
    /// What cannot be asked, and is refused when the query runs.
    case invalid(Defect)
  }

  /// Why a predicate cannot be asked.
  public enum Defect: Hashable, Sendable {
    /// It has too many nodes or levels.
    case tooLarge
    /// It asks for several conditions on one and the same part.
    case combinedQuantifier
  }

  /// The most levels: NOTs and parentheses open at one place of the text.
  public static let maximumDepth = 200
  /// The most comparisons, constants, ANDs, ORs and NOTs together. The values of a list do not count.
  public static let maximumNodes = 10_000

  /// What the predicate is made of.
  public let form: Form
  /// How many NOTs and parentheses are open at the deepest place of its text.
  let depth: Int
  /// How many nodes it has.
  let nodes: Int

  /// The one place where predicates come from. As a too large one never comes to be, everything that recurses over a
  /// predicate, its release included, has a bounded stack.
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

  /// A predicate of one node.
  init(leaf form: Form) { self.init(form, depth: 0, nodes: 1) }

  /// True for every object.
  public static let `true` = Predicate(leaf: .constant(true))
  /// True for no object.
  public static let `false` = Predicate(leaf: .constant(false))

  /// A comparison.
  public static func comparison(_ comparison: Comparison) -> Predicate {
    Predicate(leaf: .comparison(comparison))
  }

  static func invalid(_ defect: Defect) -> Predicate { Predicate(leaf: .invalid(defect)) }

  /// True where each one is: of none, everywhere.
  public static func and(_ predicates: [Predicate]) -> Predicate {
    joined(predicates, empty: .true) {
      .and($0)
    } needsParentheses: {
      $0.isAnd || $0.isOr
    }
  }

  /// True where one of them is: of none, nowhere.
  public static func or(_ predicates: [Predicate]) -> Predicate {
    joined(predicates, empty: .false) {
      .or($0)
    } needsParentheses: {
      $0.isOr
    }
  }

  /// True where another one is false.
  public static func not(_ predicate: Predicate) -> Predicate {
    if let defect = predicate.defect { return .invalid(defect) }
    let parentheses = predicate.isAnd || predicate.isOr ? 1 : 0
    return Predicate(.not(predicate), depth: predicate.depth + parentheses + 1, nodes: predicate.nodes + 1)
  }

  private static func joined(
    _ predicates: [Predicate], empty: Predicate, _ form: ([Predicate]) -> Form,
    needsParentheses: (Predicate) -> Bool
  ) -> Predicate {
    guard predicates.count > 1 else { return predicates.first ?? empty }
    var depth = 0
    var nodes = 1
    for predicate in predicates {
      if let defect = predicate.defect { return .invalid(defect) }
      depth = max(depth, predicate.depth + (needsParentheses(predicate) ? 1 : 0))
      nodes += predicate.nodes
    }
    return Predicate(form(predicates), depth: depth, nodes: nodes)
  }

  var isAnd: Bool { if case .and = form { true } else { false } }
  var isOr: Bool { if case .or = form { true } else { false } }
  /// Why it cannot be asked, if so.
  var defect: Defect? { if case .invalid(let defect) = form { defect } else { nil } }
}

/// ``Predicate`` under a name that Foundation does not have too, for programs that import both.
public typealias QueryPredicate = Predicate

extension Predicate: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.nodes == right.nodes && left.depth == right.depth && left.form == right.form
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

extension Predicate: Codable {
  /// Reads the predicate language.
  /// - Throws: ``SatchelError`` `syntaxError`.
  public init(from decoder: any Decoder) throws {
    self = try Predicate(format: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the predicate language.
  /// - Throws: `EncodingError` for a predicate that cannot be asked.
  public func encode(to encoder: any Encoder) throws {
    guard defect == nil else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "The predicate cannot be asked"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
