import Testing

@Suite("Texts, dates and JSON of the model")
struct TextTests {
  @Test(arguments: [
    ("A", "a"), ("z", "z"), ("Ä", "ä"), ("ß", "ß"), ("\u{1E9E}", "ß"), ("İ", "İ"), ("I", "i"), ("ı", "ı"),
    ("Σ", "σ"), ("ς", "σ"), ("\u{212A}", "k"), ("µ", "μ"), ("ſ", "s"), ("Я", "я"), ("\u{13A0}", "\u{13A0}"),
    ("\u{AB70}", "\u{13A0}"), ("\u{10400}", "\u{10428}"), ("日", "日"), ("ǅ", "ǆ"), ("\u{1C84}", "т"),
    ("Ω", "ω"),
  ])
  func casesFoldScalarByScalar(_ text: String, _ folded: String) {
    #expect(ByteString(text).caseFolded == ByteString(folded))
  }

  @Test func normalisationKeepsWhatIsNotEquivalentApart() {
    #expect(ByteString("e\u{301}") != ByteString("é"))
    #expect(ByteString("e\u{301}").composed == ByteString("\u{E9}"))
    #expect(ByteString("\u{212B}").composed == ByteString("\u{C5}"))
    #expect(ByteString("q\u{307}\u{323}").composed == ByteString("q\u{323}\u{307}"))
    #expect(ByteString("Ärger").withoutMarks == ByteString("Arger"))
    #expect(ByteString("각").withoutMarks == ByteString("\u{AC01}"))
    #expect(TextForm([.caseless, .markless]).apply(to: "İ") == "i")
  }

  @Test func theOrderIsThatOfTheBytes() {
    #expect(["", "Z", "a", "é", "\u{FFFD}", "\u{1F600}"].map { ByteString($0) }.isSorted)
    #expect(!(ByteString("a") < ByteString("a")))
  }

  @Test(arguments: [
    ("a%c", "ABBC", true), ("a%c", "ac", true), ("a%c", "acd", false), ("_", "é", true), ("__", "é", false),
    ("%_%_%", "é", false), ("%", "", true), ("_", "", false), ("", "", true), ("", "a", false),
    (#"\%"#, "%", true),
    (#"\%"#, "a", false), (#"a\"#, #"a\"#, true), (#"\\"#, #"\"#, true), (#"\a"#, "A", true),
    ("%aab", "aaaaab", true),
    ("%a_b%", "xxaabaxb", true), ("%é", "eé", true),
  ])
  func patternsMatchWholeTexts(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(LikePattern(ByteString(pattern)).matches(ByteString(text).caseFolded) == matches)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999999Z", -1),
    ("2000-02-29T00:00:00Z", 951_782_400_000_000),
    ("2024-03-01T11:00:00+01:00", 1_709_287_200_000_000), ("1970-01-01T00:00:00.0000005Z", 1),
    ("1970-01-01T00:00:00.00000049Z", 0), ("1970-01-01t00:00:00.5z", 500_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
  ])
  func datesAreMicroseconds(_ text: String, _ microseconds: Int64) {
    #expect(Timestamp.parse(ByteString(text)) == microseconds)
    #expect(Timestamp.parse(ByteString(Timestamp.format(microseconds))) == microseconds)
    #expect(Timestamp.parse(ByteString(Timestamp.format(microseconds, offsetMinutes: 90))) == microseconds)
  }

  @Test(arguments: [
    "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z", "x", "",
  ])
  func whatIsNoDateIsNone(_ text: String) {
    #expect(Timestamp.parse(ByteString(text)) == nil)
  }

  @Test func jsonKeepsKeysAndNumbersExactly() throws {
    let text = #" {"é":1,"e\u0301":2, "n":9007199254740993, "s":"\ud83d\ude00\n\/", "a":[true,null]} "#
    let value = try JSONReader.read(Array(text.utf8)[...])
    #expect(value["é"] == .number("1"))
    #expect(value["e\u{301}"] == .number("2"))
    #expect(value["n"] == .number("9007199254740993"))
    #expect(value["s"] == .string("\u{1F600}\n/"))
    #expect(value["a"] == .array([.boolean(true), .null]))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "\"\\ud83d\"", "\"\\x\"", "\"\n\"", "nul", "1 2", "-",
  ])
  func wrongJSONIsAnError(_ text: String) {
    #expect(throws: JSONReader.Malformed.self) { try JSONReader.read(Array(text.utf8)[...]) }
  }

  @Test func jsonThatIsNotUTF8IsAnError() {
    #expect(throws: JSONReader.Malformed.self) { try JSONReader.read([0x22, 0xC3, 0x22]) }
  }
}

extension [ByteString] {
  fileprivate var isSorted: Bool {
    zip(self, dropFirst()).allSatisfy { $0 < $1 }
  }
}
