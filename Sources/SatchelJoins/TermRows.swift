internal import RankedIndex
internal import RankedKeys
internal import SatchelIndexing
internal import SatchelReading

/// The rows of one text of an index of words, from one end to the other: ascending, or descending as their complements. So `row` always
/// ascends, whatever the direction.
final class TermRows {
  // Safe: nothing that is called here calls back. A check of each access would take longer than a step.

  /// The row that the stream is at, or its complement; `SearchStream.end` behind the last one.
  @safe @exclusivity(unchecked) private(set) var row: UInt64 = 0

  private let snapshot: Snapshot
  @safe @exclusivity(unchecked) private var cursor: MergedTextCursor
  private let range: TextRange
  /// What makes a complement of a row if the stream descends.
  private let mask: UInt64
  @safe @exclusivity(unchecked) private var batch: [UInt64] = []
  /// The place of `row` in the batch.
  @safe @exclusivity(unchecked) private var place = 0
  /// How many rows are read at once: few behind a seek, and more as long as they follow one another.
  @safe @exclusivity(unchecked) private var size = TermRows.least
  @safe @exclusivity(unchecked) private var isAtEnd = false

  private static let least = 8
  private static let most = 256

  init(of text: [UInt8], group: UInt64, descending: Bool, in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    range = .text(text, group: group)
    mask = SearchStream.mask(descending: descending)
    cursor = try snapshot.forest.cursor(IndexCatalog.declaredEntries.tree)
    try cursor.seek(to: descending ? range.upper : range.lower)
    try readMore()
  }

  /// Moves to the first row that is not before a target.
  func advance(to target: UInt64) throws {
    if row >= target { return }
    // Behind the complement of 0 there is none.
    if mask != 0, target > mask { return row = SearchStream.end }
    if !isBeforeEndOfBatch(target), !isAtEnd {
      // The next rows may have it; else it is sought.
      try readMore()
      if row >= target { return }
      if !isBeforeEndOfBatch(target), !isAtEnd { try seek(target) }
    }
    advanceInBatch(to: target)
  }

  private func isBeforeEndOfBatch(_ target: UInt64) -> Bool {
    batch.last.map { $0 ^ mask >= target } ?? false
  }

  /// Steps that grow, and then a binary search: the target is often near.
  private func advanceInBatch(to target: UInt64) {
    // Each look at a property of an object costs more than the step.
    let (batch, mask) = (batch, mask)
    var low = place
    var step = 1
    while low + step < batch.count, batch[low + step] ^ mask < target {
      low += step
      step *= 2
    }
    var high = min(low + step, batch.count)
    while low < high {
      let middle = (low + high) / 2
      if batch[middle] ^ mask < target { low = middle + 1 } else { high = middle }
    }
    place = low
    row = place < batch.count ? batch[place] ^ mask : SearchStream.end
  }

  private func seek(_ target: UInt64) throws {
    let wanted = target ^ mask
    // The bound before a row, or behind it.
    try cursor.seek(to: range.lower.before(row: mask == 0 ? wanted : wanted + 1))
    size = Self.least
    try readMore()
  }

  private func readMore() throws {
    batch.removeAll(keepingCapacity: true)
    let isFull =
      mask == 0
      ? try cursor.read(into: &batch, upTo: range.upper, limit: size)
      : try cursor.readBack(into: &batch, downTo: range.lower, limit: size)
    if size == Self.most { try snapshot.checkBounds() }
    size = min(2 * size, Self.most)
    isAtEnd = !isFull
    place = 0
    row = batch.first.map { $0 ^ mask } ?? SearchStream.end
  }
}
