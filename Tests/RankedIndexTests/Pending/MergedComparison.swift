import RankedIndex
import RankedKeys
import TestSupport

/// Reads a tree with its pending rows in every way, and says where that differs from a sorted array.
struct MergedComparison {
  let source: RowSource
  var random: SeededGenerator
  /// Keys to ask for besides those of the model and of the source.
  var keys: [Words] = []
  private(set) var differences: [String] = []
  private var serial: UInt64 = 1 << 40

  init(_ source: RowSource, random: SeededGenerator) {
    self.source = source
    self.random = random
  }

  private var tree: TreeSchema { source.tree }

  /// Asks `queries` random questions of each kind.
  mutating func compare(_ merged: MergedRows, _ model: SortedRows, queries: Int) throws {
    expect(try merged.count(), model.rows.count, "count")
    for _ in 0..<queries {
      try compareCounts(merged, model)
      try compareReads(merged, model)
      try walk(merged, model)
    }
  }

  private mutating func expect<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
  ) {
    guard found != expected, differences.count < 20 else { return }
    differences.append("\(tree.name), \(what()): \(found) instead of \(expected)".prefix(2_000).description)
  }

  private mutating func randomBound(_ model: SortedRows) -> Bound {
    serial += 1
    var row = source.make(&random, serial)
    if random.below(3) > 0, !model.rows.isEmpty { row = random.pick(model.rows) }
    if random.oneIn(3), !keys.isEmpty { row = random.pick(keys) }
    if random.oneIn(8) { row[random.below(tree.keyColumns)] &+= random.next() % 3 &- 1 }
    let columns = random.oneIn(2) ? tree.keyColumns : random.below(tree.keyColumns + 1)
    return random.oneIn(2) ? .before(row, columns: columns) : .after(row, columns: columns)
  }

  private mutating func compareCounts(_ merged: MergedRows, _ model: SortedRows) throws {
    let range = KeyRange(lower: randomBound(model), upper: randomBound(model))
    expect(try merged.rank(of: range.lower), model.rank(range.lower), "rank of \(range.lower)")
    expect(try merged.count(in: range), model.slice(range).count, "count in \(range)")
    for index in [random.below(model.rows.count + 2), model.rows.count - 1, -1] {
      let expected = model.rows.indices.contains(index) ? model.rows[index] : nil
      expect(try merged.select(index), expected, "select(\(index))")
    }
    let word = range.lower.words[0]
    let rows = Array(model.slice(.prefix(Words(word), columns: 1)))
    if rows.count <= 500 { expect(try merged.rows(of: word), rows, "rows of \(word)") }
  }

  private mutating func compareReads(_ merged: MergedRows, _ model: SortedRows) throws {
    let range = KeyRange(lower: randomBound(model), upper: randomBound(model))
    let expected = model.slice(range)
    let limit = random.pick(weighted: [(3, 1), (3, 10), (3, 150), (1, 100_000)])
    let forward = Array(expected.prefix(limit))
    let back = Array(expected.suffix(limit).reversed())
    let isFull = expected.count >= limit
    let column = random.below(tree.columns)

    var cursor = try merged.cursor()
    try cursor.seek(to: range.lower)
    var rows: [Words] = []
    expect(try cursor.read(into: &rows, upTo: range.upper, limit: limit), isFull, "end of read")
    expect(rows, forward, "read \(range), at most \(limit)")
    // The same cursor goes back over what it has read.
    rows = []
    _ = try cursor.readBack(into: &rows, downTo: range.lower, limit: .max)
    expect(rows, forward.reversed(), "read \(range), and back")

    try cursor.seek(to: range.upper)
    rows = []
    expect(try cursor.readBack(into: &rows, downTo: range.lower, limit: limit), isFull, "end of readBack")
    expect(rows, back, "read back \(range), at most \(limit)")

    var values: [UInt64] = []
    try cursor.seek(to: range.lower)
    expect(try cursor.read(column: column, into: &values, upTo: range.upper, limit: limit), isFull, "column")
    expect(values, forward.map { $0[column] }, "column \(column) of \(range)")
    values = []
    try cursor.seek(to: range.upper)
    _ = try cursor.readBack(column: column, into: &values, downTo: range.lower, limit: limit)
    expect(values, back.map { $0[column] }, "column \(column) of \(range), back")
  }

  /// Single steps, skips, batches and seeks from a random place.
  private mutating func walk(_ merged: MergedRows, _ model: SortedRows) throws {
    var cursor = try merged.cursor()
    let count = model.rows.count
    var place: Int
    if random.oneIn(2) {
      place = random.below(count + 1)
      try cursor.seek(toRank: place)
    } else {
      let bound = randomBound(model)
      try cursor.seek(to: bound)
      place = model.rank(bound)
    }
    let column = random.below(tree.columns)
    for _ in 0..<30 {
      let start = place
      switch random.below(7) {
      case 0:
        let step = random.pick([3, 40, 2_000, Int.max / 2])
        let signed = random.below(step) - step / 2
        try cursor.skip(signed)
        place = min(max(place + signed, 0), count)
      case 1:
        expect(try cursor.next(), place < count ? model.rows[place] : nil, "next at \(start)")
        place = min(place + 1, count)
      case 2:
        expect(try cursor.previous(), place > 0 ? model.rows[place - 1] : nil, "previous at \(start)")
        place = max(place - 1, 0)
      case 3:
        let moved = try cursor.step()
        expect(moved, place < count, "step at \(start)")
        guard moved, place < count else { break }
        place += 1
        expect(cursor.passed(column), model.rows[place - 1][column], "passed at \(start)")
      case 4:
        let moved = try cursor.stepBack()
        expect(moved, place > 0, "stepBack at \(start)")
        guard moved, place > 0 else { break }
        place -= 1
        expect(cursor.ahead(column), model.rows[place][column], "ahead at \(start)")
      case 5:
        var rows: [Words] = []
        let limit = random.below(30)
        let end = min(place + limit, count)
        expect(try cursor.read(into: &rows, limit: limit), place + limit <= count, "batch at \(start)")
        expect(rows, Array(model.rows[place..<end]), "batch at \(start)")
        place = end
      default:
        var rows: [Words] = []
        let limit = random.below(30)
        let end = max(place - limit, 0)
        expect(try cursor.readBack(into: &rows, limit: limit), limit <= place, "batch back at \(start)")
        expect(rows, model.rows[end..<place].reversed(), "batch back at \(start)")
        place = end
      }
      expect(cursor.rank, place, "rank after a move from \(start)")
    }
  }
}
