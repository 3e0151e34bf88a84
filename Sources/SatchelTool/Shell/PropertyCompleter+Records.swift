import Satchel
import SatchelModel
import SatchelQuery
import TerminalInterface

/// Fields of records: those that are declared, and those that records have besides.
extension PropertyCompleter {
  /// Returns the names that may stand behind a path, and whether there are some behind each of them.
  func fields(
    _ typed: String, behind path: [String], of type: String, _ wanted: Wanted
  ) -> [(name: String, leadsOn: Bool)] {
    var found: [(name: String, leadsOn: Bool)] = []
    if path.isEmpty, case .names(let names)? = ObjectProperty.continuations(of: [], of: .records) {
      found = names.filter { $0.property.map { wanted.takes($0) } ?? false }.map { ($0.name, false) }
    }
    for field in names.fields(of: type, behind: path) {
      guard let property = try? ObjectProperty(path: path + [field.name], of: .records),
        wanted.takes(property, field.declared) || field.leadsOn
      else { continue }
      found.append((field.name, field.leadsOn))
    }
    return found.filter { $0.name.begins(withTyped: typed) }
  }

  /// Returns the words that may stand for a value of a declared field of references or Booleans; nil of any other property.
  func recordWords(of path: [String], _ typed: String, _ quote: Unicode.Scalar) -> [Completion.Candidate]? {
    guard let type = queried.recordType, path.count == 1 else { return nil }
    let words: [String]
    switch names.fields(of: type, behind: []).first(where: { $0.name == path[0] })?.declared {
    case .boolean?: words = ["TRUE", "FALSE", "nil"]
    case .reference(let target?)?:
      guard let target = QueriedKind(argument: target), target.recordType != nil else { return nil }
      words =
        names.records(target, "").map { name in
          let texts = [target.recordType ?? "", name.text]
          return "REFERENCE("
            + texts.map { QueryPredicate.Constant.literal($0, quote: quote) }.joined(separator: ", ") + ")"
        } + ["nil"]
    default: return nil
    }
    return words.filter { $0.begins(withTyped: typed) }.map { .init(name: $0, text: $0) }
  }
}
