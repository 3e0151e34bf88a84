import RankedIndex
import RankedKeys
import SatchelIndexing
import SatchelPlanning
import SatchelReading

/// Reads the runs of an index over words, a batch of entries at a time.
struct IndexScanner {
  /// How many entries are read at once: enough to spread the cost of a call, and few enough for a page of 20 rows.
  static let batch = 128

  let snapshot: Snapshot
  var forest: Forest { snapshot.forest }
  let scan: IndexScan
  let layout: RowLayout

  init(_ scan: IndexScan, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.scan = scan
    layout = RowLayout(scan.index)
  }

  /// Returns the runs as ranges of bounds, without what lies before the cut, in the order in which they are read.
  func ranges(descending: Bool, from cut: KeyCut?) -> [KeyRange] {
    let ranges = scan.spans.compactMap { span in
      cut.map { $0.cutting(span, descending: descending) } ?? span.range
    }
    return descending ? ranges.reversed() : ranges
  }

  /// Calls `body` with each row in order, after the first `skip`, until it returns false.
  /// - Returns: False when `body` ended the scan.
  func forEach(
    descending: Bool, skipping skip: Int = 0, from cut: KeyCut? = nil, atMost limit: Int? = nil,
    _ body: (inout RowContext) throws -> Bool
  ) throws -> Bool {
    var skip = skip
    var context = RowContext()
    let tree = scan.index.tree
    var batchSize = min(Self.batch, max(1, limit ?? Self.batch))
    var rows: [Words] = []
    for range in ranges(descending: descending, from: cut) {
      if skip > 0 {
        let count = try forest.count(tree, in: range)
        if skip >= count {
          skip -= count
          continue
        }
      }
      var cursor = try forest.cursor(tree)
      if descending {
        let end = try skip == 0 ? nil : forest.rank(tree, of: range.upper) - skip
        if let end { try cursor.seek(toRank: end) } else { try cursor.seek(to: range.upper) }
      } else {
        if skip > 0 {
          try cursor.seek(toRank: forest.rank(tree, of: range.lower) + skip)
        } else {
          try cursor.seek(to: range.lower)
        }
      }
      skip = 0
      while true {
        rows.removeAll(keepingCapacity: true)
        if descending {
          _ = try cursor.readBack(into: &rows, downTo: range.lower, limit: batchSize)
        } else {
          _ = try cursor.read(into: &rows, upTo: range.upper, limit: batchSize)
        }
        if rows.isEmpty { break }
        for words in rows {
          context.begin(layout.reference(words), words)
          guard try body(&context) else { return false }
        }
        if rows.count < batchSize { break }
        try snapshot.checkBounds()
        batchSize = Self.batch
      }
    }
    return true
  }
}

/// The columns of an index that identify an object.
struct RowLayout {
  private let sequence: Int
  private let conversation: Int?
  private let part: Int?

  init(_ index: IndexDefinition) {
    sequence = index.columnOfObject
    conversation = index.columnOfConversation ?? index.columnOfRecordType
    part = index.columnOfPart
  }

  func reference(_ words: Words) -> RowReference {
    RowReference(
      sequence: words[sequence],
      conversation: conversation.map { UInt32(truncatingIfNeeded: words[$0]) } ?? 0,
      part: part.map { UInt32(truncatingIfNeeded: words[$0]) } ?? 0)
  }
}

/// A bound between two keys of an index at which a scan begins, towards greater or smaller keys.
struct KeyCut {
  /// The leading words of the key at the bound.
  let words: [UInt64]
  /// True if the bound is after all keys that begin with these words.
  let isAfter: Bool

  /// Returns the part of a run on the side of the bound that is scanned; nil if it is empty.
  func cutting(_ span: KeySpan, descending: Bool) -> KeyRange? {
    let range = span.range
    // One list of words may be a prefix of the other: only the columns that both have are compared.
    if descending {
      if precedes(words, span.lower) { return nil }
      return precedes(span.upper, words) ? range : KeyRange(lower: range.lower, upper: bound)
    }
    if precedes(span.upper, words) { return nil }
    return precedes(words, span.lower) ? range : KeyRange(lower: bound, upper: range.upper)
  }

  private func precedes(_ left: [UInt64], _ right: [UInt64]) -> Bool {
    let columns = min(left.count, right.count)
    return left.prefix(columns).lexicographicallyPrecedes(right.prefix(columns))
  }

  private var bound: Bound {
    var key = Words(repeating: 0)
    for (index, word) in words.enumerated() { key[index] = word }
    return isAfter ? .after(key, columns: words.count) : .before(key, columns: words.count)
  }
}
