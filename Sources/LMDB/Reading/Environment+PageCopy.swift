internal import CLMDB
internal import LMDBPages
package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The pages of one snapshot, as bytes of the file, for a copy that does not follow the trees: a damaged page cannot
/// mislead it.
///
/// LMDB's own copy of all pages takes the writer's lock for a moment, and does not report its progress. This one reads
/// all pages up to the snapshot's last one, while a read transaction keeps the pages that the snapshot uses. Then it
/// writes meta pages that name exactly this snapshot. Free pages are copied as they happen to be.
package struct SnapshotPages {
  /// The bytes of the snapshot's meta page that have a meaning.
  private let meta: [UInt8]
  private let page: MetaPage
  private let file: Int32
  private let path: String

  /// The size of the copy in bytes.
  package var byteCount: Int { (Int(page.lastPage) + 1) * page.pageSize }

  /// Takes the pages of a read transaction. Nil if the commits since it began have overwritten its meta page: begin
  /// another transaction then.
  /// - Throws: `closed`, `corrupted`, or the error of the system.
  package init?(of transaction: ReadTransaction) throws(LMDBError) {
    let environment = transaction.environment
    var file: Int32 = -1
    guard let handle = unsafe transaction.handle.load(ordering: .relaxed),
      unsafe mdb_env_get_fd(mdb_txn_env(handle), &file) == 0
    else { throw environment.error(.closed, "copy", detail: "the transaction is over") }
    path = environment.path
    self.file = file
    // The second transaction after a transaction overwrites its meta page. If two reads of the page are equal, it is
    // whole.
    let first = try Self.read(file, MetaPage.length, at: 0, path)
    let size: Int
    do throws(MetaPage.Flaw) { size = unsafe try MetaPage(first.span.bytes).pageSize } catch {
      throw LMDBError(.corrupted, operation: "copy", path: path, detail: error.text)
    }
    let offset = transaction.id & 1 == 0 ? 0 : size
    let meta = try Self.read(file, MetaPage.length, at: offset, path)
    guard try meta == Self.read(file, MetaPage.length, at: offset, path) else { return nil }
    do throws(MetaPage.Flaw) {
      page = unsafe try MetaPage(meta.span.bytes)
      guard page.transaction == transaction.id, page.pageSize == size else { return nil }
      try page.checkTrees()
    } catch {
      throw LMDBError(.corrupted, operation: "copy", path: path, detail: error.text)
    }
    self.meta = meta
  }

  /// Writes the pages to an empty file, and tells `progress` the bytes written so far. If `progress` throws, the copy
  /// ends. The caller syncs the file. The transaction has to be open until the end. O(`byteCount`).
  package func write(to target: Int32, progress: (_ bytes: Int) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var offset = 2 * page.pageSize
    while offset < byteCount {
      let wanted = min(Self.chunk, byteCount - offset)
      let count = try Self.read(file, into: &buffer, wanted, at: offset, path)
      // Free pages at the end may never have been written.
      guard count > 0 else { break }
      try Self.write(buffer[..<count], to: target, at: offset, path)
      offset += count
      try progress(offset)
    }
    guard ftruncate(target, off_t(byteCount)) == 0 else { throw LMDBError.system("copy", path: path) }
    // Both meta pages get the snapshot's trees. The older one has a transaction number that is one less.
    for number in 0..<2 {
      var bytes = meta
      let isNewest = UInt64(number) == page.transaction & 1
      let transaction = isNewest ? page.transaction : page.transaction - min(1, page.transaction)
      unsafe withUnsafeBytes(of: UInt64(number)) { unsafe bytes.replaceSubrange(0..<8, with: $0) }
      unsafe withUnsafeBytes(of: transaction) { unsafe bytes.replaceSubrange(144..<152, with: $0) }
      try Self.write(bytes[...], to: target, at: number * page.pageSize, path)
    }
    try progress(byteCount)
  }

  private static let chunk = 1 << 20

  private static func read(
    _ file: Int32, _ count: Int, at offset: Int, _ path: String
  ) throws(LMDBError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard try read(file, into: &bytes, count, at: offset, path) == count else {
      throw LMDBError(.corrupted, operation: "copy", path: path, detail: "the file ends at byte \(offset)")
    }
    return bytes
  }

  /// Reads `count` bytes, or fewer at the end of the file. Returns how many it has read.
  private static func read(
    _ file: Int32, into bytes: inout [UInt8], _ count: Int, at offset: Int, _ path: String
  ) throws(LMDBError) -> Int {
    var done = 0
    while done < count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(file, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
      }
      if received == 0 { break }
      if received < 0 {
        if errno == EINTR { continue }
        throw .system("copy", path: path)
      }
      done += received
    }
    return done
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to file: Int32, at offset: Int, _ path: String
  ) throws(LMDBError) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, off_t(offset + done))
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw .system("copy", path: path)
      }
      guard written > 0 else { throw LMDBError(.diskFull, operation: "copy", path: path) }
      done += written
    }
  }
}
