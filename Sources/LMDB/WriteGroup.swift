/// Writers of one process that share a transaction of LMDB, so that one commit, with its two syncs, makes the work of all
/// of them durable.
///
/// The first one leads: it begins the transaction, does its work, and waits while those do theirs who stood behind it in
/// the line, each on its own thread, one after the other. Then it commits, and all have their answers. A writer that is
/// alone never makes a group.
///
/// LMDB binds only the two ends of a write transaction to a thread: `mdb_txn_begin` locks the writers' mutex, and commit
/// and abort unlock it. In between nothing asks which thread it is (in mdb.c of 0.9.24 `pthread_self` and the
/// thread-specific key serve the slots of readers only), so that use that takes turns is as good as use by one thread;
/// the monitors through which the turns are handed on order the memory as well.
final class WriteGroup: @unchecked Sendable {
  /// LMDB's transaction.
  let handle: OpaquePointer
  private let owner: ObjectIdentifier
  private let queue: WriterQueue
  /// Whether the leader is the store's writer thread, so that jobs have to run there.
  private let leadsOnWriterThread: Bool
  private let maximumMembers: Int
  private let deadline: UInt64
  private let command = Monitor(Command.sleep)

  // The following belong to the one whose turn it is.

  /// What the last write has left that has succeeded.
  var state: any JoinableWrite
  /// What has made LMDB's transaction unusable.
  private(set) var failure: LMDBError?
  private var members: [any GroupMember] = []

  /// What the leader is to do next.
  private enum Command {
    case sleep
    case run(any QueuedWrite)
    case finish
  }

  /// A group whose leader has done its work.
  init(
    handle: OpaquePointer, owner: ObjectIdentifier, queue: WriterQueue, sharing: Environment.Sharing,
    leadsOnWriterThread: Bool, state: any JoinableWrite
  ) {
    self.handle = handle
    self.owner = owner
    self.queue = queue
    self.leadsOnWriterThread = leadsOnWriterThread
    self.state = state
    maximumMembers = sharing.writers - 1
    deadline = LMDB.deadline(afterSeconds: sharing.seconds)
  }

  /// Notes who is to be told of the end; its work is done, well or not.
  func enroll(_ member: any GroupMember) { members.append(member) }

  /// Makes the transaction one that can only be given up.
  func fail(_ error: LMDBError) {
    if failure == nil { failure = error }
  }

  /// Hands the turn to the next writer in the line, or back to the leader when nobody else is to join. For the one whose
  /// turn it is, as the last thing it does with the group.
  func advance() {
    guard failure == nil, members.count < maximumMembers, monotonicNanoseconds() < deadline,
      state.isJoinable, let next = queue.takeNext(of: owner)
    else { return tell(.finish) }
    switch next {
    case .thread(let turn): turn.join(self)
    case .job(let job) where leadsOnWriterThread: tell(.run(job))
    case .job(let job): queue.dispatch(job, joining: self)
    }
  }

  /// Lets the others work, and returns when the transaction is to end. For the leader.
  func gather() {
    advance()
    while let job = nextJob() {
      job.join(self)
      advance()
    }
  }

  /// Tells the members how the transaction has ended.
  func settle(_ error: (any Error)?) {
    for member in members { member.settle(error) }
  }

  private func nextJob() -> (any QueuedWrite)? {
    let isTold = { (command: Command) in if case .sleep = command { false } else { true } }
    return command.locked(when: isTold) { command, _ in
      guard case .run(let job) = command else { return nil }
      command = .sleep
      return job
    }
  }

  private func tell(_ value: Command) {
    command.locked { $0 = value }
    command.notify()
  }
}

/// A writer that has done its work in the transaction of another, and waits for the end of that.
protocol GroupMember: Sendable {
  /// Gives the writer its answer: its own result or, with an error, that error.
  func settle(_ error: (any Error)?)
}
