internal import RankedKeys
import SatchelBytes

extension Frame {
  /// Returns the index of the first row that does not come before a bound. The search begins at row `first`; all rows
  /// before `first` are taken to come before the bound.
  ///
  /// If a column of the bound is outside the range of the frame, the bound lies before or after all rows that agree
  /// with it in the previous columns. The columns before that one are packed like a row, and compared with the first
  /// words of the rows: one load per step for up to 8 bytes, two for up to 16.
  @inline(__always)
  func index(_ bytes: RawSpan, of bound: borrowing Bound, isAfter: Bool, from first: Int = 0) -> Int {
    var isAfter = isAfter
    var used = 0
    var packed: UInt64 = 0
    let columns = bound.columns
    while used < columns {
      let word = bound.words[used]
      let least = minimum(bytes, used)
      let width = width(used)
      guard word >= least else {
        isAfter = false
        break
      }
      let delta = word &- least
      guard width == 8 || delta >> UInt64(8 &* width) == 0 else {
        isAfter = true
        break
      }
      packed = packed << UInt64(8 &* width) | delta
      used &+= 1
    }
    let packedWidth = prefixWidth(used)
    if packedWidth == 0 { return isAfter ? rows : first }
    guard packedWidth <= 8 else {
      return wide(bytes, bound, used, packedWidth, isAfter, first)
    }
    // A row is before the bound if its first eight bytes are less than `target`.
    let unused = UInt64(64 &- 8 &* packedWidth)
    var target = packed &<< unused
    if isAfter {
      let (next, overflow) = target.addingReportingOverflow(1 &<< unused)
      if overflow { return rows }
      target = next
    }
    var base = first
    var count = rows &- first
    while count > 0 {
      let half = (count &+ 1) &>> 1
      if bytes.be64(row(base &+ half &- 1)) < target { base &+= half }
      count = count &- half
    }
    return base
  }

  /// Searches rows whose compared columns take more than 8 bytes.
  @inline(never)
  private func wide(
    _ bytes: RawSpan, _ bound: borrowing Bound, _ used: Int, _ packedWidth: Int, _ isAfter: Bool, _ first: Int
  ) -> Int {
    guard packedWidth <= 16 else { return widest(bytes, bound, used, isAfter, first) }
    var target: UInt128 = 0
    for column in 0..<used {
      target = target << UInt128(8 &* width(column)) | UInt128(bound.words[column] &- minimum(bytes, column))
    }
    let unused = UInt128(128 &- 8 &* packedWidth)
    target = target &<< unused
    if isAfter {
      let (next, overflow) = target.addingReportingOverflow(1 &<< unused)
      if overflow { return rows }
      target = next
    }
    var base = first
    var count = rows &- first
    while count > 0 {
      let half = (count &+ 1) &>> 1
      let start = row(base &+ half &- 1)
      if UInt128(bytes.be64(start)) &<< 64 | UInt128(bytes.be64(start &+ 8)) < target { base &+= half }
      count = count &- half
    }
    return base
  }

  /// Searches rows whose compared columns take more than 16 bytes, column by column.
  @inline(never)
  private func widest(
    _ bytes: RawSpan, _ bound: borrowing Bound, _ used: Int, _ isAfter: Bool, _ first: Int
  ) -> Int {
    var base = first
    var count = rows &- first
    while count > 0 {
      let half = (count &+ 1) &>> 1
      let middle = base &+ half &- 1
      var isBefore = isAfter
      for column in 0..<used {
        let value = value(bytes, row: middle, column: column)
        let word = bound.words[column]
        if value != word {
          isBefore = value < word
          break
        }
      }
      if isBefore { base &+= half }
      count = count &- half
    }
    return base
  }

  /// Returns the row of an inner node whose child continues the search for a bound.
  ///
  /// If the bound is a complete key, this is the last child whose separator is not above the key. If the bound is a
  /// prefix, entries with that prefix may also be at the end of the child before the first separator with the prefix;
  /// a search for the first of them continues in that child.
  @inline(__always)
  func child(_ bytes: RawSpan, for bound: borrowing Bound) -> Int {
    let isComplete = bound.columns == columns
    let isAfter = bound.isAfter
    return index(bytes, of: bound, isAfter: isAfter || isComplete, from: 1) &- 1
  }
}
