package import RankedKeys
package import SatchelBytes

/// The changes that one commit or many make to all trees, one commit after the other, as they are read from their bytes. Each
/// tree's are sorted once, when they are taken.
package final class GatheredChanges {
  /// By ascending id of the tree.
  @safe @exclusivity(unchecked) private var rows: [RowChanges] = []
  @safe @exclusivity(unchecked) private var texts: [TextChanges] = []

  /// Nothing.
  package init() {}

  /// Reads the changes of one more commit at `reader`: see `ForestChanges.encode`.
  /// - Parameters:
  ///   - numeric: Returns the schema of a numeric tree; nil if there is no such tree.
  ///   - text: The same for string trees.
  /// - Throws: `ByteError` if the bytes are not such changes. What was read of them stays.
  package func read(
    _ bytes: RawSpan, _ reader: inout ByteReader, numeric: (UInt16) -> TreeSchema?,
    text: (UInt16) -> TextTreeSchema?
  ) throws(ByteError) {
    var place = 0
    var last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let id = try reader.u16(bytes)
      while place < rows.count, rows[place].tree.id < id { place += 1 }
      if place == rows.count || rows[place].tree.id != id {
        guard let tree = numeric(id) else { throw ByteError(offset: start) }
        rows.insert(RowChanges(tree), at: place)
      }
      let count = try reader.varint(bytes)
      guard last < id, count > 0 else { throw ByteError(offset: start) }
      last = Int(id)
      for _ in 0..<count { try rows[place].read(bytes, &reader) }
    }
    place = 0
    last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let id = try reader.u16(bytes)
      while place < texts.count, texts[place].tree.id < id { place += 1 }
      if place == texts.count || texts[place].tree.id != id {
        guard let tree = text(id) else { throw ByteError(offset: start) }
        texts.insert(TextChanges(tree), at: place)
      }
      let count = try reader.varint(bytes)
      guard last < id, count > 0 else { throw ByteError(offset: start) }
      last = Int(id)
      for _ in 0..<count { try readText(bytes, &reader, at: place) }
    }
  }

  private func readText(
    _ bytes: RawSpan, _ reader: inout ByteReader, at place: Int
  ) throws(ByteError) {
    let start = reader.offset
    let kind = try reader.u8(bytes)
    guard kind <= 1 else { throw ByteError(offset: start) }
    let group = try reader.u64(bytes)
    let row = try reader.u64(bytes)
    let text = bytes.extracting(try reader.counted(bytes))
    texts[place].append(group: group, text: text, row: row, isInsertion: kind == 1)
  }

  /// Returns what the changes come to, and forgets them: the memory of one tree serves what is made of the next.
  /// - Throws: `outOfStep` if a change contradicts one before.
  package func take() throws(IndexError) -> ForestChanges {
    var changes = ForestChanges()
    while let rows = rows.popLast() {
      let folded = try ChangeRun(rows.tree, rows.sorted(from: 0))
      if folded.count > 0 { changes.rows.append(folded) }
    }
    changes.rows.reverse()
    while let texts = texts.popLast() {
      let folded = try ChangeRun(texts.tree, texts.sorted(from: 0))
      if folded.count > 0 { changes.texts.append(folded) }
    }
    changes.texts.reverse()
    return changes
  }
}
