internal import Journal
internal import RecordStore
internal import SatchelCoding

/// Whether LMDB's file has room for what is in the journal.
extension CommitJournal {
  /// Whether the file of LMDB has room for what is in the journal with one commit more: otherwise the commit goes there at once,
  /// which shows whether it fits. What was acknowledged must not wait for room that there will never be, nor for room that others
  /// may take: the file takes it now.
  /// - Parameters:
  ///   - bytes: Those of the commit's changes.
  ///   - rows: How many entries of indexes it changes.
  func hasRoom(for bytes: Int, rows: Int, after tail: Tail) -> Bool {
    guard let database else { return false }
    if writing.room?.point != tail.base {
      guard let used = database.usedBytes else { return false }
      writing.room = Writing.Room(point: tail.base, used: used)
    }
    guard let used = writing.room?.used, let known = writing.room?.granted else { return false }
    let commits = Int(clamping: tail.seal.commit - tail.base.sequence) + 1
    // What comes to the tables and trees, and the pages that are copied for that: those in use are not written over. Each commit
    // changes some thirty, until most of them change the same ones.
    let added = 2 * (tail.byteCount + bytes)
    let least = added + min(used, min(commits, 64) * Self.bytesOfCommit)
    // Marks of messages all over the store change a page for each, at worst all there are.
    let most = added + min(used, commits * Self.bytesOfCommit + (tail.forest.count + rows) * Self.bytesOfPage)
    if most <= known { return true }
    for ahead in [Self.roomAhead, 0]
    where database.hasRoom(for: used + least + ahead, atMost: used + most + ahead) {
      writing.room?.granted = most + ahead
      return true
    }
    return false
  }

  private static let bytesOfCommit = 128 << 10
  private static let bytesOfPage = 4 << 10
  /// How much more is asked for than the commit needs, so that not each has to ask.
  private static let roomAhead = 1 << 20

  /// The sizes of a new journal: small segments where there is little room, of which data.mdb needs most.
  var limits: JournalLimits {
    var limits = options.limits
    let share = max(Self.leastSegment, (database?.mostBytes ?? .max) / Self.shareOfSegment)
    while limits.segmentSize / 2 >= share { limits.segmentSize /= 2 }
    return limits
  }

  private static let leastSegment = 16 << 10
  private static let shareOfSegment = 256
}
