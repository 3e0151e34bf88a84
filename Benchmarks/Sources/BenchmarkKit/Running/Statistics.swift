import Foundation

/// What is told of repeated measurements.
public struct Statistics: Hashable, Sendable {
  /// The middle one; between the two in the middle where their number is even.
  public let median: Double
  /// The least.
  public let minimum: Double
  /// The greatest.
  public let maximum: Double
  /// A quarter of them is below.
  public let lowerQuartile: Double
  /// A quarter of them is above.
  public let upperQuartile: Double
  /// How many there are.
  public let count: Int

  /// The statistics of measurements; nil if there are none.
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    median = Self.quantile(0.5, of: sorted)
    lowerQuartile = Self.quantile(0.25, of: sorted)
    upperQuartile = Self.quantile(0.75, of: sorted)
    minimum = sorted[0]
    maximum = sorted[sorted.count - 1]
    count = sorted.count
  }

  /// A quantile of ascending values, linear between the two that are nearest.
  static func quantile(_ portion: Double, of sorted: [Double]) -> Double {
    let place = portion * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// The geometric mean of positive numbers; nil if there are none, or one is not positive.
public func geometricMean(_ values: [Double]) -> Double? {
  guard !values.isEmpty, values.allSatisfy({ $0 > 0 }) else { return nil }
  return exp(values.map { log($0) }.reduce(0, +) / Double(values.count))
}
