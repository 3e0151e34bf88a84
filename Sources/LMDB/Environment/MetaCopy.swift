internal import CLMDB
internal import LMDBPages

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a meta page says about the snapshot of a transaction: bytes 16 to 151 of the page.
struct MetaCopy {
  /// Signature and version; address; map size; the records of the free list and of the main table, six words each; the
  /// last page; the transaction.
  private var words: Words

  private typealias Words = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64,
    UInt64, UInt64, UInt64
  )
  private static let count = 17
  /// Offsets in the page: of the words, and of the transaction's number.
  private static let offset = 16
  private static let transactionOffset = 144

  private init() { words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }

  /// The number of the transaction that wrote the page.
  var transaction: UInt64 { words.16 }
  /// The number of the last page in use.
  var lastPage: UInt64 { words.15 }

  var freeTree: TreeRecord { record(at: 3) }
  var mainTree: TreeRecord { record(at: 9) }

  private func record(at word: Int) -> TreeRecord {
    unsafe withUnsafeBytes(of: words) { bytes in
      unsafe bytes.baseAddress.map { unsafe TreeRecord($0 + 8 * word) } ?? .empty
    }
  }

  func isEqual(to other: MetaCopy) -> Bool {
    unsafe withUnsafeBytes(of: words) { mine in
      unsafe withUnsafeBytes(of: other.words) { unsafe mine.elementsEqual($0) }
    }
  }

  /// The meta pages of a store: in LMDB's map, or in the file.
  struct Source {
    /// It is safe to hold; to read through the address is unsafe.
    @safe enum Pages {
      case map(UnsafeRawPointer)
      case file(Int32)
    }

    let pages: Pages
    let pageSize: Int
  }
}

extension MetaCopy.Source {
  /// Returns the meta page of a read transaction's snapshot: never torn, and of exactly the transaction's number.
  ///
  /// Another process may be writing the meta pages meanwhile. LMDB itself reads the number first and the meta page
  /// after it, without a second look, so it can return a snapshot that is newer than its number. No copy that is
  /// accepted here is newer. A commit writes page `number & 1`, and announces its number in the lock file after that.
  ///
  /// The copy is right if, after it was made, its page still has the number and the other page has a smaller one: then
  /// the commit after next, which alone writes to this page, cannot have begun. If the other page has a larger number,
  /// the next commit is in the file. Renewing the transaction shows whether that commit has been announced: if not, the
  /// copies before and after the renewal are equal, and right.
  /// - Parameter handle: A read transaction, which this may renew. It has ended if the returned code is not 0.
  /// - Returns: No copy if the pages cannot be read, or if eight attempts have failed.
  func accepted(by handle: OpaquePointer) -> (code: Int32, meta: MetaCopy?) {
    var before: MetaCopy?
    for _ in 0..<8 {
      let number = unsafe UInt64(truncatingIfNeeded: mdb_txn_id(handle))
      let page = Int(truncatingIfNeeded: number & 1)
      guard let copy = copy(page), let own = transaction(page), let other = transaction(1 - page) else {
        return (0, nil)
      }
      if copy.transaction == number, own == number {
        if other < number { return (0, copy) }
        if let before, before.isEqual(to: copy) { return (0, copy) }
        before = copy
      } else {
        before = nil
      }
      unsafe mdb_txn_reset(handle)
      let code = unsafe mdb_txn_renew(handle)
      guard code == 0 else { return (code, nil) }
    }
    return (0, nil)
  }

  @inline(__always)
  private func copy(_ page: Int) -> MetaCopy? {
    var copy = MetaCopy()
    let isRead = unsafe withUnsafeMutableBytes(of: &copy.words) { words in
      unsafe read(words, at: page * pageSize + MetaCopy.offset)
    }
    return isRead ? copy : nil
  }

  @inline(__always)
  private func transaction(_ page: Int) -> UInt64? {
    var number: UInt64 = 0
    let isRead = unsafe withUnsafeMutableBytes(of: &number) {
      unsafe read($0, at: page * pageSize + MetaCopy.transactionOffset)
    }
    return isRead ? number : nil
  }

  @inline(__always)
  private func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    switch pages {
    case .map(let base):
      unsafe satchel_copy_words(
        target.baseAddress?.assumingMemoryBound(to: UInt64.self), base + offset, target.count / 8)
      return true
    case .file(let file):
      return unsafe pread(file, target.baseAddress, target.count, off_t(offset)) == target.count
    }
  }
}
