package import CommitEngine
package import LMDB
package import RankedIndex
package import RecordStore
package import SatchelCoding
package import SatchelGathering
package import SatchelModel
package import SatchelReading

/// A write: changes of objects, with their index entries, derived values, log entry and seal. It has an LMDB
/// transaction of its own, or shares one with earlier or later writes.
///
/// The writer decides what changes; its parts, each with a state of its own, do it: `tables` has the records and the
/// seal, `interner` the dictionaries, `messageRecords` makes records of drafts, `identifiers` has the two indexes of
/// message identifiers, `logTable` the change log, `purgeQueue` what is deleted later, `deletions` what
/// is not to come back. The overlay holds the objects
/// that have changed since the last flush.
///
/// Every operation checks all its arguments before it changes anything, so a caller may go on after an error. The
/// writer's own look-ups consult the overlay; queries flush it first. If the write's closure throws, all its changes
/// are discarded.
package final class Writer {
  package let tables: RecordTables
  package let forest: Forest
  /// The state that the transaction has flushed so far.
  package let flushed: FlushedState
  package let interner: Interner
  let messageRecords: MessageRecords
  let identifiers: MessageIdentifiers
  /// Names of records that the index of names may not have yet. Not checked for exclusive access at run time: no access lasts while
  /// other code runs.
  @safe @exclusivity(unchecked) var recordNames: PendingRecordNames
  let logTable: LogTable
  let purgeQueue: PurgeQueue
  let deletions: DeletionMemory
  let environmentOfWrites: WriterEnvironment
  package let turn: WriteTurn
  /// An import shares one object among all its transactions.
  package var distinctConversations = DistinctConversations()
  /// Where new messages of conversations wait, in an import into a new store.
  private(set) var gathered: GatheredMessages?

  var overlay = Overlay()
  /// Messages of deleted conversations that are to leave the indexes before anything but `identifiers` reads those.
  var leaving = LeavingConversations()
  var log = LogBuilder()
  /// The declared indexes, and what changes in them.
  var declared = DeclaredChanges()
  /// What the write has removed to which records may refer.
  package var removed = RemovedObjects()
  /// What the write has to add to the declared index that is built next, if it was made ahead.
  package var entriesAhead: EntriesAhead?
  /// What `endOfMetadata` is, once it has been asked for.
  var knownEndOfMetadata: UInt64?
  /// How many more bytes of contents in `bodies` the write reads for what the log keeps of deleted messages.
  var readableContents: UInt64 = 4 << 20
  /// Set by changes that appear neither in the log nor in the seal's counts.
  package var isChanged = false
  var aggregation: Aggregation
  /// The write before this one in the transaction, which is its last one if this one fails.
  private(set) weak var predecessor: Writer?
  /// The sequence of the last commit before LMDB's transaction: later sequences, of earlier writes in it, are not
  /// durable yet.
  package let lastCommit: UInt64
  /// The changes of earlier writes in the transaction; kept only if aggregates are declared.
  let earlierLog: LogBuilder
  /// Whether the store's user belongs to each participant set that was looked at.
  private var userParticipates: [UInt32: Bool] = [:]
  private var identifierSource = IdentifierSource()
  private var currentTime: Timestamp?
  /// The error that interrupted a change. After it every operation fails, and the transaction cannot commit.
  private(set) var failure: (any Error)?

  /// The first write of a transaction.
  package convenience init(
    transaction: LMDBWriteTransaction, databases: Databases, forest: Forest, header: StoreHeader,
    user: String, seal: Seal, cache: DictionaryCache, environment: WriterEnvironment, turn: WriteTurn,
    aggregation: Aggregation = Aggregation(evaluator: nil) { _, _ in }
  ) {
    self.init(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: cache, environment: environment, turn: turn, aggregation: aggregation, following: nil,
      earlierLog: LogBuilder())
  }

  /// - Parameter earlier: An earlier write of the same transaction, whose buffers this one takes over.
  init(
    transaction: LMDBWriteTransaction, databases: Databases, forest: Forest, header: StoreHeader,
    user: String, seal: Seal, cache: DictionaryCache, environment: WriterEnvironment, turn: WriteTurn,
    aggregation: Aggregation, following earlier: Writer?, earlierLog: LogBuilder
  ) {
    let added = earlier?.interner.added.copy() ?? PendingDictionaries()
    tables = RecordTables(
      transaction, databases, seal: seal,
      pending: earlier.map { PendingTables(following: $0.tables.pending) }
        ?? PendingTables(over: turn.tail.tables))
    self.forest = forest
    let snapshot = Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: cache, tables: tables.reader, pending: added)
    flushed = FlushedState(snapshot)
    lastCommit = earlier?.lastCommit ?? seal.commit
    interner = Interner(tables, forest, snapshot, added: added)
    messageRecords = MessageRecords(tables, interner)
    identifiers = MessageIdentifiers(forest, following: earlier?.identifiers)
    recordNames = earlier?.recordNames ?? PendingRecordNames()
    logTable = LogTable(tables, snapshot)
    purgeQueue = PurgeQueue(tables, snapshot, lastCommit: lastCommit)
    deletions = DeletionMemory(tables, snapshot)
    environmentOfWrites = environment
    self.turn = turn
    self.aggregation = aggregation
    predecessor = earlier
    entriesAhead = earlier?.entriesAhead
    self.earlierLog = earlierLog
    tables.beginChanges = { [unowned self] in try beginChanges() }
    snapshot.pendingAggregateTotals = { [weak self] in try self?.aggregateChanges() ?? [:] }
  }

  /// LMDB's transaction.
  package var transaction: LMDBWriteTransaction { tables.transaction }

  /// The user id of the store's user.
  package var user: Identity.ID { Identity.ID(flushed.user) }

  /// How many entries wait of what was deleted and has to be removed.
  package var purges: UInt64 { tables.seal[.purge].count }

  /// The sequence that this write will get.
  package var commit: UInt64 { tables.seal.commit + 1 }

  /// The time of the write: the same for everything that it does.
  package var now: Timestamp {
    if let currentTime { return currentTime }
    let time = environmentOfWrites.clock()
    currentTime = time
    return time
  }

  /// Runs `body` on the current state of the transaction. The snapshot that `body` gets is valid only during the call.
  package func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    try flush()
    try settleLeaving()
    try settleIdentifiers()
    return try flushed.read(body)
  }

  /// Runs a change whose arguments have been checked. It can fail only if there is no room or the store is damaged.
  /// After such a failure the transaction can only be discarded, even if a caller ignores the error.
  package func changing<R>(_ body: () throws -> R) throws -> R {
    if let failure { throw failure }
    flushed.noteChange()
    do {
      return try body()
    } catch {
      if failure == nil { failure = error }
      throw error
    }
  }

  /// Whether the store's user belongs to a participant set.
  package func userParticipates(in set: UInt32) throws -> Bool {
    if let known = userParticipates[set] { return known }
    let members = try flushed.participantSets.members(set)
    let participates = try flushed.userNumber.map(members.contains) ?? false
    if userParticipates.count > 10_000 { userParticipates.removeAll() }
    userParticipates[set] = participates
    return participates
  }

  /// How many entries of dictionaries the write has added so far.
  package var newDictionaryEntries: Int { interner.added.count }

  /// The import that the write belongs to; nil if none, 0 for one into a new store. If it changes many objects, they
  /// become ranges of the change log.
  package var importNumber: UInt32? {
    get { log.importNumber }
    set { log.importNumber = newValue }
  }

  /// Lets new messages of conversations wait in `gathered`, where nothing but a look-up of an identifier sees them.
  package func gather(into gathered: GatheredMessages?) {
    self.gathered = gathered
    tables.spool = gathered?.spool
  }

  /// Returns a new unique identifier: a random UUID as text.
  func makeIdentifier() -> String { identifierSource.next(environmentOfWrites) }
}
