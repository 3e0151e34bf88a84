internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The files that a process has open for a store, and whether their names still lead to them.
///
/// Somebody may remove, rename or replace a file that is in use. Who has it open notices nothing, and who opens the store after that
/// gets another file: each then believes that he is alone. So whoever writes looks here when his turn begins and before he
/// acknowledges anything, and whoever reads looks now and then.
///
/// Files are never opened for that: closing any descriptor of a file drops the locks that this process has on it. And the names are
/// asked for only once a second, since a directory above may have been renamed, and when the system has told of something
/// (`NameChanges`). Where it does not tell, a look is mostly one `fstat` of the directory, because what happens to a name in it, or to
/// its own name, changes the time of its last change. That time is believed only once a change of the same time would have been
/// seen. The system is asked to tell only once there have been many looks: Linux takes up to 20 ms for giving that up again, which
/// who opens a store, reads and closes it would wait for.
package final class HeldFiles: Sendable {
  /// A file of a store.
  package enum Name: Int, CaseIterable, Sendable {
    case data, lock, journal, head

    /// Its name in the directory.
    package var file: String {
      switch self {
      case .data: StoreFiles.dataFile
      case .lock: StoreFiles.lockFile
      case .journal: StoreFiles.journalFile
      case .head: StoreFiles.headFile
      }
    }
  }

  /// What a look has found.
  package struct Flaws: Sendable, Equatable {
    /// What is wrong with the directory, `data.mdb` or `lock.mdb`: nothing that is written reaches those who open the store. Nil if
    /// they are right.
    package var store: String?
    /// Whether the name of the journal, or of its head, leads to no file, or to another one.
    package var hasLostJournal = false

    package init() {}
  }

  private struct State {
    /// The files that are open, by name; nil for those that are not.
    var identities: [FileIdentity?] = [nil, nil, nil, nil]
    /// The time of the directory's last change that was seen last, and since when it has been seen.
    var change = Change()
    var since: UInt64 = 0
    /// Until when that time alone says that everything is as it was; 0 if it does not.
    var trustedUntil: UInt64 = 0
    #if !canImport(Darwin)
      var looks = 0
      /// Nil before `looksBeforeTold` looks, and if the system does not tell.
      var changes: NameChanges?
    #endif
  }

  /// The time of the last change of a directory.
  private struct Change: Equatable {
    var seconds = Int.min
    var nanoseconds = 0
  }

  private let descriptor = Atomic<Int32>(-1)
  /// The descriptor of the directory, which also carries the lock that orders the writers; -1 while it is closed.
  package var directory: Int32 { descriptor.load(ordering: .relaxed) }
  /// The directory's own path, without links.
  package let path: String
  private let identity: StoreIdentity
  private let state = Mutex(State())
  /// When a reader is to look.
  private let nextLook = Atomic<UInt64>(0)
  private let generation: UInt32

  /// Opens the directory of a store whose files have just been opened.
  /// - Parameter lock: The lock file; nil if LMDB does without.
  /// - Throws: `replaced` if the path leads to another directory by now; the system's error.
  package init(_ directory: String, _ identity: StoreIdentity, lock: FileIdentity?) throws(LMDBError) {
    self.identity = identity
    generation = ForkGeneration.current
    path = FileSystem.realPath(directory) ?? directory
    try begin(lock: lock)
  }

  deinit {
    // In a forked child the number may have been given to another file by now.
    if generation == ForkGeneration.current { end() }
  }

  /// Opens the directory again, after `end`, for files that have just been opened. Throws as `init`.
  package func begin(lock: FileIdentity?) throws(LMDBError) {
    let file = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .system("open", path: path) }
    guard LockDescriptors.add(file) else {
      close(file)
      errno = EMFILE
      throw .system("open", path: path)
    }
    state.withLock { state in
      state = State()
      state.identities = [identity.file, lock, nil, nil]
      descriptor.store(file, ordering: .relaxed)
    }
    guard let found = look().store else { return }
    end()
    throw LMDBError(.replaced, operation: "open", path: path, detail: found)
  }

  /// Closes the directory. From then on nothing is looked at, and no flaw is found.
  package func end() {
    state.withLock { state in
      let file = directory
      guard file >= 0 else { return }
      state = State()
      descriptor.store(-1, ordering: .relaxed)
      LockDescriptors.remove(file)
      close(file)
    }
  }

  /// Says which file this process has open under a name; nil if none.
  package func hold(_ file: FileIdentity?, as name: Name) {
    state.withLock { state in
      state.identities[name.rawValue] = file
      state.trustedUntil = 0
    }
  }

  /// Whether a second has gone by since the last look at all names. A clock that costs nanoseconds.
  package var isLookDue: Bool { coarseNanoseconds() >= nextLook.load(ordering: .relaxed) }

  /// Looks whether the names lead to the files that this process has open.
  package func look() -> Flaws {
    state.withLock { state in
      guard directory >= 0 else { return Flaws() }
      let now = coarseNanoseconds()
      #if !canImport(Darwin)
        state.looks &+= 1
        if state.looks == Self.looksBeforeTold {
          state.changes = NameChanges(of: Name.allCases.map(\.file), in: directory)
          state.trustedUntil = 0
        }
        if let changes = state.changes {
          // Before the names: what happens to one of them after that is told the next time.
          if !changes.take(), now < state.trustedUntil { return Flaws() }
          let flaws = lookAtNames(state, now)
          state.trustedUntil = flaws == Flaws() ? now &+ Self.interval : 0
          return flaws
        }
      #endif
      var status = stat()
      // Before the names: what happens to one of them after that is another change.
      guard unsafe fstat(directory, &status) == 0 else { return lookAtNames(state, now) }
      let change = Self.change(of: status)
      if change == state.change, now < state.trustedUntil { return Flaws() }
      let flaws = lookAtNames(state, now)
      if change != state.change {
        state.change = change
        state.since = now
      }
      let isSettled = now &- state.since >= Self.granularity(of: change)
      state.trustedUntil = flaws == Flaws() && isSettled ? now &+ Self.interval : 0
      return flaws
    }
  }

  private func lookAtNames(_ state: State, _ now: UInt64) -> Flaws {
    nextLook.store(now &+ Self.interval, ordering: .relaxed)
    var flaws = Flaws()
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      if FileSystem.identity(status) != identity.directory {
        flaws.store = "another directory is at its path"
      }
    } else if errno == ENOENT || errno == ENOTDIR {
      flaws.store = "the directory was removed or renamed"
    }
    for name in Name.allCases {
      guard let held = state.identities[name.rawValue] else { continue }
      let isThere = unsafe fstatat(directory, name.file, &status, AT_SYMLINK_NOFOLLOW) == 0
      // What cannot be told is not held against a file.
      if isThere ? FileSystem.identity(status) == held : errno != ENOENT { continue }
      switch name {
      case .journal, .head: flaws.hasLostJournal = true
      case .data, .lock:
        flaws.store =
          flaws.store
          ?? (isThere
            ? "another file is in the place of \(name.file)" : "\(name.file) was removed or renamed")
      }
    }
    return flaws
  }

  private static func change(of status: stat) -> Change {
    #if canImport(Darwin)
      Change(seconds: status.st_ctimespec.tv_sec, nanoseconds: status.st_ctimespec.tv_nsec)
    #else
      Change(seconds: Int(status.st_ctim.tv_sec), nanoseconds: Int(status.st_ctim.tv_nsec))
    #endif
  }

  /// After how many nanoseconds a further change has another time. Systems count in ticks of some milliseconds; file systems that
  /// keep whole seconds, or two, say so by their zeros.
  private static func granularity(of change: Change) -> UInt64 {
    change.nanoseconds == 0 ? 3_000_000_000 : 50_000_000
  }

  #if !canImport(Darwin)
    private static let looksBeforeTold = 64
  #endif

  /// Nanoseconds between two looks at all names.
  private static let interval: UInt64 = 1_000_000_000
}

/// Returns a time in nanoseconds that is some milliseconds late, and costs less than the exact one.
private func coarseNanoseconds() -> UInt64 {
  #if canImport(Darwin)
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX)
  #else
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  #endif
}
