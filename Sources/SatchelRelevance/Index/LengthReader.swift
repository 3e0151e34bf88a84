import RankedIndex
import RankedKeys
import SatchelIndexing
import SatchelReading

/// Reads the lengths of objects from an index of words. Those of some objects that follow one another, a block, lie together, the short ones
/// first: so whoever looks for short texts need not read on behind them.
struct LengthReader: ~Copyable {
  private let group: UInt64
  private var cursor: MergedTextCursor
  private var rows: [UInt64] = []
  private var text: [UInt8] = []

  init(_ words: IndexedWords, in snapshot: Snapshot) throws {
    group = words.group(.lengths)
    cursor = try snapshot.forest.cursor(IndexedWords.tree)
  }

  /// Returns the number of the block that an object is in.
  static func block(of row: UInt64) -> UInt64 { row / WordEntries.objectsOfLengths }

  /// Calls `body` with the lengths of the objects of a block, ascending, and with rows of objects that have it, ascending, until it returns false. A length
  /// may come several times, each time with others.
  mutating func forEachLength(ofBlock block: UInt64, _ body: (Int, [UInt64]) -> Bool) throws {
    let first = block * WordEntries.objectsOfLengths
    text.removeAll(keepingCapacity: true)
    WordEntries.append(length: 0, of: first, to: &text)
    try cursor.seek(to: .before(group: group, text: text))
    while let row = try cursor.next(), Self.block(of: row) == block,
      try cursor.read(text: &text) == group,
      let length = unsafe WordEntries.length(text.span.bytes)
    {
      rows.removeAll(keepingCapacity: true)
      rows.append(row)
      try cursor.readSame(into: &rows)
      guard body(Int(length), rows) else { return }
    }
  }
}
