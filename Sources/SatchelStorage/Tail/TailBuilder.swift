internal import Journal
internal import SatchelCoding

/// Joins the commits of records of the journal to a tail. They are collected first and joined at once: to sort them costs a
/// small part of what it costs to merge them one after the other.
struct TailBuilder {
  private var tail: Tail
  private var changes: CommitChanges?
  /// The number of records in `changes`.
  private var collected = 0
  /// The point behind the last record.
  private(set) var point: JournalPoint

  init(_ tail: Tail) {
    self.tail = tail
    point = tail.point
  }

  /// Adds the commits of one more record.
  /// - Throws: `RecordError` if it is not the record that follows.
  mutating func add(_ record: JournalRecord) throws {
    var last = point.sequence
    try record.forEachMember { sequence, member in
      // A transaction of several commits is one change, under the number of the last one.
      guard member.byteCount > 0 else { return }
      if changes == nil {
        changes = try CommitChanges(member, in: tail.arena)
      } else {
        try changes?.join(member)
      }
      let commit = changes?.seal.commit ?? 0
      guard commit == sequence, commit > last else {
        throw RecordError("journal", "", "commit \(commit) has the number \(sequence)")
      }
      last = commit
    }
    guard record.isCut || last == record.end.sequence else {
      throw RecordError("journal", "", "the record of commit \(record.end.sequence) ends before it")
    }
    if !record.isCut { point = record.end }
    collected += 1
    if collected == Self.most { try join() }
  }

  /// The most records that are collected: they take some kilobytes each.
  private static let most = 4096

  private mutating func join() throws {
    if let changes { tail = try tail.adding(changes, chain: point.chain) }
    changes = nil
    collected = 0
  }

  /// Returns the tail with all of them.
  /// - Throws: `outOfStep` if changes of indexes contradict each other, or what was pending.
  consuming func build() throws -> Tail {
    try join()
    return tail
  }
}
