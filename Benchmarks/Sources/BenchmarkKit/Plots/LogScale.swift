import Foundation

/// A logarithmic scale from values to pixels.
struct LogScale {
  private let first: Double
  private let last: Double
  private let start: Double
  private let end: Double

  /// The powers of ten that enclose the values, from one pixel to another. Values are positive.
  init(_ values: [Double], from start: Double, to end: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    first = log10(positive.min() ?? 1).rounded(.down)
    last = max(first + 1, log10(positive.max() ?? 1).rounded(.up))
    self.start = start
    self.end = end
  }

  /// The pixel of a value; that of the nearest end where it is outside.
  func callAsFunction(_ value: Double) -> Double {
    let place = (log10(max(value, .leastNormalMagnitude)) - first) / (last - first)
    return start + (end - start) * min(max(place, 0), 1)
  }

  /// The powers of ten within it.
  var ticks: [Double] {
    stride(from: first, through: last, by: 1).map { $0 < 0 ? 1 / pow(10, -$0) : pow(10, $0) }
  }
}
