package import CommitEngine
package import LMDB
package import RankedIndex
internal import RecordStore
package import SatchelCoding
package import SatchelReading
internal import SatchelRebuilding
internal import SatchelWriting

/// What a repair needs of a store whose indexes it does not trust.
extension Store {
  /// Returns a snapshot of the store with a given seal and directory.
  /// - Parameters:
  ///   - indexes: What the indexes are read in; nil if in the same.
  ///   - pending: What the indexes lack of the state that the records have; nil if nothing.
  package func snapshot(
    _ transaction: ReadTransaction, _ seal: Seal, _ directory: Directory, indexes: ReadTransaction? = nil,
    _ pending: PendingForest? = nil
  ) -> Snapshot {
    let forest = Forest(
      reading: indexes ?? transaction, nodes: databases.nodes, overflow: databases.texts,
      directory: directory, pending: pending, cache: NodeCache(capacity: 64), pageSize: Int(header.pageSize))
    return Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: DictionaryCache(), aggregateEvaluator: aggregateEvaluator)
  }

  /// Removes all indexes, and builds anew everything that follows from the records, which are taken as they are.
  /// - Parameters:
  ///   - seal: What is right of the records: their counts and digests, and the next numbers.
  ///   - base: The seal after which the journal goes on.
  /// - Returns: What was done, one sentence for each action; and what is told of it to the journal once it is committed.
  package func rebuild(
    in transaction: LMDBWriteTransaction, _ seal: Seal, after base: Seal
  ) throws -> (actions: [String], turn: WriteTurn) {
    try transaction.deleteAll(in: databases.nodes, and: databases.texts)
    let forest = try Forest(
      writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
      cache: NodeCache(capacity: 64), pageSize: Int(header.pageSize))
    let turn = WriteTurn(
      journal: journal, tail: Tail(after: base), way: .checkpoint(closing: true), base: base)
    let writer = Writer(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: DictionaryCache(), environment: writerEnvironment, turn: turn)
    var actions = try writer.rebuildEverything(aggregateEvaluator)
    try writer.finish()
    _ = try writer.complete(in: nil)
    actions.append("the seal was written anew, as commit \(writer.tables.seal.commit)")
    return (actions, turn)
  }
}
