/// A predicate made ready for the rows of one kind.
class RowTest {
  /// Whether this may read long texts: such a test goes last in a conjunction.
  let isSlow: Bool

  fileprivate init(isSlow: Bool) {
    self.isSlow = isSlow
  }

  func holds(_ row: Int) -> Bool { false }

  static func make(_ predicate: Predicate, _ kind: ObjectKind, _ snapshot: Snapshot) throws -> RowTest {
    switch predicate {
    case .constant(let holds): return ConstantTest(holds)
    case .not(let operand): return NotTest(try make(operand, kind, snapshot))
    case .and(let operands): return AllTest(try operands.map { try make($0, kind, snapshot) })
    case .or(let operands):
      // One of several holds exactly when not all of their complements do.
      return NotTest(AllTest(try operands.map { NotTest(try make($0, kind, snapshot)) }))
    case .comparison(let comparison):
      let column = try snapshot.column(of: kind, comparison.path)
      let (test, isComplement) = try comparison.test(on: column, user: snapshot.user)
      let isSlow = comparison.path.components.last == "text"
      guard let quantifier = comparison.quantifier else {
        return ColumnTest(column, test, isComplement, isSlow: isSlow)
      }
      guard column.isToMany || column.type == .custom, comparison.operand != .null else {
        throw comparison.unsupported("a quantifier goes with a value, and a path to many or of metadata")
      }
      if column.type == .custom { return MetadataElementTest(column, test, isComplement, quantifier) }
      return ElementTest(
        column, test, isComplement, quantifier, isSlow: isSlow,
        elementCount: { snapshot.partCount(of: kind, at: $0) })
    }
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

private final class NotTest: RowTest {
  let operand: RowTest

  init(_ operand: RowTest) {
    self.operand = operand
    super.init(isSlow: operand.isSlow)
  }

  override func holds(_ row: Int) -> Bool { !operand.holds(row) }
}

private final class AllTest: RowTest {
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
  private let elementCount: (Int) -> Int

  init(
    _ column: Column, _ test: @escaping Predicate.Comparison.ValueTest, _ isComplement: Bool,
    _ quantifier: Predicate.Quantifier, isSlow: Bool, elementCount: @escaping (Int) -> Int
  ) {
    self.column = column
    self.test = test
    self.isComplement = isComplement
    self.quantifier = quantifier
    self.elementCount = elementCount
    super.init(isSlow: isSlow)
  }

  override func holds(_ row: Int) -> Bool {
    let ranks = column.ranks[Int(column.starts[row])..<Int(column.starts[row + 1])]
    let elements = elementCount(row)
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

extension Snapshot {
  /// How many parts an object's message has.
  fileprivate func partCount(of kind: ObjectKind, at row: Int) -> Int {
    switch kind {
    case .messages: messages[row].record.parts.count
    case .announcements: announcements[row].record.parts.count
    case .parts: parts[row].message.record.parts.count
    case .conversations, .identities: 0
    }
  }
}
