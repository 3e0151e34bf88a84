import TestSupport

extension QueryGenerator {
  /// Whether a path ends at a user or at fields, of which some refer to one.
  func isOfUsers(_ path: PropertyPath, _ column: Column) -> Bool {
    switch column.type {
    case .users: true
    case .custom: column.mayRefer && mayBeUser(path)
    case .exact:
      ["userID", "owner", "createdBy", "updatedBy"].contains(path.components.last?.string ?? "")
    default: false
    }
  }

  /// Whether a path of records ends at what is not declared, or at a field that may refer to an identity.
  private func mayBeUser(_ path: PropertyPath) -> Bool {
    guard case .records(var type) = kind else { return false }
    for (place, name) in path.components.enumerated() {
      guard let field = snapshot.types[type]?.fields[name] else { return true }
      if place == path.components.count - 1 {
        return field.type == "reference" || field.target == "identities"
      }
      guard let target = field.target else { return true }
      type = target
    }
    return false
  }

  /// Asks for whom an edge leads to, or from whom: mostly of a kind and a user that have some.
  mutating func relatedComparison(of path: PropertyPath) -> Predicate.Comparison {
    let edges = snapshot.records[Relations.type, default: []].compactMap(Relations.edge)
    let edge = edges.isEmpty ? nil : random.pick(edges)
    let kind = random.percent(90) ? edge?.kind ?? "team" : "none"
    var texts = [kind]
    if !random.percent(35) { texts.append(ByteString(random.pick(Relations.directions))) }
    if texts.count == 2, !random.percent(40) {
      let user = edge.map { random.percent(50) ? $0.from : $0.to } ?? "bob"
      texts.append(random.percent(5) ? "nobody" : user)
    }
    let literals = texts.map(Predicate.Literal.string)
    return Predicate.Comparison(
      path: path, operation: .related,
      operand: literals.count == 1 && random.percent(80) ? literals[0] : .list(literals))
  }
}
