/// Where the trees of one snapshot begin: what its meta page says.
struct SnapshotRoots: Sendable {
  let transaction: UInt64
  let pageSize: Int
  /// Number of the last page that the snapshot knows of.
  let lastPage: UInt64
  let freeTree: TreeRecord
  let mainTree: TreeRecord

  /// One more than the number of the last page.
  var limit: UInt64 { lastPage + 1 }

  /// Reads a meta page and checks what LMDB relies on in it.
  init(_ bytes: RawSpan) throws(MetaPage.Flaw) {
    let meta = try MetaPage(bytes)
    try meta.checkTrees()
    transaction = meta.transaction
    pageSize = meta.pageSize
    lastPage = meta.lastPage
    (freeTree, mainTree) = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return (.empty, .empty) }
      return (TreeRecord(start + 40), TreeRecord(start + 88))
    }
  }

  /// The roots of a transaction that nobody has followed yet, or nil when its meta page does not say so: it may be
  /// being written again.
  ///
  /// Transaction n is in page n mod 2, and its follower but one writes there. As long as the other page holds an older
  /// one, that has not begun.
  static func read(
    of transaction: UInt64, from file: FilePages
  ) throws(MetaPage.Flaw) -> SnapshotRoots? {
    let own = try page(transaction & 1, of: file)
    let other = try page(1 - transaction & 1, of: file)
    let roots = try SnapshotRoots(own.span.bytes)
    let neighbour = try MetaPage(other.span.bytes)
    // A fresh store has transaction 0 in both.
    guard roots.transaction == transaction, neighbour.transaction < transaction || transaction == 0 else {
      return nil
    }
    guard neighbour.pageSize == roots.pageSize, roots.pageSize == file.pageSize else {
      throw MetaPage.Flaw("two page sizes")
    }
    return roots
  }

  private static func page(_ number: UInt64, of file: FilePages) throws(MetaPage.Flaw) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: MetaPage.length)
    let isRead = bytes.withUnsafeMutableBytes { buffer in
      (try? file.read(number, into: buffer)) != nil
    }
    guard isRead else { throw MetaPage.Flaw("its first pages cannot be read") }
    return bytes
  }
}

extension SnapshotRoots {
  /// These roots with a last page that a file of so many pages can have: for a report of roots that cannot be followed.
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
