import SatchelText
import TestSupport
import Testing

@Suite struct WordSegmentTests {
  @Test func unicodesCases() throws {
    var count = 0
    for written in WordBreakCases.cases.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      var text = String.UnicodeScalarView()
      var ends: [Int] = []
      for name in written.utf8 {
        guard name != UInt8(ascii: "|") else {
          ends.append(String(text).utf8.count)
          continue
        }
        let place =
          name >= UInt8(ascii: "a") ? name - UInt8(ascii: "a") : name - UInt8(ascii: "A") + 26
        text.append(try #require(Unicode.Scalar(WordBreakCases.scalars[Int(place)])))
      }
      ends.append(String(text).utf8.count)
      #expect(segments(of: String(text)).map(\.range.upperBound) == ends, "\(written)")
      count += 1
    }
    #expect(count == 1823)
    #expect(WordProperty.unicodeVersion == CaseFolding.unicodeVersion)
  }

  /// The words of a text, between bars.
  @Test(arguments: [
    ("", ""), (" \t\r\n", ""), ("Noon?", "Noon"), ("Sure, see you there.", "Sure|see|you|there"),
    ("don't don’t 'quoted'", "don't|don’t|quoted"), ("3.14 1,000 12:30 3. .5", "3.14|1,000|12|30|3|5"),
    ("e-mail snake_case __", "e|mail|snake_case"), ("bob@example.org", "bob|example.org"),
    ("naïve nai\u{308}ve", "naïve|nai\u{308}ve"), ("½ ² ① Ⓜ Ⅷ", "½|²|①|Ⓜ|Ⅷ"), ("ﾞ ゛ \u{308} ªº", "ﾞ|ªº"),
    ("東京タワーと", "東|京|タワー|と"), ("한국어 \u{1112}\u{1161}\u{11AB}", "한국어|\u{1112}\u{1161}\u{11AB}"),
    ("ไทย", "ไ|ท|ย"), ("เท่า", "เ|ท่|า"), ("дом, ДОМ", "дом|ДОМ"), ("צה\"ל ג'ירפה א'", "צה\"ל|ג'ירפה|א'"),
    ("😀 🇩🇪🇫🇷 👨‍👩‍👧 👍🏽 ™ € → ©", ""), ("1️⃣ a\u{200D}b x\u{FE0F}", "1️⃣|a\u{200D}b|x\u{FE0F}"),
    ("a😀b", "a|b"), ("𐐀𐐨 𝒳 𠀀𠀁", "𐐀𐐨|𝒳|𠀀|𠀁"), ("C++ c# x=1", "C|c|x|1"), ("\u{FEFF}a", "a"),
  ])
  func words(_ text: String, _ expected: String) {
    let words = segments(of: text).filter(\.isWord).map { text.utf8Text(in: $0.range) }
    #expect(words.joined(separator: "|").unicodeScalars.elementsEqual(expected.unicodeScalars), "\(words)")
    #expect(wordRanges(of: text) == segments(of: text).filter(\.isWord).map(\.range))
  }

  /// Random texts of scalars of every class against the rules as they are written, one boundary after another.
  @Test func theRulesAsTheyAreWritten() {
    var random = SeededGenerator()
    var boundaries = 0
    var joints = 0
    for _ in 0..<TestEnvironment.rounds(5000) {
      let sample = (0..<random.below(12)).map { _ in random.pick(WrittenRules.samples) }
      var text = String.UnicodeScalarView()
      var expected: [Int] = []
      for (index, (scalar, _)) in sample.enumerated() {
        if index > 0 {
          let isBoundary = WrittenRules.isBoundary(before: index, of: sample.map(\.kind))
          if isBoundary { expected.append(String(text).utf8.count) }
          boundaries += isBoundary ? 1 : 0
          joints += isBoundary ? 0 : 1
        }
        text.append(scalar)
      }
      if !sample.isEmpty { expected.append(String(text).utf8.count) }
      #expect(
        segments(of: String(text)).map(\.range.upperBound) == expected,
        "\(sample.map { String($0.scalar.value, radix: 16) })")
    }
    #expect(boundaries > 0 && joints > 0)
  }

  /// The segments of any bytes are these bytes, and what is no text is no word.
  @Test func anyBytes() {
    var random = SeededGenerator()
    let pieces: [[UInt8]] = [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xED, 0xA0, 0x80], [0xF8, 0x80],
      [0xC0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], Array("a".utf8), Array("'".utf8), Array("é".utf8), Array("\u{308}".utf8),
      Array("7".utf8), Array("\r\n".utf8), [0],
    ]
    for _ in 0..<TestEnvironment.rounds(3000) {
      let bytes = (0..<random.below(10)).flatMap { _ in
        random.oneIn(4) ? [UInt8(truncatingIfNeeded: random.next())] : random.pick(pieces)
      }
      let found = bytes.withUnsafeBufferPointer { segments(ofBytes: $0) }
      #expect(found.allSatisfy { !$0.range.isEmpty }, "\(bytes)")
      #expect(found.flatMap { $0.range } == Array(bytes.indices), "\(bytes)")
    }
    for bytes in pieces[..<3] {
      let found = bytes.withUnsafeBufferPointer { segments(ofBytes: $0) }
      #expect(found.count == bytes.count && found.allSatisfy { !$0.isWord }, "\(bytes)")
    }
  }

  /// What makes the rules look ahead, as often and as far as it can.
  @Test func costsLinearSteps() {
    let kinds: [(String, (Int) -> String)] = [
      ("letters", { String(repeating: "a", count: $0) }),
      ("marks behind an apostrophe", { "a'" + String(repeating: "\u{308}", count: $0 / 2) }),
      ("apostrophes", { String(repeating: "a'\u{308}\u{308}'", count: $0 / 7) }),
      ("quotation marks", { String(repeating: "א\"\u{308}", count: $0 / 5) }),
      ("points", { String(repeating: "1.\u{200D}", count: $0 / 5) }),
      ("flags", { String(repeating: "🇩", count: $0 / 4) }),
      ("families", { String(repeating: "👩\u{200D}", count: $0 / 7) }),
    ]
    for (name, text) in kinds {
      for count in [1024, 4096, 16_384] {
        var text = text(count)
        let read = text.withUTF8 { utf8 in
          var segments = WordSegments(utf8)
          while segments.next() != nil {}
          return segments.scalarsRead
        }
        let scalars = text.unicodeScalars.count
        #expect(scalars <= read && read <= 3 * scalars, "\(name): \(read) for \(scalars)")
      }
    }
  }
}

private func segments(ofBytes bytes: UnsafeBufferPointer<UInt8>) -> [WordSegments.Segment] {
  var segments = WordSegments(bytes)
  var all: [WordSegments.Segment] = []
  while let segment = segments.next() { all.append(segment) }
  return all
}

private func segments(of text: String) -> [WordSegments.Segment] {
  var text = text
  return text.withUTF8 { segments(ofBytes: $0) }
}

private func wordRanges(of text: String) -> [Range<Int>] {
  var text = text
  return text.withUTF8 { utf8 in
    var segments = WordSegments(utf8)
    var words: [Range<Int>] = []
    while let word = segments.nextWord() { words.append(word) }
    return words
  }
}

extension String {
  fileprivate func utf8Text(in range: Range<Int>) -> String {
    String(decoding: Array(utf8)[range], as: UTF8.self)
  }
}
