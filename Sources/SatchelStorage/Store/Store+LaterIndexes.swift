internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// Indexes that came with a later format than that of the store.
extension Store {
  /// Builds the indexes by sender in a store of the first set of indexes, in one commit, and has programs refused that
  /// know nothing of them. O(n log n) in messages, once; needs room in the file for a tenth more.
  ///
  /// A program that knows nothing of them and had the store open by then may have gone on writing: indexes that lack entries
  /// are built anew.
  /// - Returns: Whether anything was built.
  func buildLaterIndexes() throws -> Bool {
    guard try header.versions.indexSet < Self.versions.indexSet || read({ try !$0.hasAllOfSenderIndexes() })
    else { return false }
    try writeAlone { writer in
      // Another process may have been first.
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
  /// Whether the indexes by sender have as many entries as those that they are made from. O(1).
  fileprivate func hasAllOfSenderIndexes() throws -> Bool {
    try forest.count(IndexCatalog.messagePlaceSender) == forest.count(IndexCatalog.messagePlace)
      && forest.count(IndexCatalog.messageUnreadSender) == forest.count(IndexCatalog.messageUnread)
  }
}

extension Writer {
  /// Rows that wait to be merged: as many as bound the memory they take to some megabytes.
  private static let batch = 100_000

  fileprivate func buildSenderIndexes() throws {
    try build(IndexCatalog.messagePlaceSender, from: IndexCatalog.messagePlace) { place in
      Words(place[0], place[4], place[1], place[2], place[3])
    }
    try build(IndexCatalog.messageUnreadSender, from: IndexCatalog.messageUnread) { unread in
      Words(unread[4], unread[0], unread[1], unread[2], unread[3])
    }
  }

  /// Fills a tree with a row for each row of another, and nothing else.
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

  /// Programs that know nothing of what the store has now would not keep it: from here on they are refused.
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
