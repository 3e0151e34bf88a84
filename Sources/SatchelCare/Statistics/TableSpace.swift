internal import LMDB
internal import LMDBPages
internal import SatchelCoding

/// The bytes of one of LMDB's tables: its pages, and what the entries take in them.
struct TableSpace {
  /// What an entry takes.
  struct Entry {
    /// Bytes of the entry in its leaf, with those of its value, wherever that is.
    let used: Int
    /// Bytes of the pages that the value has for itself; 0 if it is in the leaf.
    let asideBytes: Int
  }

  /// All pages.
  let pageBytes: Int
  private(set) var used = 0

  /// Reads a table. O(entries).
  /// - Parameter visit: Is called with each key, its value and what they take.
  init(
    _ transaction: ReadTransaction, _ database: Database, _ pageSize: Int,
    _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Entry) throws -> Void
  ) throws {
    pageBytes = try transaction.statistics(of: database).pages * pageSize
    var cursor = try transaction.cursor(database)
    while let (key, value) = unsafe try cursor.next() {
      let entry = Entry(keyBytes: key.count, valueBytes: value.count, pageSize: pageSize)
      used += entry.used
      unsafe try visit(key, value, entry)
    }
  }
}

extension TableSpace.Entry {
  /// What LMDB takes for an entry.
  init(keyBytes: Int, valueBytes: Int, pageSize: Int) {
    // Two entries fit a leaf, with a slot of two bytes each.
    let most = (pageSize - CheckedPage.header) / 2 / 2 * 2 - 2
    let isAside = CheckedPage.Node.header + keyBytes + valueBytes > most
    // Of a value with pages of its own, the leaf has the number of the first.
    used = CheckedPage.entryBytes(key: keyBytes, value: isAside ? 8 : valueBytes) + (isAside ? valueBytes : 0)
    asideBytes = isAside ? Int(CheckedPage.pages(of: valueBytes, size: pageSize)) * pageSize : 0
  }
}
