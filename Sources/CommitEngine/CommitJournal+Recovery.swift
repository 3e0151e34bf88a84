internal import Journal
internal import RecordStore
package import SatchelCoding
package import SatchelModel

/// Recovery: what a process does that opens a store whose journal is in use, before it reads or writes anything.
///
/// Before: a state of LMDB whose seal says that the journal is in use. Afterwards the files are open, and what is known is everything that
/// was committed after that state: all that the journal has, if nobody else has it open, otherwise what its head publishes. If it cannot be
/// made sure that this is everything that was acknowledged, it throws, and nothing has changed. Documentation/JournalFormat.md, 10, has the
/// rules.
extension CommitJournal {
  /// Opens the journal that the seal speaks of, and reads it. Returns the tail that goes with the seal; nil if commits have gone on to
  /// LMDB meanwhile.
  /// - Parameter limit: When the caller gives up waiting for others who open or close the store, if that is not later than a reader.
  func recover(after seal: Seal, _ state: inout State, until limit: UInt64 = .max) throws -> Tail? {
    if isReadOnly { return try readAlone(seal, &state) }
    return try waiting(&state, until: limit) { state, limit in try recoverToWrite(seal, &state, until: limit)
    }
  }

  private func recoverToWrite(_ seal: Seal, _ state: inout State, until limit: UInt64) throws -> Tail? {
    // One opener after the other: who waited for the presence alone would believe a head that was left long ago, if the first
    // opener ended before he had made it anew.
    guard let (files, turn) = try JournalFiles.openInTurn(place), let presence = files.presence,
      let claim = files.claim, let head = files.head
    else { throw try notThere(seal) }
    defer { turn.release() }
    try turn.acquire(.exclusive, until: limit)
    guard try presence.enter(until: limit) else {
      try check(files, seal)
      try claim.acquire(.shared, until: limit)
      keep(files, &state)
      return try follow(seal, &state)
    }
    guard try goes(files, with: seal) || claim.tryAcquirePatiently(.exclusive) else { throw parted(seal) }
    // Nobody else has it open, so that nobody appends: what the head says may be older than what is there.
    let subject = try subject(of: files)
    let (tail, reader) = try readWhole(files, seal, subject)
    // After a failed sync it may be in the system's memory only, and another sync would not tell.
    var isPoisoned = head.owner == owner && head.read()?.state.isPoisoned == true
    do {
      if !isSynced(reader, head) { try reader.rewriteSegment() }
      try files.file.sync()
    } catch { isPoisoned = true }
    // A state that the database alone has may be that of a writer who was killed before its sync. After a power cut, a head that had
    // called it synced would ask for a commit that is nowhere, and the store would be refused as damaged. A record that follows a state
    // was only written once that was durable.
    let isInJournal = !tail.isEmpty || seal.lastPoint == seal.point
    try head.reset(
      subject,
      HeadState(
        reader.end, isPoisoned: isPoisoned, synced: isInJournal && !isPoisoned ? reader.end.point : .start))
    // Whoever was here before may have ended before he had announced a commit of LMDB: the next writer looks for it.
    try head.beginCommit()
    // Before the files are kept: if this fails, the locks go with them.
    try claim.acquire(.shared, until: limit)
    try presence.acquire(.shared, until: limit)
    keep(files, &state)
    state.reader = reader
    publish(KnownTails(current: tail, head: head, stamp: head.stamp), &state)
    return tail
  }

  /// Reads the journal for a program that may only read, and cannot tell others that it is here.
  ///
  /// It keeps a head only if the head is right, or if nobody is there who could change it without making it anew.
  func readAlone(_ seal: Seal, _ state: inout State) throws -> Tail? {
    try waiting(&state, until: .max) { state, limit in try readAlone(seal, &state, until: limit) }
  }

  private func readAlone(_ seal: Seal, _ state: inout State, until limit: UInt64) throws -> Tail? {
    guard place.exists(.journal) else { throw try notThere(seal) }
    // One after the other, as openers: whoever has the presence alone for a moment would look like a writer at work.
    let turn = try place.openLock(.openers, .reading)
    defer { turn.release() }
    try turn.acquire(.exclusive, until: limit)
    // Only now: while this waited, a writer may have made a head. Where there is none, no writer has begun.
    guard let files = try JournalFiles.open(place, .reading) else { throw try notThere(seal) }
    let presence = try files.head.map { _ in try place.openLock(.presence, .reading) }
    defer { presence?.release() }
    guard try presence?.enter(until: limit) ?? true else {
      try check(files, seal)
      keep(files, &state)
      // Whatever the head says by now, a writer may just be making it anew: nobody takes the openers' turn twice.
      guard let head = files.head else { return nil }
      return try follow(files, head, seal, &state)
    }
    guard try goes(files, with: seal) || !isHeldElsewhere() else { throw parted(seal) }
    let stamp = files.head?.stamp ?? 0
    let (tail, reader) = try readWhole(files, seal, subject(of: files))
    keep(files, &state)
    state.reader = reader
    let former = KnownTails.whole(state.known.current, through: tail.point)
    publish(KnownTails(current: tail, former: former, head: files.head, stamp: stamp), &state)
    return tail
  }

  /// Refuses a head that others use and that cannot be read, or that is another journal's.
  private func check(_ files: JournalFiles, _ seal: Seal) throws {
    guard let head = files.head else { return }
    guard let speaksFor = head.owner else {
      guard head.isOfAnotherVersion else { throw damagedHead() }
      throw SatchelError(
        .busy, "Another version of Satchel has the store open: close it there, or use that version here",
        ["store": place.path])
    }
    guard speaksFor == owner else { throw mismatch(seal, "its head was made for another store") }
    guard try head.speaks(of: files.file.identity()) else { throw parted(seal) }
  }

  /// Reads all that follows a state of LMDB, while nobody may append, and makes sure that it is all that was there.
  /// - Throws: `damaged` if commits are missing.
  private func readWhole(
    _ files: JournalFiles, _ seal: Seal, _ subject: HeadSubject
  ) throws -> (tail: Tail, reader: JournalReader) {
    guard !acceptsDamage else { return try readAll(files, seal) }
    let known = files.head?.known(of: subject)
    do {
      let (tail, reader) = try readAll(files, seal)
      try reader.checkEnd(known: known)
      return (tail, reader)
    } catch let error as JournalError {
      throw error.telling(known, after: seal.point)
    }
  }

  /// What a head beside the journal speaks of now.
  func subject(of files: JournalFiles) throws(JournalError) -> HeadSubject {
    HeadSubject(owner: owner, journal: try files.file.identity(), boot: place.boot)
  }

  /// Returns a reader of what follows a state of LMDB.
  /// - Throws: As the reader; and `damaged` for a journal in use that has no header: one was synced before LMDB was told of it.
  func reader(_ file: JournalFile, after seal: Seal) throws(JournalError) -> JournalReader {
    let reader: JournalReader
    do {
      reader = try JournalReader(file, of: owner, after: seal.point, last: seal.lastPoint)
    } catch {
      guard seal.isJournalInUse, error.code == .invalid else { throw error }
      throw damaged(after: seal.point, error.detail)
    }
    guard reader.hasHeader || !seal.isJournalInUse else {
      let size = try file.size("open")
      throw damaged(after: seal.point, "it has \(size) bytes, and no header")
    }
    return reader
  }

  private func damaged(after point: JournalPoint, _ detail: String) -> JournalError {
    JournalError(
      .damaged(after: point.sequence, through: nil), operation: "open", path: place.path(of: .journal),
      detail: detail)
  }

  /// Reads all that follows a state of LMDB.
  func readAll(_ files: JournalFiles, _ seal: Seal) throws -> (tail: Tail, reader: JournalReader) {
    var reader = try self.reader(files.file, after: seal)
    return (try reading(&reader, onto: Tail(after: seal)), reader)
  }

  /// Reads to the end.
  func reading(_ reader: inout JournalReader, onto tail: Tail) throws -> Tail {
    var builder = TailBuilder(tail)
    do {
      while let record = try reader.next() { try builder.add(record) }
    } catch let error as JournalError where error.isDamage && acceptsDamage {
      // What was read is what is left.
    }
    return try builder.build()
  }

  /// Whether the journal's file, which is not in use, has no commits after a state of LMDB that has all.
  package func isUnused(after seal: Seal) throws -> Bool {
    guard let files = try JournalFiles.openFile(place) else { return true }
    var reader = try self.reader(files, after: seal)
    return try reader.next() == nil
  }

  /// Whether nothing follows a state of LMDB that could be read: there is no journal, or it is damaged where that begins.
  package func isUnreadable(after seal: Seal) throws -> Bool {
    guard let file = try JournalFiles.openFile(place) else { return true }
    do {
      _ = try reader(file, after: seal)
      return false
    } catch {
      if case .older = error.code { return true }
      guard error.isDamage else { throw error }
      return true
    }
  }

  /// The error for a head that is none, while programs have the store open that speak by it.
  private func damagedHead() -> SatchelError {
    SatchelError(
      .corrupted,
      "The store's journal.head is damaged, by which programs that have the store open tell of their commits: close it in all of them, and open it again, which makes the file anew",
      ["store": place.path, "found": "\(place.path(of: .head)) has not the bytes of a head of any version"])
  }

  /// The error for a store that has been parted from its journal.
  func missing(_ seal: Seal) -> SatchelError {
    SatchelError(
      .journalMissing,
      "The last commits are in the store's journal, which is not there: put the file beside data.mdb again",
      ["store": place.path, "wholeThrough": String(seal.commit)])
  }

  /// The error for a journal that does not go with the file beside it.
  package func mismatch(_ seal: Seal, _ found: String) -> SatchelError {
    SatchelError(
      .foreignJournal, seal.isJournalInUse ? SatchelError.foreignJournal : SatchelError.needlessJournal,
      ["store": place.path, "sequence": String(seal.commit), "found": found])
  }
}
