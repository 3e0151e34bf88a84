internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelStorage

/// Makes stores as programs of earlier formats have left them.
package enum OlderStore {
  /// Takes out of an open store of this format what came with the later sets of indexes.
  /// - Parameters:
  ///   - set: The first of the sets to take out.
  ///   - isRaised: Whether a later program had raised the format meanwhile, and the earlier one did not look: then
  ///     only some entries are missing.
  /// - Returns: How many entries each of the later indexes had.
  @discardableResult
  package static func withdrawLaterIndexes(
    of store: Store, from set: UInt16 = 2, isRaised: Bool = false
  ) throws -> [Int] {
    let pageSize = Int(store.header.pageSize)
    return try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      let nodes = try store.environment.database("nodes")
      let found = try ObjectKey.seal.bytes.withUnsafeBytes { key in
        try transaction.get(objects, key).map { try Seal($0) }
      }
      guard var seal = found else { throw ModelError("the store has no seal") }
      let forest = try Forest(
        writing: transaction, nodes: nodes, overflow: try store.environment.database("texts"),
        directory: seal.trees, cache: NodeCache(capacity: 64), pageSize: pageSize)
      var counts: [Int] = []
      for tree in IndexCatalog.later.filter({ $0.since >= set }).map(\.tree) {
        var rows: [Words] = []
        do {
          var cursor = try forest.cursor(tree)
          try cursor.seek(to: .start)
          _ = try cursor.read(into: &rows, limit: .max)
        }
        counts.append(rows.count)
        for row in isRaised ? rows.suffix(7) : rows { forest.remove(tree, row) }
      }
      try forest.flush()
      if !isRaised {
        for index in IndexCatalog.text where !index.optionalIndexes.isEmpty { try forest.drop(index.tree) }
      }
      seal.commit += 1
      seal.trees = forest.encodeDirectory()
      let count = try transaction.statistics(of: nodes).entries
      seal[.nodes] = Seal.Summary(count: UInt64(count), digest: 0)
      var header = store.header
      if !isRaised {
        header.versions.format = UInt32(set) + 1
        header.versions.minimumReader = UInt32(set) + 1
        header.versions.indexSet = set - 1
        header.versions.optionalIndexes = []
      }
      for (key, value) in [(ObjectKey.header.bytes, header.encode()), (ObjectKey.seal.bytes, seal.encode())] {
        try key.withUnsafeBytes { key in
          try value.withUnsafeBytes { try transaction.put(objects, key, $0) }
        }
      }
      return counts
    }
  }
}

/// A store that the models cannot work on.
package struct ModelError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
