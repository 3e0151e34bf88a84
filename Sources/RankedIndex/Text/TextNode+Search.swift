import SatchelBytes

/// Answers a search how a text that a node holds only in part goes on.
package protocol TextContinuationReader {
  /// Compares the continuation with the bytes of `target` from `offset` on: negative if the continuation is less.
  func compare(
    _ continuation: UInt64, with target: borrowing RawSpan, from offset: Int
  ) throws(TextFault) -> Int
}

extension TextNode {
  /// The number of keys before (target, row); with `inclusive`, of those at or before it.
  ///
  /// O(log n) comparisons of a few bytes. A continuation is read only when the whole of a head equals the target's.
  package func position(
    _ bytes: borrowing RawSpan, target: borrowing RawSpan, row: UInt64, inclusive: Bool,
    continuations: borrowing some TextContinuationReader
  ) throws(TextFault) -> Int {
    let length = target.byteCount
    let prefix = sharedBytes(bytes, prefixAt, target, 0, limit: min(prefixLength, length))
    if prefix < prefixLength {
      if prefix == length { return 0 }
      return bytes.u8(prefixAt &+ prefix) < target.u8(prefix) ? keyCount : 0
    }

    // The last restart before the target, and how far they agree.
    var low = -1
    var high = restarts
    var matched = prefixLength
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      let (run, key) = try run(bytes, restart: middle)
      var agreed = prefixLength
      let order = try compare(
        run, at: key, bytes, target, row: row, inclusive: inclusive, agreed: &agreed,
        continuations: continuations)
      if order < 0 {
        low = middle
        matched = agreed
      } else if order > 0 {
        high = middle
      } else {
        return try position(bytes, row: row, inclusive: inclusive, from: key, count: run.count)
      }
    }
    if low < 0 { return 0 }

    // The runs up to the next restart. A run that shares more with the one before than the target does is before the
    // target as well, one that shares less is behind it: only the others are compared, from where they differ.
    let end = restart(bytes, high).key
    let (first, firstKey) = try run(bytes, restart: low)
    var key = firstKey &+ first.count
    var offset = first.next
    while key < end {
      let run = try run(bytes, at: offset)
      if run.shared < matched { return try clamp(key) }
      if run.shared == matched {
        let order = try compare(
          run, at: key, bytes, target, row: row, inclusive: inclusive, agreed: &matched,
          continuations: continuations)
        if order > 0 { return try clamp(key) }
        if order == 0 {
          return try position(bytes, row: row, inclusive: inclusive, from: key, count: run.count)
        }
      }
      key &+= run.count
      offset = run.next
    }
    guard key == end else { throw .node }
    return key
  }

  private func clamp(_ key: Int) throws(TextFault) -> Int {
    guard key <= keyCount else { throw .node }
    return key
  }

  /// Compares a run that agrees with the target in `agreed` bytes, all it shares with the run before, and adds the
  /// bytes of its own that agree. 0 only for a run whose text is the target's and stands in the node.
  ///
  /// A text with a continuation has one key a run, and others of the same text follow: its row decides as well.
  @inline(__always)
  private func compare(
    _ run: TextRun, at key: Int, _ bytes: borrowing RawSpan, _ target: borrowing RawSpan, row: UInt64,
    inclusive: Bool,
    agreed: inout Int, continuations: borrowing some TextContinuationReader
  ) throws(TextFault) -> Int {
    let left = target.byteCount &- agreed
    let own = sharedBytes(bytes, run.ownAt, target, agreed, limit: min(run.ownLength, left))
    let at = agreed
    agreed &+= own
    if own < run.ownLength {
      if own == left { return 1 }
      return bytes.u8(run.ownAt &+ own) < target.u8(at &+ own) ? -1 : 1
    }
    if run.continuation == 0 { return own == left ? 0 : -1 }
    if own == left { return 1 }
    let order = try continuations.compare(run.continuation, with: target, from: agreed)
    if order != 0 { return order }
    let found = try self.row(bytes, at: key)
    return found < row || inclusive && found == row ? -1 : 1
  }

  /// The number of keys before the row or, with `inclusive`, up to it, when the keys from `start` on have its text.
  private func position(
    _ bytes: borrowing RawSpan, row: UInt64, inclusive: Bool, from start: Int, count: Int
  ) throws(TextFault) -> Int {
    var low = start
    var high = start &+ count
    while low < high {
      let middle = (low &+ high) &>> 1
      let found = try self.row(bytes, at: middle)
      if found < row || inclusive && found == row { low = middle &+ 1 } else { high = middle }
    }
    return try clamp(low)
  }
}
