import Satchel
import SatchelInterchange
import Testing

/// Metadata from a server's JSON, and back.
@Suite struct MetadataJSONTests {
  @Test func isReadAsItIsSpelled() throws {
    let text = #"""
      {"serverID": "m-17", "priority": 5, "ratio": 5.0, "tiny": 1e-3, "open": true,
       "due": {"$date": "2026-11-25T08:00:00Z"}, "author": {"name": "Zoë", "bot": false}, "none": {}, "tags": ["b", "a"]}
      """#
    let metadata = try Metadata(json: text)
    #expect(metadata.value(at: "priority")?.integerValue == 5)
    let due = try #require(metadata.value(at: "due")?.timestampValue)
    let expected: Metadata = [
      "serverID": "m-17", "priority": 5, "ratio": 5.0, "tiny": 0.001, "open": true, "due": due,
      "author": ["name": "Zoë", "bot": false], "none": Metadata(), "tags": ["a", "b"],
    ]
    #expect(metadata == expected)
    #expect(try Metadata(json: Array(text.utf8)) == expected)
    let written = try metadata.json()
    #expect(
      written == #"{"author":{"bot":false,"name":"Zoë"},"due":{"$date":"2026-11-25T08:00:00Z"},"none":{},"#
        + #""open":true,"priority":5,"ratio":5.0,"serverID":"m-17","tags":["b","a"],"tiny":0.001}"#)
    // The spelling too: 5.0 has not become 5.
    #expect(try Metadata(json: written).json() == written)
  }

  @Test func keysAreAnyTexts() throws {
    let text =
      #"{"'":{"$$date":"x"},"a":{"b":2},"a.b":1,"alice@example.org":{"$$":true},"😀":{"two words":"y"}}"#
    let metadata = try Metadata(json: text)
    #expect(
      metadata
        == [
          "'": ["$date": "x"], "a": ["b": 2], "a.b": 1, "alice@example.org": ["$": true],
          "😀": ["two words": "y"],
        ])
    #expect(try metadata.json() == text)
    let error = #expect(throws: SatchelError.self) { try Metadata(json: #"{"a.b": {"c": null}}"#) }
    #expect(error?.description.contains("metadata.'a.b'.c takes a value, not null") == true)
  }

  @Test func nullIsLeftOutWhereThatIsAskedFor() throws {
    let text = #"{"a": null, "b": {"c": null, "d": 1}}"#
    #expect(try Metadata(json: text, null: .leftOut) == ["b": ["d": 1]])
  }

  static let refused: [(text: String, code: SatchelError.Code, what: String)] = [
    ("", .syntaxError, "column 1: expected a value, found the end"),
    (#"{"a": 1"#, .syntaxError, "column 8: expected ',' or '}', found the end"),
    (
      #"{"a": 1, "a": 2}"#, .syntaxError,
      "column 10: expected a key of its own, found one that this object has already"
    ),
    (#"{"a": 1} x"#, .syntaxError, "column 10: expected the end, found 'x'"),
    (#"{"a": NaN}"#, .syntaxError, "column 7: expected a value, found 'N'"),
    ("null", .invalidValue, "metadata takes a value, not null"),
    ("5", .invalidValue, "metadata takes an object, not a number"),
    (#"["a"]"#, .invalidValue, "metadata takes an object, not an array"),
    (#"{"a": {"b": null}}"#, .invalidValue, "metadata.a.b takes a value, not null"),
    (
      #"{"a": {"b": ["x", 1]}}"#, .invalidValue,
      "metadata.a.b[1] takes a text, as lists have texts only, not a number"
    ),
    (#"{"a": 1e400}"#, .invalidValue, "metadata.a takes a number within the range of a Double, not 1e400"),
    (
      #"{"a": {"$date": 5}}"#, .invalidValue,
      #"metadata.a.$date takes a date such as "2024-09-14T02:11:00Z", not a number"#
    ),
    (#"{"": 1}"#, .invalidKey, "A metadata key"),
  ]

  @Test(arguments: refused.indices) func whatMetadataHasNotIsNamed(_ index: Int) throws {
    let (text, code, what) = Self.refused[index]
    let error = #expect(throws: SatchelError.self, "\(text)") { try Metadata(json: text) }
    #expect(error?.code == code && error?.description.contains(what) == true, "\(String(describing: error))")
  }

  @Test func whatNoStoreTakesIsNotWritten() {
    let error = #expect(throws: SatchelError.self) { try Metadata(["a": Double.nan]).json() }
    #expect(error?.code == .invalidValue)
  }
}
