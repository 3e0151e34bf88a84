import RankedIndex
import RankedKeys

extension FuzzTarget {
  private static let rows = TreeSchema(id: 3, name: "fuzzed", keyColumns: 6, payloadColumns: 1)

  private static let rowScene: Result<NodeScene, any Error> = Result {
    try NodeScene { forest in
      // Wide rows, so that a few make three leaves.
      for serial in 0..<UInt64(180) {
        let any = serial &* 0x9E37_79B9_7F4A_7C15
        forest.insert(rows, Words(serial / 20, any >> 40, any, ~any, any &* any, serial, serial % 5))
      }
    }
  }

  /// What the corpus of `rowNode` begins with.
  package static func rowNodeSeeds() throws -> [[UInt8]] { try rowScene.get().nodes().map(NodeInput.bytes) }

  /// The root of a tree of rows, verified, and read or changed in one of the ways that there are. Where the verification finds
  /// no fault, all ways of reading agree with it.
  static let rowNode = FuzzTarget("rowNode", maximumBytes: NodeInput.maximumBytes) { bytes in
    guard let input = NodeInput(bytes, tree: rows.id, kind: 1) else { return false }
    return try rowScene.get().withRoot(input.node, isLeaf: input.isLeaf, entries: input.entries) { forest in
      var faults = 0
      var verified: [Words] = []
      do {
        _ = try forest.verify(rows, report: { _ in faults += 1 }) { row in
          if verified.count < 4096 { verified.append(row) }
        }
      } catch is IndexError {
        faults += 1
      }
      let isSound = faults == 0 && verified.count < 4096
      switch input.trial {
      case .walks: try walkRows(forest, verified, isSound)
      case .ranks: try rankRows(forest, verified, isSound, entries: input.entries)
      case .changes: try changeRows(forest, verified, isSound: faults == 0)
      case .description:
        let shown = withExactCopy(of: input.node) {
          NodeDescription(number: NodeScene.rootNumber, value: $0)
        }
        try expect(
          !isSound || !input.isLeaf || shown.rows.count == verified.count, "the rows are shown otherwise")
      }
      return faults == 0
    }
  }

  private static func walkRows(_ forest: Forest, _ verified: [Words], _ isSound: Bool) throws {
    var forwards: [Words] = []
    var backwards: [Words] = []
    let forwardFault = fault { () throws(IndexError) in
      var cursor = try forest.cursor(rows)
      try cursor.seek(to: .start)
      while forwards.count < verified.count + 1, let row = try cursor.next() { forwards.append(row) }
    }
    let backwardFault = fault { () throws(IndexError) in
      var cursor = try forest.cursor(rows)
      try cursor.seek(to: .end)
      while backwards.count < verified.count + 1, let row = try cursor.previous() { backwards.append(row) }
    }
    guard isSound else { return }
    try expectNone(forwardFault ?? backwardFault)
    try expect(forwards == verified, "a walk forwards is not what was verified")
    try expect(backwards == verified.reversed(), "a walk backwards is not what was verified")
  }

  private static func rankRows(
    _ forest: Forest, _ verified: [Words], _ isSound: Bool, entries: UInt64
  ) throws {
    var found = fault { () throws(IndexError) in
      _ = try forest.rows(rows, of: 3)
      _ = try forest.rank(rows, of: .before(Words(3, 2_000), columns: 2))
    }
    for rank in [0, 1, verified.count / 2, verified.count - 1, verified.count, Int(entries)] where rank >= 0 {
      let next = fault { () throws(IndexError) in
        guard let row = try forest.select(rows, rank) else { return }
        _ = try forest.rank(rows, of: .before(row, columns: rows.keyColumns))
      }
      found = found ?? next
    }
    guard isSound else { return }
    try expectNone(found)
    for (rank, row) in verified.enumerated().prefix(4) {
      try expect(try forest.select(rows, rank) == row, "the entry of rank \(rank)")
      try expect(
        try forest.rank(rows, of: .before(row, columns: rows.keyColumns)) == rank, "the rank of \(row)")
    }
  }

  private static func changeRows(_ forest: Forest, _ verified: [Words], isSound: Bool) throws {
    do throws(IndexError) {
      for row in verified.prefix(3) { forest.remove(rows, row) }
      if let row = verified.dropFirst(3).last {
        forest.replace(rows, Words(row[0], row[1], row[2], row[3], row[4], row[5], row[6] &+ 1))
      }
      if !verified.contains(where: { $0.compare(new, columns: rows.keyColumns) == 0 }) {
        forest.insert(rows, new)
      }
      try forest.flush()
    } catch {
      try expect(!isSound, "a tree that verifies cannot be changed: \(error)")
    }
  }

  /// A row that is put into the tree.
  private static let new = Words(4, 4, 4, 4, 4, 4, 4)
}
