package import Journal
package import LMDB
internal import RecordStore
package import SatchelCoding
internal import StoreFiles
internal import Synchronization

/// A store's journal in this process: one for all handles of the file.
///
/// A commit is appended to the journal, with one write and one sync, and added to the tail, the changes that LMDB does not
/// have yet. Readers see LMDB with the tail. When the tail has become long, a checkpoint takes it to LMDB, and the
/// journal's space is used again. So LMDB, with its dozens of pages and two syncs, is paid for once in thousands of commits.
///
/// Whoever appends has his turn among the writers of all processes, which `WriterOrder` gives. The seal in LMDB says whether there may
/// be commits in the journal; as long as it says no, nothing here is looked at.
@usableFromInline package final class CommitJournal: Sendable {
  /// What is known of the journal.
  struct State {
    var files: JournalFiles?
    var known = KnownTails()
    /// Goes on where `known.current` ends; nil if nothing was read yet.
    var reader: JournalReader?
    /// What goes with the state of LMDB that a checkpoint is about to bring about, as far as it has been read.
    var ahead: (tail: Tail, reader: JournalReader)?
    /// Whether somebody has waited in vain for another process that opens or closes the store. Whoever comes next does not wait.
    var hasWaited = false
    /// The handles of the store that this process has open.
    var handles = 0
    /// Whether the sync of a checkpoint has failed: the next writer says so to all processes.
    var hasLostSync = false
    /// What a writer of this process is about to commit to LMDB; nil once he has said what became of it, or has gone.
    weak var commit: CommitOnItsWay?
  }

  /// What a writer has of the journal: only for whoever has his turn among the writers of all processes, which also orders the
  /// accesses.
  final class Writing: @unchecked Sendable {
    /// Nil until this process has looked what is there in a writer's turn.
    var writer: JournalWriter?
    var draft = JournalDraft()
    /// How many transactions this process has committed to LMDB.
    var commits = 0
    /// What is known of the room in LMDB's file.
    var room: Room?
    /// The last commit before a checkpoint that was begun and has not succeeded.
    var lastAttempt: UInt64?
    /// Whether the journal or its head has lost its name: the transaction goes to LMDB, with all that is in the journal.
    var isParted = false
    /// Whether LMDB's file has a later transaction that nobody has announced, until this writer's takes its place.
    var isUnannounced = false

    struct Room {
      /// The state of LMDB at which the bytes in use were counted.
      let point: JournalPoint
      let used: Int
      /// For how many bytes more there is room.
      var granted = 0
    }
  }

  /// Where the files are.
  package let place: any JournalPlace
  package let owner: JournalOwner
  package let options: JournalOptions
  package let isReadOnly: Bool
  /// Whether a commit that has returned survives a power cut.
  package let isSynced: Bool
  /// Whether this process appends.
  package let isAppending: Bool
  weak let database: (any JournaledDatabase)?
  let state: Guarded
  /// Raised whenever `State.known` changes, so that a reader need not ask under the lock.
  private let generation = Atomic<UInt64>(0)
  let writing = Writing()
  /// The last commit that a read of this process has shown: none shows an earlier one after that.
  private let shown = Atomic<UInt64>(0)
  /// Whether commits that are missing are given up: what can be read before them is then the whole journal.
  private let damageIsAccepted = Atomic(false)
  package let checkpointer = Checkpointer()

  /// How a process has its store open.
  package struct Access: Sendable {
    package var isReadOnly = false
    /// Whether a commit that has returned survives a power cut.
    package var isSynced = true
    /// Whether this process appends.
    package var isAppending = true

    package init() {}
  }

  /// - Parameter turns: Told of the threads that take turns; only in a simulation.
  package init(
    before database: any JournaledDatabase, in place: any JournalPlace, of owner: JournalOwner,
    _ access: Access, _ options: JournalOptions, turns: (any ThreadTurns)? = nil
  ) {
    self.database = database
    self.place = place
    self.owner = owner
    self.options = options
    isReadOnly = access.isReadOnly
    isSynced = access.isSynced
    isAppending = access.isAppending
    state = Guarded(turns)
  }

  private convenience init(
    _ environment: Environment, _ owner: JournalOwner, _ options: JournalOptions,
    _ interposer: JournalInterposer?
  ) {
    var access = Access()
    access.isReadOnly = environment.options.readOnly
    access.isSynced = environment.options.durability == .full
    access.isAppending =
      !environment.options.readOnly && options.use != .never
      && (options.use == .always || environment.options.durability != .temporaryImport)
    self.init(
      before: environment, in: SystemPlace(environment.path, through: interposer), of: owner, access, options)
  }

  /// Returns the journal of the file that an environment has open, for one more handle of the store. Balance with `detach`.
  package static func attach(
    to environment: Environment, _ uuid: StoreUUID, _ options: JournalOptions,
    _ interposer: JournalInterposer? = nil
  ) -> CommitJournal? {
    guard options.use != .ignored else { return nil }
    return environment.attachment.locked { attachment in
      let owner = JournalOwner(high: uuid.high, low: uuid.low)
      // While a store is suspended, its file may be removed, and another one may get its number.
      let known = (attachment as? CommitJournal).flatMap { $0.owner == owner ? $0 : nil }
      let journal = known ?? CommitJournal(environment, owner, options, interposer)
      attachment = journal
      journal.state.withLock { state in
        // What an earlier last handle has left is of no use: others may have written since.
        if state.handles == 0, state.files == nil {
          state.known = KnownTails()
          journal.goBack(to: 0)
        }
        state.handles += 1
      }
      return journal
    }
  }

  /// Whether commits that are missing are given up.
  var acceptsDamage: Bool { damageIsAccepted.load(ordering: .relaxed) }

  /// Runs `body` while commits that are missing are given up.
  package func acceptingDamage<R>(_ body: () throws -> R) rethrows -> R {
    damageIsAccepted.store(true, ordering: .relaxed)
    defer { damageIsAccepted.store(false, ordering: .relaxed) }
    return try body()
  }

  /// Adds a handle that was detached for a while.
  package func attachAgain() { state.withLock { $0.handles += 1 } }

  /// Ends the use of one handle. Returns whether it was the last one.
  package func detach() -> Bool {
    state.withLock { state in
      state.handles -= 1
      return state.handles == 0
    }
  }

  /// Lets go of the files, after the last handle.
  package func closeFiles() {
    state.withLock { drop(&$0) }
  }

  /// The last commit that a read of this process has shown.
  package var lastShown: UInt64 { shown.load(ordering: .relaxed) }

  /// The last commit that this process has shown or made, as far as the journal knows.
  package var lastKnown: UInt64 { max(lastShown, state.withLock { $0.known.current?.seal.commit } ?? 0) }

  /// Says that a read shows a commit.
  package func show(_ commit: UInt64) { shown.max(commit, ordering: .relaxed) }

  /// Lets reads show earlier commits than those before.
  package func goBack(to commit: UInt64) { shown.store(commit, ordering: .relaxed) }

  /// A number that is another one after each publication; 0 as long as the journal's files are not open.
  package var stamp: UInt64 { known(nil).head?.stamp ?? 0 }

  /// How many commits the journal's head counts.
  /// - Parameter memory: What the reader has kept of the journal.
  package func count(_ memory: KeptTails?) -> UInt64 { known(memory).head?.count ?? 0 }

  /// What is known now.
  /// - Parameter memory: What the reader has kept of it.
  func known(_ memory: KeptTails?) -> KnownTails {
    let now = generation.load(ordering: .acquiring)
    if let memory, let known = memory.tails, memory.generation == now { return known }
    let known = state.withLock { $0.known }
    memory?.tails = known
    memory?.generation = now
    return known
  }

  /// Makes readers see other tails.
  func publish(_ known: KnownTails, _ state: inout State) {
    state.known = known
    generation.add(1, ordering: .releasing)
  }

  /// Keeps files that were just opened, and makes watchers look at the head. Afterwards those who have read go on by these files: who has
  /// read beside others has done it by a handle that cannot write.
  func keep(_ files: JournalFiles, _ state: inout State) {
    state.files = files
    state.reader = state.reader?.goingOn(by: files.file)
    state.ahead = state.ahead.flatMap { ahead in
      ahead.reader.goingOn(by: files.file).map { (ahead.tail, $0) }
    }
    database?.hold(try? files.file.identity(), as: .journal)
    database?.hold(files.head?.identity, as: .head)
    state.hasWaited = false
    publish(KnownTails(current: state.known.current, former: state.known.former, head: files.head), &state)
    if let head = files.head { database?.setOutsideCommits(head) }
  }

  /// Lets go of the files, and forgets what was read.
  func drop(_ state: inout State) {
    state.files = nil
    state.reader = nil
    state.ahead = nil
    for name in [HeldFiles.Name.journal, .head] { database?.hold(nil, as: name) }
    publish(KnownTails(), &state)
  }
}

extension CommitJournal: HolderOfFiles {
  package func letGoOfFiles() {
    writing.writer = nil
    writing.room = nil
    closeFiles()
  }
}
