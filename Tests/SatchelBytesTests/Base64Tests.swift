import SatchelBytes
import TestSupport
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10, and the two letters that other alphabets have otherwise.
  static let vectors: [([UInt8], String)] = [
    ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
    (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
    ([0xFB, 0xFF, 0xBF], "+/+/"), ([0, 0, 0, 0], "AAAAAA=="),
  ]

  @Test(arguments: vectors) func vector(_ content: [UInt8], _ text: String) throws {
    var output: [UInt8] = []
    Base64.encode(content, into: &output)
    #expect(String(decoding: output, as: UTF8.self) == text)
    #expect(try Base64.decode(text) == content)
  }

  static let invalid: [(String, offset: Int)] = [
    ("Z", 1), ("Zg", 2), ("Zg=", 3), ("Zm9vYg", 6), ("Zg===", 5), ("=", 1), ("====", 0), ("Z===", 1),
    ("Zg=A", 2),
    ("Zh==", 1), ("Zm9=", 2), ("Zm9v\n", 5), ("Zm 9", 2), ("-_-_", 0), ("Zg==Zg==", 2), ("Zmé", 2),
  ]

  @Test(arguments: invalid) func refuses(_ text: String, _ offset: Int) {
    let error = #expect(throws: Base64.Invalid.self) { try Base64.decode(text) }
    #expect(error?.offset == offset)
  }

  @Test func roundTrip() throws {
    var random = SeededGenerator(for: "Base64 round trip")
    for _ in 0..<TestEnvironment.rounds(500) {
      let content = (0..<Int.random(in: 0...100, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var output: [UInt8] = []
      Base64.encode(content, into: &output)
      #expect(try Base64.decode(String(decoding: output, as: UTF8.self)) == content)
    }
  }
}
