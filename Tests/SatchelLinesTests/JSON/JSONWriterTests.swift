import SatchelLines
import Testing

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) throws -> Void) rethrows -> String {
    var writer = JSONWriter()
    try body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func separatesByItself() throws {
    let text = try written { writer in
      writer.beginObject()
      writer.key("a")
      writer.integer(-12)
      writer.key("b")
      writer.beginArray()
      writer.beginObject()
      writer.endObject()
      writer.null()
      writer.beginArray()
      writer.endArray()
      writer.bool(false)
      writer.endArray()
      writer.key("c")
      writer.base64([1, 2])
      writer.key("d")
      try writer.date(microseconds: 0)
      writer.key("e")
      writer.string(utf8: Array("é".utf8))
      writer.endObject()
      writer.endLine()
      writer.string("next")
    }
    #expect(
      text == #"{"a":-12,"b":[{},null,[],false],"c":"AQI=","d":"1970-01-01T00:00:00Z","e":"é"}"# + "\n"
        + #""next""#)
  }

  @Test func escapesOnlyWhatItMust() {
    let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    #expect(
      written { $0.string(controls) }
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#
    )
    #expect(written { $0.string("a\"b\\c/\u{7F}\u{2028}é世😀") } == "\"a\\\"b\\\\c/\u{7F}\u{2028}é世😀\"")
    #expect(written { $0.string("") } == "\"\"")
  }

  @Test(arguments: [Int64.min, -1, 0, 9, 10, 1_000_000, .max]) func integers(_ value: Int64) {
    #expect(written { $0.integer(value) } == String(value))
  }

  @Test func otherNumbersKeepTheirSpelling() throws {
    let text = #"{"x":[1.50,1e400,-0.1E-2]}"#
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(written { $0.value(value) } == text)
  }

  @Test func keepsBytesThatSwiftCallsEqual() throws {
    let composed = JSONValue.string("\u{E9}")
    let decomposed = JSONValue.string("e\u{301}")
    #expect(composed != decomposed)
    for value in [composed, decomposed] {
      #expect(try JSONValue(parsing: JSONRandomTests.bytes(of: value)) == value)
    }
  }
}
