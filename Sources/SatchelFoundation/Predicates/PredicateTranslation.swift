import Foundation
import SatchelModel
import SatchelQuery

/// A node of a Foundation predicate that the store has a meaning for.
protocol TranslatableExpression {
  /// Returns what the node is to the store.
  /// - Throws: ``SatchelError`` `notAvailable` or `unqueryableProperty`, naming the node and its place.
  func term(in translation: PredicateTranslation) throws -> PredicateTerm
}

/// The translation of the nodes at one place of a Foundation predicate.
struct PredicateTranslation {
  let kind: ObjectKind
  private let names = PropertyNames()
  /// What the variables stand for that can be used here.
  var variables: [PredicateExpressions.VariableID: PredicateTerm]
  /// The path to a message's parts.
  static let parts = ["parts"]
  /// True in a condition of a part, whose paths begin at the part.
  var isOfPart = false
  /// The nodes from the outermost one to this one.
  private var trail: [String] = []

  init(_ kind: ObjectKind, _ variable: PredicateExpressions.VariableID) {
    self.kind = kind
    variables = [variable: .object([])]
  }

  /// Returns what a node is. What uses no variable is evaluated: it is a value.
  func term<Node: PredicateExpression>(_ node: Node) throws -> PredicateTerm {
    // A variable that is used throws at once, so that nothing is evaluated that depends on an object.
    if let value = try? node.evaluate(PredicateBindings()) { return .value(value) }
    var inner = self
    inner.trail.append(Self.name(of: node))
    guard let node = node as? any TranslatableExpression else {
      throw inner.refusal("a node that the store has")
    }
    return try node.term(in: inner)
  }

  /// Returns what a node is as a condition.
  func condition<Node: PredicateExpression>(_ node: Node) throws -> QueryPredicate {
    switch try term(node) {
    case .condition(let predicate): return predicate
    case .value(let value as Bool): return value ? .true : .false
    case .property(let path, isOptional: false):
      return .comparison(QueryPredicate.Comparison(path, .equal, .boolean(true)))
    case let other: return try comparison(.equal, other, .value(true))
    }
  }

  /// Returns the names behind a term that a step of a key path leads to.
  func property(_ root: PredicateTerm, _ keyPath: AnyKeyPath, isOptional: Bool) throws -> PredicateTerm {
    let start: [String]
    var isMissing = isOptional
    switch root {
    case .object(let path): start = path
    case .property(let path, let optional):
      start = path
      isMissing = isMissing || optional
    default: throw refusal("a key path of an object")
    }
    guard let step = names[keyPath] else {
      throw SatchelError(
        .unqueryableProperty, "The key path leads to no property that the store can be asked for",
        ["property": "\(keyPath)", "kind": kind.rawValue, "place": place])
    }
    // A reference to a message compares as the message's identifier.
    let path = start.last == "lastMessage" && step == ["identifier"] ? start : start + step
    if !["parts", "recipientStatus"].contains(path.last ?? "") {
      _ = try ObjectProperty(path: (isOfPart ? Self.parts : []) + path, of: kind)
    }
    return .property(path, isOptional: isMissing)
  }

  /// The path of nodes to this one.
  private var place: String { trail.joined(separator: " > ") }

  /// Returns the error for this node, with what would be right.
  func refusal(_ expected: String) -> SatchelError {
    SatchelError(
      .notAvailable, "The store cannot be asked for this part of a predicate",
      ["node": trail.last ?? "", "place": place, "expected": expected, "kind": kind.rawValue])
  }

  private static func name(of node: some PredicateExpression) -> String {
    String(String(describing: type(of: node)).prefix { $0 != "<" })
  }
}

// MARK: - Comparisons

extension PredicateTranslation {
  /// Returns the predicate of a comparison of two terms, as Swift answers it: nil equals nil.
  func comparison(
    _ operator: QueryPredicate.Operator, _ left: PredicateTerm, _ right: PredicateTerm
  ) throws -> QueryPredicate {
    if case .value = left {
      guard case .value = right else { return try comparison(`operator`.mirrored, right, left) }
      throw refusal("a property on one side")
    }
    guard case .value(let value) = right else {
      throw refusal("a value on one side: two properties are not compared")
    }
    if `operator` == .notEqual { return .not(try comparison(.equal, left, right)) }
    switch left {
    case .condition(let predicate):
      guard `operator` == .equal, let truth = value as? Bool else { throw refusal("true or false") }
      return truth ? predicate : .not(predicate)
    case .optionalCondition(let predicate, let path):
      guard `operator` == .equal else { throw refusal("== or !=") }
      if PredicateValues.isNil(value) { return .not(presence(of: path)) }
      guard let truth = value as? Bool else { throw refusal("true, false or nil") }
      return try present(path, and: truth ? predicate : .not(predicate))
    case .property(let path, let isOptional):
      let constant = try self.constant(value, for: path)
      guard constant != .null else {
        guard `operator` == .equal else { throw refusal("a value that is not nil") }
        return isOptional ? .not(presence(of: path)) : .false
      }
      return .comparison(QueryPredicate.Comparison(path, `operator`, .constant(constant)))
    case .coalesced(let path, let fallback):
      let constant = try self.constant(value, for: path)
      let replacement = try self.constant(fallback, for: path)
      guard constant != .null, replacement != .null else { throw refusal("values that are not nil") }
      guard let passes = `operator`.compares(replacement, constant) else {
        throw refusal("a default of the type of the property")
      }
      let predicate = QueryPredicate.comparison(
        QueryPredicate.Comparison(path, `operator`, .constant(constant)))
      return passes ? .or([predicate, .not(presence(of: path))]) : predicate
    case .object, .value: throw refusal("a property of the object")
    }
  }

  /// Returns the predicate that a property has a value.
  func presence(of path: [String]) -> QueryPredicate {
    .comparison(QueryPredicate.Comparison(path, .notEqual, .null))
  }

  /// Returns the predicate that a property has a value and meets a condition. A comparison that is false for missing values
  /// says both.
  func present(_ path: [String], and predicate: QueryPredicate) throws -> QueryPredicate {
    if case .comparison(let comparison) = predicate.form, comparison.path == path,
      ![.notEqual, .notIn].contains(comparison.operator), comparison.operand != .null
    {
      return predicate
    }
    return .and([presence(of: path), predicate])
  }

  /// Returns the value as a constant that the property is compared with.
  func constant(_ value: Any, for path: [String]) throws -> QueryPredicate.Constant {
    guard path.last != "participants", path != ["recipientStatus"],
      let constant = PredicateValues.constant(value)
    else {
      throw refusal("a text, number, Boolean, date, identifier or status, and a property with one value")
    }
    return constant
  }

  /// Returns the predicate that a term is one of the elements of a collection.
  func membership(of term: PredicateTerm, in collection: Any) throws -> QueryPredicate {
    if let bounds = PredicateValues.bounds(collection) {
      return .and(try bounds.map { try comparison($0.0, term, .value($0.1)) })
    }
    guard let constants = PredicateValues.constants(collection) else {
      throw refusal("a collection or a range of values that properties are compared with")
    }
    let values = constants.filter { $0 != .null }
    switch term {
    case .property(let path, let isOptional):
      let predicate = QueryPredicate.comparison(QueryPredicate.Comparison(path, .in, .list(values)))
      guard isOptional, values.count < constants.count else { return predicate }
      return .or([predicate, .not(presence(of: path))])
    case .coalesced(let path, let fallback):
      let replacement = try constant(fallback, for: path)
      let predicate = QueryPredicate.comparison(QueryPredicate.Comparison(path, .in, .list(values)))
      guard values.contains(where: { QueryPredicate.Operator.equal.compares(replacement, $0) == true }) else {
        return predicate
      }
      return .or([predicate, .not(presence(of: path))])
    default: throw refusal("a property")
    }
  }

  /// Returns the predicate that a text contains another one, or begins with it.
  func text(_ operator: QueryPredicate.Operator, _ base: PredicateTerm, _ other: PredicateTerm) throws
    -> QueryPredicate
  {
    guard case .value(let value as String) = other else {
      throw refusal("a text, and a property that contains it")
    }
    switch base {
    case .property(let path, let isOptional):
      // Every text contains an empty one.
      guard !value.isEmpty else { return isOptional ? presence(of: path) : .true }
      return .comparison(QueryPredicate.Comparison(path, `operator`, .text(value)))
    case .coalesced(let path, "" as String) where !value.isEmpty:
      return .comparison(QueryPredicate.Comparison(path, `operator`, .text(value)))
    default: throw refusal("a property with a text, or one with ?? \"\"")
    }
  }
}

extension QueryPredicate.Operator {
  /// The operator that says the same with both sides exchanged.
  fileprivate var mirrored: Self {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  /// Whether two constants of one type compare so; nil if their types differ or have no order.
  fileprivate func compares(_ left: QueryPredicate.Constant, _ right: QueryPredicate.Constant) -> Bool? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): compares(left, right)
    case (.text(let left), .text(let right)): compares(left, right)
    case (.date(let left), .date(let right)): compares(left, right)
    case (.boolean(let left), .boolean(let right)): self == .equal ? left == right : nil
    default: nil
    }
  }

  private func compares<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
    switch self {
    case .equal: left == right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: nil
    }
  }
}
