/// Lets one writer in at a time, in the order in which they asked, be it a waiting thread or a job for the writer
/// thread.
///
/// LMDB's own lock is not fair: a thread that writes in a loop can starve the others for seconds.
final class WriterQueue: Sendable {
  private let path: String
  private let line: Monitor<Line>

  private struct Line {
    var isBusy = false
    var waiting: [Entry] = []
    /// Index of the first entry that still waits; those before it are spent.
    var head = 0
    var thread: WriterThread?
    var end: LMDBError?

    mutating func next() -> Entry? {
      guard head < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        head = 0
        return nil
      }
      let entry = waiting[head]
      head += 1
      if head >= 64, head * 2 >= waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
      return entry
    }
  }

  private enum Entry: Sendable {
    case thread(Turn)
    case job(any QueuedWrite)
  }

  /// What a thread sleeps on until its turn has come.
  private final class Turn: Sendable {
    enum Answer { case wait, go, end(LMDBError) }
    let answer = Monitor<Answer>(.wait)

    func give(_ value: Answer) {
      answer.locked { $0 = value }
      answer.notify()
    }

    func take() throws(LMDBError) {
      let isWaiting = { (answer: Answer) in if case .wait = answer { true } else { false } }
      try answer.locked(when: { !isWaiting($0) }) { answer, _ throws(LMDBError) in
        if case .end(let error) = answer { throw error }
      }
    }
  }

  init(path: String) {
    self.path = path
    line = Monitor(Line())
  }

  /// Waits for this thread's turn. Balance with `release`.
  func acquire() throws(LMDBError) {
    let turn: Turn? = try line.locked { line throws(LMDBError) in
      if let end = line.end { throw end }
      guard line.isBusy else {
        line.isBusy = true
        return nil
      }
      let turn = Turn()
      line.waiting.append(.thread(turn))
      return turn
    }
    try turn?.take()
  }

  /// Puts a job in the line; the writer thread runs it when its turn has come.
  func submit(_ job: any QueuedWrite) {
    enum Placement { case now, later, refused(LMDBError) }
    let placement: Placement = line.locked { line in
      if let end = line.end { return .refused(end) }
      guard line.isBusy else {
        line.isBusy = true
        return .now
      }
      line.waiting.append(.job(job))
      return .later
    }
    switch placement {
    case .now: dispatch(job)
    case .later: break
    case .refused(let error): job.fail(error)
    }
  }

  /// Ends a turn and begins the next one.
  func release() {
    let next: Entry? = line.locked { line in
      while let entry = line.next() {
        if case .job(let job) = entry, job.isCancelled { continue }
        return entry
      }
      line.isBusy = false
      return nil
    }
    switch next {
    case .none: break
    case .thread(let turn): turn.give(.go)
    case .job(let job): dispatch(job)
    }
  }

  /// How many stand in the line, cancelled ones included.
  var count: Int {
    line.locked { $0.waiting.count - $0.head }
  }

  /// Sends everybody home who still waits, and everybody who comes later; the writer at work goes on.
  func shutDown(_ error: LMDBError) {
    let (entries, thread) = line.locked { line -> ([Entry], WriterThread?) in
      if line.end == nil { line.end = error }
      var entries: [Entry] = []
      while let entry = line.next() { entries.append(entry) }
      let thread = line.thread
      line.thread = nil
      return (entries, thread)
    }
    for entry in entries {
      switch entry {
      case .thread(let turn): turn.give(.end(error))
      case .job(let job): job.fail(error)
      }
    }
    thread?.stop()
  }

  /// Runs a job whose turn has come.
  private func dispatch(_ job: any QueuedWrite) {
    let thread: WriterThread? = line.locked { line in
      if let thread = line.thread { return thread }
      line.thread = WriterThread.start { [self] in release() }
      return line.thread
    }
    if let thread {
      thread.run(job)
    } else {
      job.fail(.system("start the writer thread", path: path))
      release()
    }
  }
}
