internal import CLMDB
internal import LMDBPages
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// The state of the file, for people to read and for checks of limits.
  package struct Info: Sendable, Equatable {
    /// Bytes of a page.
    package let pageSize: Int
    /// Bytes of address space that are mapped.
    package let mapSize: Int
    /// Number of the last page in use.
    package let lastPage: UInt64
    /// The last committed transaction.
    package let lastTransaction: UInt64
    /// Slots of the reader table that are taken, by all processes, including idle slots.
    package let readers: Int
    /// Slots of the reader table.
    package let maxReaders: Int
    /// Length of the data file.
    package let fileBytes: Int
    /// Bytes of the disk that the data file has: fewer than it is long where free pages were given back, and more where it has blocks
    /// behind its end.
    package let diskBytes: Int
    /// Pages that a commit may reuse once no snapshot needs them.
    package let freePages: Int
    /// Commits since the oldest snapshot that is being read; 0 if none is.
    package let readerLag: UInt64
    /// Who reads a snapshot now, the oldest snapshot first.
    package let activeReaders: [Reader]
  }

  /// A read transaction of any process.
  package struct Reader: Sendable, Hashable {
    /// The process id.
    package let process: Int32
    /// Commits to the file since the reader's snapshot.
    package let lag: UInt64
  }

  /// The state of the file now. O(free list). May be read inside a transaction.
  package var info: Info {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "read the state") }
      // The table is read before this call's own snapshot is entered in it.
      let table = try readerTable()
      let reader = try beginRead("read the state")
      defer { endRead(reader) }
      var numbers = unsafe MDB_envinfo()
      let environment = unsafe mdb_txn_env(reader.handle)
      unsafe mdb_env_info(environment, &numbers)
      var file: Int32 = -1
      var status = stat()
      guard unsafe mdb_env_get_fd(environment, &file) == 0, unsafe fstat(file, &status) == 0 else {
        throw .system("read the state", path: path)
      }
      let last = unsafe UInt64(numbers.me_last_txnid)
      return unsafe Info(
        pageSize: pageSize, mapSize: numbers.me_mapsize, lastPage: UInt64(numbers.me_last_pgno),
        lastTransaction: last, readers: table.taken, maxReaders: Int(numbers.me_maxreaders),
        fileBytes: Int(status.st_size), diskBytes: Int(status.st_blocks) * 512,
        freePages: try freePages(reader),
        readerLag: table.oldest.map { last > $0 ? last - $0 : 0 } ?? 0,
        activeReaders: table.active.map { Reader(process: $0.process, lag: last - min(last, $0.snapshot)) }
          .sorted { $0.lag > $1.lag })
    }
  }

  /// Returns the number of free pages. The free list has a record for each transaction; the record's first word is the
  /// number of its pages.
  private func freePages(_ reader: KeptReader) throws(LMDBError) -> Int {
    // Without a snapshot the store has no database: its free pages do not matter then.
    guard let snapshot = reader.snapshot else { return 0 }
    do throws(PageFault) {
      return try snapshot.freePages()
    } catch {
      throw damage(error, "read the free list")
    }
  }

  /// Reads the reader table from LMDB's own listing: one line for each slot, with the process, the thread, and the
  /// snapshot or "-".
  private func readerTable() throws(LMDBError) -> ReaderTable {
    let (handle, _) = unsafe try enter("read the state")
    defer { leave() }
    return unsafe try readerTable(of: handle)
  }

  /// Does the same for a thread that has entered the environment.
  func readerTable(of handle: OpaquePointer) throws(LMDBError) -> ReaderTable {
    var table = ReaderTable()
    let code = unsafe withUnsafeMutablePointer(to: &table) { pointer in
      unsafe mdb_reader_list(
        handle,
        { line, context in
          guard let line = unsafe line, let context = unsafe context else { return 0 }
          unsafe context.assumingMemoryBound(to: ReaderTable.self).pointee.add(String(cString: line))
          return 0
        }, unsafe pointer)
    }
    guard code >= 0 else { throw LMDBError(raw: code, operation: "read the state", path: path) }
    return table
  }
}

/// The reader table, as LMDB's listing gives it.
package struct ReaderTable: Equatable {
  package var taken = 0
  /// The slots in which a snapshot is being read.
  package var active: [Slot] = []
  package var oldest: UInt64? { active.map(\.snapshot).min() }

  package struct Slot: Equatable {
    package let process: Int32
    package let snapshot: UInt64
  }

  package init() {}

  /// Adds one or more lines. Ignores lines that do not begin with a number (the heading, "no active readers").
  package mutating func add(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, let process = Int32(fields[0]) else { continue }
      taken += 1
      if let snapshot = UInt64(fields[2]) { active.append(Slot(process: process, snapshot: snapshot)) }
    }
  }
}
