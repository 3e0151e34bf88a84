internal import CLMDB
internal import LMDBPages
internal import StoreFiles

extension Environment {
  /// Opens the databases that are not open yet. Creates the missing ones or, without `create`, throws.
  ///
  /// LMDB allows only one transaction at a time to open databases, so this takes a writer's turn even if it only reads.
  /// - Parameter limit: When to give up waiting for other processes, before missing ones are created.
  func openDatabases(_ names: [String], create: Bool, until limit: UInt64) throws(LMDBError) {
    try checkEntry("open a database")
    let known = databases.locked { Set($0.keys) }
    let wanted = names.filter { !known.contains($0) }
    guard !wanted.isEmpty else { return }
    for name in wanted where name.isEmpty || name.utf8.contains(0) || name.utf8.count > Self.maximumKeyLength
    {
      throw error(.noSuchDatabase, "open a database", detail: "the name is empty, too long or holds NUL")
    }
    let missing = try withWriterTurn { () throws(LMDBError) in try openExisting(wanted) }
    guard !missing.isEmpty else { return }
    guard create, !options.readOnly else {
      throw error(.noSuchDatabase, "open a database", detail: missing.joined(separator: ", "))
    }
    do {
      let opened = try write(waiting: secondsLeft(until: limit)) { transaction in
        try missing.map { try transaction.open($0, create: true, since: transaction.id) }
      }
      add(opened)
    } catch {
      throw error as? LMDBError ?? self.error(.noSuchDatabase, "open a database", detail: "\(error)")
    }
  }

  /// Opens the databases that exist. Returns the names of the others.
  private func openExisting(_ names: [String]) throws(LMDBError) -> [String] {
    let reader = try beginRead("open a database")
    let transaction = ReadTransaction(self, reader, start: nil)
    var opened: [Database] = []
    var missing: [String] = []
    var failure: LMDBError?
    let since: UInt64
    do throws(LMDBError) {
      since = unsafe try checkWay(to: names, reader.handle)
    } catch {
      transaction.endReading()
      unsafe mdb_txn_abort(reader.handle)
      leave()
      throw error
    }
    for name in names {
      do throws(LMDBError) {
        opened.append(try transaction.open(name, create: false, since: since))
      } catch {
        if error.code == .noSuchDatabase { missing.append(name) } else { failure = failure ?? error }
      }
    }
    transaction.endReading()
    // A handle stays open only if its transaction is committed, even if that is a read transaction.
    let code = unsafe mdb_txn_commit(reader.handle)
    leave()
    if let failure { throw failure }
    guard code == 0 else { throw LMDBError(raw: code, operation: "open a database", path: path) }
    add(opened)
    return missing
  }

  /// Opens the databases in files that were just opened again, so that they have the handles that they had: LMDB gives each one the
  /// next number.
  func reopenDatabases(_ environment: OpaquePointer) throws(LMDBError) {
    let known = databases.locked { all in all.values.sorted { $0.handle < $1.handle } }
    var transaction: OpaquePointer?
    var code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction = unsafe transaction else {
      throw LMDBError(raw: code, operation: "resume", path: path)
    }
    do throws(LMDBError) {
      _ = unsafe try checkWay(to: known.map(\.name), transaction)
      for database in known {
        var handle: UInt32 = 0
        var flags: UInt32 = 0
        code = unsafe mdb_dbi_open(transaction, database.name, 0, &handle)
        if code == 0 { code = unsafe mdb_dbi_flags(transaction, handle, &flags) }
        guard code == 0, handle == database.handle, flags == 0 else {
          throw error(.replaced, "resume", detail: "its databases are others: \(database.name)")
        }
      }
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
    // A handle stays open only if its transaction is committed, even if that is a read transaction.
    code = unsafe mdb_txn_commit(transaction)
    guard code == 0 else { throw LMDBError(raw: code, operation: "resume", path: path) }
  }

  /// Checks the pages of the main table on the way to each name: LMDB is about to read them, and a damaged one would
  /// end the process. Returns the number of the snapshot, or `UInt64.max` if it is unknown.
  private func checkWay(to names: [String], _ handle: OpaquePointer) throws(LMDBError) -> UInt64 {
    let (code, file) = unsafe MainTableFile.make(of: handle, pageSize: pageSize)
    guard code == 0 else { throw LMDBError(raw: code, operation: "open a database", path: path) }
    guard let file else { return .max }
    var holdsDatabasesOnly = true
    do throws(PageFault) {
      var isMissing = false
      for name in names where try file.find(name) == nil { isMissing = true }
      // If the root leads to a wrong page, none of the names is found there. A table must not be created again over a
      // damaged one.
      if isMissing { holdsDatabasesOnly = try file.checkAll() }
    } catch {
      throw damage(error, "open a database")
    }
    guard holdsDatabasesOnly else {
      throw error(
        .incompatible, "open a database",
        detail: "the file holds values where databases belong: it is another program's, or damaged")
    }
    return unsafe UInt64(truncatingIfNeeded: mdb_txn_id(handle))
  }

  private func withWriterTurn<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    _ = try writers.acquire()
    defer { writers.release() }
    return try body()
  }

  private func add(_ opened: [Database]) {
    databases.locked { all in
      for database in opened { all[database.name] = database }
    }
  }
}

extension ReadTransaction {
  /// Opens one database. Refuses a database with flags: LMDB's cursors are wrong in it.
  fileprivate func open(_ name: String, create: Bool, since: UInt64) throws(LMDBError) -> Database {
    guard let handle = unsafe handle.load(ordering: .relaxed) else {
      throw environment.error(.closed, "open a database", detail: name)
    }
    var database: UInt32 = 0
    let code = unsafe mdb_dbi_open(handle, name, create ? UInt32(MDB_CREATE) : 0, &database)
    if code == MDB_NOTFOUND { throw environment.error(.noSuchDatabase, "open a database", detail: name) }
    guard code == 0 else {
      throw LMDBError(raw: code, operation: "open a database", path: environment.path, detail: name)
    }
    var flags: UInt32 = 0
    unsafe mdb_dbi_flags(handle, database, &flags)
    guard flags == 0 else {
      throw environment.error(.incompatible, "open a database", detail: "\(name) has flags \(flags)")
    }
    return Database(name: name, environment: environment.number, handle: database, since: since)
  }
}
