internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// The two indexes of message identifiers: new identifiers go to the small index (`messageIdentifierRecent`); from
/// there, runs of neighbouring entries move to the large index (`messageIdentifier`).
extension Writer {
  func note(_ change: IndexChanges.Numeric) throws {
    switch change.kind {
    case .insert: identifiers.insert(change.row)
    case .remove: identifiers.remove(change.row)
    case .replace: break
    }
    if identifiers.isFull { try settleIdentifiers() }
  }

  /// Passes the buffered identifiers to the indexes, so that later reads find them there.
  func settleIdentifiers() throws {
    guard !identifiers.isEmpty else { return }
    try changing {
      try removeIdentifiers()
      let count = identifiers.addedCount
      let limit = Self.recentLimit(messages: try forest.count(IndexCatalog.messageIdentifier.tree))
      if count > limit / 2 {
        // There are so many that neighbours share leaves of the large index anyway.
        identifiers.forEachAdded { forest.insert(IndexCatalog.messageIdentifier.tree, $0) }
      } else if count > 0 {
        let excess = try forest.count(IndexCatalog.messageIdentifierRecent.tree) + count - limit
        if excess > 0 { try moveIdentifiers(max(excess, Self.leastMoved)) }
        identifiers.forEachAdded { forest.insert(IndexCatalog.messageIdentifierRecent.tree, $0) }
      }
      identifiers.removeAll()
    }
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

  private func removeIdentifiers() throws {
    var recent: [Words] = []
    var old: [Words] = []
    // All rows are looked up before the first one is removed: otherwise each look-up would merge the removals buffered
    // so far.
    for row in identifiers.removed.values {
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
  private func moveIdentifiers(_ count: Int) throws {
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
