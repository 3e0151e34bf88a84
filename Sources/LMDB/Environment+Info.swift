internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// The state of the file, for people and for limits.
  package struct Info: Sendable, Equatable {
    /// Bytes of a page.
    package let pageSize: Int
    /// Bytes of address space that are mapped.
    package let mapSize: Int
    /// Number of the last page in use.
    package let lastPage: UInt64
    /// The last committed transaction.
    package let lastTransaction: UInt64
    /// Slots of the reader table that are taken, by all processes, idle ones included.
    package let readers: Int
    /// Slots of the reader table.
    package let maxReaders: Int
    /// Length of the data file.
    package let fileBytes: Int
    /// Pages that a commit may use again once no snapshot needs them.
    package let freePages: Int
    /// Commits since the oldest snapshot that is being read; 0 without one.
    package let readerLag: UInt64
    /// Who reads a snapshot now, the oldest first.
    package let activeReaders: [Reader]
  }

  /// A read transaction of any process.
  package struct Reader: Sendable, Hashable {
    /// The number of its process.
    package let process: Int32
    /// Commits of the file since its snapshot.
    package let lag: UInt64
  }

  /// The state of the file now. O(free list). May be asked inside a transaction.
  package var info: Info {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "read the state") }
      // The table is looked at before this call's own snapshot enters it.
      let table = try readerTable()
      let reader = try beginRead("read the state")
      defer { endRead(reader) }
      var numbers = MDB_envinfo()
      let environment = mdb_txn_env(reader.handle)
      mdb_env_info(environment, &numbers)
      var file: Int32 = -1
      var status = stat()
      guard mdb_env_get_fd(environment, &file) == 0, fstat(file, &status) == 0 else {
        throw .system("read the state", path: path)
      }
      let last = UInt64(numbers.me_last_txnid)
      return Info(
        pageSize: pageSize, mapSize: numbers.me_mapsize, lastPage: UInt64(numbers.me_last_pgno),
        lastTransaction: last, readers: table.taken, maxReaders: Int(numbers.me_maxreaders),
        fileBytes: Int(status.st_size), freePages: try freePages(reader),
        readerLag: table.oldest.map { last > $0 ? last - $0 : 0 } ?? 0,
        activeReaders: table.active.map { Reader(process: $0.process, lag: last - min(last, $0.snapshot)) }
          .sorted { $0.lag > $1.lag })
    }
  }

  /// The sum of the free list: a record for each transaction, with the number of its pages as the first word.
  private func freePages(_ reader: KeptReader) throws(LMDBError) -> Int {
    // Without a snapshot the store has no database: what is free then does not matter.
    guard let snapshot = reader.snapshot else { return 0 }
    do throws(PageFault) {
      return try snapshot.freePages()
    } catch {
      throw damage(error, "read the free list")
    }
  }

  /// The reader table, from LMDB's own listing: a line a slot, with process, thread and snapshot or "-".
  private func readerTable() throws(LMDBError) -> ReaderTable {
    let (handle, _) = try enter("read the state")
    defer { leave() }
    var table = ReaderTable()
    let code = withUnsafeMutablePointer(to: &table) { pointer in
      mdb_reader_list(
        handle,
        { line, context in
          guard let line, let context else { return 0 }
          context.assumingMemoryBound(to: ReaderTable.self).pointee.add(String(cString: line))
          return 0
        }, pointer)
    }
    guard code >= 0 else { throw LMDBError(raw: code, operation: "read the state", path: path) }
    return table
  }
}

/// What LMDB's listing of its readers says.
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

  /// Takes in one or more lines. Lines that do not begin with a number (the heading, "no active readers") say nothing.
  package mutating func add(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, let process = Int32(fields[0]) else { continue }
      taken += 1
      if let snapshot = UInt64(fields[2]) { active.append(Slot(process: process, snapshot: snapshot)) }
    }
  }
}
