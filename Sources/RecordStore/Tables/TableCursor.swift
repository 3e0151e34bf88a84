package import LMDB
package import SatchelCoding
package import StoreFiles

/// A cursor over a database of records with its pending changes, in the order of the keys.
///
/// The memory that it returns is valid as long as memory that its snapshot returns, and not after the cursor. It is safe
/// to use; to read that memory is unsafe.
@safe package struct TableCursor: ~Copyable {
  private var base: Cursor
  private let pending: PendingRecords?
  /// Without pending changes each move goes straight to the database's cursor.
  private let isMerging: Bool
  /// The database's entry after the cursor, if it has been read; it is not passed yet.
  private var ahead: Cursor.Entry?
  private var hasRead = false
  /// The numbers of changes before the cursor.
  private var large = 0
  private var small = 0

  init(_ base: consuming Cursor, _ pending: PendingRecords?) {
    self.base = base
    self.pending = pending
    isMerging = pending != nil
  }

  /// Moves to the first entry. Returns nil if there is none.
  package mutating func first() throws(LMDBError) -> Cursor.Entry? {
    let entry = unsafe try base.first()
    guard let pending else { return unsafe entry }
    unsafe ahead = entry
    hasRead = true
    large = 0
    small = 0
    return unsafe try next(pending)
  }

  /// Moves to the first entry whose key is not smaller than `key`. Returns nil if there is none. O(log n).
  package mutating func seek(_ key: KeyBytes) throws(LMDBError) -> Cursor.Entry? {
    let entry = unsafe try base.seek(key)
    guard let pending else { return unsafe entry }
    unsafe ahead = entry
    hasRead = true
    large = pending.large.position(of: RecordKey(key))
    small = pending.small.position(of: RecordKey(key))
    return unsafe try next(pending)
  }

  /// Moves to the entry after the current one. Returns nil at the end.
  package mutating func next() throws(LMDBError) -> Cursor.Entry? {
    if !isMerging { return unsafe try base.next() }
    return unsafe try nextMerged()
  }

  @inline(never)
  private mutating func nextMerged() throws(LMDBError) -> Cursor.Entry? {
    guard let pending else { return nil }
    return unsafe try next(pending)
  }

  private mutating func next(_ pending: PendingRecords) throws(LMDBError) -> Cursor.Entry? {
    while true {
      if !hasRead {
        unsafe ahead = try base.next()
        hasRead = true
      }
      let largeKey = large < pending.large.count ? pending.large[large].key : nil
      let smallKey = small < pending.small.count ? pending.small[small].key : nil
      guard let changed = Self.least(largeKey, smallKey) else {
        hasRead = unsafe ahead == nil
        return unsafe ahead
      }
      if let entry = unsafe ahead {
        let key = unsafe RecordKey(entry.key)
        if key < changed {
          hasRead = false
          return unsafe entry
        }
        // The change replaces the entry.
        if key == changed { hasRead = false }
      }
      // The small run is the newer one.
      let isSmall = smallKey == changed
      let (run, index) = isSmall ? (pending.small, small) : (pending.large, large)
      if isSmall { small += 1 }
      if largeKey == changed { large += 1 }
      if let value = unsafe run[index].value { return unsafe (run.keyBytes(index), value) }
    }
  }

  private static func least(_ left: RecordKey?, _ right: RecordKey?) -> RecordKey? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }
}
