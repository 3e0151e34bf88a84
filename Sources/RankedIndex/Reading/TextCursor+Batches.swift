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
