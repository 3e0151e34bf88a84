import RankedIndex
import RankedKeys
import SatchelBytes

/// What is pending for one string tree, as a store has it.
struct PendingTexts {
  let tree: TextTreeSchema
  private(set) var forest = PendingForest()

  init(_ tree: TextTreeSchema) {
    self.tree = tree
  }

  private var runs: Runs<TextTreeSchema> { forest.texts(tree.id) ?? Runs(tree) }

  var count: Int { runs.count }
  var isEmpty: Bool { runs.isEmpty }
  var byteCount: Int { runs.byteCount }
  var runCounts: (large: Int, small: Int) { runs.runCounts }

  /// Returns it with one more commit.
  func adding(_ changes: [(PendingTextFixture.Change, TextKey)]) throws -> PendingTexts {
    var next = self
    next.forest = try forest.adding(Self.read(changes, tree))
    return next
  }

  /// A commit of changes of one string tree, read from its bytes: `ForestChanges` says what they are.
  private static func read(
    _ changes: [(PendingTextFixture.Change, TextKey)], _ tree: TextTreeSchema
  ) throws -> ForestBuffer {
    var writer = ByteWriter()
    writer.varint(0)
    writer.varint(changes.isEmpty ? 0 : 1)
    if !changes.isEmpty {
      writer.u16(tree.id)
      writer.varint(UInt64(changes.count))
    }
    for (change, key) in changes {
      writer.u8(change == .insert ? 1 : 0)
      writer.u64(key.group)
      writer.u64(key.row)
      writer.counted(key.text.span.bytes)
    }
    let bytes = writer.bytes
    var gathered = ForestBuffer()
    var reader = ByteReader()
    try gathered.read(
      bytes.span.bytes, &reader, numeric: { _ in nil }, text: { $0 == tree.id ? tree : nil })
    try reader.end(bytes.span.bytes)
    return gathered
  }
}

/// A string tree as a forest reads it.
struct MergedTexts {
  let forest: Forest
  let tree: TextTreeSchema

  init(_ forest: Forest, _ tree: TextTreeSchema) {
    self.forest = forest
    self.tree = tree
  }

  func count() throws(IndexError) -> Int { try forest.count(tree) }
  func count(in range: TextRange) throws(IndexError) -> Int { try forest.count(tree, in: range) }
  func rank(of bound: TextBound) throws(IndexError) -> Int { try forest.rank(tree, of: bound) }
  func select(_ rank: Int) throws(IndexError) -> TextKey? { try forest.select(tree, rank) }
  func firstRow(in range: TextRange) throws(IndexError) -> UInt64? { try forest.firstRow(tree, in: range) }
  func cursor() throws(IndexError) -> MergedTextCursor { try forest.cursor(tree) }

  /// Checks what is pending.
  func verify(report: (IndexError) -> Void) throws(IndexError) {
    _ = try forest.verifyPending(tree, try forest.statistics(tree), report: report)
  }
}
