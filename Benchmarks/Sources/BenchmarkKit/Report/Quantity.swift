import Foundation

/// Figures as people read them.
public enum Quantity {
  /// A figure with its unit, scaled so that one to three digits stand before the point: `12.3 µs`, `1.20 GB`.
  public static func text(_ value: Double, _ unit: Unit) -> String {
    let scales: [(Double, String)]
    var value = value
    switch unit {
    case .nanoseconds, .microseconds, .milliseconds, .seconds:
      value *= unit.inNanoseconds ?? 1
      scales = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")]
    case .bytes, .megabytes:
      if unit == .megabytes { value *= 1e6 }
      scales = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")]
    case .pages, .records:
      return "\(count(Int(value.rounded()))) \(unit.rawValue)"
    }
    let (scale, name) = scales.first { abs(value) >= $0.0 * 0.9995 } ?? scales[scales.count - 1]
    return "\(digits(value / scale)) \(name)"
  }

  /// How many times: `21×`, `1.5×`, `0.42×`.
  public static func times(_ value: Double) -> String { "\(digits(value, 2))×" }

  /// A number with so many significant digits, and all its digits before the point.
  static func digits(_ value: Double, _ significant: Int = 3) -> String {
    guard value.isFinite else { return "–" }
    guard value != 0 else { return "0" }
    let magnitude = Int(log10(abs(value) * (1 + 0.5 * pow(10, -Double(significant)))).rounded(.down))
    let decimals = max(0, significant - 1 - magnitude)
    if decimals == 0 { return count(Int(value.rounded())) }
    return String(format: "%.\(min(decimals, 6))f", value)
  }

  /// A whole number in groups of three digits.
  public static func count(_ value: Int) -> String {
    var groups: [Substring] = []
    var rest = Substring(String(abs(value)))
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    groups.insert(rest, at: 0)
    return (value < 0 ? "-" : "") + groups.joined(separator: ",")
  }
}
