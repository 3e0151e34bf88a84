package import SatchelQuery

extension Condition {
  /// The condition in few words: the properties it tests, and how they are joined.
  package var summary: String {
    switch self {
    case .always: return "nothing"
    case .never: return "never"
    case .all(let conditions): return Self.joined(conditions, " and ")
    case .any(let conditions): return Self.joined(conditions, " or ")
    case .test(let test): return test.property.path.joined(separator: ".")
    }
  }

  private static func joined(_ conditions: [Condition], _ word: String) -> String {
    let shown = conditions.prefix(6).map { condition in
      switch condition {
      case .all, .any: "(" + condition.summary + ")"
      default: condition.summary
      }
    }
    return shown.joined(separator: word) + (conditions.count > 6 ? "\(word)\(conditions.count - 6) more" : "")
  }
}
