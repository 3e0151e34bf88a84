import SatchelModel
import SatchelQuery
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1), ("1969-12-31T23:59:59.999999Z", -1),
    ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00Z", 0), ("1970-01-01T01:30:00+01:30", 0),
    ("1969-12-31T23:00:00-01:00", 0), ("1970-01-01T00:00:00-00:00", 0),
    ("2000-02-29T12:00:00Z", 951_825_600_000_000),
    ("2026-01-31T09:30:00.25+01:00", 1_769_848_200_250_000), ("1970-01-01T00:00:00.0000005Z", 1),
    ("1970-01-01T00:00:00.00000049Z", 0), ("1970-01-01T00:00:00.9999995Z", 1_000_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
  ])
  func reads(_ text: String, _ microseconds: Int64) {
    #expect(RFC3339.timestamp(text.utf8)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "1970", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00Z", "1970-1-01T00:00:00Z",
    "1970-13-01T00:00:00Z",
    "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-04-31T00:00:00Z", "1900-02-29T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z",
    "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:60", "1970-01-01T00:00:00+0100",
    "1970-01-01T00:00:00Zx",
    " 1970-01-01T00:00:00Z", "+001970-01-01T00:00:00Z", "-001970-01-01T00:00:00Z", "1970-01-01T00:00:00Z\0",
    "١٩٧٠-01-01T00:00:00Z",
  ])
  func refuses(_ text: String) {
    #expect(RFC3339.timestamp(text.utf8) == nil)
  }

  @Test func everyTimestampRoundTrips() {
    var random = SeededGenerator()
    var values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for _ in 0..<TestEnvironment.rounds {
      values.append(Int64(bitPattern: random.next()) >> Int64.random(in: 0...60, using: &random))
    }
    for value in values {
      let text = RFC3339.text(of: Timestamp(microseconds: value))
      #expect(RFC3339.timestamp(text.utf8, anyYear: true)?.microseconds == value, "\(text)")
    }
  }

  /// Days against Foundation's own calendar.
  @Test func agreesWithFoundation() throws {
    var random = SeededGenerator()
    for _ in 0..<min(TestEnvironment.rounds, 500) {
      let seconds = Int64.random(in: -10_000_000_000...250_000_000_000, using: &random)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      guard text.utf8.count == 20, !text.hasPrefix("-") else { continue }
      #expect(RFC3339.text(of: Timestamp(microseconds: seconds * 1_000_000)) == text)
    }
  }
}
