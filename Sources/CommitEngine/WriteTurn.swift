public import RecordStore
public import SatchelCoding

/// What a transaction of LMDB begins after, and where its changes go. All writes in it share one.
@usableFromInline package final class WriteTurn {
  /// Where the changes go.
  @usableFromInline package enum Way: Hashable {
    /// To the journal if it is in use and they are not too many, otherwise to LMDB.
    case any
    /// To LMDB in any case.
    case database
    /// To LMDB, also if there are none but those of the tail. With `closing`, the seal then says that the journal is not in
    /// use: so it is what mends a journal whose sync has failed.
    case checkpoint(closing: Bool)

    @usableFromInline package var isClosing: Bool { self == .checkpoint(closing: true) }
  }

  /// Nil for a file that has none: nobody else knows it yet.
  package let journal: CommitJournal?
  /// What LMDB does not have of the state that the transaction begins with.
  package private(set) var tail: Tail
  package let way: Way
  /// The seal in LMDB.
  package private(set) var base: Seal
  /// The seal that the transaction has put there.
  package var written: Seal?
  /// Tells the readers of this process that the transaction is about to go to LMDB.
  private var commit: CommitOnItsWay?
  /// Whether a write of the transaction makes the store larger: then the reserve of LMDB's file has to be left.
  package var grows = false
  /// How many records of what earlier transactions have deleted it removes, beside its own changes.
  package var purgeRoom = 0
  /// How many messages, and as many announcements, it adds to indexes that the store is being given, if it makes the store larger.
  package var indexingRoom = 0
  /// Whether this is what it is made for: then it fails if these cannot be read. Otherwise it does without.
  package var isForIndexing = false

  /// A transaction that goes to LMDB, of a file that has no journal.
  package convenience init(after seal: Seal, _ way: Way = .database) {
    self.init(journal: nil, tail: Tail(after: seal), way: way, base: seal)
  }

  @usableFromInline package init(journal: CommitJournal?, tail: Tail, way: Way, base: Seal) {
    self.journal = journal
    self.tail = tail
    self.way = way
    self.base = base
  }

  /// Whether a transaction that has changed nothing has something to write nevertheless.
  package var hasToWrite: Bool {
    if case .checkpoint(let closing) = way { return !tail.isEmpty || (closing && base.isJournalInUse) }
    return false
  }

  /// Goes on after a later state of LMDB, which a checkpoint has brought about: with the tail it is the same state.
  package func goOn(after base: Seal, _ tail: Tail) {
    self.base = base
    self.tail = tail
  }

  /// Says what LMDB has after its commit.
  package func committed() {
    if let written { journal?.committed(written) }
  }

  /// Gives a seal that is about to go to LMDB its place in the journal.
  package func place(_ seal: inout Seal) throws {
    let hasJournal = base.chain != 0 || base.isJournalInUse
    if let journal {
      let isGivenUp = base.isJournalInUse && journal.isGivenUp()
      seal.isJournalInUse = try !way.isClosing && !isGivenUp && journal.prepare(after: base)
      seal.lastRecord = base.isJournalInUse ? tail.seal.lastRecord : Seal.RecordPoint.none
      if !seal.isJournalInUse { seal.lastRecord = nil }
      if base.isJournalInUse { try journal.beginDatabaseCommit() }
      commit = journal.announceCommit()
    } else {
      seal.isJournalInUse = base.isJournalInUse
    }
    if hasJournal || seal.isJournalInUse, seal.commit != tail.seal.commit {
      seal.chain = tail.point.jumped(to: seal.commit).chain
    }
  }
}
