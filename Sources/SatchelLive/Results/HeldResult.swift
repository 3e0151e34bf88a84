import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// The results of a question that no index has in order. References and sort values of all results are held, and
/// brought up to date object by object.
struct HeldResult: Sendable {
  /// The values that do not change. They are kept apart, so that copying the results costs few reference counts.
  private final class Fixed: Sendable {
    let question: Question
    let dependencies: Dependencies
    /// The number of the condition; equal conditions have equal numbers.
    let number: Int
    /// The only conversations whose messages can be results; nil if the condition does not name them.
    let conversations: Set<UInt32>?
    /// Whose members the results are; nil for the objects of a kind.
    let members: MemberList?

    init(_ question: Question, _ dependencies: Dependencies, number: Int, _ executor: Executor) throws {
      self.question = question
      self.dependencies = dependencies
      self.number = number
      conversations = try HeldResult.namedConversations(question, executor.snapshot)
      members = try question.membersOf.map { try MemberList(of: $0, executor) }
    }
  }

  private let fixed: Fixed
  private var rows: OrderedRows
  private var known: [RowReference: SortRow]
  /// For results that are parts: for each message, one more than the greatest part index that has been a result.
  private var parts: [RowReference: UInt32] = [:]

  /// A test of the program's own, in addition to the condition.
  typealias Residual = (RowReference) throws -> Bool

  init(
    _ question: Question, _ dependencies: Dependencies, number: Int, residual: Residual?,
    in executor: Executor
  ) throws {
    fixed = try Fixed(question, dependencies, number: number, executor)
    var results = try executor.results(question)
    if let residual { results = try results.filter { try residual($0.reference) } }
    rows = OrderedRows(results, order: RowOrder(question))
    known = Dictionary(results.map { ($0.reference, $0) }) { first, _ in first }
    if question.kind == .parts { for row in results { notePart(row.reference) } }
  }

  /// Returns the rows of the conversations that the condition names; nil if it names none, or if one of them does not
  /// exist.
  private static func namedConversations(_ question: Question, _ snapshot: Snapshot) throws -> Set<UInt32>? {
    guard question.kind == .messages else { return nil }
    for (_, test) in Conjuncts(question.condition, of: question.kind).tests where !test.isNegated {
      guard test.property.stripping(.conversation) == ObjectProperty([], .identifier),
        case .text(.ranges(let ranges), missing: false) = test.values, let points = ranges.points
      else { continue }
      let rows = try points.compactMap {
        try snapshot.locateConversation(String(decoding: $0, as: UTF8.self))
      }
      return rows.count == points.count ? Set(rows) : nil
    }
    return nil
  }

  var question: Question { fixed.question }
  private var dependencies: Dependencies { fixed.dependencies }
  /// The only conversations by whose changes results can come and go; nil if they are not named, if one of them does not exist, or if
  /// relations between users matter, or what conversations are to the store's user: these are records.
  var namedConversations: Set<UInt32>? {
    dependencies.relations || !dependencies.referenced.isEmpty ? nil : fixed.conversations
  }

  // MARK: Reading

  var total: Int { rows.count }

  func rows(in ranks: Range<Int>) -> [RowReference] { rows.references(in: ranks) }

  /// Returns the rows around a point in the order, and how many results come before the first of these rows.
  func rows(around point: OrderPoint, before: Int, after: Int) -> (start: Int, rows: [RowReference]) {
    let middle: Int
    var isHeld = false
    switch point {
    case .at(let row), .behind(let row):
      middle = rows.rank(of: row)
      isHeld = known[row.reference].map { rows.rank(of: $0) == middle } ?? false
    case .from(let row): middle = rows.rank(of: row)
    case .date(let date), .behindDate(let date):
      let descending = question.sort.first?.descending ?? false
      middle = rows.rank { row in
        guard let first = row.keys.first, first != .integer(date) else { return false }
        return (first < .integer(date)) != descending
      }
    }
    let start = max(0, middle - before)
    let end = min(rows.count, middle + after + (isHeld ? 1 : 0))
    return (start, rows.references(in: start..<max(end, middle)))
  }

  // MARK: Changes

  /// Returns whether the changes of a batch cannot be followed one by one.
  func needsSelection(after batch: CommitBatch) -> Bool {
    if dependencies.relations, batch.changesRelations { return true }
    if !batch.listsAll || fixed.members?.isConcerned(by: batch) ?? false { return true }
    // Another conversation may get the identifier of a deleted one.
    if let conversations = fixed.conversations,
      conversations.contains(where: { batch.conversations[$0]?.action == .deleted })
    {
      return true
    }
    if batch.dependents(on: dependencies.referenced, ofType: question.recordType) == nil { return true }
    guard dependencies.senderName else { return false }
    return batch.identities.values.contains { $0.concerns(.init(.displayName)) }
  }

  /// A result that comes, goes or moves.
  struct Change: Sendable {
    let reference: RowReference
    /// The old sort values; nil for a row that comes.
    let old: SortRow?
    /// The new sort values; nil for a row that goes.
    let new: SortRow?
  }

  /// Returns what a batch changes in these results.
  func changes(in batch: CommitBatch, residual: Residual?) throws -> [Change] {
    var after: [RowReference: SortRow?] = [:]
    for row in try changed(in: batch) { after[row] = .some(nil) }
    for conversation in conversationsToSelect(batch) {
      for row in known.keys where row.conversation == conversation { after[row] = .some(nil) }
      for row in try results(of: conversation, batch.executor) { after[row.reference] = row }
    }
    guard !after.isEmpty else { return [] }
    let reader = SortRowReader(question, in: batch.snapshot)
    return try after.compactMap { reference, found in
      var row = found
      if row == nil,
        try batch.isResult(reference, of: question.condition, question.kind, number: fixed.number)
      {
        row = try reader.row(reference)
      }
      if row != nil, let residual, try !residual(reference) { row = nil }
      let old = known[reference]
      if old?.keys == row?.keys, (old == nil) == (row == nil) { return nil }
      return Change(reference: reference, old: old, new: row)
    }
  }

  /// Applies changes to the results.
  mutating func apply(_ changes: [Change]) {
    for change in changes {
      if let old = change.old { rows.remove(old) }
      known[change.reference] = change.new
      if let new = change.new {
        rows.insert(new)
        if question.kind == .parts { notePart(change.reference) }
      }
    }
  }

  /// Returns a result with its sort values; nil if the object is not a result.
  func row(_ reference: RowReference) -> SortRow? { known[reference] }

  /// Returns the rank of a result.
  func rank(of row: SortRow) -> Int { rows.rank(of: row) }

  /// Returns the objects whose membership or order may have changed.
  private func changed(in batch: CommitBatch) throws -> [RowReference] {
    let touched = try batch.touched(question).filter { row in
      if let members = fixed.members, !members.contains(row) { return false }
      if let conversations = fixed.conversations, !conversations.contains(row.conversation) { return false }
      // A conversation without a change of its own is listed because of its last message, which a closure may read.
      return batch.change(of: row, question.kind)?.concerns(dependencies.own) ?? (dependencies.own == .all)
    }
    if question.kind == .records || question.kind == .conversations {
      let ranges =
        question.kind == .conversations && dependencies.own == .all
        ? batch.ranges.map { RowReference(sequence: UInt64($0)) } : []
      return touched + ranges
        + (batch.dependents(on: dependencies.referenced, ofType: question.recordType) ?? [])
    }
    guard question.kind == .parts else { return touched }
    return try touched.flatMap { message -> [RowReference] in
      let now =
        try batch.snapshot.message(
          MessageKey(conversation: message.conversation, sequence: message.sequence))?.partCount ?? 0
      return (0..<max(UInt32(now), parts[message] ?? 0)).map { index in
        RowReference(sequence: message.sequence, conversation: message.conversation, part: index)
      }
    }
  }

  /// Returns the rows of objects that a batch lists: themselves or, for parts, every part that the results may hold of
  /// the listed messages.
  func rows(of touched: [RowReference]) -> [RowReference] {
    guard question.kind == .parts else { return touched }
    return touched.flatMap { message in
      (0..<(parts[message] ?? 0)).map { index in
        RowReference(sequence: message.sequence, conversation: message.conversation, part: index)
      }
    }
  }

  /// Returns the conversations whose messages or parts have to be selected again.
  private func conversationsToSelect(_ batch: CommitBatch) -> Set<UInt32> {
    guard question.kind == .messages || question.kind == .parts else { return [] }
    var rows = batch.ranges
    // A conversation that becomes visible or invisible concerns every question; the log need not have a range for its
    // messages.
    for (row, change) in batch.conversations where change.action == .updated {
      if let conversations = fixed.conversations, !conversations.contains(row) { continue }
      if change.concerns(dependencies.conversation) { rows.insert(row) }
    }
    return rows
  }

  private func results(of conversation: UInt32, _ executor: Executor) throws -> [SortRow] {
    guard question.condition != .never, let view = try executor.snapshot.findConversation(conversation) else {
      return []
    }
    let identifier = unsafe Array(view.identifierBytes)
    let property = ObjectProperty(question.kind == .parts ? [.message] : [], .conversation)
    let test = Condition.test(
      SatchelQuery.Test(property, .text(.ranges(ByteRanges(points: [identifier])), missing: false)))
    var restricted = question
    let conjuncts = Conjuncts(question.condition, of: question.kind).list
    restricted.condition = conjuncts.isEmpty ? test : .all([test] + conjuncts)
    return try executor.results(restricted)
  }

  private mutating func notePart(_ row: RowReference) {
    let message = RowReference(sequence: row.sequence, conversation: row.conversation)
    parts[message] = max(parts[message] ?? 0, row.part + 1)
  }
}
