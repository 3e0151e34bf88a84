package import SatchelQuery

extension Condition {
  /// The condition as a short text: the properties that it tests, each once, and how the tests are joined.
  package var summary: String {
    switch self {
    case .always: return "nothing"
    case .never: return "never"
    case .all(let conditions): return Self.joined(conditions, " and ")
    case .any(let conditions): return Self.joined(conditions, " or ")
    case .test(let test): return test.property.path.spelledPath
    case .pair(let pair):
      return "\(pair.left.path.spelledPath) \(pair.relation.spelling) \(pair.right.path.spelledPath)"
    case .elements(let group):
      return group.relations.map(\.name).joined(separator: ".") + " ("
        + Self.joined(group.conditions, " and ") + ")"
    }
  }

  private static func joined(_ conditions: [Condition], _ word: String) -> String {
    var names: [String] = []
    for condition in conditions {
      let name =
        switch condition {
        case .all, .any: "(" + condition.summary + ")"
        default: condition.summary
        }
      if !names.contains(name) { names.append(name) }
    }
    let more = names.count - 6
    return names.prefix(6).joined(separator: word) + (more > 0 ? "\(word)\(more) more" : "")
  }
}
