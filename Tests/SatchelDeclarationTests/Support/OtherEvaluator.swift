import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelExecution
import SatchelReading

/// An evaluator as the store's own, but for what it says of totals or of entries: that of a program with a defect.
struct OtherEvaluator: AggregateEvaluator {
  private let honest = QueryAggregateEvaluator()
  /// How much the changes of each total are off.
  var excess: Int64 = 0
  /// Whether it takes what a unique index allows once for nobody's.
  var claimsNothing = false

  /// The entries of an index, of which nobody claims any.
  private final class Unclaimed: IndexEntries {
    private let honest: any IndexEntries

    init(_ honest: any IndexEntries) { self.honest = honest }

    func contents(of object: ObjectRow) throws -> [[UInt8]] { try honest.contents(of: object) }

    func keys(_ contents: [[UInt8]], of object: ObjectRow, in index: UInt32) -> [TextKey] {
      honest.keys(contents, of: object, in: index)
    }

    func add(_ objects: [ObjectRow], of index: UInt32, to batch: inout TextBatch) throws {
      try honest.add(objects, of: index, to: &batch)
    }

    func claims(of object: ObjectRow) throws -> [[UInt8]] { [] }
  }

  func check(_ aggregate: AggregateEntry, in snapshot: Snapshot) throws {
    try honest.check(aggregate, in: snapshot)
  }

  func check(_ index: DeclaredIndexEntry.Definition, in snapshot: Snapshot) throws {
    try honest.check(index, in: snapshot)
  }

  func dependsOnReading(_ index: DeclaredIndexEntry.Definition, user: String) throws -> Bool {
    try honest.dependsOnReading(index, user: user)
  }

  func entries(
    of index: DeclaredIndexEntry.Definition, in snapshot: Snapshot
  ) throws -> any IndexEntries {
    let entries = try honest.entries(of: index, in: snapshot)
    return claimsNothing ? Unclaimed(entries) : entries
  }

  func totals(of aggregate: AggregateEntry, in snapshot: Snapshot) throws -> AggregateTotals {
    try honest.totals(of: aggregate, in: snapshot)
  }

  func changes(
    of aggregate: AggregateEntry, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot
  ) throws -> AggregateTotals? {
    try honest.changes(of: aggregate, by: entry, from: before, to: after)?.mapValues { $0 + excess }
  }
}
