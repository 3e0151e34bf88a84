import RankedKeys
package import SatchelCoding
import SatchelIndexing
import SatchelModel
package import SatchelPlanning
import SatchelReading

/// An index that no application has declared, and how it would answer a question.
package struct AdvisedIndex {
  package let definition: DeclaredIndexEntry.Definition
  /// How many entries it would have.
  package let entries: Int
  /// The plan with the index; the chosen path reads it.
  package let plan: Plan
}

extension Executor {
  /// Returns the index that would answer a question at the least cost, if the application declared it; nil if none would be of use.
  ///
  /// The question is planned as if the indexes were there, by the numbers of entries that they would have in each run: these are counted
  /// object by object, with the readers that would make the entries.
  /// - Complexity: O(n) for n objects of the kind.
  package func advice(on plan: Plan) throws -> AdvisedIndex? {
    let question = plan.question
    guard question.kind != .parts, question.membersOf == nil, !question.condition.isNever else { return nil }
    let type = question.kind == .records ? try snapshot.recordType(question.recordType).type.name : nil
    let advised = AdvisedIndexes(question, recordType: type, user: snapshot.user)
    guard !advised.indexes.isEmpty else { return nil }
    let source = AdvisingSource(SnapshotPlanningSource(self, for: question), advised.indexes)
    var better = try Planner(source: source).plan(question, exhaustive: true)
    // All entries are counted along with the first runs.
    var others = Set(advised.indexes.map { TextRange.group(DeclaredKey.group(of: $0.id)) })
    // A count may lead to another run: where there are lists, there are more of them to look at.
    while !source.unknown.isEmpty {
      try count(&source.counts, of: source.takeUnknown().union(others), advised.indexes, question)
      others = []
      better = try Planner(source: source).plan(question, exhaustive: true)
    }
    guard case .textScan(let scan) = better.path.source, let index = scan.declaredIndex,
      let definition = advised.definitions[index.id],
      better.path.cost.microseconds * Self.worthwhile < plan.path.cost.microseconds
    else { return nil }
    let entries = source.counts[.group(DeclaredKey.group(of: index.id))] ?? 0
    return AdvisedIndex(definition: definition, entries: entries, plan: better)
  }

  /// How many times less a plan has to cost to be advised: costs are estimates.
  private static let worthwhile = 1.25

  /// Counts the entries that indexes would have in ranges of their tree.
  private func count(
    _ counts: inout [TextRange: Int], of ranges: Set<TextRange>, _ indexes: [DeclaredIndex],
    _ question: Question
  ) throws {
    let makers = indexes.map { index in
      (group: DeclaredKey.group(of: index.id), entries: DeclaredEntries(index, in: snapshot))
    }
    for range in ranges { counts[range] = 0 }
    var all = question
    all.condition = .always
    all.sort = []
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    try forEach(plan(all), inAnyOrder: true) { row in
      for (group, entries) in makers {
        for text in try entries.contents(of: ObjectRow(row, question.kind)) {
          let bound = TextBound.before(TextKey(group: group, text: text, row: row.sequence))
          for range in ranges where !bound.precedes(range.lower) && bound.precedes(range.upper) {
            counts[range, default: 0] += 1
          }
        }
      }
      return true
    }
  }
}

/// The indexes that an application could declare for a question, with numbers that no declared index has.
private struct AdvisedIndexes {
  private(set) var indexes: [DeclaredIndex] = []
  private(set) var definitions: [UInt32: DeclaredIndexEntry.Definition] = [:]

  init(_ question: Question, recordType: String?, user: String) {
    for (number, columns) in IndexCandidates(question).columns.enumerated() {
      let list = columns.map { column in
        DeclaredIndexEntry.Column(
          path: Array(column.property.path.spelledPath.utf8), descending: column.descending,
          isOfElements: column.isOfElements)
      }
      let name = (recordType ?? question.kind.rawValue) + " by " + list.map(\.spelled).joined(separator: ", ")
      let definition = DeclaredIndexEntry.Definition(
        name: Array(name.utf8), kind: AggregateEntry.Kind(question.kind),
        recordType: recordType.map { Array($0.utf8) }, predicate: Array("TRUEPREDICATE".utf8),
        columns: list)
      // What cannot be an index is none that can be advised.
      guard let index = try? DeclaredIndex(definition, id: .max - UInt32(number), user: user) else {
        continue
      }
      indexes.append(index)
      definitions[index.id] = definition
    }
  }
}

extension ObjectRow {
  fileprivate init(_ row: RowReference, _ kind: ObjectKind) {
    switch kind {
    case .messages, .parts:
      self = .message(MessageKey(conversation: row.conversation, sequence: row.sequence))
    case .announcements: self = .message(MessageKey(announcement: row.sequence))
    case .conversations: self = .conversation(UInt32(truncatingIfNeeded: row.sequence))
    case .identities: self = .identity(UInt32(truncatingIfNeeded: row.sequence))
    case .records: self = .record(TypedRecordKey(type: row.conversation, sequence: row.sequence))
    }
  }
}
