internal import RankedIndex
internal import RankedKeys
internal import SatchelGathering
internal import SatchelIndexing

/// The two indexes of message identifiers: new identifiers go to the small index (`messageIdentifierRecent`); from
/// there, runs of neighbouring entries move to the large index (`messageIdentifier`).
final class MessageIdentifiers {
  private let forest: Forest
  /// Identifiers of the whole transaction that have not reached the indexes yet. Not checked for exclusive access at run
  /// time: no access lasts while other code of the write runs.
  @safe @exclusivity(unchecked) private var pending: PendingIdentifiers

  /// The rows of deleted conversations whose messages' identifiers are still here: nobody finds them.
  @safe @exclusivity(unchecked) private var leaving: Set<UInt32> = []

  /// - Parameter earlier: Those of an earlier write of the same transaction.
  init(_ forest: Forest, following earlier: MessageIdentifiers? = nil) {
    self.forest = forest
    pending = earlier?.pending ?? PendingIdentifiers()
  }

  var isEmpty: Bool { pending.isEmpty }
  /// Whether so many are buffered that they should be settled.
  var isFull: Bool { pending.isFull }
  var count: Int { pending.count }

  func insert(_ row: Words) { pending.insert(row) }

  func remove(_ row: Words) { pending.remove(row) }

  /// Returns the buffered rows of a hash.
  func rows(of hash: UInt64) -> [Words] {
    let rows = pending.rows(of: hash)
    return leaving.isEmpty ? rows : rows.filter { !isLeaving($0) }
  }

  /// Whether an entry of the indexes is to stay there.
  func isLive(_ row: Words) -> Bool {
    pending.removed[IndexCatalog.messageIdentifier.sequence(of: row)] == nil
      && (leaving.isEmpty || !isLeaving(row))
  }

  /// Says that the messages of a conversation are to be found no more.
  func leave(_ conversation: UInt32) { leaving.insert(conversation) }

  /// Says that what has left is about to leave the indexes.
  func endLeaving() { leaving.removeAll() }

  private func isLeaving(_ row: Words) -> Bool {
    leaving.contains(IndexCatalog.messageIdentifier.conversation(of: row))
  }

  /// Passes the buffered identifiers to the indexes, so that later reads find them there.
  /// - Parameter commit: The sequence of the commit.
  func settle(commit: UInt64) throws {
    try applyRemovals()
    let count = pending.addedCount
    let limit = Self.recentLimit(messages: try forest.count(IndexCatalog.messageIdentifier.tree))
    if count > limit / 2 {
      // There are so many that neighbours share leaves of the large index anyway.
      pending.forEachAdded { forest.insert(IndexCatalog.messageIdentifier.tree, $0) }
    } else if count > 0 {
      let excess = try forest.count(IndexCatalog.messageIdentifierRecent.tree) + count - limit
      if excess > 0 { try moveToLarge(max(excess, Self.leastMoved), commit: commit) }
      pending.forEachAdded { forest.insert(IndexCatalog.messageIdentifierRecent.tree, $0) }
    }
    pending.removeAll()
  }

  /// Returns how many identifiers the small index may hold while the large one holds `messages`.
  ///
  /// A batch of m identifiers changes one leaf for each of them, up to limit / 340, in the small index, and m ·
  /// messages / limit / 340 leaves in the large one. The sum is least for a limit that grows with the square root of
  /// `messages`.
  private static func recentLimit(messages: Int) -> Int {
    max(8192, 32 * Int(Double(messages).squareRoot()))
  }

  /// The fewest identifiers that are moved at a time: fewer would not share leaves.
  private static let leastMoved = 256

  private func applyRemovals() throws {
    var recent: [Words] = []
    var old: [Words] = []
    // All rows are looked up before the first one is removed: otherwise each look-up would merge the removals buffered
    // so far.
    for row in pending.removed.values {
      let index = IndexCatalog.messageIdentifierRecent
      let isRecent = try forest.rows(index.tree, of: index.first(of: row))
        .contains { index.sequence(of: $0) == index.sequence(of: row) }
      if isRecent { recent.append(row) } else { old.append(row) }
    }
    for row in recent { forest.remove(IndexCatalog.messageIdentifierRecent.tree, row) }
    for row in old { forest.remove(IndexCatalog.messageIdentifier.tree, row) }
  }

  /// Moves a run of neighbouring entries from the small index to the large one. The commit's sequence determines where
  /// the run begins: multiples of the golden ratio divide a circle evenly, however many there are (Knuth, TAOCP 3,
  /// 6.4).
  private func moveToLarge(_ count: Int, commit: UInt64) throws {
    let start = Words(commit &* 0x9E37_79B9_7F4A_7C15)
    var rows: [Words] = []
    var cursor = try forest.cursor(IndexCatalog.messageIdentifierRecent.tree)
    try cursor.seek(to: .before(start, columns: 1))
    _ = try cursor.read(into: &rows, limit: count)
    if rows.count < count {
      try cursor.seek(to: .start)
      _ = try cursor.read(into: &rows, upTo: .before(start, columns: 1), limit: count - rows.count)
    }
    for row in rows {
      forest.remove(IndexCatalog.messageIdentifierRecent.tree, row)
      forest.insert(IndexCatalog.messageIdentifier.tree, row)
    }
  }
}
