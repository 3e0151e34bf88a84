internal import LMDB
internal import RankedIndex
internal import SatchelCoding

extension Writer {
  /// Writes everything that the commit is to contain; LMDB's commit follows. A transaction without changes writes
  /// nothing and gets no sequence.
  func prepareCommit() throws {
    if let failure { throw failure }
    try flush()
    guard isChanged || seal != flushed.seal || !log.isEmpty else { return }
    try updateAggregates()
    try purge()
    try updateLog()
    try forest.flush()
    seal.trees = forest.encodeDirectory()
    // Nodes carry their own checksums and stand in their parents: their number is all that is left to seal.
    let nodes = try transaction.statistics(of: databases.nodes).entries
    seal[.nodes] = Seal.Summary(count: UInt64(nodes), digest: 0)
    seal.commit += 1
    try putSeal()
  }

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
