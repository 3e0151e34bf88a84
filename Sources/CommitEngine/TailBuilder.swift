internal import Journal
internal import RecordStore
internal import SatchelCoding

/// Joins the commits of records of the journal to a tail. They are gathered first and joined at once: to sort them costs a
/// small part of what it costs to merge them one after the other.
struct TailBuilder {
  private var tail: Tail
  private var commits: CommitBuffer?
  /// The number of records in `commits`.
  private var gathered = 0
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
      let commit = try add(member)
      guard commit == sequence, commit > last else {
        throw RecordError("journal", "", "commit \(commit) has the number \(sequence)")
      }
      last = commit
    }
    guard last == record.end.sequence else {
      throw RecordError("journal", "", "the record of commit \(record.end.sequence) ends before it")
    }
    point = record.end
    gathered += 1
    if gathered == Self.most { try join() }
  }

  private mutating func add(_ member: RawSpan) throws -> UInt64 {
    if commits == nil { commits = CommitBuffer(in: tail.arena) }
    return try commits?.add(member) ?? 0
  }

  /// The most records that are gathered, which take about as much memory as their changes will in the tail: all of a long
  /// journal, so that it is sorted once.
  private static let most = 32_768

  private mutating func join() throws {
    if let commits {
      tail = try tail.adding(commits, chain: point.chain)
      tail.arena.publish()
    }
    commits = nil
    gathered = 0
  }

  /// Returns the tail with all of them.
  /// - Throws: `outOfStep` if changes of indexes contradict each other, or what was pending.
  consuming func build() throws -> Tail {
    try join()
    return tail
  }
}
