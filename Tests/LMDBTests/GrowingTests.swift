import LMDB
import LMDBScenes
import TestSupport
import Testing

/// Groups of neighbours that grow at their ends leave no half empty leaves behind.
@Suite struct GrowingTests {
  private static func key(_ group: Int, _ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(group).bigEndian, Array.init)
      + withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
  }

  /// What a table has to hold.
  private typealias Model = [[UInt8]: [UInt8]]

  /// Changes, in the order of their keys; nil removes.
  private typealias Changes = [(key: [UInt8], value: [UInt8]?)]

  private static func apply(
    _ changes: Changes, _ transaction: LMDBWriteTransaction, _ table: Database, grows: Bool
  ) throws {
    func make(_ index: Int) throws {
      try changes[index].key.withUnsafeBytes { key in
        if let value = changes[index].value {
          try value.withUnsafeBytes { try transaction.put(table, key, $0) }
        } else {
          _ = try transaction.delete(table, key)
        }
      }
    }
    // The keys lie in one piece of memory, so that addresses of them stay as they are.
    let keys = changes.flatMap(\.key)
    try keys.withUnsafeBytes { bytes in
      func key(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[12 * index..<12 * index + 12])
      }
      let growths =
        grows
        ? try transaction.growths(of: table, groupBytes: 4, changes.count) {
          (key($0), changes[$0].value?.count)
        }
        : []
      var done: Set<Int> = []
      for growth in growths {
        try transaction.grow(growth, of: table, key, make)
        done.formUnion(growth.changes)
      }
      for index in changes.indices where !done.contains(index) { try make(index) }
    }
  }

  private static func value(_ random: inout SeededGenerator) -> [UInt8] {
    [UInt8](repeating: UInt8(random.below(256)), count: 60 + random.below(120))
  }

  private static func expect(_ model: Model, _ environment: Environment, _ table: Database) throws {
    try environment.read { transaction in
      var cursor = try transaction.cursor(table)
      var found: Model = [:]
      while let entry = try cursor.next() { found[Array(entry.key)] = Array(entry.value) }
      #expect(found == model)
    }
  }

  /// A table of groups of one leaf or some, which then grow by some entries each, often.
  private static func grow(
    seed: UInt64, rounds: Int, grows: Bool, deletesToo: Bool = false
  ) throws -> (leaves: Int, full: Double, environment: Environment, table: Database, model: Model) {
    var random = SeededGenerator(seed: seed)
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    var model: Model = [:]
    var counts = (0..<24).map { _ in 5 + random.below(80) }
    try environment.write { transaction in
      for (group, count) in counts.enumerated() {
        for number in 0..<count {
          let (key, value) = (key(group, number), value(&random))
          model[key] = value
          try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { try transaction.append(table, key, $0) }
          }
        }
      }
    }
    for _ in 0..<rounds {
      var changes: Model = [:]
      var removed: Set<[UInt8]> = []
      for group in counts.indices where random.oneIn(2) {
        for _ in 0..<1 + random.below(9) {
          changes[key(group, counts[group])] = value(&random)
          counts[group] += 1
        }
        guard deletesToo else { continue }
        // Others change, become longer or go, also behind the place where the group grows.
        for _ in 0..<random.below(4) {
          let other = random.below(counts.count)
          let key = key(other, random.below(counts[other]))
          guard model[key] != nil else { continue }
          if random.oneIn(2) { removed.insert(key) } else { changes[key] = value(&random) }
        }
      }
      let sorted: Changes =
        (changes.filter { !removed.contains($0.key) }.map { ($0.key, $0.value) } + removed.map { ($0, nil) })
        .sorted { $0.0.lexicographicallyPrecedes($1.0) }
      try environment.write { try apply(sorted, $0, table, grows: grows) }
      for (key, value) in sorted { model[key] = value }
    }
    let leaves = try environment.read { try $0.statistics(of: table).leafPages }
    let bytes = model.reduce(0) { $0 + ($1.key.count + $1.value.count + 8 + 1) / 2 * 2 + 2 }
    return (leaves, Double(bytes) / Double(try environment.info.pageSize - 16), environment, table, model)
  }

  /// Few leaves are not full: of each group the one in which it goes on, the one with what followed there, and some that were
  /// not when the group was small. Of 150 seeds, all had from 1.10 to 1.152 times the leaves that hold the entries if all are full
  /// to the last byte (the control from 1.57 to 1.8), so that the bound is far from any of them.
  @Test func growingGroupsLeaveFullLeaves() throws {
    let seed = TestEnvironment.seed()
    let grown = try Self.grow(seed: seed, rounds: 300, grows: true)
    defer { grown.environment.close() }
    try Self.expect(grown.model, grown.environment, grown.table)
    #expect(
      Double(grown.leaves) <= 1.2 * grown.full,
      "\(grown.leaves) leaves, of which \(grown.full) could be full")
    // The control: what LMDB makes of the same changes.
    let plain = try Self.grow(seed: seed, rounds: 300, grows: false)
    defer { plain.environment.close() }
    #expect(plain.model == grown.model)
    #expect(Double(plain.leaves) >= 1.4 * plain.full)
  }

  /// Whatever else the changes do.
  @Test func nothingIsLost() throws {
    let seed = TestEnvironment.seed()
    for round in 0..<TestEnvironment.rounds(4) {
      let grown = try Self.grow(seed: seed &+ UInt64(round), rounds: 60, grows: true, deletesToo: true)
      defer { grown.environment.close() }
      try Self.expect(grown.model, grown.environment, grown.table)
      try grown.environment.read { try #expect($0.auditPages().faults.isEmpty) }
    }
  }
}
