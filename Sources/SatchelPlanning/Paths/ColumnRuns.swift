import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelQuery

/// What a test leaves of a column of a declared index, behind given values of the columns before it.
struct ColumnRuns {
  /// A run of the column's bytes.
  struct Run {
    var lower: [UInt8]
    var upper: [UInt8]
    /// Whether the run begins behind all that begins with `lower`, not before it.
    var beginsBehind = false
    /// Whether it ends behind all that begins with `upper`, not before it.
    var endsBehind = true

    /// The run of one value.
    init(point: [UInt8]) {
      lower = point
      upper = point
    }

    init(lower: [UInt8], upper: [UInt8], beginsBehind: Bool = false, endsBehind: Bool) {
      self.lower = lower
      self.upper = upper
      self.beginsBehind = beginsBehind
      self.endsBehind = endsBehind
    }

    var isPoint: Bool { !beginsBehind && endsBehind && lower == upper }

    /// Returns the run behind the bytes of the columns before.
    func range(behind prefix: [UInt8], group: UInt64) -> TextRange {
      TextRange(
        lower: beginsBehind
          ? .afterPrefix(group: group, prefix: prefix + lower) : .before(group: group, text: prefix + lower),
        upper: endsBehind
          ? .afterPrefix(group: group, prefix: prefix + upper) : .before(group: group, text: prefix + upper))
    }
  }

  var runs: [Run]
  /// The run of the objects with a list, where such an object may pass the test by one of its texts, and the runs do not have it.
  var lists: Run?

  /// True if each run has a single value.
  var arePoints: Bool { runs.allSatisfy(\.isPoint) }

  /// Returns the runs of values that pass a test; nil if there is no telling, or they would be too many.
  init?(_ values: ValueSet, of column: DeclaredIndex.Column) {
    runs = []
    let isInverted = column.isInverted
    var missing = false
    switch values {
    case .integers(let set, let isMissing):
      missing = isMissing
      guard set.ranges.count <= SegmentSpans.limit else { return nil }
      for range in set.ranges {
        var (lower, upper) = (DeclaredKey(), DeclaredKey())
        lower.append(integer: range.lowerBound, isInverted: isInverted)
        upper.append(integer: range.upperBound, isInverted: isInverted)
        runs.append(
          isInverted
            ? Run(lower: upper.bytes, upper: lower.bytes, endsBehind: true)
            : Run(lower: lower.bytes, upper: upper.bytes, endsBehind: true))
      }
    case .text(.ranges(let set), let isMissing):
      missing = isMissing
      guard set.ranges.count <= SegmentSpans.limit else { return nil }
      for range in set.ranges { runs.append(Self.run(range, column)) }
      if case .custom = column.form, !column.isOfElements, set.meets(.texts),
        !set.contains([ValueKey.Tag.list])
      {
        lists = Self.run(ByteRange(point: [ValueKey.Tag.list]), column)
      }
    case .text(.pattern, _), .participants, .metadata, .related: return nil
    }
    if missing {
      // A message without parts has the same entry as a part without a value, and no part passes.
      guard !column.property.isToMany else { return nil }
      var key = DeclaredKey()
      column.appendMissing(to: &key)
      runs.append(Run(point: key.bytes))
    }
  }

  private static func run(_ range: ByteRange, _ column: DeclaredIndex.Column) -> Run {
    let tag: [UInt8] = if case .custom = column.form { [] } else { [DeclaredKey.Tag.text] }
    let isInverted = column.isInverted
    if let point = range.point {
      var key = DeclaredKey()
      let value = tag.isEmpty ? point : tag + point
      unsafe value.withUnsafeBufferPointer { unsafe key.append(tag: nil, $0, isInverted: isInverted) }
      return Run(point: key.bytes)
    }
    // Every value begins with a byte that is neither that of a missing one nor 255.
    let least = tag + range.lower
    let end = range.upper.map { tag + $0 } ?? (tag.isEmpty ? [0xFF] : [DeclaredKey.Tag.text + 1])
    var (lower, upper) = (DeclaredKey(), DeclaredKey())
    lower.append(beginning: least.isEmpty ? [1] : least, isInverted: isInverted)
    upper.append(beginning: end, isInverted: isInverted)
    return isInverted
      ? Run(lower: upper.bytes, upper: lower.bytes, beginsBehind: true, endsBehind: true)
      : Run(lower: lower.bytes, upper: upper.bytes, endsBehind: false)
  }

  /// Makes the runs of numbers of conversations or users.
  init(references spans: [KeySpan], of column: DeclaredIndex.Column) {
    runs = spans.map { span in
      func bytes(_ word: UInt64) -> [UInt8] {
        var key = DeclaredKey()
        key.append(reference: UInt32(clamping: word), isInverted: column.isInverted)
        return key.bytes
      }
      let (lower, upper) = (bytes(span.lower[0]), bytes(span.upper[0]))
      return column.isInverted
        ? Run(lower: upper, upper: lower, endsBehind: true)
        : Run(lower: lower, upper: upper, endsBehind: true)
    }
  }
}
