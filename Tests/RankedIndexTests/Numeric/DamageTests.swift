import RankedIndex
import RankedKeys
import SatchelBytes
import Testing

/// Damage of every kind ends in a typed error that names the node, never in a trap or a wrong answer.
@Suite struct DamageTests {
  private static let tree = TreeSchema(id: 3, name: "damaged", keyColumns: 3, payloadColumns: 1)

  /// Enough rows for two levels of leaves and inner nodes.
  private static func filled(rows: Int = 3_000) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write { forest in
      for serial in 0..<UInt64(rows) {
        forest.insert(tree, Words(serial / 100, serial * 7, serial, serial % 5))
      }
    }
    return scratch
  }

  /// Reads the tree in every way; returns what the reads threw.
  private static func readAll(_ scratch: Scratch) throws -> [IndexError] {
    var errors: [IndexError] = []
    func attempt(_ body: () throws(IndexError) -> Void) {
      do { try body() } catch { errors.append(error) }
    }
    try scratch.read { forest in
      attempt { () throws(IndexError) in _ = try forest.rank(tree, of: .before(Words(3, 2_000), columns: 2)) }
      attempt { () throws(IndexError) in _ = try forest.select(tree, 2_500) }
      attempt { () throws(IndexError) in
        var cursor = try forest.cursor(tree)
        while try cursor.next() != nil {}
      }
      attempt { () throws(IndexError) in
        var cursor = try forest.cursor(tree)
        try cursor.seek(to: .end)
        while try cursor.previous() != nil {}
      }
      attempt { () throws(IndexError) in _ = try forest.statistics(tree) }
      attempt { () throws(IndexError) in _ = try forest.decodeNode(1) }
    }
    return errors
  }

  private static func faults(_ scratch: Scratch) throws -> [IndexError] {
    var faults: [IndexError] = []
    try scratch.read { forest in
      _ = try forest.verify(tree, report: { faults.append($0) }, entry: { _ in })
    }
    return faults
  }

  private static func nodes(_ scratch: Scratch) throws -> [NodeDescription] {
    var nodes: [NodeDescription] = []
    try scratch.read { try $0.forEachNode { nodes.append($0) } }
    return nodes
  }

  /// Every byte of an inner node and of a leaf, flipped: the checksum or the header check sees each.
  @Test func everyFlippedByteIsFound() throws {
    let scratch = try Self.filled()
    let nodes = try Self.nodes(scratch)
    let inner = try #require(nodes.first { $0.level == 1 })
    let leaf = try #require(nodes.first { $0.level == 0 })
    for node in [inner, leaf] {
      for offset in node.bytes.indices {
        try scratch.damage(node.number) { $0?[offset] ^= 1 << UInt8(offset % 8) }
        scratch.forgetVerifiedNodes()
        let errors = try Self.readAll(scratch)
        #expect(!errors.isEmpty, "byte \(offset) of node \(node.number)")
        for error in errors {
          guard case .corrupt = error else {
            Issue.record("byte \(offset): \(error)")
            continue
          }
        }
        try scratch.damage(node.number) { $0 = node.bytes }
      }
    }
    #expect(try Self.readAll(scratch).isEmpty)
  }

  /// Bytes that change after they were verified, or with a checksum that was made right: what a header says is
  /// checked at each entry, so that a load never leaves the node.
  @Test func verifiedNodesAreStillReadInBounds() throws {
    let scratch = try Self.filled()
    let nodes = try Self.nodes(scratch)
    let inner = try #require(nodes.first { $0.level == 1 })
    let leaf = try #require(nodes.first { $0.level == 0 })
    var refused = 0
    for node in [inner, leaf] {
      for offset in node.bytes.indices where offset < 200 || offset % 64 == 0 {
        for value: UInt8 in [0, 0xFF, node.bytes[offset] ^ 1, node.bytes[offset] ^ 0x80] {
          // Not the number and sequence, so that the node passes as the verified one.
          guard !(8..<24).contains(offset) else { continue }
          #expect(try Self.readAll(scratch).isEmpty)
          try scratch.damage(node.number) { $0?[offset] = value }
          refused += try Self.readAll(scratch).isEmpty ? 0 : 1
          try scratch.damage(node.number) { $0 = node.bytes }
        }
      }
    }
    #expect(refused > 50)
  }

  @Test func writesThroughDamagedNodesThrow() throws {
    let scratch = try Self.filled()
    let nodes = try Self.nodes(scratch)
    for node in nodes where node.level == 1 || node.rows.count > 100 {
      for offset in stride(from: 0, to: 96, by: 1) {
        try scratch.damage(node.number) { $0?[offset] ^= 0x55 }
        scratch.forgetVerifiedNodes()
        #expect(throws: IndexError.self) {
          try scratch.write { forest in
            for serial in 0..<UInt64(3_000) {
              forest.replace(Self.tree, Words(serial / 100, serial * 7, serial, 77))
            }
          }
        }
        try scratch.damage(node.number) { $0 = node.bytes }
      }
    }
    #expect(try Self.faults(scratch).isEmpty)
  }

  @Test func missingNodesAreDamage() throws {
    let scratch = try Self.filled()
    for node in try Self.nodes(scratch) {
      try scratch.damage(node.number) { $0 = nil }
      #expect(
        try Self.faults(scratch).contains {
          guard case .corrupt(_, let number, let what) = $0 else { return false }
          return number == node.number && what.contains("missing")
        })
      #expect(try !Self.readAll(scratch).isEmpty)
      try scratch.damage(node.number) { $0 = node.bytes }
    }
  }

  /// A well-formed node where another belongs: an older version of itself, with other counts.
  @Test func staleNodesAreDamage() throws {
    let scratch = try Self.filled()
    let before = try Self.nodes(scratch)
    try scratch.write { forest in
      for serial in 0..<UInt64(3_000) where serial % 10 == 3 {
        forest.remove(Self.tree, Words(serial / 100, serial * 7, serial))
      }
    }
    for node in before {
      let now = try #require(try scratch.read { try $0.decodeNode(node.number) })
      try scratch.damage(node.number) { $0 = node.bytes }
      #expect(try !Self.faults(scratch).isEmpty)
      #expect(try !Self.readAll(scratch).isEmpty)
      try scratch.damage(node.number) { $0 = now.bytes }
    }
    #expect(try Self.faults(scratch).isEmpty)
  }

  @Test func nodesOfOtherTreesAndSizesAreDamage() throws {
    let scratch = try Self.filled()
    let node = try #require(try Self.nodes(scratch).first { $0.level == 0 })
    for count in [0, 1, 47, 48, 100, node.bytes.count - 1] {
      try scratch.damage(node.number) { $0 = Array(node.bytes.prefix(count)) }
      scratch.forgetVerifiedNodes()
      #expect(try !Self.readAll(scratch).isEmpty)
    }
    try scratch.damage(node.number) { $0 = node.bytes + [0] }
    #expect(try !Self.readAll(scratch).isEmpty)
    try scratch.damage(node.number) { $0 = node.bytes }
    let other = TreeSchema(id: 3, name: "other columns", keyColumns: 2)
    #expect(throws: IndexError.self) {
      try scratch.read { try $0.rank(other, of: .before(Words(1), columns: 1)) }
    }
  }

  @Test func damagedDirectoriesAreRefused() throws {
    let scratch = try Self.filled(rows: 10)
    let bytes = scratch.directory
    for offset in bytes.indices {
      scratch.directory = bytes
      scratch.directory[offset] ^= 0x10
      #expect(throws: IndexError.self) { try scratch.read { _ in } }
    }
    for count in bytes.indices {
      scratch.directory = Array(bytes.prefix(count))
      #expect(throws: IndexError.self) { try scratch.read { _ in } }
    }
  }
}
