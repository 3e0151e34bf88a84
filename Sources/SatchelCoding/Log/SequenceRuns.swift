/// A set of creation sequences, as runs of successive ones.
struct SequenceRuns {
  /// The runs, ascending. Between two of them at least one sequence is missing.
  private(set) var ranges: [ClosedRange<UInt64>] = []

  /// Adds a run, which may overlap others.
  /// - Complexity: O(1) for a run behind all others, otherwise O(runs).
  mutating func insert(_ run: ClosedRange<UInt64>) {
    guard let last = ranges.last, run.lowerBound <= last.upperBound else {
      if let last = ranges.last, run.lowerBound - last.upperBound == 1 {
        ranges[ranges.count - 1] = last.lowerBound...run.upperBound
      } else {
        ranges.append(run)
      }
      return
    }
    var whole = run
    ranges.removeAll { other in
      guard Self.touch(other, whole) else { return false }
      whole = min(other.lowerBound, whole.lowerBound)...max(other.upperBound, whole.upperBound)
      return true
    }
    let place = ranges.firstIndex { $0.lowerBound > whole.upperBound } ?? ranges.count
    ranges.insert(whole, at: place)
  }

  /// Whether no sequence is missing between two runs.
  private static func touch(_ left: ClosedRange<UInt64>, _ right: ClosedRange<UInt64>) -> Bool {
    func follows(_ later: ClosedRange<UInt64>, _ earlier: ClosedRange<UInt64>) -> Bool {
      later.lowerBound <= earlier.upperBound || later.lowerBound - earlier.upperBound == 1
    }
    return follows(left, right) && follows(right, left)
  }
}
