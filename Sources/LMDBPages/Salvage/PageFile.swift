internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A data file as numbered pages, read one at a time, for files that LMDB must not map. Nothing in it is trusted.
final class PageFile {
  let pageSize: Int
  /// The number of pages that the file has. The last one may be incomplete.
  let pageCount: UInt64
  /// The newest meta page that is valid; nil if neither is.
  let meta: MetaPage?
  /// Whether both meta pages are valid. If not, the other one may have been the newer.
  let hasBothMetas: Bool
  private let file: Int32
  private let path: String

  /// Opens the file at a path.
  /// - Throws: `noSuchStore`, `permission` or `io`; `invalid` if it is not a regular file.
  init(_ path: String) throws(LMDBError) {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system("salvage", path: path) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw LMDBError(.invalid, operation: "salvage", path: path, detail: "it is not a file")
    }
    self.file = file
    self.path = path
    let metas = Self.metas(file)
    // If there is no meta page, the page size of the system is used, as LMDB does for a new file.
    pageSize = metas.first?.pageSize ?? Int(sysconf(Int32(_SC_PAGESIZE)))
    pageCount = (UInt64(status.st_size) + UInt64(pageSize) - 1) / UInt64(pageSize)
    hasBothMetas = metas.count == 2
    meta = metas.max { $0.transaction < $1.transaction }
  }

  deinit { close(file) }

  /// Whether somebody has committed to the file since it was opened.
  var isChanged: Bool { Self.metas(file).map(\.transaction).max() != meta?.transaction }

  /// Returns the valid meta pages at the beginning of the file that agree on the size of a page.
  private static func metas(_ file: Int32) -> [MetaPage] {
    var metas: [MetaPage] = []
    if let first = meta(file, at: 0) { metas.append(first) }
    // The second meta page lies one page after the first, which may no longer say how long a page is.
    var size = 512
    while size <= MetaPage.maximumPageSize {
      if let second = meta(file, at: size), second.pageSize == size,
        metas.first.map({ $0.pageSize == size }) ?? true
      {
        metas.append(second)
      }
      size *= 2
    }
    return metas
  }

  private static func meta(_ file: Int32, at offset: Int) -> MetaPage? {
    var bytes = [UInt8](repeating: 0, count: MetaPage.length)
    guard unsafe pread(file, &bytes, bytes.count, off_t(offset)) == bytes.count,
      let meta = unsafe try? MetaPage(bytes.span.bytes), (try? meta.checkTrees()) != nil
    else { return nil }
    return meta
  }

  /// Returns the bytes of a page; those that the file lacks are zeros. Returns nil if the file does not have the page
  /// at all, or if it cannot be read.
  func page(_ number: UInt64) -> [UInt8]? {
    guard number < pageCount else { return nil }
    return bytes(at: Int(number) * pageSize, count: pageSize)
  }

  /// Returns the value after the header of an overflow page. Returns nil if the value would be longer than the file, or
  /// than any value of a store.
  func overflow(_ number: UInt64, count: Int) -> [UInt8]? {
    guard number >= 2, number < pageCount, count >= 0, count <= Self.maximumValue,
      CheckedPage.pages(of: count, size: pageSize) <= pageCount - number
    else { return nil }
    return bytes(at: Int(number) * pageSize + CheckedPage.header, count: count)
  }

  /// Bytes, more than any value of a store has.
  private static let maximumValue = 64 << 20

  private func bytes(at offset: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(file, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
      }
      if received == 0 { break }
      if received < 0 {
        if errno == EINTR { continue }
        // If the disk cannot read a sector, the page is lost.
        return nil
      }
      done += received
    }
    return bytes
  }
}
