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
  let names = PropertyNames()
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
      var context = ["property": "\(keyPath)", "kind": kind.rawValue, "place": place]
      // A program without names for reflection prints a key path as a number.
      let available = names.available(besides: keyPath).joined(separator: " ")
      if !available.isEmpty { context["available"] = available }
      throw SatchelError(
        .unqueryableProperty, "The key path leads to no property that the store can be asked for", context)
    }
    // A reference to a message compares as the message's identifier.
    let path = start.last == "lastMessage" && step == ["identifier"] ? start : start + step
    if !Self.isCollection(path) {
      _ = try ObjectProperty(path: (isOfPart ? Self.parts : []) + path, of: kind)
    }
    return .property(path, isOptional: isMissing)
  }

  /// Whether a property has several values that no comparison takes by itself.
  private static func isCollection(_ path: [String]) -> Bool {
    path.last == parts.last || path.last == "recipientStatus"
  }

  /// Returns the number of elements behind a term, by whether it is 0.
  func count(of root: PredicateTerm) throws -> PredicateTerm {
    switch root {
    case .parts(let condition):
      return .count(isEmpty: .elements(.none, of: Self.parts, condition), of: [])
    case .property(Self.parts, _) where !isOfPart:
      return .count(isEmpty: .elements(.none, of: Self.parts, .true), of: [])
    case .property(let path, _) where path.last == "participants":
      return .property(path.dropLast() + ["participantCount"], isOptional: false)
    case .property(let path, _) where path.last == "metadata":
      return .count(
        isEmpty: .comparison(QueryPredicate.Comparison(path, .equal, .dictionary(Metadata()))), of: [])
    case .property(let path, let isOptional) where !Self.isCollection(path):
      return .count(isEmpty: try comparison(.equal, root, .value("")), of: isOptional ? [path] : [])
    case .coalesced(let optional, let fallback):
      return .coalesced(try count(of: optional), try count(of: fallback))
    case .value(let text as String): return .value(text.count)
    default: throw refusal("parts, participants, metadata or a text")
    }
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
