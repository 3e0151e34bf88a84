internal import CLMDB
package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Environment {
  /// Opens the store in a directory, or returns the environment that this process already has open for it. Balance each
  /// call with `close()`.
  ///
  /// If the store is already open, its durability has to be the same, and it must not be open for reading only unless
  /// this call asks for that too; its other options are those of the first open. A directory on a network file system
  /// is refused. So is a file whose first pages are not those of a sound store, because LMDB would trust them.
  package static func open(directory: String, options: Options) throws(LMDBError) -> Environment {
    ForkGeneration.watch()
    // For all that is waited for.
    let limit = deadline(afterSeconds: options.openWait)
    let (environment, isNew) = try Registry.open(
      path: directory, until: limit,
      identity: { () throws(LMDBError) in
        try StoreFiles.prepare(
          directory, create: options.create && !options.readOnly,
          isDurable: options.durability != .temporaryImport, until: limit
        ) { aside throws(LMDBError) in
          let opened = try openHandle(aside, report: directory, options, size: 1 << 20, until: limit)
          // LMDB writes the first pages of a new store without syncing them.
          let code = unsafe mdb_env_sync(opened.handle, 1)
          opened.close()
          guard code == 0 else { throw LMDBError(raw: code, operation: "create", path: directory) }
        }
      },
      make: { identity throws(LMDBError) in
        try make(directory, options, identity, until: limit)
      })
    do throws(LMDBError) {
      let other = environment.options
      guard isNew || (other.durability == options.durability && (!other.readOnly || options.readOnly)) else {
        throw LMDBError(
          .alreadyOpenElsewhere, operation: "open", path: directory, detail: "with other options")
      }
      try environment.openDatabases(options.databases, create: options.create, until: limit)
    } catch {
      environment.close()
      throw error
    }
    return environment
  }

  private static func make(
    _ directory: String, _ options: Options, _ identity: StoreIdentity, until limit: UInt64
  ) throws(LMDBError) -> Environment {
    let opened = try openChecked(directory, options, until: limit)
    let files: HeldFiles
    do throws(LMDBError) {
      files = try HeldFiles(directory, identity, lock: opened.lock)
    } catch {
      opened.close()
      throw error
    }
    return Environment(opened, path: directory, options: options, identity: identity, files: files)
  }

  /// Checks the data file and opens LMDB's environment. Halves the size of the map until the system grants it.
  static func openChecked(
    _ directory: String, _ options: Options, until limit: UInt64
  ) throws(LMDBError) -> OpenedHandle {
    _ = try StoreFiles.check(directory)
    let summary = try StoreCheck.check("\(directory)/\(StoreFiles.dataFile)", directory: directory)
    var size = min(options.initialMapSize, options.maxMapSize)
    if summary.used > size / 4 * 3 {
      size = max(summary.used, min(options.maxMapSize, summary.used * 2 + 1 << 30))
    }
    size = roundedToPages(size)
    let least = roundedToPages(min(size, summary.used + 16 << 20))
    while true {
      do throws(LMDBError) {
        let opened = try openHandle(directory, report: directory, options, size: size, until: limit)
        var dead: Int32 = 0
        unsafe mdb_reader_check(opened.handle, &dead)
        return opened
      } catch {
        // iOS, and limits of the address space, grant less than 64 GiB.
        guard error.code == .addressSpace, size > least else { throw error }
        size = max(least, roundedToPages(size / 2))
      }
    }
  }

  /// Opens LMDB's environment for a directory, with the flags that this layer allows and no others.
  ///
  /// The first process that opens a store makes its lock file anew, and others wait meanwhile. If it is killed before it has
  /// come to the end, the next one takes the half-made file for a whole one: it finds no table of readers, or one that says
  /// that the last transaction is number 0. LMDB would then read the older one of the two meta pages, and write over the newer
  /// one. Once nobody has the file open, the next one makes it anew.
  private static func openHandle(
    _ directory: String, report path: String, _ options: Options, size: Int, until limit: UInt64
  ) throws(LMDBError) -> OpenedHandle {
    var attempts = 0
    while true {
      attempts += 1
      do throws(LMDBError) {
        var opened = try openHandleOnce(directory, report: path, options, size: size, until: limit)
        // Nobody tells which file LMDB has opened: that which was there before, if it is there still.
        let found: FileIdentity?
        do throws(LMDBError) {
          found = try OwnFile.identity("\(directory)/\(StoreFiles.lockFile)")
        } catch {
          opened.close()
          throw error
        }
        let isSame = opened.lock == nil || opened.lock == found
        if isSame, unsafe knowsLastTransaction(opened.handle) {
          opened.lock = opened.isAlone ? nil : found
          return opened
        }
        opened.close()
        guard attempts < attemptsToOpen else {
          throw LMDBError(
            raw: EBUSY, operation: "open", path: path,
            detail: isSame
              ? "\(StoreFiles.lockFile) was left half made, and other processes have it open"
              : "\(StoreFiles.lockFile) is replaced again and again")
        }
      } catch {
        guard [MDB_INVALID, MDB_VERSION_MISMATCH, EINVAL].contains(error.rawCode), attempts < attemptsToOpen
        else { throw error }
      }
      // Others may be trying the same: each lets go of the file meanwhile.
      usleep(.random(in: 500...2000))
    }
  }

  /// How often to open a store whose lock file is half made, a millisecond apart.
  private static let attemptsToOpen = 200

  /// Whether the table of readers says which transaction is the last one. Every store has one.
  private static func knowsLastTransaction(_ environment: OpaquePointer) -> Bool {
    var info = unsafe MDB_envinfo()
    var transaction: OpaquePointer?
    guard unsafe mdb_env_info(environment, &info) == 0, unsafe info.me_last_txnid > 0,
      unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == 0
    else { return true }
    defer { unsafe mdb_txn_abort(transaction) }
    return unsafe mdb_txn_id(transaction) > 0
  }

  private static func openHandleOnce(
    _ directory: String, report path: String, _ options: Options, size: Int, until limit: UInt64
  ) throws(LMDBError) -> OpenedHandle {
    let checked = try StoreFiles.check(directory)
    var gate: Int32 = -1
    var sole: Int32 = -1
    if try StoreFiles.reserveLockFile(directory, readers: options.maxReaders, report: path) {
      gate = try OpeningGate.enter(directory, until: limit)
    } else {
      guard options.readOnly else { throw StoreFiles.noRoomForLockFile(path) }
      sole = try SoleReading.begin(directory, until: limit)
      if sole < 0 {
        return try openHandleOnce(directory, report: path, options, size: size, until: limit)
      }
    }
    defer { OpeningGate.leave(gate) }
    do throws(LMDBError) {
      return try openBehindGate(directory, report: path, options, size: size, checked, sole: sole)
    } catch {
      SoleReading.end(sole)
      throw error
    }
  }

  private static func openBehindGate(
    _ directory: String, report path: String, _ options: Options, size: Int, _ checked: FileIdentity?,
    sole: Int32
  ) throws(LMDBError) -> OpenedHandle {
    let lock = sole < 0 ? try OwnFile.identity("\(directory)/\(StoreFiles.lockFile)") : nil
    var handle: OpaquePointer?
    var code = unsafe mdb_env_create(&handle)
    guard code == 0, let handle = unsafe handle else {
      throw LMDBError(raw: code, operation: "open", path: path)
    }
    // Neighbouring pages are read only while a transaction reads much; see `ReadAhead`.
    var flags = UInt32(MDB_NOTLS | MDB_NORDAHEAD)
    if options.readOnly { flags |= UInt32(MDB_RDONLY) }
    if sole >= 0 { flags |= UInt32(MDB_NOLOCK) }
    switch options.durability {
    case .full: break
    case .relaxed: flags |= UInt32(MDB_NOMETASYNC)
    case .temporaryImport: flags |= UInt32(MDB_NOSYNC)
    }
    code = unsafe mdb_env_set_maxdbs(handle, maximumDatabases)
    if code == 0 {
      code = unsafe mdb_env_set_maxreaders(handle, UInt32(clamping: max(1, options.maxReaders)))
    }
    if code == 0 { code = unsafe mdb_env_set_mapsize(handle, size) }
    if code == 0 { code = unsafe mdb_env_open(handle, directory, flags, 0o600) }
    guard code == 0 else {
      unsafe mdb_env_close(handle)
      throw LMDBError(
        raw: code, operation: "open", path: path, detail: code == EACCES ? StoreFiles.denied(directory) : "")
    }
    // LMDB sets this flag on its other descriptors, but not on this one: programs started later would hold the file
    // open for writing.
    var file: Int32 = -1
    if unsafe mdb_env_get_fd(handle, &file) == 0 {
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      // The umask may have taken the user's own rights to the file that LMDB has just made.
      if checked == nil { _ = fchmod(file, 0o600) }
    }
    do throws(LMDBError) {
      try StoreFiles.confirm(directory, file, checked)
    } catch {
      unsafe mdb_env_close(handle)
      throw error
    }
    return unsafe OpenedHandle(handle: handle, lock: lock, sole: sole)
  }
}
