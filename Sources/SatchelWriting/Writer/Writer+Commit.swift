internal import CommitEngine
package import LMDB
package import RankedIndex
package import RankedKeys
internal import SatchelCoding

/// The two steps that end a write.
///
/// `finish` ends the write itself: it brings records, log entry and the seal's counts up to date, and buffers the
/// changes of indexes. `complete` ends the transaction, once for all writes in it: it updates the totals of aggregates, and
/// appends all changes to the journal; or, if they are many or there is no journal, writes them with the tail to LMDB, whose
/// commit follows.
extension Writer: JoinableWrite {
  /// Continues after an earlier write of the same transaction.
  package convenience init(
    following earlier: Writer, in transaction: LMDBWriteTransaction, environment: WriterEnvironment? = nil
  ) {
    var log = earlier.earlierLog
    if earlier.tables.seal[.aggregates].count > 0 { log.add(earlier.log) }
    var aggregation = earlier.aggregation
    aggregation.known = nil
    // Nodes are stamped with a sequence. It must not be later than that of the commit to come, nor equal to that of an
    // earlier commit, in which the same node may have had other bytes.
    let sequence = max(earlier.tables.seal.commit, earlier.lastCommit + 1)
    self.init(
      transaction: transaction, databases: earlier.tables.databases,
      forest: Forest(following: earlier.forest, in: transaction, sequence: sequence),
      header: earlier.flushed.header, user: earlier.flushed.user, seal: earlier.tables.seal,
      cache: earlier.flushed.cache, environment: environment ?? earlier.environmentOfWrites,
      turn: earlier.turn,
      aggregation: aggregation, following: earlier, earlierLog: log)
  }

  /// The changes of all writes in the transaction together. Only complete if aggregates are declared.
  var logOfTransaction: LogBuilder {
    guard !earlierLog.isEmpty else { return log }
    var sum = earlierLog
    sum.add(log)
    return sum
  }

  /// Ends this write. A write without changes writes nothing and gets no sequence.
  package func finish() throws {
    if let failure { throw failure }
    try flush()
    try settleLeaving()
    try settleReferences()
    try checkUnique()
    guard isChanged || tables.seal != flushed.seal || !log.isEmpty else { return }
    try checkAggregates()
    if log.grows || tables.seal.hasMore(than: flushed.seal) { turn.grows = true }
    try logTable.append(log, commit: commit)
    turn.purgeRoom -= logTable.trimmed
    tables.advanceCommit()
  }

  /// Whether the buffers are small enough to be copied for a write that follows.
  package var isJoinable: Bool {
    log.importNumber == nil
      && forest.pendingCount + tables.pending.count + identifiers.count
        <= Self.maximumInherited
  }

  private static let maximumInherited = 4096

  package func complete(in transaction: LMDBWriteTransaction?) throws -> Bool {
    guard tables.seal.commit != lastCommit else { return true }
    return try (transaction.map { Writer(following: self, in: $0) } ?? self).complete()
  }

  private func complete() throws -> Bool {
    try settleIdentifiers()
    try updateAggregates()
    try purgeQueue.purge(atMost: turn.purgeRoom)
    try buildIndexes()
    if let observe = environmentOfWrites.onChanges { observe(try changes()?.encode()) }
    if try appendToJournal() { return false }
    try writeToDatabase()
    return true
  }

  /// Appends the changes to the journal. Returns false if they have to go to LMDB.
  private func appendToJournal() throws -> Bool {
    guard let journal = turn.journal, turn.way == .any, turn.base.isJournalInUse,
      journal.mayTake(bytes: tables.pending.byteCount, changes: forest.pendingCount),
      let changes = try changes()
    else { return false }
    // After this it is durable, and an error would be one of a commit that others see.
    try transaction.checkUsable()
    return try journal.append(changes, commits: tables.seal.commit - lastCommit, to: turn.tail)
  }

  /// Writes all changes, and those of the tail, to LMDB.
  private func writeToDatabase() throws {
    try beginChanges()
    let changed = tables.pending.count
    try forest.flush()
    try tables.write()
    try tables.placeSeal(turn.place)
    if tables.seal.lastRecord != nil, turn.base.lastRecord == nil { try raiseFormat() }
    try tables.putSeal(trees: forest.encodeDirectory())
    if turn.grows { try transaction.keepReserve(changing: changed) }
    turn.written = tables.seal
  }

  /// Makes the dictionary entries of this transaction known to all transactions.
  package func committed(inDatabase isInDatabase: Bool) {
    interner.added.publish(to: flushed.cache)
    if isInDatabase { turn.committed() }
  }
}

extension Writer {
  /// Reserves numbers for the last leaves of indexes that are to be rebuilt, and returns the first number.
  package func reserveLeafNumbers(_ count: Int) -> UInt64 {
    isChanged = true
    return forest.reserveLeafNumbers(count)
  }

  /// Rebuilds an index with new rows, dense and in key order.
  package func rebuild(
    _ tree: TreeSchema, spare: Double, tailNumber: UInt64? = nil, adding rows: ArrangedRows? = nil
  ) throws {
    try flush()
    try settleIdentifiers()
    try forest.rebuild(tree, spare: spare, tailNumber: tailNumber, adding: rows)
    isChanged = true
  }

  /// Adds entries to an index.
  package func insert(_ tree: TextTreeSchema, _ keys: [TextKey]) throws {
    for key in keys { forest.insert(tree, key) }
    isChanged = true
  }

  /// Rebuilds an index, dense and in key order.
  package func rebuild(_ tree: TextTreeSchema) throws {
    try flush()
    try forest.rebuild(tree)
    isChanged = true
  }
}

extension Seal {
  /// Whether there are more objects than in an earlier state, or more of what belongs to them.
  fileprivate func hasMore(than earlier: Seal) -> Bool {
    let tables: [Table] = [
      .messages, .announcements, .conversations, .identities, .bodies, .staging, .records,
    ]
    return tables.contains { self[$0].count > earlier[$0].count }
  }
}
