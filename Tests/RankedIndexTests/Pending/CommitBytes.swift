import RankedIndex
import RankedKeys
import SatchelBytes
import TestSupport

/// The bytes of commits that change one numeric tree, made by themselves: `ForestChanges` says what they are.
enum CommitBytes {
  static func change(_ change: PendingFixture.Change, _ row: Words, _ tree: TreeSchema) -> [UInt8] {
    let (kind, columns): (UInt8, Int) =
      switch change {
      case .insert: (0, tree.columns)
      case .remove: (1, tree.keyColumns)
      case .replace: (2, tree.columns)
      }
    var bytes = [kind]
    for column in stride(from: 0, to: columns, by: 2) {
      let pair = (column..<min(columns, column + 2)).map { littleEndian(row[$0]) }
      bytes.append(UInt8(pair[0].count) | UInt8(pair.count > 1 ? pair[1].count : 0) << 4)
      for word in pair { bytes += word }
    }
    return bytes
  }

  /// The bytes of a number without the zeros at the end.
  private static func littleEndian(_ word: UInt64) -> [UInt8] {
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    while bytes.last == 0 { bytes.removeLast() }
    return bytes
  }

  /// A commit of some changes of different keys.
  static func commit(_ changes: [(PendingFixture.Change, Words)], _ tree: TreeSchema) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(changes.isEmpty ? 0 : 1)
    if !changes.isEmpty {
      writer.u16(tree.id)
      writer.varint(UInt64(changes.count))
    }
    for (kind, row) in changes { for byte in change(kind, row, tree) { writer.u8(byte) } }
    writer.varint(0)
    return writer.bytes
  }

  /// Reads commits as those of a journal are.
  static func read(_ commits: [[UInt8]], _ tree: TreeSchema) throws -> ForestBuffer {
    var changes = ForestBuffer()
    for bytes in commits {
      var reader = ByteReader()
      try changes.read(
        bytes.span.bytes, &reader, numeric: { $0 == tree.id ? tree : nil }, text: { _ in nil })
      try reader.end(bytes.span.bytes)
    }
    return changes
  }
}

/// Random commits to one tree, and what it holds after them.
struct RandomCommits {
  let source: RowSource
  var random: SeededGenerator
  private(set) var model: SortedRows
  private var removed: [Words] = []
  private var serial: UInt64 = 0

  init(_ source: RowSource, random: SeededGenerator) {
    self.source = source
    self.random = random
    model = SortedRows(keyColumns: source.tree.keyColumns)
  }

  /// Inserts rows into the model.
  mutating func makeRows(_ count: Int) -> [Words] {
    for _ in 0..<count {
      serial += 1
      let row = source.make(&random, serial)
      if model.index(of: row) == nil { model.insert(row) }
    }
    return model.rows
  }

  /// Returns the bytes of one more commit, of some changes of different keys.
  mutating func next() -> [UInt8] {
    var changes: [(PendingFixture.Change, Words)] = []
    for _ in 0...random.below(6) {
      let change = draw()
      let columns = source.tree.keyColumns
      guard !changes.contains(where: { $0.1.compare(change.1, columns: columns) == 0 }) else { continue }
      PendingFixture.apply(change.0, change.1, to: &model)
      if change.0 == .remove { removed.append(change.1) }
      changes.append(change)
    }
    return CommitBytes.commit(changes, source.tree)
  }

  /// Returns a change that the model allows.
  private mutating func draw() -> (PendingFixture.Change, Words) {
    serial += 1
    var row = source.make(&random, serial)
    // Keys that have been there come again, and those that are there go.
    let old = model.rows.isEmpty || random.oneIn(2) ? removed : model.rows
    if !old.isEmpty, random.oneIn(2) {
      let key = random.pick(old)
      for column in 0..<source.tree.keyColumns { row[column] = key[column] }
    }
    guard model.index(of: row) != nil else { return (.insert, row) }
    return (random.oneIn(2) ? .remove : .replace, row)
  }
}
