internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing

/// The nodes of the indexes, and the seal.
extension Verifier {
  mutating func checkTrees() throws {
    for tree in IndexCatalog.numeric {
      var faults: [IndexError] = []
      let statistics = try snapshot.forest.verify(tree, report: { faults.append($0) }, entry: { _ in })
      note(tree.id, tree.name, statistics, faults)
    }
    for tree in IndexCatalog.text {
      var faults: [IndexError] = []
      let statistics = try snapshot.forest.verify(tree, report: { faults.append($0) }, entry: { _ in })
      note(tree.id, tree.name, statistics, faults)
    }
    var faults: [IndexError] = []
    try snapshot.forest.verifyNodeNumbers { faults.append($0) }
    for fault in faults { report.add("nodes", "", "\(fault)") }
    let nodes = try snapshot.transaction.statistics(of: snapshot.databases.nodes).entries
    found[.nodes] = Seal.Summary(count: UInt64(nodes), digest: 0)
  }

  private mutating func note(
    _ id: UInt16, _ name: String, _ statistics: TreeStatistics, _ faults: [IndexError]
  ) {
    for fault in faults { report.add(name, "", "\(fault)") }
    report.indexEntries += statistics.entries
    report.nodes += statistics.innerNodes + statistics.leaves
    let expected = expected[id] ?? 0
    if statistics.entries != expected {
      report.add(name, "", "it has \(statistics.entries) entries, and the records make \(expected)")
    }
  }

  mutating func checkSeal() {
    for table in Seal.Table.allCases {
      let sealed = snapshot.seal[table]
      let found = found[table] ?? Seal.Summary()
      if sealed.count != found.count {
        report.add("seal", "\(table)", "it counts \(sealed.count) entries, and there are \(found.count)")
      } else if sealed.digest != found.digest {
        report.add("seal", "\(table)", "the digest of its entries does not match")
      }
    }
  }
}
