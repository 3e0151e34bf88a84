internal import LMDB
internal import SatchelCoding
internal import SatchelModel
internal import StoreFiles
internal import Synchronization

extension Store {
  /// Whether a handle may be used.
  enum Condition: UInt8, AtomicRepresentable { case open, suspended, closed }

  /// Gives the files of this handle back until `resume`: locks, slots of readers, descriptors, maps, and the threads that use them. Later
  /// reads and writes throw `suspended`, as do writes that have not begun. If other handles of the process have the file open, it
  /// stays open for these.
  ///
  /// No checkpoint is made, and one that is being made is broken off: the journal has all commits. What has begun before is let end; a
  /// read that looks at its lease ends with `suspended` after half the time. Does nothing for a closed store. If it is suspended, waits
  /// once more.
  /// - Parameter limit: Until when to wait for what has begun.
  /// - Throws: ``SatchelError`` `busy` if something still has files open then: the store is suspended, and they are given back when
  ///   that has ended; `nestedTransaction` inside a read or a write of this thread, and `closed`, which change nothing.
  package func suspend(until limit: UInt64) throws {
    do {
      try checkChangeable("suspend")
      let isSuspended = try changing.withLock { _ in
        if condition.load(ordering: .relaxed) == .open { try beginSuspension() }
        return condition.load(ordering: .relaxed) == .suspended
      }
      guard isSuspended else { return }
      try environment.waitUntilGivenBack(until: limit)
      guard imports.locked(when: { $0 == 0 }, until: limit, { $1 }) else {
        throw stillInUse("an import goes on")
      }
      purger?.wait(until: limit)
      journal?.checkpointer.wait(until: limit) { !environment.isSuspended }
      guard commitSignal.wait(until: limit) else { throw stillInUse("an observer of commits is at work") }
    } catch {
      throw told(of: error)
    }
  }

  private func beginSuspension() throws {
    condition.store(.suspended, ordering: .releasing)
    commitSignal.suspend()
    purger?.pause()
    let seal = latestSeal.withLock { $0?.seal.commit } ?? 0
    lastCommit.store(max(seal, journal?.lastKnown ?? 0), ordering: .relaxed)
    try giveBack()
  }

  /// Gives this handle's share of the files back.
  /// - Throws: The error because of which the environment has ended: reads and writes tell it then, and observers find out.
  private func giveBack() throws {
    do {
      try environment.suspend()
      _ = journal?.detach()
    } catch {
      condition.store(.open, ordering: .releasing)
      commitSignal.end()
      throw error
    }
  }

  /// Opens the files of a suspended store again. Does nothing if it is open.
  ///
  /// Observers of commits are called, whether or not there was a commit.
  /// - Throws: ``SatchelError`` `storeReplaced` if other files are under their names, or an earlier state of them; what opening a store
  ///   throws; `closed`; `nestedTransaction`. The store is suspended then as before.
  package func resume() throws {
    do {
      try checkChangeable("resume")
      try changing.withLock { _ in
        switch condition.load(ordering: .relaxed) {
        case .open: return
        case .closed: throw LMDBError(.closed, operation: "resume", path: directory)
        case .suspended: try endSuspension()
        }
      }
    } catch {
      throw told(of: error)
    }
  }

  private func endSuspension() throws {
    // To close another descriptor of a file drops the locks on it.
    _ = commitSignal.wait(until: deadline(afterSeconds: 1))
    // Before the files are open: whoever closes another handle meanwhile is not the last one.
    journal?.attachAgain()
    do {
      try environment.resume(until: deadline(afterSeconds: Environment.Options.defaultOpenWait))
    } catch {
      _ = journal?.detach()
      throw error
    }
    do {
      try checkResumed()
      purger?.goOn()
      // Before observers are called, which is at once and on another thread: they read, and are not called a second time.
      condition.store(.open, ordering: .releasing)
      try commitSignal.resume()
    } catch {
      condition.store(.suspended, ordering: .releasing)
      purger?.pause()
      try? giveBack()
      throw error
    }
  }

  /// Looks whether the files are those of this store, at least as late as they were.
  private func checkResumed() throws {
    let known = lastCommit.load(ordering: .relaxed)
    latestSeal.withLock { $0 = nil }
    baseOfWrites.withLock { $0 = nil }
    guard let found = try environment.read({ try Self.readHeader($0, databases) }), found.uuid == header.uuid
    else { throw replaced("another store is in its place") }
    try Self.checkFormat(found, directory)
    try recover()
    let commit = try reading(nil) { $0.seal.commit }
    guard commit >= known else { throw replaced("it is at commit \(commit), and was at \(known)") }
  }

  private func replaced(_ detail: String) -> LMDBError {
    LMDBError(.replaced, operation: "resume", path: directory, detail: detail)
  }

  private func stillInUse(_ detail: String) -> LMDBError {
    LMDBError(.stillInUse, operation: "suspend", path: directory, detail: detail)
  }

  private func checkChangeable(_ operation: String) throws {
    guard !environment.isForeign else { throw LMDBError(.forked, operation: operation, path: directory) }
    guard !environment.isInsideTransaction else {
      throw LMDBError(.nested, operation: operation, path: directory)
    }
  }

  /// Runs an import into the store, for whose end `suspend` waits: it has a lock.
  package func importing<R>(_ body: () throws -> R) rethrows -> R {
    beginImport()
    defer { endImport() }
    return try body()
  }

  /// Begins what `suspend` waits for; `endImport` has to follow.
  package func beginImport() { imports.locked { $0 += 1 } }

  package func endImport() {
    imports.locked { $0 -= 1 }
    imports.notify()
  }
}
