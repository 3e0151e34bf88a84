import SatchelModel
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct RFC3339Tests {
  /// Text as written, microseconds, and how it is written.
  static let valid: [(String, Int64, String)] = [
    ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
    ("2024-09-14T02:11:00Z", 1_726_279_860_000_000, "2024-09-14T02:11:00Z"),
    ("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999999Z"),
    ("2000-02-29T12:00:00.5Z", 951_825_600_500_000, "2000-02-29T12:00:00.5Z"),
    ("2000-02-29T12:00:00.000Z", 951_825_600_000_000, "2000-02-29T12:00:00Z"),
    ("1900-03-01t00:00:00z", -2_203_891_200_000_000, "1900-03-01T00:00:00Z"),
    ("1985-04-12T23:20:50.52Z", 482_196_050_520_000, "1985-04-12T23:20:50.52Z"),
    ("1996-12-19T16:39:57-08:00", 851_042_397_000_000, "1996-12-20T00:39:57Z"),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000, "1937-01-01T11:40:27.87Z"),
    ("2020-01-01T00:00:00-00:00", 1_577_836_800_000_000, "2020-01-01T00:00:00Z"),
    ("1970-01-01T00:00:00.0000004999999Z", 0, "1970-01-01T00:00:00Z"),
    ("1970-01-01T00:00:00.0000005Z", 1, "1970-01-01T00:00:00.000001Z"),
    ("1970-01-01T00:00:00.9999996Z", 1_000_000, "1970-01-01T00:00:01Z"),
    ("1999-12-31T23:59:59.99999950001Z", 946_684_800_000_000, "2000-01-01T00:00:00Z"),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
    ("0000-02-29T00:00:00Z", -62_162_121_600_000_000, "0000-02-29T00:00:00Z"),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
  ]

  @Test(arguments: valid) func parsesAndFormats(_ text: String, _ microseconds: Int64, _ formatted: String)
    throws
  {
    #expect(try RFC3339.parse(text) == microseconds)
    #expect(try RFC3339.format(microseconds: microseconds) == formatted)
  }

  static let invalid: [(String, offset: Int)] = [
    ("", 0), ("2024", 4), ("202-01-01T00:00:00Z", 0), ("2024-9-14T02:11:00Z", 5), ("2024-00-01T00:00:00Z", 5),
    ("2024-13-01T00:00:00Z", 5), ("2024-01-00T00:00:00Z", 8), ("2024-01-32T00:00:00Z", 8),
    ("2024-04-31T00:00:00Z", 8),
    ("2023-02-29T00:00:00Z", 8), ("1900-02-29T00:00:00Z", 8), ("2024-02-30T00:00:00Z", 8),
    ("2024-01-01 00:00:00Z", 10),
    ("2024-01-01T24:00:00Z", 11), ("2024-01-01T00:60:00Z", 14), ("2024-01-01T00:00:60Z", 17),
    ("2016-12-31T23:59:60Z", 17),
    ("2024-01-01T00:00Z", 16), ("2024-01-01T00:00:00", 19), ("2024-01-01T00:00:00.", 20),
    ("2024-01-01T00:00:00.Z", 20),
    ("2024-01-01T00:00:00,5Z", 19), ("2024-01-01T00:00:00ZZ", 20), ("2024-01-01T00:00:00Z ", 20),
    (" 2024-01-01T00:00:00Z", 0),
    ("2024-01-01T00:00:00+0100", 22), ("2024-01-01T00:00:00+24:00", 20), ("2024-01-01T00:00:00+01:60", 23),
    ("2024-01-01T00:00:00+01", 22), ("２024-01-01T00:00:00Z", 0), ("-001-01-01T00:00:00Z", 0),
    ("+2024-01-01T00:00:00Z", 0),
    ("0000-01-01T00:00:00+00:01", 0), ("9999-12-31T23:59:59-00:01", 0), ("9999-12-31T23:59:59.9999995Z", 0),
  ]

  @Test(arguments: invalid) func refuses(_ text: String, _ offset: Int) {
    let error = #expect(throws: RFC3339.Invalid.self) { try RFC3339.parse(text) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [Int64.min, -62_167_219_200_000_001, 253_402_300_800_000_000, .max])
  func refusesToFormat(_ microseconds: Int64) {
    let error = #expect(throws: RFC3339.OutOfRange.self) { try RFC3339.format(microseconds: microseconds) }
    #expect(error?.microseconds == microseconds)
  }

  @Test func randomRoundTrip() throws {
    var random = SeededGenerator()
    for _ in 0..<10 * TestEnvironment.rounds(2000) {
      var microseconds = Int64.random(in: RFC3339.range, using: &random)
      if Bool.random(using: &random) { microseconds -= microseconds % 1_000_000 }
      #expect(try RFC3339.parse(RFC3339.format(microseconds: microseconds)) == microseconds)
    }
  }

  /// Every day of four centuries and more, counted one by one.
  @Test func everyDay() throws {
    var expected: Int64 = -11_676_096_000_000_000  // 1600-01-01
    for year in 1600..<2100 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for day in 1...days {
          let text = try RFC3339.format(microseconds: expected)
          #expect(
            text == "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)T00:00:00Z")
          expected += 86_400_000_000
        }
      }
    }
  }

  @Test func mutationsNeverTrap() {
    var random = SeededGenerator()
    for _ in 0..<10 * TestEnvironment.rounds(2000) {
      var bytes = Array("2024-09-14T02:11:00.123456+02:00".utf8)
      for _ in 0..<2 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
      }
      if let date = try? RFC3339.parse(String(decoding: bytes, as: UTF8.self)) {
        #expect(RFC3339.range.contains(date))
      }
    }
  }

  @Test(arguments: [
    ("-000001-01-01T00:00:00Z", -62_198_755_200_000_000),
    ("+010000-01-01T00:00:00Z", 253_402_300_800_000_000),
    ("+001970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00Z", 0),
    ("-290308-12-21T19:59:05.224192Z", .min), ("+294247-01-10T04:00:54.775807Z", .max),
  ])
  func yearsOfSixDigits(_ text: String, _ microseconds: Int64) throws {
    #expect(try RFC3339.parse(text, anyYear: true) == microseconds)
    if text.utf8.count > 20 {
      let error = #expect(throws: RFC3339.Invalid.self) { try RFC3339.parse(text) }
      #expect(error?.offset == 0)
    }
  }

  @Test(arguments: [
    "-290308-12-21T19:59:05.224191Z", "+294247-01-10T04:00:54.775808Z", "+999999-12-31T23:59:59Z",
    "-999999-01-01T00:00:00Z", "+10000-01-01T00:00:00Z", "+0001970-01-01T00:00:00Z",
  ])
  func refusesBeyondAllYears(_ text: String) {
    #expect(throws: RFC3339.Invalid.self) { try RFC3339.parse(text, anyYear: true) }
  }

  @Test func everyTimestampRoundTrips() {
    var random = SeededGenerator()
    var values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for _ in 0..<TestEnvironment.rounds(2000) {
      values.append(Int64(bitPattern: random.next()) >> Int64.random(in: 0...60, using: &random))
    }
    for value in values {
      let text = RFC3339.text(of: Timestamp(microseconds: value))
      #expect((try? RFC3339.parse(text, anyYear: true)) == value, "\(text)")
    }
  }

  /// Days against Foundation's own calendar.
  @Test func agreesWithFoundation() throws {
    var random = SeededGenerator()
    for _ in 0..<min(TestEnvironment.rounds(2000), 500) {
      let seconds = Int64.random(in: -10_000_000_000...250_000_000_000, using: &random)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      guard text.utf8.count == 20, !text.hasPrefix("-") else { continue }
      #expect(RFC3339.text(of: Timestamp(microseconds: seconds * 1_000_000)) == text)
    }
  }
}
