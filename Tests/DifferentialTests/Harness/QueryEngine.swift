/// The engine under test, behind the least it takes to compare it: a query in, an answer out.
protocol QueryEngine {
  func run(_ query: GeneratedQuery) throws -> EngineAnswer
}

/// A query as text and numbers, with nothing of the model or of an engine in it.
struct GeneratedQuery: Equatable, Sendable {
  enum Selection: String, Sendable {
    case identifiers, count
  }

  /// `messages`, `conversations`, `parts`, `announcements` or `identities`.
  var kind: String
  /// In the predicate language; nil for all.
  var predicate: String?
  /// Paths, each after a `-` if descending.
  var sort: [String] = []
  var limit: Int?
  var offset: Int?
  var select = Selection.identifiers

  /// The query as a line of a batch: what `satchel query --batch` reads.
  var batchLine: String {
    var members = ["\"from\":\(jsonQuoted(kind))"]
    if let predicate { members.append("\"where\":\(jsonQuoted(predicate))") }
    if !sort.isEmpty { members.append("\"sort\":[\(sort.map(jsonQuoted).joined(separator: ","))]") }
    if let limit { members.append("\"limit\":\(limit)") }
    if let offset { members.append("\"offset\":\(offset)") }
    members.append("\"select\":\"\(select.rawValue)\"")
    return "{\(members.joined(separator: ","))}"
  }
}
