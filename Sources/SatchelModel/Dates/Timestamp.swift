#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A point in time with the store's resolution: whole microseconds since 1970-01-01T00:00:00Z.
///
/// `Date` is a floating-point number of seconds, which becomes less exact with its distance from 2001; a timestamp is
/// read exactly as it was written. A date is rounded to the nearest microsecond when it is converted, in records and in
/// predicates alike, so that they can be compared for equality.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Makes a timestamp from microseconds since 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Makes the timestamp that is nearest to a date. A date that is 9 × 10¹² seconds or more from 2001, or that is not
  /// finite, becomes the earliest or the latest timestamp.
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

  /// True if the first timestamp is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// The seconds from 1970 to 2001, from which `Date` counts.
  private static let referenceOffset: Int64 = 978_307_200
}

extension Timestamp: Codable {
  /// Decodes a date in RFC 3339, in UTC or with an offset, as ``description`` or the interchange format has it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self.init(microseconds: try RFC3339.parse(text, anyYear: true))
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the date in RFC 3339, in UTC: the ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Date {
  /// Makes the date that is nearest to a timestamp.
  public init(_ timestamp: Timestamp) { self = timestamp.date }
}
