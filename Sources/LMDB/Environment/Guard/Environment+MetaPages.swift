internal import CLMDB
internal import LMDBPages
internal import StoreFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Whether the disk will have the meta pages that everybody reads, once the file is synced.
///
/// The system tells once that a sync has failed, and may hold the pages that it has lost for written from then on: everybody
/// reads them, no later sync writes them, and a power cut brings back what was there before. Pages of trees do not suffer
/// from that: a commit whose sync fails is given up, and a later one writes all pages that it uses. But a relaxed commit
/// leaves its meta page to the next sync. If that one loses it, the commit that follows brings its own meta page to the disk
/// beside one that is three transactions older, and then writes over pages of the last state that the disk knows.
enum MetaPageState: UInt8, AtomicRepresentable {
  /// This environment has not written yet, and nobody tells what syncs have failed before it was opened.
  case unknown
  case renewed
  /// A sync has failed since they were written.
  case lost
}

extension Environment {
  /// Whether a transaction of this environment has written the meta pages again, or a sync has failed since, of which it knows.
  package var hasRenewedMetaPages: Bool { metaPages.load(ordering: .relaxed) != .unknown }

  /// Writes both meta pages again with the bytes that they have, unless it is known that the next sync brings them to the
  /// disk. Call it in a write transaction: LMDB's lock keeps them as they are.
  ///
  /// They need no sync of their own. Before the data of a commit is synced, nothing is written over pages of the state before
  /// the last one; after that, the last one is on the disk, and only then the commit writes its own meta page. So things are
  /// as they are when no sync has failed.
  func renewMetaPages(_ handle: OpaquePointer) throws(LMDBError) {
    let before = metaPages.exchange(.renewed, ordering: .relaxed)
    // A file that nobody relies on is synced whole or thrown away.
    guard before != .renewed, options.durability != .temporaryImport else { return }
    do throws(LMDBError) {
      let file = unsafe try filePages(mdb_txn_env(handle))
      for number in 0..<UInt64(2) { try renewMetaPage(number, of: file) }
    } catch {
      metaPages.store(before, ordering: .relaxed)
      throw error
    }
  }

  private func renewMetaPage(_ number: UInt64, of file: FilePages) throws(LMDBError) {
    let bytes: [UInt8]
    do throws(MetaPage.Flaw) {
      // All that has a meaning. It lies in one sector of the disk, as what LMDB writes there does.
      bytes = try SnapshotRoots.page(number, of: file)
    } catch {
      throw self.error(error.codeInStore, "write", detail: error.text)
    }
    let offset = off_t(number) * off_t(pageSize)
    let count = unsafe bytes.withUnsafeBytes { buffer in
      while true {
        let count = unsafe pwrite(file.descriptor, buffer.baseAddress, buffer.count, offset)
        if count >= 0 || errno != EINTR { return count }
      }
    }
    guard count == bytes.count else {
      throw count < 0 ? .system("write", path: path) : LMDBError(raw: ENOSPC, operation: "write", path: path)
    }
  }
}
