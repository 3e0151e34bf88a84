import RankedIndex
import RankedKeys
import TestSupport

/// Reads a string tree with its pending texts in every way, and says where that differs from a sorted array.
struct MergedTextComparison {
  let tree: TextTreeSchema
  var random: SeededGenerator
  /// Returns a key to ask for, of which the model mostly knows nothing.
  let make: (inout SeededGenerator) -> TextKey
  /// Keys to ask for besides.
  var keys: [TextKey] = []
  private(set) var differences: [String] = []

  /// A bound with the rank that it must have.
  private typealias Place = (bound: TextBound, rank: Int)

  init(_ tree: TextTreeSchema, random: SeededGenerator, make: @escaping (inout SeededGenerator) -> TextKey) {
    self.tree = tree
    self.random = random
    self.make = make
  }

  /// Asks `queries` random questions of each kind.
  mutating func compare(_ merged: MergedTexts, _ model: TextTreeModel, queries: Int) throws {
    expect(try merged.count(), model.keys.count, "count")
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

  private mutating func randomPlaces(_ model: TextTreeModel) -> [Place] {
    var key = make(&random)
    if random.below(3) > 0, !model.keys.isEmpty { key = random.pick(model.keys) }
    if random.oneIn(3), !keys.isEmpty { key = random.pick(keys) }
    if random.oneIn(8) { key.row &+= random.next() % 3 &- 1 }
    if random.oneIn(8) { key.text.append(UInt8(random.below(256))) }
    if random.oneIn(8) { key.text.removeLast(min(key.text.count, 1 + random.below(10))) }
    return model.bounds(about: key)
  }

  private mutating func compareCounts(_ merged: MergedTexts, _ model: TextTreeModel) throws {
    let places = randomPlaces(model)
    for place in places {
      expect(try merged.rank(of: place.bound), place.rank, "rank of \(place.bound)")
    }
    // Bounds of one text, which often have rows of both runs between them, and of two.
    for other in [random.pick(places), random.pick(randomPlaces(model))] {
      let place = random.pick(places)
      let range = TextRange(lower: place.bound, upper: other.bound)
      expect(try merged.count(in: range), max(other.rank - place.rank, 0), "count in \(range)")
      let first = place.rank < other.rank ? model.keys[place.rank].row : nil
      expect(try merged.firstRow(in: range), first, "first row in \(range)")
    }
    for index in [random.below(model.keys.count + 2), model.keys.count - 1, -1] {
      let expected = model.keys.indices.contains(index) ? model.keys[index] : nil
      expect(try merged.select(index), expected, "select(\(index))")
    }
  }

  private mutating func compareReads(_ merged: MergedTexts, _ model: TextTreeModel) throws {
    let lower = random.pick(randomPlaces(model))
    let upper = random.pick(randomPlaces(model))
    let expected = lower.rank < upper.rank ? model.keys[lower.rank..<upper.rank] : []
    let limit = random.pick(weighted: [(3, 1), (3, 10), (3, 150), (1, 100_000)])
    let forward = Array(expected.prefix(limit))
    let back = Array(expected.suffix(limit).reversed())
    let isFull = expected.count >= limit
    let range = "\(lower.bound) to \(upper.bound), at most \(limit)"

    var cursor = try merged.cursor()
    try cursor.seek(to: lower.bound)
    var rows: [UInt64] = []
    expect(try cursor.read(into: &rows, upTo: upper.bound, limit: limit), isFull, "end of read \(range)")
    expect(rows, forward.map(\.row), "read \(range)")
    expect(try cursor.key(), forward.last, "key after read \(range)")
    // The same cursor goes back over what it has read.
    rows = []
    _ = try cursor.readBack(into: &rows, downTo: lower.bound, limit: .max)
    expect(rows, forward.reversed().map(\.row), "read \(range), and back")
    expect(try cursor.key(), forward.first, "key after read \(range), and back")

    try cursor.seek(to: upper.bound)
    rows = []
    expect(
      try cursor.readBack(into: &rows, downTo: lower.bound, limit: limit), isFull, "end of readBack \(range)")
    expect(rows, back.map(\.row), "read back \(range)")
    expect(try cursor.key(), back.last, "key after read back \(range)")
  }

  /// Single steps, skips, batches and seeks from a random place; and the entry that the cursor has moved over last.
  private mutating func walk(_ merged: MergedTexts, _ model: TextTreeModel) throws {
    var cursor = try merged.cursor()
    let count = model.keys.count
    var place: Int
    if random.oneIn(2) {
      place = random.below(count + 1)
      try cursor.seek(toRank: place)
    } else {
      let start = random.pick(randomPlaces(model))
      try cursor.seek(to: start.bound)
      place = start.rank
    }
    var last: TextKey?
    for _ in 0..<30 {
      let start = place
      switch random.below(9) {
      case 0:
        let step = random.pick([3, 40, 2_000, Int.max / 2])
        let signed = random.below(step) - step / 2
        try cursor.skip(signed)
        place = min(max(place + signed, 0), count)
        last = nil
      case 1, 2:
        let key = place < count ? model.keys[place] : nil
        expect(try cursor.next(), key?.row, "next at \(start)")
        place = min(place + 1, count)
        last = key ?? last
      case 3, 4:
        let key = place > 0 ? model.keys[place - 1] : nil
        expect(try cursor.previous(), key?.row, "previous at \(start)")
        place = max(place - 1, 0)
        last = key ?? last
      case 5, 6:
        let limit = random.below(30)
        let end = min(place + limit, count)
        var rows: [UInt64] = []
        expect(try cursor.read(into: &rows, limit: limit), place + limit <= count, "batch at \(start)")
        expect(rows, model.keys[place..<end].map(\.row), "batch at \(start)")
        last = model.keys[place..<end].last ?? last
        place = end
      case 7:
        // As many as lie side by side, all of the text that was moved over last.
        var rows: [UInt64] = []
        try cursor.readSame(into: &rows)
        let end = place + rows.count
        let same = model.keys[place...].prefix { $0.text == last?.text && $0.group == last?.group }
        expect(rows, same.prefix(rows.count).map(\.row), "the same text at \(start)")
        last = model.keys[place..<end].last ?? last
        place = end
      default:
        let limit = random.below(30)
        let end = max(place - limit, 0)
        var rows: [UInt64] = []
        expect(try cursor.readBack(into: &rows, limit: limit), limit <= place, "batch back at \(start)")
        expect(rows, model.keys[end..<place].reversed().map(\.row), "batch back at \(start)")
        last = model.keys[end..<place].first ?? last
        place = end
      }
      expect(cursor.rank, place, "rank after a move from \(start)")
      if random.oneIn(3) { expect(try cursor.key(), last, "key after a move from \(start)") }
      if random.oneIn(3) { expect(try cursor.text(), last?.text, "text after a move from \(start)") }
    }
  }
}
