import SatchelLines
import Testing

@Suite struct JSONReaderTests {
  static func object(_ members: (String, JSONValue)...) -> JSONValue {
    .object(JSONObject(members: members.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }

  static let valid: [(String, JSONValue)] = [
    ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse\n", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("-0.0e5", .integer(0)), ("7", .integer(7)),
    ("12.0", .integer(12)), ("1.2e1", .integer(12)), ("1200e-2", .integer(12)), ("0.00012E+5", .integer(12)),
    ("1e18", .integer(1_000_000_000_000_000_000)), ("0e999999999999999999999", .integer(0)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("-922337203685477580.8e1", .integer(.min)), ("9223372036854775807000e-3", .integer(.max)),
    ("[]", .array([])), ("[ ]", .array([])), ("[1 , 2]", .array([.integer(1), .integer(2)])),
    ("[[],[[]]]", .array([.array([]), .array([.array([])])])),
    ("{}", object()), ("{ }", object()), (#"{ "a" : 1 }"#, object(("a", .integer(1)))),
    (#"{"b":null,"a":{"":[]}}"#, object(("b", .null), ("a", object(("", .array([])))))),
    (#""""#, .string("")),
    (#""plain text, rather long, 0x7F: \#u{7F}""#, .string("plain text, rather long, 0x7F: \u{7F}")),
    (#""\"\\\/\b\t\n\f\r""#, .string("\"\\/\u{8}\t\n\u{C}\r")),
    (#""\u0041\u00e9\u20AC\uD83d\uDe00""#, .string("Aé€😀")), (#""\u0000x""#, .string("\0x")),
    (#""Grüße, 世界 👩‍👩‍👧 and then some more of it""#, .string("Grüße, 世界 👩‍👩‍👧 and then some more of it")),
    (#"{"é":1,"e\u0301":2}"#, object(("\u{E9}", .integer(1)), ("e\u{301}", .integer(2)))),
  ]

  @Test(arguments: valid) func reads(_ text: String, _ expected: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
  }

  @Test func readsNoncharacters() throws {
    let expected = String(decoding: [0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)
    #expect(try JSONValue(parsing: Array(#""\uFFFF\uFDD0""#.utf8)) == .string(expected))
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e19", "0.5", "-1.25e-3", "1e400", "12.000000001",
  ])
  func keepsOtherNumbersAsTheyAreSpelled(_ text: String) throws {
    guard case .number(let number) = try JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("\(text) is no Int64")
      return
    }
    #expect(number.literal == text)
    #expect(number.double == Double(text))
  }

  static let invalid: [(String, column: Int, expected: String)] = [
    ("", 1, "a value"), ("   ", 4, "a value"), ("\u{FEFF}1", 1, "a value"), ("x", 1, "a value"),
    ("'a'", 1, "a value"),
    ("nul", 4, "'null'"), ("trux", 4, "'true'"), ("falsE", 5, "'false'"), ("nullx", 5, "the end"),
    ("1 2", 3, "the end"),
    ("01", 2, "no digit behind a leading zero"), ("-", 2, "a digit"), ("+1", 1, "a value"),
    ("-x", 2, "a digit"),
    ("1.", 3, "a digit"), (".5", 1, "a value"), ("1e", 3, "a digit"), ("1e+", 4, "a digit"),
    ("1.e3", 3, "a digit"),
    ("0x10", 2, "the end"), ("NaN", 1, "a value"), ("Infinity", 1, "a value"),
    ("[", 2, "a value"), ("[1", 3, "',' or ']'"), ("[1,", 4, "a value"), ("[1,]", 4, "a value"),
    ("[,1]", 2, "a value"),
    ("[1 2]", 4, "',' or ']'"), ("[1}", 3, "',' or ']'"), ("]", 1, "a value"),
    ("{", 2, "a key or '}'"), ("{1:2}", 2, "a key or '}'"), (#"{"a"}"#, 5, "':'"), (#"{"a" 1}"#, 6, "':'"),
    (#"{"a":}"#, 6, "a value"), (#"{"a":1"#, 7, "',' or '}'"), (#"{"a":1,}"#, 8, "a key"),
    (#"{"a":1 "b":2}"#, 8, "',' or '}'"),
    (#"{"a":1,"b":2,"a":3}"#, 14, "a key of its own"), (#"{"é":1,"\u00e9":2}"#, 9, "a key of its own"),
    (#"[{"x":{"a":0},"y":{"k":1,"k":2}}]"#, 26, "a key of its own"),
    (#""abc"#, 5, "'\"' at the end of the string"), (#""abc\"#, 6, "an escape"),
    (#""a\x41""#, 4, "an escape: one of \" \\ / b f n r t u"),
    (#""\u12"#, 6, "four hexadecimal digits"), (#""\u12g4""#, 6, "four hexadecimal digits"),
    (#""\u+123""#, 4, "four hexadecimal digits"),
    (#""ab\uD800""#, 4, "a pair of surrogate escapes"),
    (#""\uDC00\uD800""#, 2, "a pair of surrogate escapes"),
    (#""\uD800\u0041""#, 2, "a pair of surrogate escapes"),
    (#""\uD800\n""#, 2, "a pair of surrogate escapes"),
    ("\"a\nb\"", 3, "no control character in a string (an escape instead)"),
    ("\"twelve chars\u{0}\"", 14, "no control character in a string (an escape instead)"),
    ("/* */ 1", 1, "a value"), ("[1] // x", 5, "the end"),
  ]

  @Test(arguments: invalid) func refuses(_ text: String, _ column: Int, _ expected: String) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error?.column == column)
    #expect(error?.expected == expected)
  }

  static let illFormed: [([UInt8], column: Int)] = [
    ([0x80], 1), ([0xC3], 1), ([0xC3, 0x28], 1), ([0xC0, 0xAF], 1), ([0xC1, 0xBF], 1),
    ([0xE0, 0x9F, 0xBF], 1),
    ([0xED, 0xA0, 0x80], 1), ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
    ([0xF5, 0x80, 0x80, 0x80], 1),
    ([0xFF], 1), ([0x61, 0xC3, 0xA9, 0xE2, 0x82], 4), ([0x5C, 0x6E, 0xF0, 0x9F, 0x98], 3),
    ([0xE2, 0x82, 0xAC, 0xBF], 4),
    ([0xE2, 0x5C, 0x6E], 1),
  ]

  @Test(arguments: illFormed) func refusesIllFormedUTF8(_ content: [UInt8], _ column: Int) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22] + content + [0x22]) }
    #expect(error?.column == column + 1)
    #expect(error?.expected == "UTF-8")
  }

  @Test func limitsNesting() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
    }
    _ = try JSONValue(parsing: nested(66))
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(67)) }
    #expect(error?.column == 67)
    #expect(throws: JSONError.self) { try JSONValue(parsing: [UInt8](repeating: 0x5B, count: 1_000_000)) }
    let objects = String(repeating: #"{"a":"#, count: 67) + "1" + String(repeating: "}", count: 67)
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array(objects.utf8)) }
  }

  @Test func findsARepeatedKeyAmongMany() throws {
    let members = (0..<500).map { "\"key\($0)\":\($0)" }
    let text = "{" + members.joined(separator: ",") + "}"
    guard case .object(let object) = try JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("not an object")
      return
    }
    #expect(object.members.count == 500)
    #expect(object["key499"] == .integer(499))
    #expect(object["key500"] == nil)

    let start = "{" + members.joined(separator: ",")
    let repeated = start + #","key17":0,"key3":0}"#
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(repeated.utf8)) }
    #expect(error?.offset == start.utf8.count + 1)
  }

  @Test func saysWhereAndWhat() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(#"{"a";1}"#.utf8)) }
    #expect(error?.description == "column 5: expected ':', found ';'")
    let end = #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[".utf8)) }
    #expect(end?.description == "column 2: expected a value, found the end")
    let control = #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0x07]) }
    #expect(control?.description.hasSuffix("found byte 0x07") == true)
  }
}
