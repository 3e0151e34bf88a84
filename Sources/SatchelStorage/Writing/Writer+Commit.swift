package import LMDB
internal import RankedIndex
internal import SatchelCoding

/// The two ends of a write. Its own: records, log entry and the seal's counts are brought up to date, and the changes of
/// indexes are buffered. And that of LMDB's transaction, once for all writes in it: the indexes' nodes, the totals of
/// aggregates, the directory and the seal are written; LMDB's commit follows.
extension Writer: JoinableWrite {
  /// Goes on where an earlier write of the same transaction has ended.
  convenience init(following earlier: Writer, in transaction: WriteTransaction) {
    var log = earlier.earlierLog
    if earlier.seal[.aggregates].count > 0 { log.add(earlier.log) }
    var aggregation = earlier.aggregation
    aggregation.known = nil
    // A node must not claim a later commit than there will be, nor one that other bytes of it may have been part of.
    let sequence = max(earlier.seal.commit, earlier.lastCommit + 1)
    self.init(
      transaction: transaction, databases: earlier.databases,
      forest: Forest(following: earlier.forest, in: transaction, sequence: sequence),
      header: earlier.flushed.header, user: earlier.flushed.user, seal: earlier.seal, cache: earlier.cache,
      environment: earlier.environmentOfWrites, aggregation: aggregation, pending: earlier.pending.copy(),
      lastCommit: earlier.lastCommit, earlierLog: log)
    identifiers = earlier.identifiers
  }

  /// What the transaction has changed, all writes in it taken together; of use only where aggregates are declared.
  var logOfTransaction: LogBuilder {
    guard !earlierLog.isEmpty else { return log }
    var sum = earlierLog
    sum.add(log)
    return sum
  }

  /// Ends this write. One without changes writes nothing and gets no sequence.
  func finish() throws {
    if let failure { throw failure }
    try flush()
    guard isChanged || seal != flushed.seal || !log.isEmpty else { return }
    try checkAggregates()
    try updateLog()
    seal.commit += 1
  }

  /// Whether little enough is buffered to be copied for a write that follows.
  package var isJoinable: Bool {
    log.importNumber == nil && forest.pendingCount + identifiers.count <= Self.maximumInherited
  }

  private static let maximumInherited = 4096

  package func complete(in transaction: WriteTransaction?) throws {
    guard seal.commit != lastCommit else { return }
    try (transaction.map { Writer(following: self, in: $0) } ?? self).complete()
  }

  private func complete() throws {
    try settleIdentifiers()
    try updateAggregates()
    try purge()
    try forest.flush()
    seal.trees = forest.encodeDirectory()
    // Nodes carry their own checksums and stand in their parents: their number is all that is left to seal.
    let nodes = try transaction.statistics(of: databases.nodes).entries
    seal[.nodes] = Seal.Summary(count: UInt64(nodes), digest: 0)
    try putSeal()
  }

  /// Lets all transactions know the numbers that have been given.
  package func committed() { pending.publish(to: cache) }

  private func putSeal() throws {
    let record = seal.encode()
    unsafe try ObjectKey.seal.bytes.withUnsafeBytes { key in
      unsafe try withUnsafeTemporaryKey(record) { value in
        unsafe try transaction.put(databases.objects, key, value)
      }
    }
  }
}

extension Writer {
  /// Sets numbers aside for the last leaves of indexes that are to be rebuilt, and returns the first.
  func reserveLeafNumbers(_ count: Int) -> UInt64 {
    isChanged = true
    return forest.reserveLeafNumbers(count)
  }

  /// Writes an index anew, dense and in key order.
  func rebuild(_ tree: TreeSchema, spare: Double, tailNumber: UInt64) throws {
    try flush()
    try settleIdentifiers()
    try forest.rebuild(tree, spare: spare, tailNumber: tailNumber)
    isChanged = true
  }

  /// Writes an index anew, dense and in key order.
  func rebuild(_ tree: TextTreeSchema) throws {
    try flush()
    try forest.rebuild(tree)
    isChanged = true
  }
}
