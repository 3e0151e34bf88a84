package import RankedKeys
import SatchelBytes

extension TextCursor {
  /// Appends the rows of the next entries before `bound`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [UInt64], upTo bound: TextBound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    var rest = limit
    while rest > 0 {
      guard rank < count else { return false }
      try enter(rank)
      let end = leafStart &+ min(try index(of: bound), leafCount)
      guard end > rank else { return false }
      let stop = rest < end &- rank ? rank &+ rest : end
      try append(rank..<stop, to: &rows)
      rest &-= stop &- rank
      rank = stop
      passed = rank &- 1
    }
    return true
  }

  /// Appends the rows of the entries between `bound` and the cursor, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [UInt64], downTo bound: TextBound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    var rest = limit
    while rest > 0 {
      guard rank > 0 else { return false }
      try enter(rank &- 1)
      let start = leafStart &+ (try index(of: bound))
      guard start < rank else { return false }
      let stop = rest < rank &- start ? rank &- rest : start
      let first = rows.count
      try append(stop..<rank, to: &rows)
      rows[first...].reverse()
      rest &-= rank &- stop
      rank = stop
      passed = rank
    }
    return true
  }

  /// Moves over the next entries that have the text of the entry that was moved over last, as far as they are in its leaf, and appends their rows. Only
  /// behind `next`.
  /// - Complexity: O(entries): no text is compared.
  package mutating func readSame(into rows: inout [UInt64]) throws(IndexError) {
    guard passed >= 0, passed &+ 1 == rank else { return }
    try enter(passed)
    do throws(TextFault) {
      try reader.seek(page.node, unsafe page.buffer.bytes, to: passed &- leafStart)
    } catch {
      throw store.error(error, node: page.number)
    }
    // Texts with a continuation have runs of one entry each.
    let end = leafStart &+ min(reader.keys.upperBound, leafCount)
    guard end > rank else { return }
    try append(rank..<end, to: &rows)
    rank = end
    passed = rank &- 1
  }

  /// Returns how many entries of the current leaf come before a bound.
  private func index(of bound: TextBound) throws(IndexError) -> Int {
    guard let bytes = bound.bytes else { return leafCount }
    if bytes.isEmpty { return 0 }
    do throws(TextFault) {
      return unsafe try page.node.index(
        page.buffer.bytes, target: bytes.span.bytes, row: bound.row, inclusive: false, continuations: store)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  /// Appends the rows of the entries at these ranks, all of which are in the current leaf.
  private func append(_ ranks: Range<Int>, to rows: inout [UInt64]) throws(IndexError) {
    store.nodes.counters.entriesRead &+= ranks.count
    let bytes = unsafe page.buffer.bytes
    do throws(TextFault) {
      var rank = ranks.lowerBound
      while rank < ranks.upperBound {
        rows.append(try page.node.row(bytes, at: rank &- leafStart))
        rank &+= 1
      }
    } catch {
      throw store.error(error, node: page.number)
    }
  }
}
