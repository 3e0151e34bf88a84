import TestSupport

extension QueryGenerator {
  /// A comparison of a property of the current kind: an operator its type takes, and an operand from near the data.
  mutating func comparison(of path: PropertyPath) throws -> Predicate.Comparison {
    let column = try snapshot.column(of: kind, path)
    if snapshot.types[Relations.type] != nil, isOfUsers(path, column), random.percent(15) {
      return relatedComparison(of: path)
    }
    if column.isOptional, random.percent(7) {
      return .init(path: path, operation: random.percent(50) ? .equal : .notEqual, operand: .null)
    }
    var comparison = Predicate.Comparison(
      path: path, operation: random.pick(weighted: Self.operations(of: column.type)), operand: .null)
    switch comparison.operation {
    case .isIn, .notIn:
      // For participants the set is the operand, for the others a set of operands is.
      comparison.operand =
        column.type == .users ? operand(of: column) : .list(ofOneType(operands(of: column), column))
    case .between:
      comparison.operand = .list(
        ofOneType([operand(of: column), operand(of: column)].mostlyAscending(&random), column))
    case .like: comparison.operand = .string(likePattern(text(of: column)))
    case .beginsWith, .endsWith, .contains:
      if column.type == .users {
        comparison.operand = .string(random.pick(users()))
      } else {
        comparison.form = [[], [], .caseless, .markless, [.caseless, .markless]][random.below(5)]
        comparison.operand = .string(fragment(of: text(of: column), for: comparison.operation))
      }
    case .autocomplete:
      comparison.form = [[], [], .caseless, [.caseless, .markless]][random.below(4)]
      comparison.operand = .string(beginnings(ofWordsOf: text(of: column)))
    case .matchesText: comparison.operand = .string(searchPattern(about: text(of: column)))
    default: comparison.operand = operand(of: column)
    }
    if column.type == .custom, comparison.operation == .equal || comparison.operation == .notEqual,
      case .texts(let texts)? = value(of: column)
    {
      comparison.operand = .list(variant(ofTexts: texts).map(Predicate.Literal.string))
    }
    if column.type == .custom, let value = comparison.operand.withoutOrder,
      !comparison.operation.takesBooleans
    {
      comparison.operation = random.percent(70) ? .equal : .notEqual
      comparison.operand = value
    }
    if column.type == .custom, random.percent(20), let dictionary = try dictionary(at: path) {
      return .init(path: path, operation: random.percent(70) ? .equal : .notEqual, operand: dictionary)
    }
    let comparesLists =
      comparison.operand.isList && (comparison.operation == .equal || comparison.operation == .notEqual)
    if column.isToMany || column.type == .custom && !comparesLists, random.percent(40) {
      comparison.quantifier = random.pick(Predicate.Quantifier.allCases)
    }
    return comparison
  }

  private static func operations(of type: ValueType) -> [(weight: Int, element: Predicate.Operation)] {
    switch type {
    case .text, .exact, .custom:
      [
        (8, .equal), (4, .notEqual), (2, .less), (2, .lessOrEqual), (2, .greater), (2, .greaterOrEqual),
        (5, .isIn), (2, .notIn), (3, .between), (4, .like), (4, .beginsWith), (2, .endsWith), (3, .contains),
        (4, .autocomplete), (5, .matchesText),
      ]
    case .number, .date:
      [
        (5, .equal), (3, .notEqual), (4, .less), (4, .lessOrEqual), (5, .greater), (4, .greaterOrEqual),
        (3, .isIn), (2, .notIn), (5, .between),
      ]
    case .boolean, .status, .transfer: [(6, .equal), (3, .notEqual), (2, .isIn), (1, .notIn)]
    case .users: [(4, .equal), (2, .notEqual), (4, .isIn), (3, .notIn), (4, .contains)]
    case .dictionary: [(3, .equal), (1, .notEqual)]
    }
  }

  /// A dictionary such as some object has at a path of metadata; nil if none has.
  private mutating func dictionary(at path: PropertyPath) throws -> Predicate.Literal? {
    let column = try snapshot.column(of: kind, path, .dictionaries)
    return column.values.isEmpty ? nil : operand(of: column)
  }

  /// None to six operands, some of them twice.
  private mutating func operands(of column: Column) -> [Predicate.Literal] {
    if random.percent(6) { return [] }
    return (0...random.below(6)).map { _ in operand(of: column) }
  }

  /// A value of the column: often the anchor's, otherwise another object's or any of the distinct ones.
  private mutating func value(of column: Column) -> Value? {
    guard !column.values.isEmpty else { return nil }
    if let anchor, random.percent(55) {
      let start = Int(column.starts[anchor])
      let count = Int(column.starts[anchor + 1]) - start
      if count > 0 { return column.values[Int(column.ranks[start + random.below(count)])] }
    }
    if random.percent(50) { return column.values[Int(random.pick(column.ranks))] }
    return random.pick(column.values)
  }

  private mutating func operand(of column: Column) -> Predicate.Literal {
    switch column.type {
    case .text, .exact: return .string(variant(of: text(of: column)))
    case .custom:
      if column.mayRefer, random.percent(8) { return anyLiteral() }
      return custom(near: value(of: column))
    case .number: return number(near: integer(of: column))
    case .date: return .string(date(near: integer(of: column)))
    case .boolean: return .boolean(random.percent(50))
    case .status: return .string(random.pick(recipientStatuses))
    case .transfer: return .string(random.pick(transferStatuses))
    case .users:
      guard case .users(let users)? = value(of: column) else { return .list([]) }
      return .list(variant(of: users).map(Predicate.Literal.string))
    case .dictionary:
      guard case .dictionary(let tree)? = value(of: column) else { return .list([]) }
      return variant(of: tree)
    }
  }

  /// A literal near a value of metadata: mostly of its type.
  private mutating func custom(near value: Value?) -> Predicate.Literal {
    if random.percent(6) {
      return random.pick([
        .integer(0), .integer(1), .boolean(true), .boolean(false), .string(""), .date(1_700_000_000_000_000),
        .double(0.5),
      ])
    }
    switch value {
    case .string(let text)?: return .string(variant(of: text))
    case .integer(let value)?: return number(near: value)
    case .double(let value)?:
      return random.percent(60) ? .double(value) : .double(value + random.pick([1, -1, 0.5]))
    case .boolean(let value)?: return .boolean(random.percent(70) ? value : !value)
    case .date(let date)?:
      return .date(random.percent(60) ? date : date + random.pick([1, -1, 3_600_000_000]))
    case .reference(let reference)?: return .reference(variant(of: reference))
    case .texts(let texts)? where !texts.isEmpty:
      return .string(variant(of: random.pick(texts.sorted())))
    case .list?, .texts?, .users?, .dictionary?, nil: return .string(random.pick(["", "a", "Zürich"]))
    }
  }

  /// Of operands of metadata, those of the first one's type: others would be an error.
  private func ofOneType(_ operands: [Predicate.Literal], _ column: Column) -> [Predicate.Literal] {
    guard column.type == .custom, let first = operands.first else { return operands }
    return operands.map { $0.isOfSameType(as: first) ? $0 : first }
  }

  private mutating func integer(of column: Column) -> Int64? {
    guard case .integer(let value)? = value(of: column) else { return nil }
    return value
  }

  /// A string of the column; of a long text mostly its first hundred scalars.
  mutating func text(of column: Column) -> ByteString {
    guard case .string(let text)? = value(of: column) else {
      return random.pick(["", "a", "Zürich", "image/png", "%", "🙂"])
    }
    if column.type == .exact {
      if random.percent(3), !snapshot.hiddenIdentifiers.isEmpty {
        return random.pick(snapshot.hiddenIdentifiers)
      }
      return text
    }
    return text.utf8.count > 400 && !random.percent(20)
      ? ByteString(scalars: Array(text.scalars.prefix(100))) : text
  }

  mutating func users() -> [ByteString] {
    guard !snapshot.conversations.isEmpty else { return [snapshot.user] }
    let row = kind == .conversations ? anchor ?? 0 : random.below(snapshot.conversations.count)
    let near = snapshot.conversations[row].record.participants
    let far = random.pick(snapshot.conversations).record.participants
    return near.sorted() + near.sorted() + far.sorted() + ["nobody"]
  }

  private mutating func variant(of set: Set<ByteString>) -> [ByteString] {
    var users = set.sorted()
    switch random.below(8) {
    case 0: users.removeAll { $0 == snapshot.user }
    case 1: users.append(random.pick(self.users()))
    case 2: if !users.isEmpty { users.remove(at: random.below(users.count)) }
    case 3: users = (0..<random.below(4)).map { _ in random.pick(self.users()) }
    default: break
    }
    users.shuffle(using: &random)
    return users
  }

  private mutating func variant(ofTexts texts: Set<ByteString>) -> [ByteString] {
    var texts = texts.sorted()
    switch random.below(6) {
    case 0: texts.append("more")
    case 1: if !texts.isEmpty { texts.remove(at: random.below(texts.count)) }
    case 2: texts += texts
    default: break
    }
    texts.shuffle(using: &random)
    return texts
  }

  private mutating func variant(of tree: MetadataTree) -> Predicate.Literal {
    var tree = tree
    let paths = tree.paths().map(\.path)
    switch random.below(8) {
    case 0: tree = .empty
    case 1: if !paths.isEmpty { tree.remove(at: random.pick(paths)[...]) }
    case 2: tree.set(random.percent(50) ? .text("more") : .integer(1), at: ["extra"])
    default: break
    }
    return literal(tree, isDecomposed: random.percent(20))
  }

  private func literal(_ tree: MetadataTree, isDecomposed: Bool) -> Predicate.Literal {
    switch tree {
    case .text(let text): .string(isDecomposed ? text.decomposed : text)
    case .integer(let value): .integer(value)
    case .number(let value): .double(value)
    case .boolean(let value): .boolean(value)
    case .date(let date): .date(date)
    case .reference(let reference): .reference(reference)
    case .list(let texts): .list(texts.map { .string(isDecomposed ? $0.decomposed : $0) })
    case .dictionary(let children) where children.isEmpty: .list([])
    case .dictionary(let children):
      .dictionary(children.mapValues { literal($0, isDecomposed: isDecomposed) })
    }
  }
}

extension [Predicate.Literal] {
  /// Two bounds, mostly the lower one first.
  fileprivate func mostlyAscending(_ random: inout SeededGenerator) -> [Predicate.Literal] {
    guard count == 2, random.percent(85), self[0].sorts(after: self[1]) else { return self }
    return [self[1], self[0]]
  }
}

extension Predicate.Operation {
  /// Whether Booleans and references, which have no order, can be compared in this way.
  fileprivate var takesBooleans: Bool {
    switch self {
    case .equal, .notEqual, .isIn, .notIn: true
    default: false
    }
  }
}

extension Predicate.Literal {
  /// The Boolean or the reference that it is, or with which it begins; nil of anything else.
  fileprivate var withoutOrder: Predicate.Literal? {
    switch self {
    case .boolean, .reference: self
    case .list(let elements): elements.first?.withoutOrder
    default: nil
    }
  }

  fileprivate func isOfSameType(as other: Predicate.Literal) -> Bool {
    switch (self, other) {
    case (.string, .string), (.reference, .reference), (.boolean, .boolean), (.date, .date),
      (.integer, .integer), (.integer, .double),
      (.double, .integer), (.double, .double):
      true
    default: false
    }
  }

  fileprivate func sorts(after other: Predicate.Literal) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left > right
    case (.integer(let left), .integer(let right)): left > right
    case (.double(let left), .double(let right)): left > right
    case (.integer(let left), .double(let right)): Double(left) > right
    case (.double(let left), .integer(let right)): left > Double(right)
    case (.date(let left), .date(let right)): left > right
    default: false
    }
  }
}
