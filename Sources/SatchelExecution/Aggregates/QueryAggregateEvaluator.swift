import RankedIndex
import RankedKeys
package import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
package import SatchelReading
import Synchronization

/// Evaluates aggregates like queries: with the same plans and the same evaluator, on the same snapshots.
package final class QueryAggregateEvaluator: AggregateEvaluator {
  private struct Key: Hashable {
    let entry: AggregateEntry
    let user: String
  }

  private struct IndexKey: Hashable {
    let definition: DeclaredIndexEntry.Definition
    let user: String
  }

  private let compiled = Mutex<[Key: CompiledAggregate]>([:])
  private let indexes = Mutex<[IndexKey: DeclaredIndex]>([:])

  /// The maximum number of compiled aggregates. There are few at a time, but a program that keeps replacing aggregates
  /// must not make all of them stay.
  private static let maximumCompiled = 256

  package init() {}

  package func check(_ aggregate: AggregateEntry, in snapshot: Snapshot) throws {
    let compiled = try compile(aggregate, snapshot.user)
    try snapshot.check(
      compiled.properties, ofType: aggregate.recordType,
      ["aggregate": String(decoding: aggregate.name, as: UTF8.self)])
  }

  private func compile(_ entry: AggregateEntry, _ user: String) throws -> CompiledAggregate {
    let key = Key(entry: entry, user: user)
    if let known = compiled.withLock({ $0[key] }) { return known }
    let aggregate = try CompiledAggregate(entry, user: user)
    compiled.withLock { compiled in
      if compiled.count >= Self.maximumCompiled { compiled.removeAll() }
      compiled[key] = aggregate
    }
    return aggregate
  }

  // MARK: Declared indexes

  package func check(_ index: DeclaredIndexEntry.Definition, in snapshot: Snapshot) throws {
    let compiled = try compile(index, snapshot.user)
    try snapshot.check(
      compiled.conditions.flatMap(\.properties) + compiled.columns.map(\.property), ofType: index.recordType,
      ["index": String(decoding: index.name, as: UTF8.self)])
  }

  package func dependsOnReading(_ index: DeclaredIndexEntry.Definition, user: String) throws -> Bool {
    try compile(index, user).dependsOnReading
  }

  package func entries(
    of index: DeclaredIndexEntry.Definition, in snapshot: Snapshot
  ) throws -> any IndexEntries {
    let index = try compile(index, snapshot.user)
    return WordsOfObjects(index, in: snapshot) ?? DeclaredEntries(index, in: snapshot)
  }

  private func compile(_ definition: DeclaredIndexEntry.Definition, _ user: String) throws -> DeclaredIndex {
    let key = IndexKey(definition: definition, user: user)
    if let known = indexes.withLock({ $0[key] }) { return known }
    let index = try DeclaredIndex(definition, id: 0, user: user)
    indexes.withLock { indexes in
      if indexes.count >= Self.maximumCompiled { indexes.removeAll() }
      indexes[key] = index
    }
    return index
  }

  // MARK: All objects

  package func totals(of aggregate: AggregateEntry, in snapshot: Snapshot) throws -> AggregateTotals {
    let aggregate = try compile(aggregate, snapshot.user)
    let executor = Executor(snapshot)
    var question = Question(
      kind: aggregate.kind, condition: aggregate.condition, sort: [], limit: nil, offset: 0, anchor: nil,
      isCount: true, text: "")
    if let type = aggregate.recordType { question.recordType = try snapshot.existingRecordType(type).id }
    let plan = try executor.plan(question)
    var tally = AggregateTally(aggregate, on: plan.path.index, in: snapshot)
    if aggregate.group == nil, aggregate.measured == nil {
      tally.add(try executor.count(plan))
      return tally.totals
    }
    try RowFilter(executor.source(of: plan)).forEach { row in
      try tally.add(&row)
      return true
    }
    return tally.totals
  }

  // MARK: Changed objects

  package func changes(
    of aggregate: AggregateEntry, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot
  ) throws -> AggregateTotals? {
    let aggregate = try compile(aggregate, before.user)
    guard let affected = try AffectedRows(aggregate, by: entry, from: before, to: after) else { return nil }
    let old = try SideTally(aggregate, before).totals(of: affected, .before)
    let new = try SideTally(aggregate, after).totals(of: affected, .after)
    return new.merging(old.mapValues { 0 &- $0 }) { $0 &+ $1 }.filter { $0.value != 0 }
  }
}

/// Adds up what the affected rows contribute on one side of a write.
private struct SideTally {
  private let kind: ObjectKind
  private let snapshot: Snapshot
  private let evaluator: ConditionEvaluator
  private var tally: AggregateTally
  /// Whether each conversation seen so far is visible.
  private var visible: [UInt32: Bool] = [:]

  init(_ aggregate: CompiledAggregate, _ snapshot: Snapshot) {
    kind = aggregate.kind
    self.snapshot = snapshot
    evaluator = ConditionEvaluator(aggregate.condition, of: aggregate.kind, on: nil, in: snapshot)
    tally = AggregateTally(aggregate, on: nil, in: snapshot)
  }

  consuming func totals(of affected: AffectedRows, _ side: AffectedRows.Side) throws -> AggregateTotals {
    let areMessages = kind == .messages || kind == .parts
    for row in affected.rows[side.rawValue] where !(areMessages && affected.isCovered(row)) { try add(row) }
    guard areMessages else { return tally.totals }
    for (conversation, sequences) in affected.conversations {
      guard try isVisible(conversation) else { continue }
      let range = KeyRange.prefix(Words(UInt64(conversation)), columns: 1)
      let index = IndexCatalog.messagePlace
      var cursor = try snapshot.forest.cursor(index.tree)
      try cursor.seek(to: range.lower)
      while let row = try cursor.next(), range.contains(row) {
        let sequence = index.sequence(of: row)
        if sequences.contains(sequence) {
          try add(RowReference(sequence: sequence, conversation: conversation))
        }
      }
    }
    return tally.totals
  }

  private mutating func add(_ row: RowReference) throws {
    var context = RowContext()
    context.begin(row)
    switch kind {
    case .identities, .announcements, .records: break
    case .conversations: guard try isVisible(UInt32(truncatingIfNeeded: row.sequence)) else { return }
    case .messages: guard try isVisible(row.conversation) else { return }
    case .parts:
      guard try isVisible(row.conversation) else { return }
      for index in 0..<(try context.message(snapshot).partCount) {
        context.enterPart(index, in: snapshot)
        if try evaluator.matches(&context) { try tally.add(&context) }
      }
      return
    }
    if try evaluator.matches(&context) { try tally.add(&context) }
  }

  private mutating func isVisible(_ conversation: UInt32) throws -> Bool {
    if let known = visible[conversation] { return known }
    let isVisible = try snapshot.findConversation(conversation)?.isVisible ?? false
    visible[conversation] = isVisible
    return isVisible
  }
}
