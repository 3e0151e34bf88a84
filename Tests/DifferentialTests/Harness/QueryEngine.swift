/// The engine under test, behind the least it takes to compare it: a query in, an answer out.
protocol QueryEngine {
  func run(_ query: GeneratedQuery) throws -> EngineAnswer
}

/// A query as text and numbers, with nothing of the model or of an engine in it.
struct GeneratedQuery: Equatable, Sendable {
  enum Selection: String, Sendable {
    case identifiers, count
    /// How many results each group has: as lines, in order.
    case groups
  }

  /// `messages`, `conversations`, `parts`, `announcements`, `identities`, or the name of a type of records.
  var kind: String
  /// The conversation whose members are asked for, of identities; nil for all of the kind.
  var membersOf: String?
  /// In the predicate language; nil for all.
  var predicate: String?
  /// Paths, each after a `-` if descending.
  var sort: [String] = []
  var limit: Int?
  var offset: Int?
  var anchor: ExpectedAnchor?
  var select = Selection.identifiers
  /// The path of the property that results are counted by, and by how many seconds the clocks are ahead of UTC whose days they are
  /// counted by, if by days.
  var countedBy: String?
  var clocks: Int64?

  /// The query as a line of a batch: what `satchel query --batch` reads.
  var batchLine: String {
    var members = ["\"from\":\(jsonQuoted(kind))"]
    if let membersOf { members.append("\"membersOf\":\(jsonQuoted(membersOf))") }
    if let predicate { members.append("\"where\":\(jsonQuoted(predicate))") }
    if !sort.isEmpty { members.append("\"sort\":[\(sort.map(jsonQuoted).joined(separator: ","))]") }
    if let limit { members.append("\"limit\":\(limit)") }
    if let offset { members.append("\"offset\":\(offset)") }
    // A batch has no numbers before and after an anchor: these are for people.
    if let anchor { members.append("\"anchor\":\(jsonQuoted(anchor.description))") }
    if let countedBy { members.append("\"by\":\(jsonQuoted(countedBy))") }
    if let clocks { members.append("\"clocks\":\(clocks)") }
    members.append("\"select\":\"\(select.rawValue)\"")
    return "{\(members.joined(separator: ","))}"
  }
}

/// A group as the model and the engine spell it.
enum GroupText {
  static func missing(_ count: Int) -> String { "none = \(count)" }
  static func text(_ value: String, _ count: Int) -> String { "text \(value) = \(count)" }
  static func number(_ value: some CustomStringConvertible, _ count: Int) -> String {
    "number \(value) = \(count)"
  }
  static func date(_ microseconds: Int64, _ count: Int) -> String { "date \(microseconds) = \(count)" }
  static func boolean(_ value: Bool, _ count: Int) -> String { "boolean \(value) = \(count)" }
  static func reference(_ value: ModelReference, _ count: Int) -> String {
    "reference \(value.type)/\(value.name) = \(count)"
  }
}

/// A place in the order of a query's results, from which the stretch that is wanted is counted.
enum ExpectedAnchor: Equatable, Sendable, CustomStringConvertible {
  case after(String)
  case before(String)
  case around(String, before: Int, after: Int)
  /// Microseconds; by the first sort key.
  case aroundDate(Int64, before: Int, after: Int)

  var description: String {
    switch self {
    case .after(let identifier): "after \(identifier)"
    case .before(let identifier): "before \(identifier)"
    case .around(let identifier, let before, let after): "\(before) before, \(after) after \(identifier)"
    case .aroundDate(let date, let before, let after):
      "\(before) before, \(after) after \(Timestamp.format(date))"
    }
  }
}
