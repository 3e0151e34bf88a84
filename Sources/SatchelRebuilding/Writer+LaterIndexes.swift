internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelReading
package import SatchelWriting

extension Snapshot {
  /// Whether each later index that is made from another one has as many entries as that. O(later indexes).
  package func hasAllOfLaterIndexes() throws -> Bool {
    try IndexCatalog.later.allSatisfy { index in
      guard let source = index.source else { return true }
      return try forest.count(index.tree) == forest.count(source.tree)
    }
  }
}

extension Writer {
  /// How many rows are buffered before a merge. Bounds the memory that they take to a few megabytes.
  private static let batch = 100_000

  /// Builds the indexes that an older index set does not have, and raises the format. Of a store that lacks none of them only the
  /// format is raised. Does nothing if another process has done that meanwhile.
  /// - Parameter indexesMetadata: As of `raiseFormat`.
  package func buildLaterIndexes(andMetadata indexesMetadata: Bool) throws {
    let (versions, current) = (try storedHeader().versions, StoreHeader.Versions.current)
    guard
      try versions.indexSet < current.indexSet || !flushed.read({ try $0.hasAllOfLaterIndexes() })
    else {
      guard versions.minimumReader < current.minimumReader else { return }
      isChanged = true
      return try raiseFormat(indexingMetadata: indexesMetadata)
    }
    for index in IndexCatalog.later { try changing { try forest.drop(index.tree) } }
    for index in IndexCatalog.later {
      guard let source = index.source else { continue }
      try forEachBatch(of: source) { rows in
        for row in rows { forest.insert(index.tree, index.row(from: row)) }
      }
    }
    try buildFromRecords(IndexCatalog.later.filter { $0.source == nil })
    isChanged = true
    try raiseFormat(indexingMetadata: indexesMetadata)
  }

  /// Adds the entries that visible messages and their parts have in some indexes. What an import has staged is not among
  /// these messages: no index has it.
  private func buildFromRecords(_ indexes: [IndexDefinition]) throws {
    let numbers = Set(indexes.map(\.number))
    guard !numbers.isEmpty else { return }
    var changes = IndexChanges()
    try forEachBatch(of: IndexCatalog.messageCreated) { rows in
      for row in rows {
        let key = IndexCatalog.messageCreated.message(of: row)
        changes.change(from: nil, to: try indexed(key, isVisible: true))
        for change in changes.numeric where numbers.contains(change.schema.id) {
          forest.insert(change.schema, change.row)
        }
        changes.removeAll()
      }
    }
  }

  /// Calls `body` with all rows of an index, in batches, and brings the index changes that it has made to their trees.
  private func forEachBatch(of index: IndexDefinition, _ body: ([Words]) throws -> Void) throws {
    var next = Bound.start
    var rows: [Words] = []
    repeat {
      rows.removeAll(keepingCapacity: true)
      do {
        var cursor = try forest.cursor(index.tree)
        try cursor.seek(to: next)
        _ = try cursor.read(into: &rows, limit: Self.batch)
      }
      try body(rows)
      try changing { try forest.flush() }
      if let last = rows.last { next = .after(last, columns: index.tree.keyColumns) }
    } while rows.count == Self.batch
  }
}
