internal import StoreFiles

/// Writers of one process that share a transaction of LMDB, so that one commit, with its two syncs, makes the work of
/// all of them durable.
///
/// The first writer leads: it begins the transaction and does its own work. Then it waits while the writers after it in
/// the queue do theirs, each on its own thread, one after the other. Finally it commits, and all writers get their
/// results. A writer that is alone never makes a group.
///
/// LMDB binds only the two ends of a write transaction to a thread: `mdb_txn_begin` locks the writers' mutex, and
/// commit and abort unlock it. In between, nothing asks which thread calls (in mdb.c of 0.9.24, `pthread_self` and the
/// thread-specific key serve only the slots of readers). So threads that take turns may use the transaction as one
/// thread may; the monitors that hand on the turns order the memory accesses as well.
///
/// So a member that needs LMDB's write transaction lets the leader begin it.
final class WriteGroup: @unchecked Sendable {
  /// What the group has of LMDB.
  let access: WriteAccess
  private let owner: ObjectIdentifier
  private let queue: WriterQueue
  /// Whether the leader is the store's writer thread, which then has to run the jobs itself.
  private let leadsOnWriterThread: Bool
  private let maximumMembers: Int
  private let limit: UInt64
  private let command = Monitor(Command.sleep)
  /// How the leader has begun LMDB's write transaction, for the member that has asked.
  private let beginning = Monitor<Result<Bool, LMDBError>?>(nil)
  private let leader = ThreadScope.thread

  // The following properties belong to the writer whose turn it is.

  /// The state that the last successful write has left.
  var state: any SharedState
  /// The failure that has made LMDB's transaction unusable.
  private(set) var failure: (any Error)?
  private var members: [any GroupMember] = []

  /// What the leader is to do next.
  private enum Command {
    case sleep
    case run(any QueuedWrite)
    case beginChanges
    case finish
  }

  /// Makes a group whose leader has done its own work.
  init(
    _ access: WriteAccess, owner: ObjectIdentifier, queue: WriterQueue, sharing: Environment.Sharing,
    leadsOnWriterThread: Bool, state: any SharedState
  ) {
    self.access = access
    self.owner = owner
    self.queue = queue
    self.leadsOnWriterThread = leadsOnWriterThread
    self.state = state
    maximumMembers = sharing.writers - 1
    limit = deadline(afterSeconds: sharing.seconds)
  }

  /// Adds a writer to be told how the transaction ends. Its work is done, with or without success.
  func enroll(_ member: any GroupMember) { members.append(member) }

  /// Marks the transaction as unusable: it can only be aborted.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  /// Hands the turn to the next writer in the queue, or back to the leader if no other writer is to join. Only the
  /// writer whose turn it is calls this, as the last thing that it does with the group.
  func advance() {
    guard failure == nil, members.count < maximumMembers, monotonicNanoseconds() < limit,
      state.isJoinable, let next = queue.takeNext(of: owner)
    else { return tell(.finish) }
    switch next {
    case .thread(let turn): turn.join(self)
    case .job(let job) where leadsOnWriterThread: tell(.run(job))
    case .job(let job): queue.dispatch(job, joining: self)
    }
  }

  /// Lets the other writers work, and returns when the transaction is to end. The leader calls this.
  func gather() {
    advance()
    while true {
      switch nextCommand() {
      case .run(let job):
        job.join(self)
        advance()
      case .beginChanges:
        let result = Result { () throws(LMDBError) in try access.begin() }
        beginning.locked { $0 = result }
        beginning.notify()
      case .sleep, .finish: return
      }
    }
  }

  /// Begins LMDB's write transaction, on the leader's thread: only that one can end it. The member whose turn it is calls this.
  /// - Returns: Whether it begins on the state that the group has read.
  func beginChanges() throws(LMDBError) -> Bool {
    guard ThreadScope.thread != leader else { return try access.begin() }
    tell(.beginChanges)
    let result = beginning.locked(when: { $0 != nil }) { result, _ in
      defer { result = nil }
      return result
    }
    return try result?.get() ?? true
  }

  /// Tells the members how the transaction has ended.
  func settle(_ error: (any Error)?) {
    for member in members { member.settle(error) }
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

/// A writer that has done its work in the transaction of another writer, and waits for that transaction to end.
protocol GroupMember: Sendable {
  /// Gives the writer its own result or, if there is an error, that error.
  func settle(_ error: (any Error)?)
}

/// What a write hands to the next write of the same transaction, as far as the queue has to know it.
package protocol SharedState: AnyObject, SendableMetatype {
  /// Whether another write may follow in the same transaction.
  var isJoinable: Bool { get }
}
