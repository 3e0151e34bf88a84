import Satchel
import TestSupport

/// Predicates of records.
extension QuestionGenerator {
  /// What programs ask for of tasks.
  mutating func typicalOfRecords() -> [(String, String?)] {
    let area = reference()
    return [
      ("TRUEPREDICATE", nil), ("TRUEPREDICATE", "order"), ("TRUEPREDICATE", "updatedAt"),
      ("done = FALSE", nil), ("done = FALSE", "order"), ("area = \(area)", nil), ("area = \(area)", "order"),
      ("area = \(area) AND done = FALSE", "due"), ("about = \(area) OR area = \(area)", nil),
      ("area IN {\(area), \(reference())}", "order"), ("due > \(Pools.spelling(random.hour()))", "due"),
      ("area = about", nil), ("owner = 'alice'", "area"), ("order > 3", "title"), ("area = nil", "createdAt"),
    ]
  }

  mutating func ofRecord() -> String {
    switch random.below(14) {
    case 0: "identifier \(random.pick(["=", "!=", "<", ">="])) 't\(random.below(60))'"
    case 1: "owner \(random.pick(["=", "!=", "<"])) '\(random.user())'"
    case 2: "\(random.pick(["createdBy", "updatedBy"])) = 'alice'"
    case 3: "updatedAt \(random.pick(["=", ">", "!="])) createdAt"
    case 4: "done = \(random.pick(["TRUE", "FALSE"]))"
    case 5: "due \(random.pick(["<", ">=", "!="])) \(Pools.spelling(random.hour()))"
    case 6: "order \(random.pick(["=", "<", ">", "!="])) \(random.below(8))"
    case 7...10: ofReference(random.pick(["area", "area", "about", "#'title'", "tag"]))
    default: custom("#" + spelled(random.keyPath()))
    }
  }

  private mutating func ofReference(_ path: String) -> String {
    switch random.below(8) {
    case 0: "\(path) = nil"
    case 1: "\(path) != nil"
    case 2: "\(path) \(random.pick(["IN", "NOT IN"])) {\(reference()), \(reference()), \(reference())}"
    case 3: "\(random.pick(["ANY", "ALL", "NONE"])) \(path) \(random.pick(["=", "!="])) \(reference())"
    case 4: "\(reference()) IN \(path)"
    default: "\(path) \(random.pick(["=", "=", "!="])) \(reference())"
    }
  }

  /// A reference to an area, a task, a message or a conversation that there is, or was, or may come.
  private mutating func reference() -> String {
    let (type, names): (String, [String]) =
      switch random.below(8) {
      case 0 where random.percent(40): ("messages", ["srv/\(random.below(40))"])
      case 0: ("messages", identifiers[.messages] ?? [])
      case 1: ("conversations", identifiers[.conversations] ?? [])
      case 2: ("task", identifiers[.records] ?? [])
      default: ("area", [])
      }
    let name = names.isEmpty ? random.area().name : random.pick(names)
    return "REFERENCE('\(type)', '\(name)')"
  }
}
