/// The roots of the trees of one snapshot, as its meta page gives them.
package struct SnapshotRoots: Sendable {
  package let transaction: UInt64
  package let pageSize: Int
  /// Number of the last page of the snapshot.
  package let lastPage: UInt64
  package let freeTree: TreeRecord
  package let mainTree: TreeRecord
  /// Whether the next transaction is in the file as well.
  package private(set) var isFollowed = false

  /// One more than the number of the last page.
  package var limit: UInt64 { lastPage + 1 }

  /// Reads a meta page and checks what LMDB relies on in it.
  package init(_ bytes: RawSpan) throws(MetaPage.Flaw) {
    let meta = try MetaPage(bytes)
    try meta.checkTrees()
    transaction = meta.transaction
    pageSize = meta.pageSize
    lastPage = meta.lastPage
    (freeTree, mainTree) = unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return (.empty, .empty) }
      return unsafe (TreeRecord(start + 40), TreeRecord(start + 88))
    }
  }

  /// Reads the roots of the last transaction that was announced. Returns nil if the meta pages contradict that: its page
  /// may be in the middle of being overwritten.
  ///
  /// Transaction n writes meta page n mod 2 and announces itself after that; transaction n + 2 overwrites the page. As long as
  /// the other page holds an older transaction than n, transaction n + 2 has not begun. If the other page holds n + 1
  /// (`isFollowed`), what was read is right if n was still the last one to be announced afterwards: n + 2 begins after the
  /// announcement of n + 1, whose process may be on its way to that, stand still, or have ended before it.
  package static func read(
    of transaction: UInt64, from file: FilePages
  ) throws(MetaPage.Flaw) -> SnapshotRoots? {
    let own = try page(transaction & 1, of: file)
    let other = try page(1 - transaction & 1, of: file)
    var roots = unsafe try SnapshotRoots(own.span.bytes)
    let neighbour = unsafe try MetaPage(other.span.bytes)
    // A fresh store has transaction 0 in both.
    roots.isFollowed = neighbour.transaction == transaction &+ 1
    guard roots.transaction == transaction,
      neighbour.transaction < transaction || roots.isFollowed || transaction == 0
    else { return nil }
    guard neighbour.pageSize == roots.pageSize, roots.pageSize == file.pageSize else {
      throw MetaPage.Flaw("two page sizes")
    }
    return roots
  }

  /// Returns the bytes of a meta page that have a meaning.
  package static func page(_ number: UInt64, of file: FilePages) throws(MetaPage.Flaw) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: MetaPage.length)
    var failure: PageFault?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(PageFault) { unsafe try file.read(number, into: buffer) } catch { failure = error }
    }
    if let failure {
      throw MetaPage.Flaw("its first pages cannot be read", systemError: failure.systemError)
    }
    return bytes
  }
}

extension SnapshotRoots {
  /// Returns empty roots with a last page that a file of `pages` pages can have: for a report on roots that cannot be
  /// followed.
  func without(lastPageAbove pages: UInt64) -> SnapshotRoots {
    SnapshotRoots(
      transaction: transaction, pageSize: pageSize, lastPage: min(lastPage, max(pages, 2) - 1),
      freeTree: .empty, mainTree: .empty)
  }

  private init(
    transaction: UInt64, pageSize: Int, lastPage: UInt64, freeTree: TreeRecord, mainTree: TreeRecord
  ) {
    self.transaction = transaction
    self.pageSize = pageSize
    self.lastPage = lastPage
    self.freeTree = freeTree
    self.mainTree = mainTree
  }
}
