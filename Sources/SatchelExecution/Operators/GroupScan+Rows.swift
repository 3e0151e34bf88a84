import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Finds the groups of objects in runs of an index: the first object of each, and how many there are.
///
/// A group costs one descent: to the entry behind it, which is the first one of the next group. What is between is passed over, and
/// groups that have no object are not met. The entries of a small group are read, which costs less than the descent.
struct GroupScanner {
  /// How many entries of a group are read before the rest is passed over.
  static let patience = 16

  private let snapshot: Snapshot
  private let scan: GroupScan
  private let finder: PeriodFinder?
  /// The number of leading columns that tell groups apart.
  private let columns: Int

  init(_ scan: GroupScan, periods: CalendarPeriods?, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.scan = scan
    finder = periods.map { PeriodFinder($0) }
    columns = scan.column + scan.segment.width
  }

  /// Calls `body` with the first row of each group, in the order of the index, and with the number of its rows. A group may come more than
  /// once: in several runs, or as several stretches of a period.
  func forEach(_ body: (inout RowContext, Int) throws -> Void) throws {
    let layout = RowLayout(scan.index)
    var context = RowContext()
    var cursor = try snapshot.forest.cursor(scan.index.tree)
    var groups = 0
    for span in scan.spans {
      let range = span.range
      try cursor.seek(to: range.lower)
      var next = try cursor.next()
      while let row = next, range.upper.isPast(row) {
        groups += 1
        if groups % IndexScanner.batch == 0 { try snapshot.checkBounds() }
        let end = end(ofGroup: row, span, range.upper)
        let before = cursor.rank - 1
        var count = 1
        next = try cursor.next()
        while let other = next, end.isPast(other), count < Self.patience {
          count += 1
          next = try cursor.next()
        }
        if let other = next, end.isPast(other) {
          try cursor.seek(to: end)
          count = cursor.rank - before
          next = try cursor.next()
        }
        guard try isVisible(row) else { continue }
        context.begin(layout.reference(row), row)
        try body(&context, count)
      }
    }
  }

  private func isVisible(_ row: Words) throws -> Bool {
    guard scan.hasHidden else { return true }
    return try snapshot.findConversation(scan.index.conversation(of: row))?.isVisible ?? false
  }

  /// Returns where the group of a row ends in a run.
  private func end(ofGroup row: Words, _ span: KeySpan, _ upper: Bound) -> Bound {
    // Then the run has one value of each column but its last, and so one group.
    guard span.upper.count <= columns else { return upper }
    var key = row
    var count = columns
    switch scan.segment {
    case .optional, .position:
      let value = scan.column + 1
      if KeyWords.isMissing(row[scan.column], scan.segment) {
        count = value
      } else if let finder {
        key[value] = KeyWords.word(finder.stretch(of: KeyWords.value(row[value])).bounds.upperBound)
      }
    default: break
    }
    return upper.isPast(key) ? .after(key, columns: count) : upper
  }
}

extension KeyWords {
  /// Returns whether the first word of a value that may be missing says that it is.
  fileprivate static func isMissing(_ word: UInt64, _ segment: Segment) -> Bool {
    segment == .position ? word == 1 : word == 0
  }
}

/// Finds the groups of objects in runs of a string tree, as `GroupScanner` does in an index over words.
struct TextGroupScanner {
  private let snapshot: Snapshot
  private let scan: TextScan
  private let finder: PeriodFinder?

  init(_ scan: TextScan, periods: CalendarPeriods?, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.scan = scan
    finder = periods.map { PeriodFinder($0) }
  }

  /// Calls `body` with each group, and with the number of its objects. A group may come more than once.
  func forEach(_ body: (AggregateGroup, Int) throws -> Void) throws {
    let forest = snapshot.forest
    var cursor = try forest.cursor(scan.tree)
    var groups = 0
    for range in scan.positions {
      let last = try forest.rank(scan.tree, of: range.upper)
      try cursor.seek(to: range.lower)
      var next = try Self.next(&cursor, before: last)
      while let key = next {
        groups += 1
        if groups % IndexScanner.batch == 0 { try snapshot.checkBounds() }
        let (group, end) = group(of: key)
        let before = cursor.rank - 1
        var count = 1
        next = try Self.next(&cursor, before: last)
        while let other = next, !end.lexicographicallyPrecedes(other.text), count < GroupScanner.patience {
          count += 1
          next = try Self.next(&cursor, before: last)
        }
        if let other = next, !end.lexicographicallyPrecedes(other.text) {
          try cursor.seek(to: .after(group: key.group, text: end))
          count = min(cursor.rank, last) - before
          next = try Self.next(&cursor, before: last)
        }
        try body(group, count)
      }
    }
  }

  private static func next(_ cursor: inout MergedTextCursor, before rank: Int) throws -> TextKey? {
    guard cursor.rank < rank, try cursor.next() != nil else { return nil }
    return try cursor.key()
  }

  /// Returns the group of an entry, and the last text that an entry of the group has.
  private func group(of key: TextKey) -> (AggregateGroup, last: [UInt8]) {
    let isText = IndexedValue.path(ofGroup: key.group).isOfTexts
    guard let finder else {
      let group: AggregateGroup =
        isText
        ? AggregateGroup(key.text)
        : key.text.first == ValueKey.Tag.reference
          ? .reference(Array(key.text.dropFirst()))
          : ValueKey(bytes: key.text).map { .scalar($0) } ?? .missing
      return (group, key.text)
    }
    guard !isText, case .date(let date)? = ValueKey(bytes: key.text)?.value else {
      return (.missing, key.text)
    }
    let stretch = finder.stretch(of: date)
    return (.integer(stretch.period), ValueKey(date: stretch.bounds.upperBound).bytes)
  }
}
