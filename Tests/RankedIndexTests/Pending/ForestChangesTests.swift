import RankedIndex
import RankedKeys
import SatchelBytes
import Testing

/// What one commit changes in all trees, and its bytes.
@Suite struct ForestChangesTests {
  private static let rows = [3, 5].map {
    TreeSchema(id: $0, name: "rows \($0)", keyColumns: 1, payloadColumns: 0)
  }
  private static let texts = [4, 6].map { TextTreeSchema(id: $0, name: "texts \($0)") }

  private func decode(_ bytes: [UInt8]) throws -> ForestBuffer {
    var reader = ByteReader()
    var changes = ForestBuffer()
    try changes.read(
      bytes.span.bytes, &reader, numeric: { id in Self.rows.first { $0.id == id } },
      text: { id in Self.texts.first { $0.id == id } })
    try reader.end(bytes.span.bytes)
    return changes
  }

  /// The bytes of one insertion into each of these trees.
  private func bytes(rows: [UInt16], texts: [UInt16], changes: UInt64 = 1) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(rows.count))
    for id in rows {
      writer.u16(id)
      writer.varint(changes)
      // An insertion of a row with a column of one byte.
      for _ in 0..<changes { for byte: UInt8 in [0, 1, 7] { writer.u8(byte) } }
    }
    writer.varint(UInt64(texts.count))
    for id in texts {
      writer.u16(id)
      writer.varint(changes)
      for _ in 0..<changes {
        writer.u8(1)
        writer.u64(1)
        writer.u64(2)
        writer.counted("text")
      }
    }
    return writer.bytes
  }

  @Test func treesComeInTheOrderOfTheirNumbers() throws {
    let good = bytes(rows: [3, 5], texts: [4, 6])
    let changes = try decode(good).folded()
    #expect(changes.count == 4)
    #expect(try PendingForest().adding(changes).count == 4)
    var writer = ByteWriter()
    changes.encode(to: &writer)
    #expect(writer.bytes == good)
  }

  /// The second list of changes of a tree would take the place of the first.
  @Test(arguments: [[3, 3], [5, 3], [3, 5, 3]] as [[UInt16]])
  func aTreeThatComesTwiceIsRefused(ids: [UInt16]) {
    #expect(throws: ByteError.self) { try decode(bytes(rows: ids, texts: [])) }
    #expect(throws: ByteError.self) { try decode(bytes(rows: [], texts: ids.map { $0 + 1 })) }
  }

  @Test func aTreeWithoutChangesIsRefused() {
    #expect(throws: ByteError.self) { try decode(bytes(rows: [3], texts: [], changes: 0)) }
    #expect(throws: ByteError.self) { try decode(bytes(rows: [], texts: [4], changes: 0)) }
  }

  /// They are well-formed, and contradict each other.
  @Test func theSameKeyTwiceIsRefusedWhenItIsFolded() throws {
    for changes in [bytes(rows: [3], texts: [], changes: 2), bytes(rows: [], texts: [4], changes: 2)] {
      let decoded = try decode(changes)
      #expect(throws: IndexError.self) { try decoded.folded() }
    }
  }

  /// Nobody may have numbers that the directory of the tail's base does not know as taken.
  @Test func reservedNumbersAreNoPendingChange() throws {
    try Scratch().write { forest in
      forest.insert(Self.rows[0], Words(1))
      #expect(!forest.hasFlushed)
      _ = forest.reserveLeafNumbers(2)
      #expect(forest.hasFlushed)
    }
  }
}
