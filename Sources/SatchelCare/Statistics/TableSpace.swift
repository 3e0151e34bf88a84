internal import LMDB
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
  /// What LMDB takes for an entry: eight bytes and the key, the value or the number of its first page, a slot of two bytes.
  init(keyBytes: Int, valueBytes: Int, pageSize: Int) {
    let (header, slot, number) = (8, 2, 8)
    let pageHeader = 16
    let most = (pageSize - pageHeader) / 2 / 2 * 2 - slot
    let isAside = header + keyBytes + valueBytes > most
    let inLeaf = header + keyBytes + (isAside ? number : valueBytes)
    used = (inLeaf + 1) / 2 * 2 + slot + (isAside ? valueBytes : 0)
    asideBytes = isAside ? (pageHeader + valueBytes + pageSize - 1) / pageSize * pageSize : 0
  }
}
