internal import LMDB
internal import RecordStore
internal import SatchelCoding
internal import SatchelReading

/// How a write that has been a read so far begins LMDB's write transaction.
extension Writer {
  /// Makes sure that changes can be passed to LMDB.
  ///
  /// A checkpoint may have gone by since the write began, with some of the commits that were pending. Then the write goes on upon
  /// LMDB's newer state, with the shorter tail: together they are what it has read.
  func beginChanges() throws {
    guard transaction.isDeferred, try !transaction.beginChanges() else { return }
    do {
      let base = try SealOfTransaction(transaction.base, transaction, tables.databases)
      let tail =
        try turn.journal?.beginTransaction(base.seal, until: transaction.waitLimit) ?? Tail(after: base.seal)
      try goOn(upon: base, tail)
      // This write may fail, and its transaction goes on with what the write before has left.
      try predecessor?.goOn(upon: base, tail)
      turn.goOn(after: base.seal, tail)
    } catch {
      // What the writes before have left is for the state that they have read, and LMDB's transaction has another one.
      transaction.giveUp(error)
      throw error
    }
  }

  private func goOn(upon base: SealOfTransaction, _ tail: Tail) throws {
    guard tail.point == turn.tail.point, let changes = try collectedChanges() else {
      throw RecordError("journal", "", "a write of commit \(turn.tail.seal.commit) goes on at \(tail.point)")
    }
    // Their values are in the memory of the longer tail.
    let moved = try CommitChanges(changes.encode(), in: tail.arena)
    forest.goOn(upon: base.directory, pending: try tail.forest.adding(moved.forest))
    tables.pending.goOn(over: tail.tables.adding(moved))
  }
}
