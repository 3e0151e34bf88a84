#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A point in time with the store's resolution: whole microseconds since 1970-01-01T00:00:00Z.
///
/// `Date` is a floating-point number of seconds, whose resolution fades with its distance from 2001; a timestamp
/// round-trips exactly. Dates are rounded to the nearest microsecond on the way in, in records and predicates alike,
/// so that equality works.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// A timestamp of so many microseconds since 1970.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The nearest microsecond to a date; dates that no Int64 of microseconds reaches are clamped.
  public init(_ date: Date) {
    // The seconds are split before they are scaled, so that the product stays within a Double's exact integers.
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else {
      self.init(microseconds: seconds > 0 ? .max : .min)
      return
    }
    let whole = seconds.rounded(.down)
    let micros = ((seconds - whole) * 1_000_000).rounded()
    guard abs(whole) < 9_000_000_000_000 else {
      self.init(microseconds: whole > 0 ? .max : .min)
      return
    }
    self.init(microseconds: (Int64(whole) + Self.referenceOffset) * 1_000_000 + Int64(micros))
  }

  /// The date nearest to this timestamp.
  public var date: Date {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - Self.referenceOffset) + Double(rest) / 1_000_000)
  }

  /// The current time.
  public static var now: Timestamp { Timestamp(Date.now) }

  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// Seconds from 1970 to 2001, where `Date` counts from.
  private static let referenceOffset: Int64 = 978_307_200
}
