/// A pattern with everything folded: what is looked for, where, and how that goes together. It is made once, for an index and for a matcher.
package struct SearchCondition: Hashable, Sendable {
  package indirect enum Node: Hashable, Sendable {
    /// The number of what is looked for.
    case leaf(Int)
    case and([Node])
    case or([Node])
    case not(Node)
  }

  package struct Leaf: Hashable, Sendable {
    package let form: SearchForm
    /// The number of the field that has to have it; nil if any may.
    package let field: Int?
    /// Whether an object is to have it, rather than not to have it: what counts for relevance, and what is shown.
    package let isWanted: Bool
  }

  package private(set) var leaves: [Leaf] = []
  /// The fields that the pattern names.
  package private(set) var fields: [String] = []
  /// nil if nothing is looked for; that matches nothing.
  package private(set) var root: Node?

  package init(_ pattern: SearchTree) { root = node(pattern, field: nil, isWanted: true) }

  /// The number of a field's name; nil if the pattern does not name it.
  package func field(named name: String) -> Int? { fields.firstIndex(of: name) }

  private mutating func node(_ pattern: SearchTree, field: Int?, isWanted: Bool) -> Node? {
    switch pattern {
    case .words(let text, let stars):
      guard let form = SearchForm(text, stars) else { return nil }
      leaves.append(Leaf(form: form, field: field, isWanted: isWanted))
      return .leaf(leaves.count - 1)
    case .conjunction(let parts):
      return Self.joined(parts.compactMap { node($0, field: field, isWanted: isWanted) }, Node.and)
    case .disjunction(let parts):
      return Self.joined(parts.compactMap { node($0, field: field, isWanted: isWanted) }, Node.or)
    case .negation(let part): return node(part, field: field, isWanted: !isWanted).map(Node.not)
    case .inField(let name, let part):
      let number = self.field(named: name) ?? fields.count
      if number == fields.count { fields.append(name) }
      return node(part, field: number, isWanted: isWanted)
    }
  }

  private static func joined(_ nodes: [Node], _ join: ([Node]) -> Node) -> Node? {
    nodes.count > 1 ? join(nodes) : nodes.first
  }

  /// Whether an object matches, by what of it was found: a flag for each leaf.
  package func isMatch(_ found: [Bool]) -> Bool { root.map { Self.isMatch($0, found) } ?? false }

  private static func isMatch(_ node: Node, _ found: [Bool]) -> Bool {
    switch node {
    case .leaf(let number): found[number]
    case .and(let nodes): nodes.allSatisfy { isMatch($0, found) }
    case .or(let nodes): nodes.contains { isMatch($0, found) }
    case .not(let node): !isMatch(node, found)
    }
  }
}
