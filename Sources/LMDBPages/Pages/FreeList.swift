#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads the free list of a data file by `pread`, without mapping the file.
///
/// A sound file may be shorter than the number of its last page says: pages that a transaction takes at the end and
/// gives up again are never written (one commit in some thousand with large values). These pages are on the free list.
/// A file that lacks any other page was cut off.
package struct FreeList {
  private let file: Int32
  private let pageSize: Int
  /// The number of complete pages in the file.
  private let present: UInt64
  private let lastPage: UInt64
  /// The number of pages read so far. A tree has fewer pages than the file; a cycle has more.
  private var visited: UInt64 = 0
  /// The free pages after the end of the file.
  private var missing: Set<UInt64> = []

  /// Returns whether every page from the end of the file up to the last page is free. O(pages of the free list).
  package static func coversEnd(
    of file: Int32, bytes: Int, meta: MetaPage
  ) throws(MetaPage.Flaw) -> Bool {
    var list = FreeList(
      file: file, pageSize: meta.pageSize, present: UInt64(bytes / meta.pageSize), lastPage: meta.lastPage)
    if meta.freeTree.root == MetaPage.Tree.noRoot { return false }
    try list.walk(meta.freeTree.root, depth: meta.freeTree.depth)
    return UInt64(list.missing.count) == meta.lastPage + 1 - list.present
  }

  private init(file: Int32, pageSize: Int, present: UInt64, lastPage: UInt64) {
    self.file = file
    self.pageSize = pageSize
    self.present = present
    self.lastPage = lastPage
  }

  private mutating func walk(_ number: UInt64, depth: Int) throws(MetaPage.Flaw) {
    visited += 1
    guard visited <= present else { throw Self.flaw }
    let bytes = try read(number, offset: 0, count: pageSize)
    let page = unsafe bytes.span.bytes
    let flags = page.number(at: 10, as: UInt16.self)
    let lower = Int(page.number(at: 12, as: UInt16.self))
    guard lower >= Self.header, lower <= pageSize, flags & (Self.leaf | Self.branch) != 0 else {
      throw Self.flaw
    }
    let isLeaf = flags & Self.leaf != 0
    guard isLeaf == (depth == 1) else { throw Self.flaw }
    for slot in 0..<(lower - Self.header) / 2 {
      let node = Int(page.number(at: Self.header + 2 * slot, as: UInt16.self))
      guard node >= lower, node <= pageSize - Self.nodeHeader else { throw Self.flaw }
      // Two 16-bit words, the low one first on a little-endian machine: together one number in the machine's byte
      // order.
      let word = UInt64(page.number(at: node, as: UInt32.self))
      let high = UInt64(page.number(at: node + 4, as: UInt16.self))
      if isLeaf {
        let value = node + Self.nodeHeader + Int(page.number(at: node + 6, as: UInt16.self))
        try collect(page, at: value, count: Int(word), isOverflow: high & Self.overflowFlag != 0)
      } else {
        try walk(word | high << 32, depth: depth - 1)
      }
    }
  }

  /// Reads one record: the count of its pages, then their numbers.
  private mutating func collect(
    _ page: RawSpan, at offset: Int, count: Int, isOverflow: Bool
  ) throws(MetaPage.Flaw) {
    if isOverflow {
      guard offset <= pageSize - 8, count <= Int(present) * pageSize else { throw Self.flaw }
      let bytes = try read(page.number(at: offset, as: UInt64.self), offset: Self.header, count: count)
      unsafe try collect(bytes.span.bytes, from: 0, to: count)
    } else {
      guard offset + count <= pageSize else { throw Self.flaw }
      try collect(page, from: offset, to: offset + count)
    }
  }

  private mutating func collect(_ bytes: RawSpan, from start: Int, to end: Int) throws(MetaPage.Flaw) {
    guard end - start >= 8 else { throw Self.flaw }
    let pages = bytes.number(at: start, as: UInt64.self)
    guard pages <= UInt64((end - start) / 8 - 1) else { throw Self.flaw }
    for index in 0..<Int(pages) {
      let number = bytes.number(at: start + 8 + 8 * index, as: UInt64.self)
      if number >= present, number <= lastPage { missing.insert(number) }
    }
  }

  private func read(_ number: UInt64, offset: Int, count: Int) throws(MetaPage.Flaw) -> [UInt8] {
    guard number >= 2, number < present, count >= 0 else { throw Self.flaw }
    let start = Int(number) * pageSize + offset
    guard start + count <= Int(present) * pageSize else { throw Self.flaw }
    var received = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      received = unsafe pread(file, buffer.baseAddress, count, off_t(start))
      length = max(0, received)
    }
    guard received >= 0 else { throw MetaPage.Flaw("its free list cannot be read", code: .io(errno)) }
    guard received == count else { throw Self.flaw }
    return bytes
  }

  private static let flaw = MetaPage.Flaw("it was cut off, or its free list is damaged")
  /// Bytes before the slots of a page, and bytes before the key of a node.
  private static let header = 16
  private static let nodeHeader = 8
  private static let branch: UInt16 = 0x01
  private static let leaf: UInt16 = 0x02
  private static let overflowFlag: UInt64 = 0x01
}
