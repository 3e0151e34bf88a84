internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelStorage

/// Checks the nodes of the indexes, and the seal.
extension Verifier {
  mutating func checkTrees() throws {
    for index in IndexCatalog.numeric {
      let tree = index.tree
      try attempt(tree.name, "") { verifier in
        var faults: [IndexError] = []
        let statistics = try verifier.snapshot.forest.verify(
          tree, report: { faults.append($0) }, entry: { _ in })
        let count = try verifier.snapshot.forest.verifyPending(tree, statistics) { faults.append($0) }
        verifier.note(tree.id, tree.name, statistics, count, faults)
        if count != verifier.expected[tree.id] ?? 0 { try verifier.findLost(in: index) }
      }
    }
    for tree in IndexCatalog.text.map(\.tree) {
      try attempt(tree.name, "") { verifier in
        var faults: [IndexError] = []
        let statistics = try verifier.snapshot.forest.verify(
          tree, report: { faults.append($0) }, entry: { _ in })
        let count = try verifier.snapshot.forest.verifyPending(tree, statistics) { faults.append($0) }
        verifier.note(tree.id, tree.name, statistics, count, faults)
      }
    }
    var faults: [IndexError] = []
    try snapshot.forest.verifyNodeNumbers { faults.append($0) }
    try snapshot.forest.verifyDirectory(
      commit: snapshot.tail?.base.sequence ?? snapshot.seal.commit,
      numeric: Set(IndexCatalog.numeric.map(\.number)),
      text: Set(IndexCatalog.text.map(\.number))
    ) { faults.append($0) }
    for fault in faults { report.addDerived("nodes", "", "\(fault)") }
    found[.nodes] = Seal.Summary(count: UInt64(try snapshot.forest.countNodes()), digest: 0)
  }

  /// - Parameter count: The number of entries, with those that the journal adds and removes.
  private mutating func note(
    _ id: UInt16, _ name: String, _ statistics: TreeStatistics, _ count: Int, _ faults: [IndexError]
  ) {
    for fault in faults { report.addDerived(name, "", "\(fault)") }
    report.indexEntries += count
    report.nodes += statistics.innerNodes + statistics.leaves
    let expected = expected[id] ?? 0
    if count != expected {
      report.addDerived(name, "", "it has \(count) entries, and the records make \(expected)")
    }
  }

  mutating func checkSeal() {
    for table in Seal.Table.allCases {
      let sealed = snapshot.seal[table]
      let found = found[table] ?? Seal.Summary()
      if sealed.count != found.count {
        report.addDerived(
          "seal", "\(table)", "it counts \(sealed.count) entries, and there are \(found.count)")
      } else if sealed.digest != found.digest {
        report.addDerived("seal", "\(table)", "the digest of its entries does not match")
      }
    }
  }

  /// Reports the records that an index of all objects of a kind refers to and that are not in the tables.
  ///
  /// If the table differs from the seal as well, the records are lost; otherwise the index has surplus entries.
  private mutating func findLost(in index: IndexDefinition) throws {
    var objects: [(table: Seal.Table, key: KeyBytes)] = []
    func note(_ table: Seal.Table, _ key: KeyBytes) { objects.append((table, key)) }
    _ = try snapshot.forest.verify(index.tree, report: { _ in }) { row in
      switch index.tree {
      case IndexCatalog.messageIdentifier.tree, IndexCatalog.messageIdentifierRecent.tree:
        let key = index.message(of: row)
        note(key.isAnnouncement ? .announcements : .messages, key.bytes)
      case IndexCatalog.conversationIdentifier.tree:
        note(.conversations, ObjectKey.conversation(row: index.object(of: row)).bytes)
      case IndexCatalog.identityRows.tree:
        note(.identities, ObjectKey.identity(row: index.object(of: row)).bytes)
      case IndexCatalog.recordCreated.tree:
        note(
          .records,
          TypedRecordKey(
            type: UInt32(truncatingIfNeeded: index.first(of: row)), sequence: index.sequence(of: row)
          ).bytes)
      default: return
      }
      guard let (table, key) = objects.popLast() else { return }
      guard unsafe try snapshot.tables.get(table == .messages ? .messages : .objects, key) == nil else {
        return
      }
      objects.append((table, key))
    }
    for (table, key) in objects {
      let finding = "\(index.name) names it, and it is missing"
      if snapshot.seal[table] == found[table] ?? Seal.Summary() {
        report.addDerived("\(table)", Self.name(of: key, in: table), finding)
      } else {
        report.add("\(table)", Self.name(of: key, in: table), finding)
      }
    }
  }

  /// A key as `satchel dump` spells it.
  private static func name(of key: KeyBytes, in table: Seal.Table) -> String {
    unsafe key.withUnsafeBytes { bytes in
      if table == .messages, let key = unsafe try? MessageKey(messages: bytes) {
        return "\(key.conversation)/\(key.sequence)"
      }
      return unsafe (try? ObjectKey(bytes)).map { "\($0)" } ?? "\(key.array)"
    }
  }
}
