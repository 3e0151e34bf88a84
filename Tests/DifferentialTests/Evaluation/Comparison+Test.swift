extension Predicate.Comparison {
  /// Decides one value of the column, given its rank, by the positive sense of the operator; `!=`, `NOT IN` and
  /// `= nil` are complements, of the whole, which the caller takes.
  typealias ValueTest = (Int) -> Bool

  /// The test, and whether its result over all values of an object is to be complemented.
  func test(on column: Column, user: ByteString) throws -> (test: ValueTest, isComplement: Bool) {
    if operand == .null {
      guard column.isOptional else { throw unsupported("the property is always there") }
      switch operation {
      case .equal: return ({ _ in true }, true)
      case .notEqual: return ({ _ in true }, false)
      default: throw unsupported("only = and != take nil")
      }
    }
    switch operation {
    case .notEqual: return (try positiveTest(.equal, column, user), true)
    case .notIn: return (try positiveTest(.isIn, column, user), true)
    default: return (try positiveTest(operation, column, user), false)
    }
  }

  private func positiveTest(
    _ operation: Predicate.Operation, _ column: Column, _ user: ByteString
  ) throws -> ValueTest {
    switch column.type {
    case .text, .exact: return try stringTest(operation, column)
    case .custom: return try customTest(operation, column)
    case .number: return try orderedTest(operation, column, Self.number)
    case .date: return try orderedTest(operation, column, Self.date)
    case .boolean, .status, .transfer: return try membershipTest(operation, column)
    case .users: return try usersTest(operation, column, user)
    case .dictionary:
      guard operation == .equal else { throw unsupported("only = and !=") }
      let wanted = Value.dictionary(try Self.tree(operand))
      return { column.values[$0] == wanted }
    }
  }

  func unsupported(_ reason: String) -> QueryError {
    QueryError("\(path.components) \(operation.rawValue) \(operand): \(reason)")
  }
}

/// Strings.
extension Predicate.Comparison {
  func stringTest(_ operation: Predicate.Operation, _ column: Column) throws -> ValueTest {
    func string(_ literal: Predicate.Literal) throws -> ByteString {
      guard case .string(let text) = literal else { throw unsupported("a string is needed") }
      return column.type == .exact ? text : text.composed
    }
    func compare(_ holds: @escaping (ByteString, ByteString) -> Bool, in form: TextForm = []) throws
      -> ValueTest
    {
      let wanted = form.apply(to: try string(operand))
      return { rank in column.string(at: rank, in: form).map { holds($0, wanted) } ?? false }
    }
    switch operation {
    case .equal: return try compare(==)
    case .less: return try compare(<)
    case .lessOrEqual: return try compare(<=)
    case .greater: return try compare(>)
    case .greaterOrEqual: return try compare(>=)
    case .beginsWith: return try compare({ $0.hasPrefix($1) }, in: form)
    case .endsWith: return try compare({ $0.hasSuffix($1) }, in: form)
    case .contains: return try compare({ $0.contains($1) }, in: form)
    case .like:
      let pattern = LikePattern(try string(operand))
      return { rank in column.string(at: rank, in: .caseless).map(pattern.matches) ?? false }
    case .autocomplete:
      let wanted = TextForm.ofWords.apply(to: try string(operand)).words
      guard !wanted.isEmpty else { return { _ in false } }
      return { rank in
        let words = column.words(at: rank)
        return wanted.allSatisfy { wanted in words.contains { $0.hasPrefix(wanted) } }
      }
    case .matchesText:
      guard case .string(let text) = operand else { throw unsupported("a string is needed") }
      guard form.isEmpty else { throw unsupported("it has no options") }
      guard let question = try SearchQuestion(text) else { return { _ in false } }
      return { rank in column.searchText(at: rank).map(question.holds) ?? false }
    case .isIn:
      let wanted = Set(try elements().map(string))
      return { rank in column.string(at: rank, in: []).map(wanted.contains) ?? false }
    case .between:
      let bounds = try elements().map(string)
      guard bounds.count == 2 else { throw unsupported("two bounds are needed") }
      return { rank in column.string(at: rank, in: []).map { bounds[0] <= $0 && $0 <= bounds[1] } ?? false }
    case .notEqual, .notIn, .related: throw unsupported("it is not tested by the values alone")
    }
  }

  func elements() throws -> [Predicate.Literal] {
    guard case .list(let elements) = operand else { throw unsupported("a set is needed") }
    return elements
  }
}

/// Numbers and dates.
extension Predicate.Comparison {
  /// How a value of the property lies to an operand: negative before it, positive after it.
  private typealias Order = (Int64) -> Int

  private func orderedTest(
    _ operation: Predicate.Operation, _ column: Column, _ order: (Predicate.Literal) -> Order?
  ) throws -> ValueTest {
    func checked(_ literal: Predicate.Literal) throws -> Order {
      guard let order = order(literal) else { throw unsupported("an operand of the wrong type") }
      return order
    }
    func compare(_ holds: @escaping (Int) -> Bool) throws -> ValueTest {
      let order = try checked(operand)
      return { rank in
        guard case .integer(let value) = column.values[rank] else { return false }
        return holds(order(value))
      }
    }
    switch operation {
    case .equal: return try compare { $0 == 0 }
    case .less: return try compare { $0 < 0 }
    case .lessOrEqual: return try compare { $0 <= 0 }
    case .greater: return try compare { $0 > 0 }
    case .greaterOrEqual: return try compare { $0 >= 0 }
    case .isIn:
      let orders = try elements().map(checked)
      return { rank in
        guard case .integer(let value) = column.values[rank] else { return false }
        return orders.contains { $0(value) == 0 }
      }
    case .between:
      let bounds = try elements().map(checked)
      guard bounds.count == 2 else { throw unsupported("two bounds are needed") }
      return { rank in
        guard case .integer(let value) = column.values[rank] else { return false }
        return bounds[0](value) >= 0 && bounds[1](value) <= 0
      }
    default: throw unsupported("an operator for strings")
    }
  }

  /// Compares as numbers do, exactly, however large they are.
  private static func number(_ literal: Predicate.Literal) -> Order? {
    switch literal {
    case .integer(let wanted): return { $0 < wanted ? -1 : $0 > wanted ? 1 : 0 }
    case .double(let wanted):
      if wanted.isNaN { return nil }
      return { $0.order(beside: wanted) }
    default: return nil
    }
  }

  private static func date(_ literal: Predicate.Literal) -> Order? {
    let date: Int64? =
      switch literal {
      case .string(let text): Timestamp.parse(text)
      case .date(let date): date
      default: nil
      }
    guard let wanted = date else { return nil }
    return { $0 < wanted ? -1 : $0 > wanted ? 1 : 0 }
  }
}

/// Booleans, statuses, sets of users, dictionaries.
extension Predicate.Comparison {
  private func membershipTest(_ operation: Predicate.Operation, _ column: Column) throws -> ValueTest {
    func value(_ literal: Predicate.Literal) throws -> Value {
      switch (column.type, literal) {
      case (.boolean, .boolean(let boolean)): return .boolean(boolean)
      case (.status, .string(let status)) where recipientStatuses.contains(status): return .string(status)
      case (.transfer, .string(let status)):
        guard let place = transferStatuses.firstIndex(of: status) else { fallthrough }
        return .integer(Int64(place))
      default: throw unsupported("an operand of the wrong type")
      }
    }
    let wanted: Set<Value>
    switch operation {
    case .equal: wanted = [try value(operand)]
    case .isIn: wanted = Set(try elements().map(value))
    default: throw unsupported("only =, !=, IN and NOT IN")
    }
    return { wanted.contains(column.values[$0]) }
  }

  private func usersTest(
    _ operation: Predicate.Operation, _ column: Column, _ user: ByteString
  ) throws -> ValueTest {
    func userID(_ literal: Predicate.Literal) throws -> ByteString {
      guard case .string(let user) = literal else { throw unsupported("a user id is needed") }
      return user
    }
    func compare(_ holds: @escaping (Set<ByteString>) -> Bool) -> ValueTest {
      { rank in
        guard case .users(let users) = column.values[rank] else { return false }
        return holds(users)
      }
    }
    switch operation {
    case .equal:
      let wanted = Set(try elements().map(userID)).union([user])
      return compare { $0 == wanted }
    case .isIn:
      let wanted = Set(try elements().map(userID))
      return compare { !$0.isDisjoint(with: wanted) }
    case .contains:
      let wanted = try userID(operand)
      return compare { $0.contains(wanted) }
    default: throw unsupported("only =, !=, IN, NOT IN and CONTAINS")
    }
  }

  private static func tree(_ literal: Predicate.Literal) throws -> MetadataTree {
    switch literal {
    case .string(let text): return .text(text.composed)
    case .integer(let value): return .integer(value)
    case .double(let value): return MetadataTree.number(value).composed
    case .boolean(let value): return .boolean(value)
    case .date(let date): return .date(date)
    case .reference(let reference): return .reference(reference)
    case .dictionary(let children): return .dictionary(try children.mapValues(tree))
    case .list(let elements):
      return MetadataTree.list(
        try elements.map { element in
          guard case .string(let text) = element else { throw QueryError("lists have texts") }
          return text
        }
      ).composed
    default: throw QueryError("a dictionary of values is needed")
    }
  }
}
