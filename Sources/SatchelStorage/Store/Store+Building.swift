internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import RecordStore
internal import SatchelCoding
package import SatchelGathering
internal import SatchelIndexing
internal import SatchelWriting

/// The tables and trees of a new store that an import fills, built in key order.
extension Store {
  /// Merges the messages that wait into tables and trees, because others follow that have no room, or a line that needs
  /// them there.
  package func settle(_ gathered: GatheredMessages) throws {
    guard !gathered.isEmpty else { return }
    let indexes = IndexCatalog.numeric.filter { GatheredMessages.fills($0.tree) }
    try build(indexes, of: gathered) { index, rows in
      try writeAlone { try $0.rebuild(index.tree, spare: Self.spare(of: index), adding: rows) }
    }
    try gathered.removeAll()
  }

  /// Ends an import into a new store: builds or rebuilds every index, dense and in key order, with one commit for each.
  /// - Parameter gathered: The messages that wait; nil if none do. It is of no use afterwards.
  package func finishBuilding(_ gathered: GatheredMessages?) throws {
    var tailNumber = try writeAlone { $0.reserveLeafNumbers(IndexCatalog.numeric.count) }
    try build(IndexCatalog.numeric, of: gathered) { index, rows in
      try writeAlone {
        try $0.rebuild(index.tree, spare: Self.spare(of: index), tailNumber: tailNumber, adding: rows)
      }
      tailNumber += 1
    }
    for index in IndexCatalog.text { try writeAlone { try $0.rebuild(index.tree) } }
  }

  /// Writes the records that wait, and calls `body` for each index with the rows that wait.
  private func build(
    _ indexes: [IndexDefinition], of gathered: GatheredMessages?,
    _ body: (IndexDefinition, ArrangedRows?) throws -> Void
  ) throws {
    guard let gathered, !gathered.isEmpty else { return try indexes.forEach { try body($0, nil) } }
    let isVisible = try visibility(of: gathered)
    let ahead = try RowsAhead(of: gathered, in: indexes.map(\.tree), isVisible: isVisible)
    defer { ahead.stop() }
    try writeRecords(of: gathered)
    for (place, index) in indexes.enumerated() { try body(index, ahead.rows(ofTreeAt: place)) }
    try gathered.forEachBatchOfMetadata(isVisible: isVisible, of: Self.values) { keys in
      try writeAlone { try $0.insert(IndexCatalog.messageMetadata.tree, keys) }
    }
  }

  /// How many values of metadata one transaction adds to their index.
  private static let values = 100_000

  private func visibility(of gathered: GatheredMessages) throws -> [Bool] {
    try read { snapshot in try gathered.visibility { try snapshot.conversation($0).isVisible } }
  }

  /// Writes the records that wait, in the order of their keys.
  private func writeRecords(of gathered: GatheredMessages) throws {
    for database in [RecordDatabase.messages, .bodies] {
      let entries = gathered.spool.sorted(database)
      guard !entries.isEmpty else { continue }
      unsafe try gathered.spool.withRecords(of: database) { record in
        var next = 0
        while next < entries.count {
          try writeAlone { writer in
            var bytes = 0
            while next < entries.count, bytes < Self.recordBytes {
              let (key, value) = unsafe record(entries[next])
              unsafe try writer.tables.write(database, key, value)
              bytes += value.count
              next += 1
            }
            writer.isChanged = true
          }
        }
      }
    }
  }

  /// How many bytes of records one transaction writes: LMDB keeps its pages in memory.
  private static let recordBytes = 16 << 20

  /// How much of a leaf stays free: more if later entries come between others, so that they do not split it at once.
  private static func spare(of index: IndexDefinition) -> Double { index.growsInside ? 0.1 : 0.05 }
}
