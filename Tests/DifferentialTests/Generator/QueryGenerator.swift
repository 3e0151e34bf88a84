import TestSupport

/// Random queries about the objects of a snapshot: every property, operator and sort key, with operands taken from
/// the data or from near it. The same snapshot and seed give the same queries.
struct QueryGenerator {
  let snapshot: Snapshot
  var random: SeededGenerator
  let catalogue: PathCatalogue

  /// The object that this query's clauses are drawn from, so that several of them can hold at once.
  var anchor: Int?
  var kind = ObjectKind.messages
  /// Whether this query may read part texts, by far the longest values: few queries may.
  var mayReadTexts = false
  /// Whether half of the paths of this query, which is for records, lead through references.
  private var followsReferences = false
  private var clausesLeft = 0

  init(_ snapshot: Snapshot, seed: UInt64) {
    self.snapshot = snapshot
    random = SeededGenerator(seed: seed)
    catalogue = PathCatalogue(snapshot)
  }

  mutating func next() throws -> GeneratedQuery {
    if random.percent(12), let query = try typicalQuery() { return query }
    let records = snapshot.recordTypes.isEmpty ? nil : recordKind()
    start(
      random.pick(weighted: [
        (50, .messages), (24, .conversations), (14, .parts), (4, .announcements), (8, .identities),
        (records == nil ? 0 : 20, records ?? .messages),
      ]))
    var query = GeneratedQuery(kind: kind.rawValue)
    if !random.percent(5) { query.predicate = text(of: try predicate()) }
    query.sort = try sortKeys()
    if kind == .identities, random.percent(50) { query.membersOf = conversationWithMembers() }
    sortMembers(&query)
    (query.limit, query.offset) = page()
    query.select = random.percent(25) ? .count : .identifiers
    if random.percent(15) { try countGroups(&query) }
    return query
  }

  /// Has the results counted by groups, mostly all of them, and often with no condition or a simple one: then an index may have them.
  private mutating func countGroups(_ query: inout GeneratedQuery) throws {
    var path = path()
    while try path.components.last == "text" || !snapshot.column(of: kind, path).isSortable {
      path = self.path()
    }
    query.select = .groups
    var printer = PredicatePrinter()
    query.countedBy = printer.print(path)
    let type = try snapshot.column(of: kind, path).type
    if type == .date || type == .custom, random.percent(60) {
      query.clocks = random.pick([0, 3600, -18_000, 20_700, 50_400])
    }
    if random.percent(75) { (query.limit, query.offset) = (nil, nil) }
    guard query.membersOf == nil else { return }
    if random.percent(30) { query.predicate = nil }
    if random.percent(40) { query.predicate = text(of: try clause()) }
  }

  /// A conversation that the user takes part in, now and then another one, or none.
  private mutating func conversationWithMembers() -> String? {
    let names = random.percent(85) ? snapshot.members.keys.sorted() : snapshot.hiddenIdentifiers
    return names.isEmpty ? nil : random.pick(names).string
  }

  /// Sorts members by their user ids in the end: the model does not know in which order the store has met the users.
  func sortMembers(_ query: inout GeneratedQuery) {
    guard query.membersOf != nil, !query.sort.contains(where: { $0.hasSuffix("userID") }) else { return }
    query.sort.append("userID")
  }

  /// Begins a query for a kind: picks the anchor and what may be read.
  mutating func start(_ kind: ObjectKind) {
    self.kind = kind
    let count = snapshot.count(of: kind)
    anchor = count == 0 ? nil : random.below(count)
    mayReadTexts = count < 5_000 || random.percent(6)
    followsReferences = kind.isOfRecords && random.percent(40)
  }

  mutating func text(of predicate: Predicate) -> String {
    var printer = PredicatePrinter(style: random.fork())
    return printer.print(predicate)
  }

  /// A predicate of one to eight clauses, nested up to four deep.
  mutating func predicate() throws -> Predicate {
    clausesLeft = random.pick(weighted: [(30, 1), (28, 2), (16, 3), (10, 4), (6, 5), (4, 6), (3, 7), (3, 8)])
    var operands: [Predicate] = []
    while clausesLeft > 0 { operands.append(try predicate(depth: random.below(4))) }
    if operands.count == 1 { return operands[0] }
    return random.percent(75) ? .and(operands) : .or(operands)
  }

  private mutating func predicate(depth: Int) throws -> Predicate {
    guard depth > 0, clausesLeft > 1 else {
      clausesLeft -= 1
      return try clause()
    }
    switch random.below(10) {
    case 0...1: return .not(try predicate(depth: depth - 1))
    case 2...5:
      let first = try predicate(depth: depth - 1)
      return clausesLeft > 0 ? .or([first, try predicate(depth: depth - 1)]) : first
    default:
      let first = try predicate(depth: depth - 1)
      return clausesLeft > 0 ? .and([first, try predicate(depth: depth - 1)]) : first
    }
  }

  /// One clause, or its complement; mostly one that the anchor satisfies.
  private mutating func clause() throws -> Predicate {
    if random.percent(1) { return .constant(random.percent(70)) }
    let mustHold = random.percent(75)
    var clause = try plainClause()
    for _ in 0..<3 where mustHold {
      guard let anchor, !(try RowTest.make(clause, kind, snapshot).holds(anchor)) else { break }
      clause = try plainClause()
    }
    return random.percent(8) ? .not(clause) : clause
  }

  private mutating func plainClause() throws -> Predicate {
    let relation: [ByteString]? =
      switch kind {
      case .messages, .announcements: ["parts"]
      case .parts: ["message", "parts"]
      case .conversations, .identities, .records: nil
      }
    if random.percent(8), let pair = try pair() { return .pair(pair) }
    guard let relation, random.percent(6) else { return .comparison(try comparison()) }
    return .elements(
      random.pick(Predicate.Quantifier.allCases), PropertyPath(relation),
      try partPredicate(relation, depth: 2))
  }

  /// A predicate of one part, mostly of several clauses.
  private mutating func partPredicate(_ relation: [ByteString], depth: Int) throws -> Predicate {
    switch depth == 0 ? 9 : random.below(10) {
    case 0...4:
      return .and([
        try partPredicate(relation, depth: depth - 1), try partPredicate(relation, depth: depth - 1),
      ])
    case 5...6:
      return .or([
        try partPredicate(relation, depth: depth - 1), try partPredicate(relation, depth: depth - 1),
      ])
    case 7: return .not(try partPredicate(relation, depth: depth - 1))
    default:
      if random.percent(3) { return .constant(random.percent(60)) }
      let names = ["mimeType", "size", "transferStatus"] + (mayReadTexts ? ["text"] : [])
      let name = ByteString(random.pick(names))
      var comparison = try comparison(of: PropertyPath(relation + [name]))
      // These two are never missing.
      while comparison.operand == .null, name == "mimeType" || name == "transferStatus" {
        comparison = try self.comparison(of: PropertyPath(relation + [name]))
      }
      comparison.path = PropertyPath([name])
      comparison.quantifier = nil
      return .comparison(comparison)
    }
  }

  /// A comparison; one of a declared field with what is of its type: anything else would be an error.
  private mutating func comparison() throws -> Predicate.Comparison {
    while true {
      let path = path()
      let field = snapshot.declaredField(of: kind, path)
      for _ in 0..<50 {
        let made = try comparison(of: path)
        if field.map(made.fits) ?? true { return try naming(fieldsIn: made) }
      }
    }
  }

  /// A path of this query's kind, not to part texts unless they may be read.
  mutating func path() -> PropertyPath {
    while true {
      let path = anyPath()
      if mayReadTexts || path.components.last != "text" { return path }
    }
  }

  private mutating func anyPath() -> PropertyPath {
    if followsReferences, case .records(let type) = kind, random.percent(50),
      let path = catalogue.pathThroughReferences(of: type, &random)
    {
      return path
    }
    return catalogue.path(of: kind, &random)
  }

  mutating func sortKeys() throws -> [String] {
    let count = random.pick(weighted: [(20, 0), (42, 1), (25, 2), (13, 3)])
    var paths: [PropertyPath] = []
    while paths.count < count {
      let path = path()
      if try snapshot.column(of: kind, path).isSortable, !paths.contains(path) { paths.append(path) }
    }
    return paths.map { path in
      var printer = PredicatePrinter()
      return (random.percent(50) ? "-" : "") + printer.print(path)
    }
  }

  mutating func page() -> (limit: Int?, offset: Int?) {
    let count = snapshot.count(of: kind)
    let limit: Int? =
      switch random.below(100) {
      case 0..<35: nil
      case 35..<38: 0
      case 38..<80: 1 + random.below(40)
      case 80..<95: random.below(count + 2)
      default: count + random.below(1_000)
      }
    let offset: Int? =
      switch random.below(100) {
      case 0..<65: nil
      case 65..<68: 0
      case 68..<85: 1 + random.below(30)
      case 85..<98: random.below(count + 2)
      default: Int(Int32.max)
      }
    return (limit, offset)
  }
}
