internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// Builds the indexes that a store of an older format lacks.
extension Store {
  /// Builds the indexes that an older index set does not have, in one commit, and raises the format so that programs that
  /// do not know these indexes are refused. O(n log n) in messages, once; the file needs room for a tenth more.
  ///
  /// A program that does not know these indexes may have had the store open at that time and gone on writing. So
  /// indexes that lack entries are built again.
  /// - Returns: Whether anything was built.
  func buildLaterIndexes() throws -> Bool {
    guard try header.versions.indexSet < Self.versions.indexSet || read({ try !$0.hasAllOfLaterIndexes() })
    else { return false }
    try writeAlone { writer in
      // Another process may have built the indexes meanwhile.
      guard
        try writer.storedHeader().versions.indexSet < Self.versions.indexSet
          || !writer.flushed.hasAllOfLaterIndexes()
      else { return }
      try writer.buildLaterIndexes()
      try writer.raiseFormat()
    }
    return true
  }
}

extension Snapshot {
  /// Whether each later index has as many entries as the index that it is made from. O(later indexes).
  fileprivate func hasAllOfLaterIndexes() throws -> Bool {
    try IndexCatalog.later.allSatisfy { index, source in
      try forest.count(index.tree) == forest.count(source.tree)
    }
  }
}

extension Writer {
  /// How many rows are buffered before a merge. Bounds the memory that they take to a few megabytes.
  private static let batch = 100_000

  fileprivate func buildLaterIndexes() throws {
    for (index, source) in IndexCatalog.later { try build(index, from: source) }
  }

  /// Replaces the contents of an index with one row for each row of another.
  private func build(_ index: IndexDefinition, from source: IndexDefinition) throws {
    try changing { try forest.drop(index.tree) }
    var next = Bound.start
    var rows: [Words] = []
    repeat {
      rows.removeAll(keepingCapacity: true)
      do {
        var cursor = try forest.cursor(source.tree)
        try cursor.seek(to: next)
        _ = try cursor.read(into: &rows, limit: Self.batch)
      }
      for row in rows { forest.insert(index.tree, index.row(from: row)) }
      try changing { try forest.flush() }
      if let last = rows.last { next = .after(last, columns: source.tree.keyColumns) }
    } while rows.count == Self.batch
    isChanged = true
  }

  func storedHeader() throws -> StoreHeader {
    guard let bytes = unsafe try transaction.get(databases.objects, ObjectKey.header.bytes) else {
      throw RecordError("header", "", "it is missing")
    }
    return unsafe try StoreHeader(bytes)
  }

  /// Raises the format in the header. Programs that do not know the store's new indexes would not maintain them: from
  /// here on such programs are refused.
  func raiseFormat() throws {
    var header = try storedHeader()
    header.versions.format = Store.versions.format
    header.versions.minimumReader = Store.versions.minimumReader
    header.versions.indexSet = Store.versions.indexSet
    unsafe try ObjectKey.header.bytes.withUnsafeBytes { key in
      unsafe try withUnsafeTemporaryKey(header.encode()) { value in
        unsafe try transaction.put(databases.objects, key, value)
      }
    }
  }
}
