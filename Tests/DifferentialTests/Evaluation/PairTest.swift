/// Holds when values of two properties of a row are related. A missing one is related to none.
final class PairTest: RowTest {
  private let pair: Predicate.Pair
  private let left: PairSide
  private let right: PairSide

  init(_ pair: Predicate.Pair, _ kind: ObjectKind, _ snapshot: Snapshot) throws {
    let columns = try [pair.left, pair.right].map { try snapshot.column(of: kind, $0) }
    try pair.check(columns[0], columns[1])
    // Beside an identifier a text compares as it was given.
    let isExact = columns.contains { $0.type == .exact || $0.type == .users }
    func side(_ path: PropertyPath) throws -> PairSide {
      let column = try snapshot.column(of: kind, path, isExact ? .asGiven : .compared)
      return PairSide(column: column)
    }
    self.pair = pair
    left = try side(pair.left)
    right = try side(pair.right)
    super.init(isSlow: pair.left.components.last == "text" || pair.right.components.last == "text")
  }

  override func holds(_ row: Int) -> Bool {
    let (values, missing) = left.values(of: row)
    let others = right.values(of: row).values
    func passes(_ value: Value) -> Bool {
      others.contains { pair.relates(value, to: $0) } != pair.isComplement
    }
    switch pair.quantifier {
    case nil: return values.contains { passes($0) != pair.isComplement } != pair.isComplement
    case .anyElement: return values.contains(where: passes) || missing > 0 && pair.isComplement
    case .noElement: return !(values.contains(where: passes) || missing > 0 && pair.isComplement)
    case .everyElement:
      // All of a value of metadata that is missing holds only of complements; of a list without texts always.
      let isThere = left.column.type != .custom || left.column.starts[row] < left.column.starts[row + 1]
      return values.allSatisfy(passes) && (missing == 0 && isThere || pair.isComplement)
    }
  }
}

/// A property on one side of a pair.
private struct PairSide {
  let column: Column

  /// The values of a row, each by itself and as its type compares, and how many elements have none.
  func values(of row: Int) -> (values: [Value], missing: Int) {
    let ranks = column.ranks[Int(column.starts[row])..<Int(column.starts[row + 1])]
    let values = ranks.map { column.values[Int($0)] }.filter(\.isElement).flatMap { value -> [Value] in
      switch value {
      case .users(let users): users.map { .string($0) }
      case .integer(let date) where column.type == .date: [.date(date)]
      default: [value]
      }
    }
    return (values, column.isToMany ? column.elementCount(of: row) - ranks.count : 0)
  }
}

extension Predicate.Pair {
  /// Whether the operator negates.
  var isComplement: Bool { operation == .notEqual || operation == .notIn }

  /// Throws if the properties do not compare, or not in this way.
  func check(_ left: Column, _ right: Column) throws {
    func require(_ holds: Bool, _ reason: String) throws {
      guard holds else {
        throw QueryError("\(self.left.components) \(operation.rawValue) \(self.right.components): \(reason)")
      }
    }
    try require(left.type.compares(with: right.type), "their types do not compare")
    for side in [left, right] where side.isReferenced {
      try require(!side.isToMany && side.type != .users, "what a referenced object has several of")
    }
    try require(
      quantifier == nil || left.isToMany || left.type == .custom, "a quantifier goes with several values")
    switch operation {
    case .equal, .notEqual:
      try require(left.type != .users && right.type != .users, "participants are several")
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try require(left.type.hasOrder && right.type.hasOrder, "they have no order")
    case .isIn, .notIn:
      try require(
        right.isToMany || right.type == .users || right.type == .custom, "the right one has one value")
    case .contains: try require(left.type == .users, "only participants contain")
    case .between, .like, .beginsWith, .endsWith, .autocomplete, .related, .matchesText:
      try require(false, "an operator that takes a value")
    }
  }

  /// Whether a value on the left compares with one on the right as a positive sense of the operator asks.
  fileprivate func relates(_ left: Value, to right: Value) -> Bool {
    switch operation {
    case .less: left.order(beside: right).map { $0 < 0 } ?? false
    case .lessOrEqual: left.order(beside: right).map { $0 <= 0 } ?? false
    case .greater: left.order(beside: right).map { $0 > 0 } ?? false
    case .greaterOrEqual: left.order(beside: right).map { $0 >= 0 } ?? false
    // Of values that have no order, Booleans and statuses, the same ones are equal.
    default: left.order(beside: right).map { $0 == 0 } ?? (left == right)
    }
  }
}

extension ValueType {
  /// Whether values of two types are compared with each other.
  fileprivate func compares(with other: ValueType) -> Bool {
    switch (self, other) {
    case (.dictionary, _), (_, .dictionary): false
    case (.status, _), (_, .status), (.transfer, _), (_, .transfer): self == other
    case (.custom, _), (_, .custom): true
    case (.text, _), (.exact, _), (.users, _): other == .text || other == .exact || other == .users
    case (.number, _), (.date, _), (.boolean, _): self == other
    }
  }

  /// Whether two of the type may be asked which one is less. Of values of metadata the types decide.
  fileprivate var hasOrder: Bool {
    switch self {
    case .text, .exact, .custom, .number, .date: true
    case .boolean, .status, .users, .dictionary, .transfer: false
    }
  }
}

extension Value {
  /// How the value lies to another one: negative before it, positive after it; nil if they are of different types or have no order.
  fileprivate func order(beside other: Value) -> Int? {
    switch (self, other) {
    case (.string(let left), .string(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .integer(let right)), (.date(let left), .date(let right)):
      left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .double(let right)): left.order(beside: right)
    case (.double(let left), .integer(let right)): -right.order(beside: left)
    case (.double(let left), .double(let right)): left < right ? -1 : left == right ? 0 : 1
    default: nil
    }
  }
}
