import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// The results of a question whose condition is runs of an index that has them in order. No result is held: finding a
/// rank or a count takes O(log n) in any snapshot.
///
/// It is a class, so that copying it costs one reference count, and not one for each part of its plans.
final class IndexedResult: Sendable {
  let plan: Plan
  /// The same runs in the reverse order, for the rows before a point.
  private let reversedPlan: Plan?
  let runs: Runs
  /// The sizes of the dictionaries when names were looked up in them; nil if no names were looked up.
  private let dictionaries: DictionarySizes?
  private let conversations: ConversationDependency
  private let dependencies: Dependencies
  /// Of the run of one term, how many entries it had when it was found; nil of other runs.
  private let countOfTerm: Int?

  /// The entries of the results.
  enum Runs: Sendable, Equatable {
    case words(TreeSchema, [KeyRange])
    /// Those of a declared index, and the table of such indexes when the runs were found.
    case texts(TextTreeSchema, [TextRange], indexes: Seal.Summary)
  }

  /// True if the results are in order without a merge, so that a point in the order can be sought.
  let seeks: Bool

  /// True unless the results are runs of a declared index.
  var isOfWords: Bool { if case .words = runs { true } else { false } }

  /// Finds the runs; nil if no index has both the condition and the order.
  init?(_ question: Question, _ dependencies: Dependencies, in executor: Executor) throws {
    // What a record refers to has changes of its own, and relations between users have.
    guard dependencies.referenced.isEmpty, !dependencies.relations,
      let plan = try Self.plan(question, executor)
    else { return nil }
    var countOfTerm: Int?
    switch plan.path.source {
    case .scan(let scan):
      // The change log does not say which sizes the parts of a deleted message had.
      guard !scan.index.key.contains(.optional(ObjectProperty([], .size))) else { return nil }
      runs = .words(scan.index.tree, scan.spans.map(\.range))
      conversations = ConversationDependency(question, scan, dependencies)
    case .textScan(let scan):
      // Whose names have changed is not asked for each batch.
      guard !dependencies.senderName else { return nil }
      runs = .texts(scan.tree, scan.positions, indexes: executor.snapshot.seal[.declaredIndexes])
      conversations = ConversationDependency(dependencies)
      if scan.term != nil {
        countOfTerm = try scan.positions.reduce(0) {
          try $0 + executor.snapshot.forest.count(scan.tree, in: $1)
        }
      }
    default: return nil
    }
    self.countOfTerm = countOfTerm
    self.plan = plan
    self.dependencies = dependencies
    seeks = plan.path.ordering.isIndex
    reversedPlan = try Self.plan(question.reversed, executor)
    dictionaries = question.condition.namesUsersOrTypes ? try DictionarySizes(executor.snapshot) : nil
  }

  private static func plan(_ question: Question, _ executor: Executor) throws -> Plan? {
    var question = question
    question.limit = nil
    question.offset = 0
    question.anchor = nil
    let plan = try executor.plan(question, exhaustive: true)
    let suitable = plan.paths.indices.filter { plan.paths[$0].isFollowed }
    let best = suitable.first { plan.paths[$0].ordering.isIndex } ?? suitable.first
    return best.map(plan.choosing)
  }

  /// The only conversations whose messages can be results; nil if they are not named, or if one of them does not exist.
  var namedConversations: Set<UInt32>? {
    if case .rows(let rows) = conversations { rows } else { nil }
  }

  // MARK: Reading

  /// Returns the number of results.
  /// - Complexity: O(log n) for each run.
  func total(in snapshot: Snapshot) throws -> Int {
    switch runs {
    case .words(let tree, let ranges): try ranges.reduce(0) { try $0 + snapshot.forest.count(tree, in: $1) }
    case .texts(let tree, let ranges, _):
      try ranges.reduce(0) { try $0 + snapshot.forest.count(tree, in: $1) }
    }
  }

  /// Returns the rows with the given ranks; `total` is the number of results.
  func rows(in ranks: Range<Int>, total: Int, _ executor: Executor) throws -> [RowReference] {
    // Several runs are merged from one end of the order: from the nearer one.
    if !seeks, let reversedPlan, total - ranks.upperBound < ranks.lowerBound {
      return try executor.rows(reversedPlan, in: (total - ranks.upperBound)..<(total - ranks.lowerBound))
        .reversed()
    }
    return try executor.rows(plan, in: ranks)
  }

  /// Returns the rows around a point in the order, and how many results come before the first of these rows.
  func rows(
    around point: OrderPoint, before: Int, after: Int, total: Int, _ executor: Executor
  ) throws -> (start: Int, rows: [RowReference]) {
    guard let reversedPlan else { return (0, []) }
    var earlier: [RowReference] = []
    var later: [RowReference] = []
    switch point {
    case .at(let row):
      earlier = try executor.rows(reversedPlan, from: .behind(row), limit: before).reversed()
      later = try executor.rows(plan, from: .at(row), limit: after + 1)
      if later.first != row.reference, later.count > after { later.removeLast() }
    case .from(let row):
      earlier = try executor.rows(reversedPlan, from: .behind(row), limit: before).reversed()
      later = try executor.rows(plan, from: point, limit: after)
    case .date(let date):
      earlier = try executor.rows(reversedPlan, from: .behindDate(date), limit: before).reversed()
      later = try executor.rows(plan, from: point, limit: after)
    case .behind, .behindDate: break
    }
    let start = total - (try executor.count(plan, from: point)) - earlier.count
    return (start, earlier + later)
  }

  // MARK: Changes

  /// Returns whether the runs may be other ones than when they were worked out: names in the condition may stand for other numbers, or
  /// declared indexes may have come or gone.
  func needsPlan(after batch: CommitBatch) throws -> Bool {
    if !batch.listsAll { return true }
    if let dictionaries, try batch.dictionaries.get() != dictionaries { return true }
    if conversations.isConcerned(by: batch) { return true }
    guard case .texts(_, _, let indexes) = runs else { return false }
    return try batch.snapshot.seal[.declaredIndexes] != indexes || isConcernedInTexts(by: batch)
  }

  /// Returns whether a batch changed entries of the runs.
  func isConcerned(by batch: CommitBatch) throws -> Bool {
    guard case .words(let tree, let ranges) = runs else { return false }
    if !batch.ranges.isEmpty { return true }
    let rows = try batch.indexRows.get().of(tree)
    return rows.contains { row in ranges.contains { $0.contains(row) } }
  }

  /// Returns whether the run of a term has the same entries after a batch.
  ///
  /// If nothing that has changed is in the run, nobody has come; if as many are in it as before, nobody has left. Who searches for a word so
  /// pays a few descents for a commit of messages without it.
  private func keepsTerm(_ batch: CommitBatch, _ count: Int) throws -> Bool {
    guard case .texts(let tree, let ranges, _) = runs, let range = ranges.first, batch.ranges.isEmpty,
      !batch.conversations.values.contains(where: { $0.concerns([]) })
    else { return false }
    let forest = batch.snapshot.forest
    guard try forest.count(tree, in: range) == count else { return false }
    return try !batch.touched(plan.question).contains { row in
      let entry = TextRange(
        lower: range.lower.before(row: row.sequence), upper: range.lower.before(row: row.sequence + 1))
      return try forest.count(tree, in: entry) > 0
    }
  }

  /// Returns whether a batch may have changed entries of a declared index. The log does not say which values metadata had before; and with the
  /// first list at a key path a run more may be needed, so then the runs are worked out again.
  private func isConcernedInTexts(by batch: CommitBatch) throws -> Bool {
    let kind = plan.question.kind
    if let countOfTerm, try keepsTerm(batch, countOfTerm) { return false }
    if kind == .messages {
      // Messages come and go with the conversation that shows them.
      if !batch.ranges.isEmpty || batch.conversations.values.contains(where: { $0.concerns([]) }) {
        return true
      }
    }
    return try batch.touched(plan.question).contains { row in
      batch.change(of: row, kind)?.concerns(dependencies.own) ?? false
    }
  }
}

/// When the conversations that a condition names have to be looked up again.
private enum ConversationDependency: Sendable {
  /// The question names no conversation.
  case none
  /// The question names conversations by their identifiers only, and all were found, in these rows.
  case rows(Set<UInt32>)
  /// They are looked up again if a conversation is created, deleted, shown or hidden, or if one of these properties
  /// changes.
  case any(LoggedProperties)

  init(_ question: Question, _ scan: IndexScan, _ dependencies: Dependencies) {
    guard dependencies.conversationIdentifier || !dependencies.conversation.isEmpty else {
      self = .none
      return
    }
    let rows = Set(scan.spans.compactMap { $0.lower.first.map { UInt32(truncatingIfNeeded: $0) } })
    if dependencies.conversation.isEmpty, scan.index.key.first == .conversation,
      question.condition.namedConversations == rows.count
    {
      self = .rows(rows)
    } else {
      self = .any(dependencies.conversation)
    }
  }

  /// Of a declared index, whose runs do not say which conversations they are of.
  init(_ dependencies: Dependencies) {
    self =
      dependencies.conversationIdentifier || !dependencies.conversation.isEmpty
      ? .any(dependencies.conversation) : .none
  }

  func isConcerned(by batch: CommitBatch) -> Bool {
    switch self {
    case .none: return false
    case .rows(let rows):
      return batch.conversations.contains { row, change in
        rows.contains(row) && (change.action != .updated || change.properties.contains(.isVisible))
      }
    case .any(let properties):
      return !batch.ranges.isEmpty || batch.conversations.values.contains { $0.concerns(properties) }
    }
  }
}

extension AccessPath {
  /// Whether the rows are runs in order whose changes are known: of an index over words, or of a declared one.
  fileprivate var isFollowed: Bool {
    if case .textScan(let scan) = source, scan.declaredIndex == nil { false } else { isRunsInOrder }
  }
}

extension Condition {
  /// True if user ids or MIME types in the condition stand for numbers of a dictionary.
  fileprivate var namesUsersOrTypes: Bool {
    var names = false
    for test in tests {
      switch test.property.field {
      case .senderUserID, .mimeType, .participants, .userID, .identifier: names = true
      default: break
      }
    }
    return names
  }

  /// How many conversations the condition names by their identifiers; nil unless exactly one test does so.
  fileprivate var namedConversations: Int? {
    var count: Int?
    var naming = 0
    for test in tests where test.property.stripping(.conversation) == ObjectProperty([], .identifier) {
      naming += 1
      if case .text(.ranges(let ranges), missing: false) = test.values { count = ranges.points?.count }
    }
    return naming == 1 ? count : nil
  }
}
