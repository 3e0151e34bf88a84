import SatchelBytes

/// Gives a search access to the rest of the texts that a node holds only in part.
package protocol TextContinuationReader {
  /// Compares the continuation with the bytes of `target` from `offset` on. The result is negative if the
  /// continuation is less.
  func compare(
    _ continuation: UInt64, with target: borrowing RawSpan, from offset: Int
  ) throws(TextFault) -> Int
}

extension TextNode {
  /// Returns the number of keys before (target, row); with `inclusive`, the number of keys at or before it.
  ///
  /// Takes O(log n) comparisons of a few bytes. A continuation is read only if the whole head of a key equals the
  /// target's.
  package func index(
    _ bytes: borrowing RawSpan, target: borrowing RawSpan, row: UInt64, inclusive: Bool,
    continuations: borrowing some TextContinuationReader
  ) throws(TextFault) -> Int {
    let length = target.byteCount
    let prefix = sharedBytes(bytes, prefixAt, target, 0, limit: min(prefixLength, length))
    if prefix < prefixLength {
      if prefix == length { return 0 }
      return bytes.u8(prefixAt &+ prefix) < target.u8(prefix) ? keyCount : 0
    }

    // Find the last restart before the target, and how many bytes they share.
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
        return try index(bytes, row: row, inclusive: inclusive, from: key, count: run.count)
      }
    }
    if low < 0 { return 0 }

    // Scan the runs up to the next restart. The previous run is before the target and shares `matched` bytes with it.
    // A run that shares more bytes with the previous run is before the target as well; a run that shares fewer is
    // after it. Only the other runs are compared, from byte `matched` on.
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
          return try index(bytes, row: row, inclusive: inclusive, from: key, count: run.count)
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

  /// Compares a run with the target. They are known to agree in `agreed` bytes, which are all that the run shares
  /// with the run before; the run's own bytes that agree are added to `agreed`. The result is 0 only if the node
  /// holds the run's whole text and the text equals the target.
  ///
  /// A run with a continuation has only one key, and more runs of the same text may follow. Its row therefore decides
  /// as well.
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

  /// Returns the number of keys before a row (with `inclusive`, at or before it), where the `count` keys from `start`
  /// on have the target's text.
  private func index(
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
