import RankedIndex
import RankedKeys
import Testing

/// What a string tree must answer: its entries in a sorted array.
struct TextTreeModel {
  private(set) var keys: [TextKey] = []

  mutating func apply(inserts: Set<TextKey>, removes: Set<TextKey>) {
    keys.removeAll { removes.contains($0) }
    keys.append(contentsOf: inserts)
    keys.sort()
  }

  /// Returns where a key is; nil if it is not there.
  func index(of key: TextKey) -> Int? {
    let index = count { $0 < key }
    return index < keys.count && keys[index] == key ? index : nil
  }

  /// Adds a key that is not there.
  mutating func insert(_ key: TextKey) { keys.insert(key, at: count { $0 < key }) }

  mutating func remove(at index: Int) { keys.remove(at: index) }

  /// The number of entries before `isBefore` turns false.
  func count(_ isBefore: (TextKey) -> Bool) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(keys[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Every kind of bound about a key, with the rank it must have.
  func bounds(about key: TextKey) -> [(bound: TextBound, rank: Int)] {
    let prefix = Array(key.text.prefix(key.text.count / 2))
    func precedes(_ text: [UInt8], _ other: [UInt8]) -> Bool { text.lexicographicallyPrecedes(other) }
    return [
      (.start, 0), (.end, keys.count),
      (.before(group: key.group), count { $0.group < key.group }),
      (.after(group: key.group), count { $0.group <= key.group }),
      (
        .before(group: key.group, text: key.text),
        count { $0.group < key.group || $0.group == key.group && precedes($0.text, key.text) }
      ),
      (
        .after(group: key.group, text: key.text),
        count { $0.group < key.group || $0.group == key.group && !precedes(key.text, $0.text) }
      ),
      (
        .afterPrefix(group: key.group, prefix: prefix),
        count {
          $0.group < key.group
            || $0.group == key.group && (precedes($0.text, prefix) || $0.text.starts(with: prefix))
        }
      ),
      (
        .afterPrefix(group: key.group, prefix: key.text),
        count {
          $0.group < key.group
            || $0.group == key.group && (precedes($0.text, key.text) || $0.text.starts(with: key.text))
        }
      ),
      (.before(key), count { $0 < key }), (.after(key), count { $0 < key || $0 == key }),
    ]
  }

  /// Compares ranks, counts, selections and cursors about some keys.
  func check(_ forest: Forest, _ tree: TextTreeSchema, about samples: [TextKey], _ hint: String) throws {
    #expect(try forest.count(tree) == keys.count, "\(hint)")
    var cursor = try forest.cursor(tree)
    for key in samples {
      let bounds = bounds(about: key)
      for (bound, rank) in bounds {
        guard try forest.rank(tree, of: bound) == rank else {
          Issue.record("\(hint): \(bound) should have rank \(rank)")
          return
        }
      }
      for (lower, upper) in zip(bounds, bounds.shuffled()) {
        let range = TextRange(lower: lower.bound, upper: upper.bound)
        #expect(try forest.count(tree, in: range) == max(0, upper.rank - lower.rank), "\(hint)")
      }
      for (bound, rank) in bounds.suffix(4) {
        #expect(try forest.select(tree, rank) == (rank < keys.count ? keys[rank] : nil), "\(hint)")
        try cursor.seek(to: bound)
        #expect(cursor.rank == rank)
        for index in rank..<min(rank + 5, keys.count) {
          #expect(try cursor.next() == keys[index].row, "\(hint)")
          #expect(try cursor.key()?.group == keys[index].group, "\(hint)")
          if index % 2 == 0 { #expect(try cursor.text() == keys[index].text, "\(hint)") }
        }
        try cursor.seek(to: bound)
        for index in stride(from: rank - 1, to: max(rank - 6, -1), by: -1) {
          #expect(try cursor.previous() == keys[index].row, "\(hint)")
          #expect(try cursor.key() == keys[index], "\(hint)")
        }
      }
      try checkBatches(&cursor, from: bounds[4], to: bounds[7], hint)
    }
  }

  private func checkBatches(
    _ cursor: inout MergedTextCursor, from lower: (bound: TextBound, rank: Int),
    to upper: (bound: TextBound, rank: Int),
    _ hint: String
  ) throws {
    var rows: [UInt64] = []
    try cursor.seek(to: lower.bound)
    while try cursor.read(into: &rows, upTo: upper.bound, limit: 700) {}
    #expect(rows == keys[lower.rank..<upper.rank].map(\.row), "\(hint)")
    #expect(cursor.rank == upper.rank)
    rows = []
    while try cursor.readBack(into: &rows, downTo: lower.bound, limit: 300) {}
    #expect(rows == keys[lower.rank..<upper.rank].reversed().map(\.row), "\(hint)")
    #expect(cursor.rank == lower.rank)
    rows = []
    while cursor.rank < upper.rank, let row = try cursor.next() {
      rows.append(row)
      let count = rows.count
      try cursor.readSame(into: &rows)
      let texts = keys[lower.rank + count - 1..<lower.rank + rows.count].map(\.text)
      #expect(texts.allSatisfy { $0 == texts[0] }, "\(hint)")
    }
    #expect(rows == keys[lower.rank..<lower.rank + rows.count].map(\.row), "\(hint)")
    #expect(rows.count >= upper.rank - lower.rank && cursor.rank == lower.rank + rows.count)
    try cursor.seek(to: lower.bound)
    try cursor.skip(1000)
    #expect(cursor.rank == min(keys.count, lower.rank + 1000))
    rows = []
    #expect(try cursor.read(into: &rows, limit: 3) == (cursor.rank + 3 <= keys.count || rows.count == 3))
  }

  /// Compares every entry, forward and back.
  func checkAll(_ forest: Forest, _ tree: TextTreeSchema, _ hint: String) throws {
    var cursor = try forest.cursor(tree)
    for key in keys {
      let row = try cursor.next()
      guard row == key.row, try cursor.key() == key else {
        Issue.record("\(hint): \(key.text.prefix(300)) is not at rank \(cursor.rank - 1)")
        return
      }
    }
    #expect(try cursor.next() == nil)
    for key in keys.reversed() {
      let row = try cursor.previous()
      guard row == key.row, try cursor.key() == key else {
        Issue.record("\(hint): going back, \(key.text.prefix(300)) is not at rank \(cursor.rank)")
        return
      }
    }
    #expect(try cursor.previous() == nil)
  }
}
