import RankedIndex
import RankedKeys
import SatchelBytes
import TestSupport
import Testing

/// The codec of a string node alone: heads in memory, no file.
@Suite struct TextNodeTests {
  /// Heads only, so that a node never asks how one goes on.
  struct NoContinuations: TextContinuationReader {
    func compare(
      _ continuation: UInt64, with target: borrowing RawSpan, from offset: Int
    ) throws(TextFault) -> Int {
      throw .continuation(continuation)
    }
  }

  static let bodyAt = 40

  static func keys(_ count: Int, using random: inout SeededGenerator) -> [TextKey] {
    let groups = UInt64.random(in: 1...3, using: &random)
    let rows: UInt64 = Bool.random(using: &random) ? 5000 : .max
    let keys = (0..<count).map { _ in
      TextKey(
        group: .random(in: 0..<groups, using: &random),
        text: Array(TextSamples.text(using: &random).prefix(240)), row: .random(in: 0...rows, using: &random))
    }
    return Set(keys).sorted()
  }

  static func head(_ key: TextKey) -> [UInt8] {
    withUnsafeBytes(of: key.group.bigEndian) { Array($0) } + key.text
  }

  /// As many of the keys as a node holds, and the node.
  static func leaf(_ keys: inout [TextKey], capacity: Int) -> [UInt8] {
    var builder = TextNodeBuilder(isLeaf: true, capacity: capacity)
    var taken = 0
    for key in keys {
      let head = head(key)
      if !builder.append(head.span.bytes, continuation: 0, row: key.row, limit: capacity) { break }
      taken += 1
    }
    keys.removeLast(keys.count - taken)
    var bytes = [UInt8](repeating: 0xEE, count: bodyAt)
    builder.encode(to: &bytes)
    #expect(bytes.count == bodyAt + builder.byteCount)
    return bytes
  }

  @Test func leavesAnswerEveryIndex() throws {
    let seed = TestEnvironment.seed(for: "leavesAnswerEveryIndex")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var keys = Self.keys(.random(in: 1...900, using: &random), using: &random)
      let others = Self.keys(100, using: &random)
      let bytes = Self.leaf(&keys, capacity: .random(in: 400...16_000, using: &random))
      let span = bytes.span.bytes
      let node = try TextNode(span, level: 0, bodyAt: Self.bodyAt)
      #expect(node.keyCount == keys.count)
      var reader = TextRunReader()
      for index in keys.indices.shuffled(using: &random) + Array(keys.indices) {
        try reader.seek(node, span, to: index)
        #expect(reader.head == Self.head(keys[index]))
        #expect(try node.row(span, at: index) == keys[index].row)
      }
      for key in keys + others {
        let head = Self.head(key)
        for inclusive in [false, true] {
          let found = try node.index(
            span, target: head.span.bytes, row: key.row, inclusive: inclusive,
            continuations: NoContinuations())
          #expect(found == keys.count { $0 < key || inclusive && $0 == key }, "seed \(seed) \(key)")
        }
      }
    }
  }

  @Test func innerNodesSumTheirChildren() throws {
    let seed = TestEnvironment.seed(for: "innerNodesSumTheirChildren")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let keys = Self.keys(.random(in: 1...300, using: &random), using: &random)
      var builder = TextNodeBuilder(isLeaf: false, capacity: 4000)
      var children = [UInt64.random(in: 0 ... .max, using: &random)]
      var counts = [UInt64.random(in: 1...500, using: &random)]
      builder.append(child: children[0], entries: counts[0])
      for key in keys {
        let child = UInt64.random(in: 1_000_000...1_000_400, using: &random)
        let entries = UInt64.random(in: 1...500, using: &random)
        let head = TextHead(bytes: Self.head(key), continuation: 0, row: key.row)
        if !builder.append(head, child: child, entries: entries, limit: 4000) { break }
        children.append(child)
        counts.append(entries)
      }
      #expect(builder.entryCount == counts.reduce(0, +))
      var bytes = [UInt8](repeating: 0, count: Self.bodyAt)
      builder.encode(to: &bytes)
      #expect(bytes.count == Self.bodyAt + builder.byteCount)
      let span = bytes.span.bytes
      let node = try TextNode(span, level: 1, bodyAt: Self.bodyAt)
      #expect(node.childCount == children.count)
      var before = 0
      for index in children.indices {
        #expect(try node.child(span, at: index) == children[index])
        #expect(try node.entries(span, before: index) == before)
        #expect(try node.child(span, holding: before) == index)
        before += Int(counts[index])
        #expect(try node.child(span, holding: before - 1) == index)
      }
      #expect(try node.entries(span, before: children.count) == before)
    }
  }

  /// Damage that a checksum has not seen: any answer or an error, but never a trap, an endless loop or a read outside.
  @Test func damagedNodesNeverTrap() throws {
    let seed = TestEnvironment.seed(for: "damagedNodesNeverTrap")
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for round in 0..<8 {
      var keys = Self.keys(200, using: &random)
      let sound = Self.leaf(&keys, capacity: 1500)
      for offset in Self.bodyAt..<sound.count {
        var bytes = sound
        bytes[offset] ^= round == 0 ? 0xFF : UInt8.random(in: 1...255, using: &random)
        if round > 4 { bytes.removeLast(.random(in: 0...bytes.count - Self.bodyAt, using: &random)) }
        for level in 0...1 {
          do throws(TextFault) {
            try Self.readAll(
              bytes, level: level, targets: [keys[0], keys[keys.count / 2], keys[keys.count - 1]])
          } catch {
            refused += 1
          }
        }
      }
    }
    #expect(refused > 1000)
  }

  static func readAll(_ bytes: [UInt8], level: Int, targets: [TextKey]) throws(TextFault) {
    let span = bytes.span.bytes
    let node = try TextNode(span, level: level, bodyAt: bodyAt)
    for key in targets {
      let head = head(key)
      let index = try node.index(
        span, target: head.span.bytes, row: key.row, inclusive: true, continuations: NoContinuations())
      #expect(index <= node.keyCount)
    }
    if level > 0 {
      _ = try node.child(span, holding: 100)
      for child in 0..<node.childCount { _ = try node.child(span, at: child) }
    }
    var reader = TextRunReader()
    for index in 0..<node.keyCount {
      try reader.seek(node, span, to: index)
      _ = try node.row(span, at: index)
    }
  }
}
