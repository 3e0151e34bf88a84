import SatchelPlanning

// Ranks before and after a batch, for lists that report changes by rank alone.
extension HeldResult {
  /// Brings the results up to date with a batch, and returns how their ranks changed.
  /// - Parameter showing: The results with which something comes that the batch has changed.
  mutating func ranks(advancing batch: CommitBatch, _ showing: ResultsShowing) throws -> RankDelta {
    let changes = try changes(in: batch, residual: nil)
    var delta = RankDelta(totalBefore: total, totalAfter: total)
    for change in changes {
      delta.entries[change.reference] = RankDelta.Entry(
        before: change.old.map(rank), after: nil, isChanged: true)
    }
    let updated = try rows(of: batch.touched(question)) + rows(inRangesOf: batch) + showing.rows
    for reference in updated where delta.entries[reference] == nil && row(reference) != nil {
      delta.entries[reference] = RankDelta.Entry(
        before: row(reference).map(rank), after: nil, isChanged: true)
    }
    apply(changes)
    for reference in delta.entries.keys { delta.entries[reference]?.after = row(reference).map(rank) }
    delta.totalAfter = total
    return delta
  }

  /// Returns the rows that a batch may have changed without listing them.
  private func rows(inRangesOf batch: CommitBatch) -> [RowReference] {
    guard !batch.ranges.isEmpty else { return [] }
    return switch question.kind {
    case .messages, .parts: rows(in: 0..<total).filter { batch.ranges.contains($0.conversation) }
    case .conversations: batch.ranges.map { RowReference(sequence: UInt64($0)) }
    case .announcements, .identities, .records: []
    }
  }

  /// Returns whether a batch may have changed a row without listing it. Of a record, the number of its type stands for the conversation.
  private func isInRange(_ row: RowReference, of batch: CommitBatch) -> Bool {
    switch question.kind {
    case .messages, .parts: batch.ranges.contains(row.conversation)
    case .conversations: batch.ranges.contains(UInt32(truncatingIfNeeded: row.sequence))
    case .announcements, .identities, .records: false
    }
  }

  /// Returns the ranks of all rows in these results and in later ones.
  func ranks(to new: HeldResult, after batch: CommitBatch, _ showing: ResultsShowing) throws -> RankDelta {
    // Only after this does the batch tell the changes of members.
    _ = try batch.touched(question)
    let showing = Set(showing.rows)
    var delta = RankDelta(totalBefore: total, totalAfter: new.total)
    for (rank, row) in rows(in: 0..<total).enumerated() {
      delta.entries[row] = RankDelta.Entry(
        before: rank, after: nil,
        isChanged: !batch.listsAll || batch.change(of: row, question.kind) != nil
          || isInRange(row, of: batch) || showing.contains(row))
    }
    for (rank, row) in new.rows(in: 0..<new.total).enumerated() {
      delta.entries[row, default: RankDelta.Entry(before: nil, after: nil, isChanged: true)].after = rank
    }
    if delta.entries.count > RankDelta.maximumEntries {
      delta.entries = [:]
      delta.isReset = true
    }
    return delta
  }
}
