/// A predicate made ready for the rows of one kind.
class RowTest {
  /// Whether this may read long texts: such a test goes last in a conjunction.
  let isSlow: Bool

  init(isSlow: Bool) {
    self.isSlow = isSlow
  }

  func holds(_ row: Int) -> Bool { false }

  static func make(_ predicate: Predicate, _ kind: ObjectKind, _ snapshot: Snapshot) throws -> RowTest {
    try make(predicate, kind, snapshot, column: { try snapshot.column(of: kind, $0) }, isOfElement: false)
  }

  private static func make(
    _ predicate: Predicate, _ kind: ObjectKind, _ snapshot: Snapshot,
    column: @escaping (PropertyPath) throws -> Column,
    isOfElement: Bool
  ) throws -> RowTest {
    func make(_ predicate: Predicate) throws -> RowTest {
      try Self.make(predicate, kind, snapshot, column: column, isOfElement: isOfElement)
    }
    switch predicate {
    case .constant(let holds): return ConstantTest(holds)
    case .not(let operand): return NotTest(try make(operand))
    case .and(let operands): return AllTest(try operands.map(make))
    case .or(let operands):
      // One of several holds exactly when not all of their complements do.
      return NotTest(AllTest(try operands.map { NotTest(try make($0)) }))
    case .elements(let quantifier, let path, let predicate):
      guard !isOfElement, let parts = snapshot.partsOfRows(of: kind, at: path) else {
        throw QueryError("conditions of one element go with parts, and not in one another")
      }
      let inner = try Self.make(predicate, kind, snapshot, column: parts.column, isOfElement: true)
      return GroupTest(inner, quantifier, parts.rows)
    case .pair(let pair):
      guard !isOfElement else { throw QueryError("two properties of one and the same part do not compare") }
      return try PairTest(pair, kind, snapshot)
    case .comparison(let comparison):
      if let question = try comparison.questionOfFields() {
        return try FieldSearch(comparison, isOfElement ? nil : kind, column).test(question)
      }
      try snapshot.checkDeclaredField(comparison, of: kind)
      let comparison = comparison.naming(snapshot.referencesByName)
      var column = try column(comparison.path)
      // A dictionary within metadata, of which the comparison knows nothing else.
      if column.type == .custom, comparison.operand.isDictionary, comparison.quantifier == nil {
        column = try snapshot.column(of: kind, comparison.path, .dictionaries)
      }
      let (test, isComplement) =
        try comparison.operation == .related
        ? (comparison.relationTest(on: column, in: snapshot), false)
        : comparison.test(on: column, user: snapshot.user)
      return try comparison.rowTest(on: column, test, isComplement)
    }
  }
}

extension Predicate.Comparison {
  /// The test of a row, made of that of one value.
  func rowTest(on column: Column, _ test: @escaping ValueTest, _ isComplement: Bool) throws
    -> RowTest
  {
    let isSlow = path.components.last == "text"
    guard let quantifier else { return ColumnTest(column, test, isComplement, isSlow: isSlow) }
    guard column.isToMany || column.type == .custom, operand != .null, operation != .related else {
      throw unsupported("a quantifier goes with a value, and a path to many or of metadata")
    }
    if column.type == .custom { return MetadataElementTest(column, test, isComplement, quantifier) }
    return ElementTest(column, test, isComplement, quantifier, isSlow: isSlow)
  }
}

private final class ConstantTest: RowTest {
  let result: Bool

  init(_ result: Bool) {
    self.result = result
    super.init(isSlow: false)
  }

  override func holds(_ row: Int) -> Bool { result }
}

final class NotTest: RowTest {
  let operand: RowTest

  init(_ operand: RowTest) {
    self.operand = operand
    super.init(isSlow: operand.isSlow)
  }

  override func holds(_ row: Int) -> Bool { !operand.holds(row) }
}

final class AllTest: RowTest {
  let operands: [RowTest]

  init(_ operands: [RowTest]) {
    self.operands = operands.filter { !$0.isSlow } + operands.filter(\.isSlow)
    super.init(isSlow: operands.contains(where: \.isSlow))
  }

  override func holds(_ row: Int) -> Bool {
    for operand in operands where !operand.holds(row) { return false }
    return true
  }
}

/// Holds when any of the row's values passes, or, as a complement, when none does.
private final class ColumnTest: RowTest {
  private enum Verdict: UInt8 { case unknown, passes, fails }

  private let column: Column
  private let test: Predicate.Comparison.ValueTest
  private let isComplement: Bool
  /// By rank: what was decided so far.
  private var verdicts: [Verdict]

  init(
    _ column: Column, _ test: @escaping Predicate.Comparison.ValueTest, _ isComplement: Bool, isSlow: Bool
  ) {
    self.column = column
    self.test = test
    self.isComplement = isComplement
    verdicts = Array(repeating: .unknown, count: column.values.count)
    super.init(isSlow: isSlow)
  }

  override func holds(_ row: Int) -> Bool {
    for at in Int(column.starts[row])..<Int(column.starts[row + 1]) {
      let rank = Int(column.ranks[at])
      if verdicts[rank] == .unknown { verdicts[rank] = test(rank) ? .passes : .fails }
      if verdicts[rank] == .passes { return !isComplement }
    }
    return isComplement
  }
}

/// Holds when any, every or no element passes, where an element without a value passes only a complement.
private final class ElementTest: RowTest {
  private let column: Column
  private let test: Predicate.Comparison.ValueTest
  private let isComplement: Bool
  private let quantifier: Predicate.Quantifier

  init(
    _ column: Column, _ test: @escaping Predicate.Comparison.ValueTest, _ isComplement: Bool,
    _ quantifier: Predicate.Quantifier, isSlow: Bool
  ) {
    self.column = column
    self.test = test
    self.isComplement = isComplement
    self.quantifier = quantifier
    super.init(isSlow: isSlow)
  }

  override func holds(_ row: Int) -> Bool {
    let ranks = column.ranks[Int(column.starts[row])..<Int(column.starts[row + 1])]
    let elements = column.elementCount(of: row)
    let passing = ranks.count { test(Int($0)) != isComplement } + (isComplement ? elements - ranks.count : 0)
    switch quantifier {
    case .anyElement: return passing > 0
    case .everyElement: return passing == elements
    case .noElement: return passing == 0
    }
  }
}

/// Holds when any, every or no element of a value of metadata passes: of a list each text, else the value. Without a value only
/// complements of every element hold, and that none does.
private final class MetadataElementTest: RowTest {
  private let column: Column
  private let test: Predicate.Comparison.ValueTest
  private let isComplement: Bool
  private let quantifier: Predicate.Quantifier

  init(
    _ column: Column, _ test: @escaping Predicate.Comparison.ValueTest, _ isComplement: Bool,
    _ quantifier: Predicate.Quantifier
  ) {
    self.column = column
    self.test = test
    self.isComplement = isComplement
    self.quantifier = quantifier
    super.init(isSlow: false)
  }

  override func holds(_ row: Int) -> Bool {
    let values = column.ranks[Int(column.starts[row])..<Int(column.starts[row + 1])].map(Int.init)
    let passes = values.filter { column.values[$0].isElement }.map { test($0) != isComplement }
    switch quantifier {
    case .anyElement: return passes.contains(true)
    case .everyElement: return !passes.contains(false) && (isComplement || !values.isEmpty)
    case .noElement: return !passes.contains(true)
    }
  }
}

/// Holds when any, every or no part of the row's message meets one test.
private final class GroupTest: RowTest {
  private let test: RowTest
  private let quantifier: Predicate.Quantifier
  /// The parts of a row, as rows of the test.
  private let parts: (Int) -> Range<Int>

  init(_ test: RowTest, _ quantifier: Predicate.Quantifier, _ parts: @escaping (Int) -> Range<Int>) {
    self.test = test
    self.quantifier = quantifier
    self.parts = parts
    super.init(isSlow: test.isSlow)
  }

  override func holds(_ row: Int) -> Bool {
    switch quantifier {
    case .anyElement: parts(row).contains { test.holds($0) }
    case .everyElement: parts(row).allSatisfy { test.holds($0) }
    case .noElement: !parts(row).contains { test.holds($0) }
    }
  }
}

extension Snapshot {
  /// The parts of the rows of a kind, message after message: a part's own properties, and which parts a row has. Nil if the path does not
  /// lead to parts.
  fileprivate func partsOfRows(of kind: ObjectKind, at path: PropertyPath) -> (
    column: (PropertyPath) throws -> Column, rows: (Int) -> Range<Int>
  )? {
    func own(_ path: PropertyPath) throws {
      guard path.components.count == 1,
        ["mimeType", "size", "text", "transferStatus"].contains(path.components[0].string)
      else { throw QueryError("a part of a message has no property \(path.components)") }
    }
    let ofAll: (PropertyPath) throws -> Column = { path in
      try own(path)
      return try self.column(of: .parts, path)
    }
    func rows(of messages: [Message]) -> (Int) -> Range<Int> {
      var starts = [0]
      for message in messages { starts.append((starts.last ?? 0) + message.record.parts.count) }
      return { starts[$0]..<starts[$0 + 1] }
    }
    switch (kind, path.components.map(\.string)) {
    case (.messages, ["parts"]): return (ofAll, rows(of: messages))
    case (.parts, ["message", "parts"]):
      return (
        ofAll,
        { row in
          let first = row - self.parts[row].index
          return first..<first + self.parts[row].message.record.parts.count
        }
      )
    case (.announcements, ["parts"]):
      let all = announcements.flatMap { message in
        message.record.parts.indices.map { Part(message: message, index: $0) }
      }
      return (
        { path in
          try own(path)
          guard let property = Property<Part>.part(path.components[...]) else {
            throw QueryError("a part of an announcement has no property \(path.components)")
          }
          return Column(property, of: all)
        }, rows(of: announcements)
      )
    default: return nil
    }
  }
}
