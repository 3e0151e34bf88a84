import LMDB
import RankedIndex
import RankedKeys
import SatchelBytes
import TestSupport
import Testing

/// Files that are not as they were written: an error each time, never a trap.
@Suite struct TextTreeDamageTests {
  static let tree = TextTreeSchema(id: 9, name: "damaged")

  /// Three levels, long and short texts.
  static func keys() -> [TextKey] {
    var random = SeededGenerator(seed: 5)
    let keys = (0..<600).map { index in
      TextKey(group: UInt64(index % 2), text: TextSamples.text(using: &random), row: UInt64(index))
    }
    return keys.filter { $0.text.count < 50_000 }.sorted()
  }

  static func fixture(_ keys: [TextKey]) throws -> TextTreeFixture {
    let fixture = try TextTreeFixture()
    try fixture.write { forest in
      for key in keys { forest.insert(tree, key) }
    }
    try fixture.read { try $0.expectSound(tree) }
    return fixture
  }

  /// Reads in every way; says whether anything was refused.
  static func isRefused(_ forest: Forest, _ keys: [TextKey]) throws -> Bool {
    var refused = false
    func attempt(_ body: () throws -> Void) throws {
      do { try body() } catch IndexError.corrupt { refused = true }
    }
    let samples = [keys[0], keys[keys.count / 2], keys[keys.count - 1]]
    for key in samples {
      try attempt { _ = try forest.rank(tree, of: .after(key)) }
      try attempt {
        _ = try forest.count(tree, in: .prefix(Array(key.text.prefix(245)), group: key.group))
      }
    }
    for index in stride(from: 0, to: keys.count, by: 50) {
      try attempt { _ = try forest.select(tree, index) }
    }
    var cursor = try forest.cursor(tree)
    try attempt {
      while try cursor.next() != nil { _ = try cursor.key() }
    }
    try attempt {
      try cursor.seek(toRank: keys.count)
      while try cursor.previous() != nil { _ = try cursor.text() }
    }
    var faults = 0
    _ = try forest.verify(tree, report: { _ in faults += 1 }, entry: { _ in })
    return refused || faults > 0
  }

  static func values(_ fixture: TextTreeFixture, _ database: Database) throws -> [(UInt64, [UInt8])] {
    try fixture.environment.read { transaction in
      var cursor = try transaction.cursor(database)
      var values: [(UInt64, [UInt8])] = []
      while let entry = try cursor.next() { values.append((entry.key.bytes.be64(0), [UInt8](entry.value))) }
      return values
    }
  }

  static func put(
    _ fixture: TextTreeFixture, _ database: Database, _ number: UInt64, _ bytes: [UInt8]
  ) throws {
    try fixture.environment.write { transaction in
      try bytes.withUnsafeBytes { try transaction.put(database, number: number, $0) }
    }
    fixture.cache.removeAll()
  }

  static func seal(_ bytes: inout [UInt8]) {
    let head = Checksum.hash(Array(bytes[..<24]))
    let hash = Checksum.hash(Array(bytes[32...]), seed: head)
    for index in 0..<8 { bytes[24 + index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
  }

  @Test func everyChangedByteIsFound() throws {
    let keys = Self.keys()
    let fixture = try Self.fixture(keys)
    let nodes = try fixture.nodes()
    let values = try Self.values(fixture, nodes)
    // An inner node, and a leaf.
    for (number, bytes) in [values[0], values[values.count - 1]] {
      for offset in bytes.indices {
        var damaged = bytes
        damaged[offset] ^= 1 << UInt8(offset % 8)
        try Self.put(fixture, nodes, number, damaged)
        #expect(
          throws: IndexError.self, "node \(number), byte \(offset)",
          performing: {
            try fixture.read { forest in
              var cursor = try forest.cursor(Self.tree)
              while try cursor.next() != nil {}
            }
          })
      }
      try Self.put(fixture, nodes, number, bytes)
    }
    try fixture.read { try $0.expectSound(Self.tree) }
  }

  @Test func sealedNonsenseNeverTraps() throws {
    let seed = TestEnvironment.seed(for: "sealedNonsenseNeverTraps")
    var random = SeededGenerator(seed: seed)
    let keys = Self.keys()
    let fixture = try Self.fixture(keys)
    let nodes = try fixture.nodes()
    var refused = 0
    for (number, bytes) in try Self.values(fixture, nodes) {
      for _ in 0..<60 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          // Headers and columns stand first: most damage goes there.
          let end = Bool.random(using: &random) ? 80 : damaged.count
          damaged[Int.random(in: 0..<min(end, damaged.count), using: &random)] = .random(
            in: .min ... .max, using: &random)
        }
        Self.seal(&damaged)
        try Self.put(fixture, nodes, number, damaged)
        if try fixture.read({ try Self.isRefused($0, keys) }) { refused += 1 }
        // A merge must not trap either; what it throws is given up.
        do {
          try fixture.environment.write { transaction in
            let forest = try Forest(
              writing: transaction, nodes: nodes, overflow: try fixture.overflow(),
              directory: fixture.directory,
              cache: fixture.cache)
            for key in keys.prefix(30) + keys.suffix(30) { forest.remove(Self.tree, key) }
            forest.insert(Self.tree, TextKey(group: 0, text: "new", row: 77))
            try forest.flush()
            throw CancellationError()
          }
        } catch is CancellationError {
        } catch is IndexError {
        }
      }
      try Self.put(fixture, nodes, number, bytes)
    }
    #expect(refused > 100)
    try fixture.read { try $0.expectSound(Self.tree) }
  }

  @Test func missingAndDamagedContinuationsAreFound() throws {
    let keys = Self.keys()
    let fixture = try Self.fixture(keys)
    let overflow = try fixture.overflow()
    let values = try Self.values(fixture, overflow)
    #expect(values.count >= keys.count { $0.text.count > 240 })
    for (number, bytes) in values {
      let existed = try fixture.environment.write { try $0.delete(overflow, number: number) }
      #expect(existed)
      #expect(try fixture.read { try Self.isRefused($0, keys) })
      var damaged = bytes
      damaged[Int(number) % bytes.count] ^= 0x10
      try Self.put(fixture, overflow, number, damaged)
      #expect(try fixture.read { try Self.isRefused($0, keys) })
      try Self.put(fixture, overflow, number, bytes)
    }
    try fixture.read { try $0.expectSound(Self.tree) }
    // One too many is found as well.
    try Self.put(fixture, overflow, 1 << 40, values[0].1)
    #expect(try fixture.read { try Self.isRefused($0, keys) })
  }

  @Test func missingNodesAreCorruption() throws {
    let keys = Self.keys()
    let fixture = try Self.fixture(keys)
    let nodes = try fixture.nodes()
    for (number, bytes) in try Self.values(fixture, nodes) {
      let existed = try fixture.environment.write { try $0.delete(nodes, number: number) }
      #expect(existed)
      #expect(try fixture.read { try Self.isRefused($0, keys) })
      try Self.put(fixture, nodes, number, bytes)
    }
  }
}
