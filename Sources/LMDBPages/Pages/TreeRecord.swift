/// The record of one LMDB tree, 48 bytes in the machine's byte order. A meta page holds the records of the free list
/// and of the main table; the main table holds the record of each named database.
@usableFromInline package struct TreeRecord: Equatable, Sendable {
  @usableFromInline package let flags: UInt16
  /// Levels from the root to a leaf; 0 in an empty tree.
  @usableFromInline package let depth: Int
  @usableFromInline package let branchPages: UInt64
  @usableFromInline package let leafPages: UInt64
  @usableFromInline package let overflowPages: UInt64
  @usableFromInline package let entries: UInt64
  /// Number of the root page; all ones in an empty tree.
  @usableFromInline package let root: UInt64

  /// Bytes of a record.
  @inlinable package static var length: Int { 48 }
  /// The deepest tree that is read. With two keys a page, the fewest that LMDB leaves in one, and pages of 4 KiB, a
  /// tree of this depth has some thousand pages; a real tree of this depth has billions.
  @inlinable package static var maximumDepth: Int { 12 }
  @inlinable package static var noRoot: UInt64 { UInt64.max }

  @inlinable package var isEmpty: Bool { root == Self.noRoot }

  /// Reads the record of a database without flags, from a value of the main table that lies in `page`.
  /// - Throws: `treeRecord` if the record is impossible.
  @usableFromInline package init(_ bytes: UnsafeRawBufferPointer, page: UInt64, limit: UInt64)
    throws(PageFault)
  {
    guard bytes.count == Self.length, let start = bytes.baseAddress else {
      throw PageFault(page, .treeRecord)
    }
    unsafe self.init(start)
    guard flags == 0, isPossible(limit: limit) else { throw PageFault(page, .treeRecord) }
  }

  /// Reads the record at an address, without a check.
  @inlinable package init(_ start: UnsafeRawPointer) {
    flags = unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    depth = unsafe Int(start.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    branchPages = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    leafPages = unsafe start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    overflowPages = unsafe start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    entries = unsafe start.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    root = unsafe start.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
  }

  /// Whether depth and root agree, and the root lies in the store.
  @usableFromInline package func isPossible(limit: UInt64) -> Bool {
    guard !isEmpty else { return depth == 0 }
    return depth >= 1 && depth <= Self.maximumDepth && root >= 2 && root < limit
  }

  /// Whether a store of `limit` pages can have the counts of this record. Sums of such counts do not overflow.
  @usableFromInline package func hasPossibleCounts(limit: UInt64) -> Bool {
    // A node takes at least ten bytes, and a page has at most 32 KiB.
    branchPages <= limit && leafPages <= limit && overflowPages <= limit && entries <= limit << 12
  }

  /// The tree without a page.
  @usableFromInline package static let empty = TreeRecord(depth: 0, root: Self.noRoot)

  /// Makes a record that counts nothing.
  init(depth: Int, root: UInt64) {
    flags = 0
    self.depth = depth
    branchPages = 0
    leafPages = 0
    overflowPages = 0
    entries = 0
    self.root = root
  }

  /// The record as it lies in the main table.
  package var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.length)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: flags, toByteOffset: 4, as: UInt16.self)
      unsafe bytes.storeBytes(of: UInt16(truncatingIfNeeded: depth), toByteOffset: 6, as: UInt16.self)
      for (index, number) in [branchPages, leafPages, overflowPages, entries, root].enumerated() {
        unsafe bytes.storeBytes(of: number, toByteOffset: 8 + 8 * index, as: UInt64.self)
      }
    }
    return bytes
  }
}
