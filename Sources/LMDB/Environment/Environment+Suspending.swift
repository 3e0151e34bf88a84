internal import CLMDB
package import StoreFiles
internal import Synchronization

/// What the layer above has attached to an environment, if it has files of the store open.
package protocol HolderOfFiles: AnyObject, Sendable {
  /// Closes them. Called once nobody is inside, when all references to the environment are suspended or closed.
  func letGoOfFiles()
}

/// What has to give way to somebody who wants the files of an environment back.
enum Yielding: UInt8, AtomicRepresentable {
  case nothing
  /// What can be done later, as a checkpoint.
  case workBeside
  /// Also reads, where they look at their lease.
  case reads
}

/// Giving the files back for a while: no lock, no slot of a reader, no descriptor and no map is left. It is a close, after which the
/// same environment can be opened again.
extension Environment {
  /// Gives one reference back. With the last one no transaction begins any more, what can be done later is broken off, and writes that
  /// wait for their turn, or for other processes, throw `suspended`. What has begun goes on, and the last of it closes the files.
  /// Balance with `resume` or `closeSuspended`.
  /// - Throws: `forked`, `closed`; `nested` inside a transaction on this thread, which would wait for itself.
  package func suspend() throws(LMDBError) {
    try checkEntry("suspend")
    try lifecycle.locked { state throws(LMDBError) in
      if let end = state.end { throw refusal("suspend", end) }
      state.references -= 1
      state.suspended += 1
      if state.references == 0 { shut(&state) }
    }
    finishIfIdle()
  }

  /// Refuses transactions until somebody resumes.
  func shut(_ state: inout Lifecycle) {
    guard state.isSuspended else { return }
    entrance.close()
    yielding.store(.workBeside, ordering: .relaxed)
    // Under the lock, so that nobody has resumed before all of it is done.
    writers.shutDown(error(.suspended, "write"))
    gate.interrupt()
    databaseGate.interrupt()
  }

  /// Waits until the files are closed, unless another reference is in use. After half the time reads that look at their lease throw
  /// `suspended`.
  /// - Throws: `stillInUse` if something goes on for longer; the files are then closed when it ends.
  package func waitUntilGivenBack(until limit: UInt64) throws(LMDBError) {
    let isDone = { (state: Lifecycle) in !state.isSuspended || state.isClosed }
    let now = monotonicNanoseconds()
    let half = limit > now ? now + (limit - now) / 2 : now
    lifecycle.locked(when: isDone, until: half) { state, isOver in
      if !isOver, state.isSuspended { yielding.store(.reads, ordering: .relaxed) }
    }
    let rest = lifecycle.locked(when: isDone, until: limit) { _, isOver in isOver ? nil : entrance.inside }
    if let rest { throw error(.stillInUse, "suspend", detail: "at work: " + namesOfWork(rest)) }
  }

  /// Says what so many transactions are.
  private func namesOfWork(_ inside: Int) -> String {
    var reads = inside
    var names: [String] = []
    if writers.isAtWork {
      names.append("a write")
      reads -= 1
    } else if databaseTurn.locked({ $0 }) {
      names.append("a checkpoint")
      reads -= 1
    }
    if reads > 0 { names.append(reads == 1 ? "a read" : "\(reads) reads") }
    return names.isEmpty ? "the renewal of the map" : names.joined(separator: ", ")
  }

  /// Whether all references are suspended.
  package var isSuspended: Bool { lifecycle.locked { $0.isSuspended } }

  /// Whether the files of a suspended environment are closed.
  var isGivenBack: Bool { lifecycle.locked { $0.isSuspended && $0.isClosed } }

  /// Takes a reference back that was given back by `suspend`. Opens the files again, if they are closed.
  /// - Parameter limit: When to give up waiting for other processes that open the store.
  /// - Throws: `replaced` if the names lead to other files by now; what opening them throws. Nothing has changed then.
  package func resume(until limit: UInt64) throws(LMDBError) {
    guard !isForeign else { throw error(.forked, "resume") }
    try Registry.reopen(self) { () throws(LMDBError) in
      try takeBack(until: limit) { $0.suspended -= 1 }
    }
  }

  /// Adds a reference, and opens the files again if they were given back. Returns false if the environment has ended. Only under the
  /// registry's lock.
  func retain(until limit: UInt64) throws(LMDBError) -> Bool {
    do throws(LMDBError) {
      try takeBack(until: limit) { _ in }
      return true
    } catch {
      if hasEnded { return false }
      throw error
    }
  }

  /// Adds a reference, with what `note` makes of the state. Under the registry's lock, so that nobody else opens files meanwhile.
  private func takeBack(until limit: UInt64, _ note: (inout Lifecycle) -> Void) throws(LMDBError) {
    // Whoever waits for the files to be closed need not wait any longer.
    defer { lifecycle.notify() }
    let isOpen = try lifecycle.locked(when: { !$0.isClosing }) { state, _ throws(LMDBError) in
      if let end = state.end { throw refusal("resume", end) }
      guard unsafe state.handle != nil else { return false }
      unshut(&state, note)
      return true
    }
    if isOpen { return }
    let opened = try reopen(until: limit)
    var end: LMDBError?
    lifecycle.locked { state in
      end = state.end
      guard end == nil else { return }
      unsafe state.handle = opened.handle
      state.sole = opened.sole
      unsafe handleInside = opened.handle
      forgetFile()
      gate.open()
      databaseGate.open()
      unshut(&state, note)
    }
    guard let end else { return }
    opened.close()
    files.end()
    throw refusal("resume", end)
  }

  private func unshut(_ state: inout Lifecycle, _ note: (inout Lifecycle) -> Void) {
    let wasSuspended = state.isSuspended
    state.references += 1
    note(&state)
    guard wasSuspended else { return }
    yielding.store(.nothing, ordering: .relaxed)
    writers.open()
    gate.goOn()
    databaseGate.goOn()
    if !state.remapping { entrance.open() }
  }

  /// Opens the files again, with the handles of databases that they had.
  private func reopen(until limit: UInt64) throws(LMDBError) -> OpenedHandle {
    let directory = files.path
    let found = try StoreFiles.prepare(directory, create: false, isDurable: true, until: limit) {
      _ throws(LMDBError) in throw error(.noSuchStore, "resume")
    }
    guard found == identity else {
      throw error(
        .replaced, "resume",
        detail: found.directory == identity.directory
          ? "another file is in the place of \(StoreFiles.dataFile)" : "another directory is at its path")
    }
    let opened = try Self.openChecked(directory, options, until: limit)
    do throws(LMDBError) {
      var shape = MDB_stat()
      unsafe mdb_env_stat(opened.handle, &shape)
      guard Int(shape.ms_psize) == pageSize else {
        throw error(.replaced, "resume", detail: "\(StoreFiles.dataFile) has other pages")
      }
      try files.begin(lock: opened.lock)
      do throws(LMDBError) {
        unsafe try reopenDatabases(opened.handle)
      } catch {
        files.end()
        throw error
      }
      return opened
    } catch {
      opened.close()
      throw error
    }
  }

  /// Forgets what was found out about the file and the map.
  private func forgetFile() {
    mapStart.store(0, ordering: .relaxed)
    mappedPages.store(0, ordering: .relaxed)
    knownPages.store(0, ordering: .relaxed)
    shortage.store(.unknown, ordering: .relaxed)
    metaPages.store(.unknown, ordering: .relaxed)
    growthNeeded.store(false, ordering: .relaxed)
    pageGuard.forgetFile()
    reopenings.wrappingAdd(1, ordering: .relaxed)
  }

  /// What is added to the number of a transaction for those who wait for another one: the count outside LMDB need not go on
  /// where it was.
  package var numberOffset: UInt64 { openings &<< 40 }

  /// How often the files were opened again.
  var openings: UInt64 { reopenings.load(ordering: .relaxed) }
}
