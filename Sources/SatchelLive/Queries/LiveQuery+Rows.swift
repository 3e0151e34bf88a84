import SatchelExecution
import SatchelPlanning
import SatchelQuery
import SatchelReading

extension LiveQuery {
  /// Returns the list for a state. Rows of the old list that are not touched are reused.
  func refreshed(
    _ old: LiveList<Value>, _ state: LiveState, _ executor: Executor, isReselected: Bool = true,
    isTouched: (RowReference) -> Bool, isSameWatch: Bool = true
  ) throws -> LiveList<Value> {
    let commit = executor.snapshot.seal.commit
    let (total, start, references) =
      isReselected ? try window(state, executor) : (old.total, old.start, old.rows.map(\.reference))
    let known = Dictionary(old.rows.lazy.map { ($0.reference, $0) }) { first, _ in first }
    let fingerprints = FingerprintReader(state.watched, of: state.question.kind, in: executor.snapshot)
    let along = try Accompaniment(state.specification.query, in: executor.snapshot)
    // What is kept of objects that come along has become much more than the rows can show.
    let isReadAnew = state.included.count > 4 * references.count + 1024
    var isReused = false
    let sections = SectionReader(state.specification.sectionKey, state.question, executor.snapshot)
    let rows = try references.map { reference -> LiveRow<Value> in
      let row = known[reference]
      let section = isReselected ? try sections.section(of: reference) : known[reference]?.section ?? .missing
      if var row, !isReadAnew, !isTouched(reference) {
        row.section = section
        isReused = true
        return row
      }
      let value = try source.read(executor.snapshot, reference, along)
      let fingerprint = try fingerprints.fingerprint(of: reference)
      // Loaded again at the same commit, a row may show something else: what comes along is another matter then.
      var version = commit << 20 | state.loads & 0xF_FFFF
      // A row whose value and fingerprint are the same keeps its version. If other properties are watched from now on,
      // the fingerprints do not count.
      if let row, row.value == value, row.fingerprint == fingerprint || !isSameWatch { version = row.version }
      return LiveRow(
        reference: reference, value: value, fingerprint: fingerprint, version: version, section: section)
    }
    state.rows = Set(
      state.question.kind == .parts
        ? references.map { RowReference(sequence: $0.sequence, conversation: $0.conversation) } : references)
    if let included = along.references {
      if isReused { state.included.formUnion(included) } else { state.included = included }
    }
    state.conversations =
      state.watched.looks(through: .conversation) ? Set(references.lazy.map(\.conversation)) : []
    return LiveList(
      commit: commit, total: total, rows: rows, start: start,
      sectionType: state.specification.sectionKey == nil ? nil : state.question.sort.first?.property.type,
      comparesValues: state.specification.updatableProperties == nil)
  }

  /// Returns the number of results, the number of results before the window, and the rows of the window.
  private func window(_ state: LiveState, _ executor: Executor) throws -> (Int, Int, [RowReference]) {
    let all = try state.result.total(in: executor.snapshot)
    let query = state.specification.query
    let offset = min(query.offset, all)
    let total = min(all - offset, query.limit ?? .max)
    guard state.specification.showsRows else { return (total, 0, []) }
    let ranks: Range<Int>
    switch state.specification.window {
    case .all: ranks = 0..<total
    case .first(let count): ranks = 0..<min(count, total)
    case .last(let count): ranks = max(0, total - count)..<total
    case .tail(let count): ranks = try state.tailStart(of: count, total: total, executor)..<total
    case .aroundDate(let date, let before, let after) where state.anchor == nil:
      let rank = try state.seek(date, total: total, executor)
      ranks = max(0, rank - before)..<(rank + min(after, total - rank))
    case .around(_, let before, let after), .aroundDate(_, let before, let after):
      guard let anchor = state.anchor else { return (total, 0, []) }
      let (start, rows) = try state.result.rows(
        around: anchor, before: min(before, all), after: min(after, all), total: all, executor)
      return (total, start, rows)
    }
    let shifted = (ranks.lowerBound + offset)..<(ranks.upperBound + offset)
    return (total, ranks.lowerBound, try state.result.rows(in: shifted, total: all, executor))
  }
}
