internal import LMDB
internal import StoreFiles

/// Writers of one process whose changes one record of the journal, or one commit of LMDB, makes durable.
///
/// The first writer leads: it begins the write and does its own work. Then it waits while the writers after it in the queue do theirs,
/// each on its own thread, one after the other, upon what those before have left in memory. Finally it commits, and all writers get
/// their results. A writer that is alone never makes a group.
///
/// LMDB binds only the two ends of a write transaction to a thread: `mdb_txn_begin` locks the writers' mutex, and
/// commit and abort unlock it. In between, nothing asks which thread calls (in mdb.c of 0.9.24, `pthread_self` and the
/// thread-specific key serve only the slots of readers). So threads that take turns may use the transaction as one
/// thread may; the monitors that hand on the turns order the memory accesses as well. A member that needs LMDB's write transaction lets
/// the leader begin it.
///
/// What the writers before have changed is in memory until the group ends: nobody joins after LMDB's write transaction has changed
/// something. So the changes of a member that fails are taken back by ending that transaction and beginning it anew.
final class WriteGroup: WriterGroup, @unchecked Sendable {
  /// What the group has of LMDB.
  let access: WriteAccess
  private let owner: ObjectIdentifier
  private let queue: WriterQueue
  /// Whether the leader is the store's writer thread, which then has to run the jobs itself.
  private let leadsOnWriterThread: Bool
  private let maximumMembers: Int
  private let limit: UInt64
  private let command = Monitor(Command.sleep)
  /// What the leader has done for the member that has asked.
  private let answer = Monitor<Result<Bool, LMDBError>?>(nil)
  private let leader = ThreadScope.thread

  // The following properties belong to the writer whose turn it is.

  /// The state that the last successful write has left.
  var state: any JoinableWrite
  /// The failure after which nothing of the group can be stored.
  private(set) var failure: (any Error)?
  private var members: [any GroupMember] = []

  /// What the leader is to do next.
  private enum Command {
    case sleep
    case run(any QueuedWrite)
    /// Begin LMDB's write transaction.
    case begin
    /// Begin it anew, without its changes.
    case beginAgain(because: (any Error)?)
    case finish
  }

  /// Makes a group whose leader has done its own work.
  init(
    _ access: WriteAccess, owner: ObjectIdentifier, queue: WriterQueue, limits: GroupLimits,
    leadsOnWriterThread: Bool, state: any JoinableWrite
  ) {
    self.access = access
    self.owner = owner
    self.queue = queue
    self.leadsOnWriterThread = leadsOnWriterThread
    self.state = state
    maximumMembers = limits.writers - 1
    limit = deadline(afterSeconds: limits.seconds)
  }

  func enroll(_ member: any GroupMember) { members.append(member) }

  func advance() {
    guard failure == nil, members.count < maximumMembers, monotonicNanoseconds() < limit,
      state.isJoinable, !access.hasChanged, let next = queue.takeNext(of: owner)
    else { return tell(.finish) }
    switch next {
    case .thread(let turn): turn.join(self)
    case .job(let job) where leadsOnWriterThread: tell(.run(job))
    case .job(let job): queue.dispatch(job, joining: self)
    }
  }

  /// Lets the other writers work, and returns when the group is to end. The leader calls this.
  func gather() {
    advance()
    while true {
      switch nextCommand() {
      case .run(let job):
        job.join(self)
        advance()
      case .begin: reply { () throws(LMDBError) in try access.begin() }
      case .beginAgain(let error):
        reply { () throws(LMDBError) in
          try access.beginAgain(because: error)
          return true
        }
      case .sleep, .finish: return
      }
    }
  }

  /// Begins LMDB's write transaction, on the leader's thread: only that one can end it. The member whose turn it is calls this.
  /// - Returns: Whether it begins on the state that the group has read.
  func begin() throws(LMDBError) -> Bool {
    guard ThreadScope.thread != leader else { return try access.begin() }
    return try ask(.begin)
  }

  /// Takes back what the member whose turn it is has changed in LMDB, after it has failed.
  ///
  /// Before: the member uses LMDB no more. After: the group is as the write before has left it. If that cannot be, all of the group fails.
  /// - Parameters:
  ///   - failure: What has made LMDB's write transaction unusable, if anything has.
  ///   - isLost: Whether the others fail with it: LMDB has a later state than they have read, and they cannot go on upon it.
  func takeBack(because failure: (any Error)?, isLost: Bool) {
    if let failure, isLost || (failure as? LMDBError)?.poisonsEnvironment == true {
      self.failure = failure
      return
    }
    do throws(LMDBError) {
      if ThreadScope.thread == leader {
        try access.beginAgain(because: failure)
      } else {
        _ = try ask(.beginAgain(because: failure))
      }
    } catch {
      self.failure = failure ?? error
    }
  }

  /// Tells the members how the group has ended.
  func settle(_ error: (any Error)?) {
    for member in members { member.settle(error) }
  }

  private func ask(_ command: Command) throws(LMDBError) -> Bool {
    tell(command)
    let result = answer.locked(when: { $0 != nil }) { result, _ in
      defer { result = nil }
      return result
    }
    return try result?.get() ?? true
  }

  private func reply(_ work: () throws(LMDBError) -> Bool) {
    let result = Result(catching: work)
    answer.locked { $0 = result }
    answer.notify()
  }

  private func nextCommand() -> Command {
    let isTold = { (command: Command) in if case .sleep = command { false } else { true } }
    return command.locked(when: isTold) { command, _ in
      defer { command = .sleep }
      return command
    }
  }

  private func tell(_ value: Command) {
    command.locked { $0 = value }
    command.notify()
  }
}
