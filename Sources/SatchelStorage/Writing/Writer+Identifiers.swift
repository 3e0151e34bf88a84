internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// Identifiers of messages: new ones to the small index, stretches of that one to the large index.
extension Writer {
  func note(_ change: IndexChanges.Numeric) throws {
    switch change.kind {
    case .insert: identifiers.insert(change.row)
    case .remove: identifiers.remove(change.row)
    case .replace: break
    }
    if identifiers.isFull { try settleIdentifiers() }
  }

  /// Hands the identifiers to the indexes. What is read after it finds them there.
  func settleIdentifiers() throws {
    guard !identifiers.isEmpty else { return }
    try changing {
      try removeIdentifiers()
      let count = identifiers.addedCount
      let limit = Self.recentLimit(messages: try forest.count(IndexCatalog.messageIdentifier))
      if count > limit / 2 {
        // So many that they share leaves as it is.
        identifiers.forEachAdded { forest.insert(IndexCatalog.messageIdentifier, $0) }
      } else if count > 0 {
        let excess = try forest.count(IndexCatalog.messageIdentifierRecent) + count - limit
        if excess > 0 { try moveIdentifiers(max(excess, Self.leastMoved)) }
        identifiers.forEachAdded { forest.insert(IndexCatalog.messageIdentifierRecent, $0) }
      }
      identifiers.removeAll()
    }
  }

  /// How many identifiers the small index holds beside so many in the large one. A batch of m changes a leaf each for up to
  /// limit / 340 of the small index, and m · messages / limit / 340 of the large one: least in sum for a limit that
  /// grows with the root.
  private static func recentLimit(messages: Int) -> Int {
    max(8192, 32 * Int(Double(messages).squareRoot()))
  }

  /// Fewer would share no leaf.
  private static let leastMoved = 256

  private func removeIdentifiers() throws {
    var recent: [Words] = []
    var old: [Words] = []
    // All are looked up before the first is removed: a look-up would merge the removals one by one.
    for row in identifiers.removed.values {
      let isRecent = try forest.rows(IndexCatalog.messageIdentifierRecent, of: row[0])
        .contains { $0[1] == row[1] }
      if isRecent { recent.append(row) } else { old.append(row) }
    }
    for row in recent { forest.remove(IndexCatalog.messageIdentifierRecent, row) }
    for row in old { forest.remove(IndexCatalog.messageIdentifier, row) }
  }

  /// Moves a stretch of neighbours from the small index to the large one. Where it begins follows from the commit: the
  /// multiples of the golden ratio divide a circle evenly, however many there are (Knuth, TAOCP 3, 6.4).
  private func moveIdentifiers(_ count: Int) throws {
    let start = Words(commit &* 0x9E37_79B9_7F4A_7C15)
    var rows: [Words] = []
    var cursor = try forest.cursor(IndexCatalog.messageIdentifierRecent)
    try cursor.seek(to: .before(start, columns: 1))
    _ = try cursor.read(into: &rows, limit: count)
    if rows.count < count {
      try cursor.seek(to: .start)
      _ = try cursor.read(into: &rows, upTo: .before(start, columns: 1), limit: count - rows.count)
    }
    for row in rows {
      forest.remove(IndexCatalog.messageIdentifierRecent, row)
      forest.insert(IndexCatalog.messageIdentifier, row)
    }
  }
}
