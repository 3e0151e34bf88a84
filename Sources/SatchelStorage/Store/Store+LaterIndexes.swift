internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// Builds the indexes that a store of an older format lacks.
extension Store {
  /// Builds the indexes by sender in a store of the first index set, in one commit, and raises the format so that
  /// programs that do not know these indexes are refused. O(n log n) in messages, once; the file needs room for a tenth
  /// more.
  ///
  /// A program that does not know these indexes may have had the store open at that time and gone on writing. So
  /// indexes that lack entries are built again.
  /// - Returns: Whether anything was built.
  func buildLaterIndexes() throws -> Bool {
    guard try header.versions.indexSet < Self.versions.indexSet || read({ try !$0.hasAllOfSenderIndexes() })
    else { return false }
    try writeAlone { writer in
      // Another process may have built the indexes meanwhile.
      guard
        try writer.storedHeader().versions.indexSet < Self.versions.indexSet
          || !writer.flushed.hasAllOfSenderIndexes()
      else { return }
      try writer.buildSenderIndexes()
      try writer.raiseFormat()
    }
    return true
  }
}

extension Snapshot {
  /// Whether each index by sender has as many entries as the index that it is made from. O(1).
  fileprivate func hasAllOfSenderIndexes() throws -> Bool {
    try forest.count(IndexCatalog.messagePlaceSender) == forest.count(IndexCatalog.messagePlace)
      && forest.count(IndexCatalog.messageUnreadSender) == forest.count(IndexCatalog.messageUnread)
  }
}

extension Writer {
  /// How many rows are buffered before a merge. Bounds the memory that they take to a few megabytes.
  private static let batch = 100_000

  fileprivate func buildSenderIndexes() throws {
    try build(IndexCatalog.messagePlaceSender, from: IndexCatalog.messagePlace) { place in
      Words(place[0], place[4], place[1], place[2], place[3])
    }
    try build(IndexCatalog.messageUnreadSender, from: IndexCatalog.messageUnread) { unread in
      Words(unread[4], unread[0], unread[1], unread[2], unread[3])
    }
  }

  /// Replaces the contents of a tree with one row for each row of another.
  private func build(_ tree: TreeSchema, from source: TreeSchema, _ row: (Words) -> Words) throws {
    try changing { try forest.drop(tree) }
    var next = Bound.start
    var rows: [Words] = []
    repeat {
      rows.removeAll(keepingCapacity: true)
      do {
        var cursor = try forest.cursor(source)
        try cursor.seek(to: next)
        _ = try cursor.read(into: &rows, limit: Self.batch)
      }
      for words in rows { forest.insert(tree, row(words)) }
      try changing { try forest.flush() }
      if let last = rows.last { next = .after(last, columns: source.keyColumns) }
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
