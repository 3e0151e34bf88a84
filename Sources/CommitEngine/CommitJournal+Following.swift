internal import Journal
package import RecordStore
package import SatchelCoding
internal import SatchelModel

/// What readers need: the commits of all processes that LMDB does not have.
extension CommitJournal {
  /// Returns the tail that goes with a state of LMDB in whose seal the journal is in use. Nil if commits have gone on to
  /// LMDB meanwhile, so that a newer state has to be read.
  ///
  /// Takes no lock unless something was published since the reader's last call.
  package func tail(after seal: Seal, _ memory: KeptTails?) throws -> Tail? {
    // Writers who come by other files know nothing of a program that may only read.
    if isReadOnly, try hasLostFiles() { state.withLock { drop(&$0) } }
    let known = known(memory)
    if known.isUpToDate, let tail = known.tail(after: seal.point) { return tail }
    readAheadIfNew(seal)
    let newest = try state.withLock { state in
      do { return try catchUp(with: seal, &state) } catch let error as JournalError where error.isBusy {
        return try readBeside(seal, &state, error)
      }
    }
    return try newest ?? olderTail(after: seal)
  }

  /// Does the same for somebody who keeps nothing from one read to the next.
  package func tail(after seal: Seal) throws -> Tail? { try tail(after: seal, nil) }

  /// Reads what follows a state that another process's checkpoint has brought about, if nobody has: it may be thousands of commits, and who
  /// commits must not wait for them at the state's lock. What cannot be read is left for who has the lock.
  private func readAheadIfNew(_ seal: Seal) {
    func isNew() -> Bool {
      state.withLock { state in
        guard let current = state.known.current, current.base.sequence < seal.commit else { return false }
        return state.ahead?.tail.base != seal.point
      }
    }
    guard isNew() else { return }
    state.whileNobodyReadsAhead { if isNew() { try? readAhead(of: seal) } }
  }

  /// Reads what other processes have published. Nil for a state of LMDB that is older than those that are known, unless its tail is, too.
  func catchUp(with seal: Seal, _ state: inout State) throws -> Tail? {
    try dropOthers(seal, &state)
    return try follow(seal, &state)
  }

  /// Does the same with the files that are open.
  func follow(_ seal: Seal, _ state: inout State) throws -> Tail? {
    guard let files = state.files else { return try recover(after: seal, &state) }
    // Nobody knows of a program that may only read: another version may have made the head anew for itself.
    guard let head = files.head, !isReadOnly || head.owner == owner else {
      return try readAlone(seal, &state)
    }
    return try follow(files, head, seal, &state)
  }

  func follow(
    _ files: JournalFiles, _ head: JournalHead, _ seal: Seal, _ state: inout State
  ) throws -> Tail? {
    guard let (published, stamp) = head.read() else { return nil }
    let known = state.known
    if known.covers(stamp), let tail = known.tail(after: seal.point) { return tail }
    var former = known.former
    var next: (tail: Tail, reader: JournalReader)
    if let current = known.current, let reader = state.reader, current.base == seal.point {
      next = (current, reader)
    } else if let current = known.current, seal.commit < current.base.sequence {
      return KnownTails.whole(known.tail(after: seal.point), through: published.point)
    } else {
      if let ahead = state.ahead, ahead.tail.base == seal.point {
        next = ahead
      } else {
        next = (Tail(after: seal), try reader(files.file, after: seal))
      }
      state.ahead = nil
      former = known.current
    }
    var builder = TailBuilder(next.tail)
    guard try read(&next.reader, through: published.point, &builder) else { return nil }
    next.tail = try builder.build()
    state.reader = next.reader
    former = KnownTails.whole(former, through: next.tail.point)
    publish(KnownTails(current: next.tail, former: former, head: head, stamp: stamp), &state)
    return next.tail
  }

  /// Reads what is published after a state of LMDB that is older than those that are known. Nil if the journal does not have that any
  /// more: its space is used again after a later state has been announced.
  ///
  /// Another thread may have seen a state that is in the file and that nobody has announced yet. If its writer has ended, others
  /// see the state before for as long as nobody writes to LMDB. The whole journal may follow it, so others go on meanwhile.
  private func olderTail(after seal: Seal) throws -> Tail? {
    let (files, known) = state.withLock { ($0.files, $0.known) }
    guard let files, let head = files.head, !isReadOnly || head.owner == owner,
      let current = known.current, seal.commit < current.base.sequence,
      let end = head.read()?.state.point
    else { return nil }
    var reader = try self.reader(files.file, after: seal)
    var builder = TailBuilder(Tail(after: seal))
    guard try read(&reader, through: end, &builder) else { return nil }
    let tail = try builder.build()
    state.withLock { state in
      // What has become known meanwhile may have more.
      guard state.known === known else { return }
      publish(KnownTails(current: current, former: tail, head: known.head, stamp: known.stamp), &state)
    }
    return tail
  }

  /// Reads on up to what is published, and returns whether it is there. A record behind that, which may have been read with it, is
  /// forgotten: it may yet be taken back, and another one come in its place.
  func read(
    _ reader: inout JournalReader, through end: JournalPoint, _ builder: inout TailBuilder
  ) throws -> Bool {
    while builder.point.sequence < end.sequence {
      guard let record = try reader.next() else { return false }
      try builder.add(record)
    }
    reader.forgetReadAhead()
    return true
  }
  /// Makes sure that what is published can be read. For a reader who has not come so far: he may have been overtaken, or
  /// something of the journal is damaged while it is open. Makes a damaged head anew, unless this process may only read. Call it in a
  /// writer's turn, with the state of LMDB as it is then. A process that may only read has no turn, and the answer is one only if LMDB
  /// still has that state afterwards: then no space was used again meanwhile.
  /// - Returns: Whether to try again, as the head was damaged.
  /// - Throws: `damaged`.
  package func checkPublished(after seal: Seal) throws -> Bool {
    try state.withLock { state in
      guard seal.isJournalInUse, let files = state.files, let head = files.head else { return false }
      guard let published = head.read()?.state.point else {
        guard !isReadOnly else { return false }
        // Somebody may be at work on LMDB beside this: whoever writes next still has to look.
        _ = try adopt(seal, files, head, hasUnfinishedCommit: true, &state)
        return true
      }
      var reader = try self.reader(files.file, after: seal)
      while reader.end.point.sequence < published.sequence {
        guard try reader.next() == nil else { continue }
        try reader.checkEnd(known: published)
        throw damaged(after: reader.end.point, through: published)
      }
      return false
    }
  }

  /// The error for a journal that ends before what has returned.
  func damaged(after end: JournalPoint, through published: JournalPoint) -> JournalError {
    JournalError(
      .damaged(after: end.sequence, through: published.sequence), operation: "read",
      path: place.path(of: .journal))
  }
}
