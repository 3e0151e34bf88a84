/// Lets one writer work at a time, in the order in which they asked: a waiting thread, or a job for the writer thread.
/// The writer at work can take the writers that are next in the queue into a group.
///
/// LMDB's own lock is not fair: a thread that writes in a loop can starve the others for seconds.
package final class WriterQueue: Sendable {
  private let path: String
  private let line: Monitor<Line>

  private struct Line {
    var isBusy = false
    var waiting: [Entry] = []
    /// Index of the first entry that still waits; the entries before it are done.
    var head = 0
    var thread: WriterThread?
    var end: LMDBError?

    /// Returns the first entry that waits. Removes the cancelled ones before it.
    mutating func first() -> Entry? {
      while head < waiting.count {
        if case .job(let job) = waiting[head], job.isCancelled {
          removeFirst()
        } else {
          return waiting[head]
        }
      }
      waiting.removeAll(keepingCapacity: true)
      head = 0
      return nil
    }

    mutating func removeFirst() {
      head += 1
      if head >= 64, head * 2 >= waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
    }
  }

  package enum Entry: Sendable {
    case thread(WriterTurn)
    case job(any QueuedWrite)

    package var owner: ObjectIdentifier? {
      switch self {
      case .thread(let turn): turn.owner
      case .job(let job): job.owner
      }
    }
  }

  package init(path: String) {
    self.path = path
    line = Monitor(Line())
  }

  /// Waits for this thread's turn. Returns nil if the thread is to lead: balance that with `release`.
  /// Otherwise returns the group to join: balance that with `enroll` and `advance`.
  /// - Throws: The error of `shutDown`.
  package func acquire(
    for owner: ObjectIdentifier? = nil
  ) throws(LMDBError) -> (turn: WriterTurn, group: any WriterGroup)? {
    let turn: WriterTurn? = try line.locked { line throws(LMDBError) in
      if let end = line.end { throw end }
      guard line.isBusy else {
        line.isBusy = true
        return nil
      }
      let turn = WriterTurn(owner: owner)
      line.waiting.append(.thread(turn))
      return turn
    }
    guard let turn, let group = try turn.take() else { return nil }
    return (turn, group)
  }

  /// Puts a job in the queue; the writer thread runs it when its turn has come.
  package func submit(_ job: any QueuedWrite) {
    enum Admission { case now, later, refused(LMDBError) }
    let admission: Admission = line.locked { line in
      if let end = line.end { return .refused(end) }
      guard line.isBusy else {
        line.isBusy = true
        return .now
      }
      line.waiting.append(.job(job))
      return .later
    }
    switch admission {
    case .now: dispatch(job)
    case .later: break
    case .refused(let error): job.fail(error)
    }
  }

  /// Ends a turn and begins the next one.
  package func release() {
    let next: Entry? = line.locked { line in
      let next = line.first()
      if next == nil { line.isBusy = false } else { line.removeFirst() }
      return next
    }
    switch next {
    case .none: break
    case .thread(let turn): turn.lead()
    case .job(let job): dispatch(job)
    }
  }

  /// Whether the next entry in the queue is of this owner. Only the writer at work asks this.
  package func isNext(of owner: ObjectIdentifier) -> Bool {
    line.locked { $0.first()?.owner == owner }
  }

  /// Takes the next entry out of the queue if it is of this owner. Only the writer at work calls
  /// this.
  package func takeNext(of owner: ObjectIdentifier) -> Entry? {
    line.locked { line in
      guard let next = line.first(), next.owner == owner else { return nil }
      line.removeFirst()
      return next
    }
  }

  /// How many entries are in the queue, including cancelled ones.
  package var count: Int {
    line.locked { $0.waiting.count - $0.head }
  }

  /// Refuses every writer that still waits, and every later one. The writer at work goes on, together with the writers
  /// that have joined it.
  package func shutDown(_ error: LMDBError) {
    let (entries, thread) = line.locked { line -> ([Entry], WriterThread?) in
      if line.end == nil || line.end?.code == .suspended { line.end = error }
      var entries: [Entry] = []
      while let entry = line.first() {
        entries.append(entry)
        line.removeFirst()
      }
      let thread = line.thread
      line.thread = nil
      return (entries, thread)
    }
    for entry in entries {
      switch entry {
      case .thread(let turn): turn.refuse(error)
      case .job(let job): job.fail(error)
      }
    }
    thread?.stop()
  }

  /// Admits writers again, after a `shutDown` with `suspended`.
  package func open() {
    line.locked { line in if line.end?.code == .suspended { line.end = nil } }
  }

  /// Whether a writer is at work.
  package var isAtWork: Bool { line.locked(\.isBusy) }

  /// Runs a job whose turn has come on the writer thread, by itself or in a group.
  package func dispatch(_ job: any QueuedWrite, joining group: (any WriterGroup)? = nil) {
    let work: @Sendable () -> Void = { [self] in
      if let group {
        job.join(group)
        group.advance()
      } else {
        job.run()
        release()
      }
    }
    // Under the lock, so that a thread which is told to stop has the work already, and does it first. Otherwise the
    // work would be lost, and the writers of its group would wait for it for ever.
    let hasThread = line.locked { line in
      guard let thread = line.thread ?? WriterThread.start() else { return false }
      thread.run(work)
      // A job that was taken out of the queue before the shutdown still runs; nobody else would stop its thread.
      if line.end == nil { line.thread = thread } else { thread.stop() }
      return true
    }
    guard !hasThread else { return }
    job.fail(.system("start the writer thread", path: path))
    if let group { group.advance() } else { release() }
  }
}

/// Writers of one process that share what the first of them has begun, as the queue knows them.
package protocol WriterGroup: AnyObject, Sendable {
  /// Adds a writer to be told how it ends. Its work is done, with or without success.
  func enroll(_ member: any GroupMember)
  /// Hands the turn to the next writer in the queue, or back to the leader if no other writer is to join. Only the
  /// writer whose turn it is calls this, as the last thing that it does with the group.
  func advance()
}

/// A writer that has done its work in a group, and waits for that to end.
package protocol GroupMember: Sendable {
  /// Gives the writer its own result or, if there is an error, that error.
  func settle(_ error: (any Error)?)
}
