import RankedIndex
import RankedKeys
import SatchelBytes

extension FuzzTarget {
  private static let words = TextTreeSchema(id: 19, name: "fuzzed")

  private static let textScene: Result<NodeScene, any Error> = Result {
    try NodeScene { forest in
      // Texts of one key, of several, and, now and then, ones that continue elsewhere; long, so that a few make three leaves.
      for serial in 0..<UInt64(90) {
        var text = (0..<12).map { String(serial / 2 &* 0x9E37_79B9_7F4A_7C15 >> ($0 * 3), radix: 36) }
          .joined()
        if serial % 30 == 7 { text = String(repeating: "tea and ", count: 40) + text }
        forest.insert(words, TextKey(group: serial % 3, text: serial % 9 == 0 ? "short" : text, row: serial))
      }
    }
  }

  /// What the corpus of `textNode` begins with.
  package static func textNodeSeeds() throws -> [[UInt8]] { try textScene.get().nodes().map(NodeInput.bytes) }

  /// The root of a tree of texts, verified, and read or changed in one of the ways that there are. Where the verification
  /// finds no fault, all ways of reading agree with it.
  static let textNode = FuzzTarget("textNode", maximumBytes: NodeInput.maximumBytes) { bytes in
    guard let input = NodeInput(bytes, tree: words.id, kind: 2) else { return false }
    return try textScene.get().withRoot(input.node, isLeaf: input.isLeaf, entries: input.entries) { forest in
      var faults = 0
      var verified: [TextKey] = []
      do {
        _ = try forest.verify(words, report: { _ in faults += 1 }) { key in
          if verified.count < 4096 { verified.append(key) }
        }
      } catch is IndexError {
        faults += 1
      }
      // A verification counts the continuations as well; those of other leaves are none of a tree of one leaf.
      let isSound = faults == 0 && verified.count < 4096
      switch input.trial {
      case .walks: try walkTexts(forest, verified, isSound)
      case .ranks: try rankTexts(forest, verified, isSound, entries: input.entries)
      case .changes: try changeTexts(forest, verified, isSound: faults == 0)
      case .description:
        _ = withExactCopy(of: input.node) { NodeDescription(number: NodeScene.rootNumber, value: $0) }
      }
      return faults == 0
    }
  }

  private static func walkTexts(_ forest: Forest, _ verified: [TextKey], _ isSound: Bool) throws {
    var forwards: [TextKey] = []
    var backwards: [UInt64] = []
    let forwardFault = fault { () throws(IndexError) in
      var cursor = try forest.cursor(words)
      while forwards.count < verified.count + 1, try cursor.next() != nil, let key = try cursor.key() {
        forwards.append(key)
      }
    }
    let backwardFault = fault { () throws(IndexError) in
      var cursor = try forest.cursor(words)
      try cursor.seek(to: .end)
      while backwards.count < verified.count + 1, let row = try cursor.previous() { backwards.append(row) }
    }
    guard isSound else { return }
    try expectNone(forwardFault ?? backwardFault)
    try expect(forwards == verified, "a walk forwards is not what was verified")
    try expect(backwards == verified.reversed().map(\.row), "a walk backwards is not what was verified")
  }

  private static func rankTexts(
    _ forest: Forest, _ verified: [TextKey], _ isSound: Bool, entries: UInt64
  ) throws {
    var found = fault { () throws(IndexError) in
      _ = try forest.count(words, in: .prefix(Array("word 1".utf8), group: 1))
    }
    for rank in [0, 1, verified.count / 2, verified.count, Int(entries)] {
      let next = fault { () throws(IndexError) in
        guard let key = try forest.select(words, rank) else { return }
        _ = try forest.rank(words, of: .before(key))
      }
      found = found ?? next
    }
    guard isSound else { return }
    try expectNone(found)
    for (rank, key) in verified.enumerated().prefix(4) {
      try expect(try forest.select(words, rank) == key, "the entry of rank \(rank)")
      try expect(try forest.rank(words, of: .before(key)) == rank, "the rank of \(key)")
    }
  }

  private static func changeTexts(_ forest: Forest, _ verified: [TextKey], isSound: Bool) throws {
    do throws(IndexError) {
      for key in verified.prefix(3) { forest.remove(words, key) }
      if !verified.contains(new) { forest.insert(words, new) }
      try forest.flush()
    } catch {
      try expect(!isSound, "a tree that verifies cannot be changed: \(error)")
    }
  }

  /// A key that is put into the tree.
  private static let new = TextKey(group: 1, text: "word", row: 1 << 40)

  /// A continuation of a text, of the number 5 and the tree 19: the input is what stands behind the checksum.
  static let continuation = FuzzTarget("continuation", maximumBytes: 256) { bytes in
    var value = [UInt8](repeating: 0, count: 8) + bytes
    value.set(Checksum.hash([UInt8](bytes), seed: 5), at: 0)
    _ = TextContinuation.decode(bytes, number: 5, tree: words.id)
    return try withExactCopy(of: value) { value in
      guard let text = TextContinuation.decode(value, number: 5, tree: words.id) else { return false }
      try expect(
        TextContinuation.encode([UInt8](text)[...], number: 5, tree: words.id) == [UInt8](value),
        "a continuation is written in other bytes")
      return true
    }
  }

  /// A directory without its checksum, which is put behind it.
  static let directory = FuzzTarget("directory") { bytes in
    let bytes = [UInt8](bytes)
    var sealed = bytes + [UInt8](repeating: 0, count: 8)
    sealed.set(Checksum.hash(bytes), at: bytes.count)
    _ = try? Directory(bytes)
    guard let directory = try? Directory(sealed) else { return false }
    try expect(directory.encode() == sealed, "a directory is written in other bytes")
    return true
  }
}
