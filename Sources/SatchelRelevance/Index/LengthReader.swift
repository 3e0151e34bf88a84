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

  init(_ words: IndexedWords, in snapshot: Snapshot) throws {
    group = words.group(.lengths)
    cursor = try snapshot.forest.cursor(IndexedWords.tree)
  }

  /// Returns the number of the block that an object is in.
  static func block(of row: UInt64) -> UInt64 { row / WordEntries.objectsOfLengths }

  /// Calls `body` with each length of the objects of a block, ascending, and with the rows of those that have it, until it returns false.
  mutating func forEachLength(ofBlock block: UInt64, _ body: (Int, [UInt64]) -> Bool) throws {
    let first = block * WordEntries.objectsOfLengths
    var text: [UInt8] = []
    WordEntries.append(length: 0, of: first, to: &text)
    try cursor.seek(to: .before(group: group, text: text))
    while let row = try cursor.next(), Self.block(of: row) == block, let key = try cursor.key(),
      key.group == group,
      let length = unsafe WordEntries.length(key.text.span.bytes)
    {
      rows.removeAll(keepingCapacity: true)
      rows.append(row)
      _ = try cursor.read(
        into: &rows, upTo: .after(group: group, text: key.text), limit: Int(WordEntries.objectsOfLengths))
      guard body(Int(length), rows) else { return }
    }
  }
}
