import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct SearchMatcherTests {
  @Test(arguments: [
    ("noon", "See you at Noon!", true), ("noon", "afternoon", false), ("*noon", "afternoon", true),
    ("after*", "afternoon", true),
    ("*tern*", "afternoon", true), ("*tern", "afternoon", false), ("noon lunch", "Lunch at noon", true),
    ("noon lunch", "noon", false),
    ("noon OR lunch", "noon", true), ("noon -lunch", "noon", true), ("noon -lunch", "lunch at noon", false),
    ("-lunch", "noon", true),
    ("\"usual place\"", "the usual, place", true), ("\"usual place\"", "place usual", false),
    ("\"usual place\"", "usual old place", false),
    ("\"usual pla\"*", "the usual place", true), ("*\"al place\"", "the usual place", true),
    ("\"usual pla\"", "the usual place", false),
    ("cafe", "Un CAFÉ", true), ("CAFÉ", "cafe\u{301}s cafe", true), ("don't", "don't", true),
    ("don't", "don t", false), ("don", "don't", true),
    ("3.14", "pi is 3.14", true), ("3.14", "3,14", false), ("14", "3.14", true), ("3.*", "3.14", true),
    ("3.1*", "3.14", true),
    ("example.org", "bob@example.org", true), ("example.org", "www.example.org", false),
    ("*example.org*", "www.example.org", true),
    ("bob@example.org", "mail bob@example.org now", true), ("bob@example.org", "bob at example.org", false),
    ("example", "https://example.org/a", true),
    ("https://example.org/a", "see https://example.org/a?b", true),
    ("https://example.org/a", "https://example.org/b", false), ("snake", "a snake_case", true),
    ("snake_case", "Snake_Case", true), ("snake_*", "a snake_case", true), ("*_case", "snake_case", true),
    ("snake_*", "snake", false),
    ("東", "東京", true), ("東京", "東京都", true), ("京都", "東京都", true), ("東都", "東京都", false), ("東京", "東 京", false),
    ("\"東 京\"", "東京", true), ("\"a 東京\"", "A, 東京", true), ("\"a 東京\"", "a 東 京", false),
    ("東京tower", "東京 Tower", true), ("東京tow*", "東京Tower", true),
    ("タワー", "東京タワー", true), ("국어", "한국어를", true),
    ("สวัส", "สวัสดีครับ", true), ("が", "か", true), ("x²", "x² + y", true), ("😀", "😀", false),
    ("*😀*", "a😀", true), ("noon 😀", "noon", true),
    ("*a b*", "a b", true), ("*", "anything", false), ("", "", false), ("*, yo*", "hi, you", true),
    ("*hi", "hi", true), ("hi*", "hi", true),
    ("-😀", "a", false), ("(-a) OR b", "c", true), ("مرحبا", "مَرْحَبًا", true), ("straße", "STRASSE", false),
    ("ΣΑΣ", "σας", true),
    ("ها", "این\u{200C}ها", true), ("اینها", "این\u{200C}ها", true), ("این\u{200C}ها", "اینها", true),
    ("این\u{200C}ها", "این ها", false), ("donau", "Donau\u{AD}dampf", true),
    ("dampf", "Donau\u{AD}dampf", true),
    ("donaudampf", "Donau\u{AD}dampf", true), ("Donau\u{AD}dampf", "donaudampf", true),
    ("onau", "Donau\u{AD}dampf", false), ("*naudam*", "Donau\u{AD}dampf", true),
    ("dam*", "a\u{2060}damp", true),
    ("*nau", "donau\u{200B}x", true), ("*nau", "donau\u{200B}xnau", true), ("ab", "a\u{FEFF}b", true),
    ("a b", "a\u{200E}b", true), ("\"اینها کتاب\"", "این\u{200C}ها کتاب", true),
    ("\"این\u{200C}ها کتاب\"", "اینها کتاب", true), ("\"ها کتاب\"", "این\u{200C}ها کتاب", false),
    ("\"Donau\u{AD}dampf fährt\"", "donaudampf fährt", true),
    ("\"donaudampf fährt\"", "Donau\u{AD}dampf fährt", true),
    ("\"dampf fährt\"", "Donau\u{AD}dampf fährt", false),
    ("*\"dampf fährt\"", "Donau\u{AD}dampf fährt", true),
    ("\"die donau\"*", "Die Donau\u{AD}dampf", true), ("\"a\u{FE0F} b\"", "a b\u{FE0F}", true),
    ("-ha", "in\u{200C}ha", false), ("don", "do\u{AD}n't", true), ("n", "do\u{AD}n't", true),
    ("don't", "don’t", true), ("don’t", "don't", true), ("don\u{2BC}t", "Don’t", true),
    ("l'etat", "L’État", true), ("*'t*", "don’t", true), ("\"don’t worry\"", "don't worry", true),
    ("don’t*", "don'ts", true), ("*n\u{2BC}t", "don't", true),
    ("*👩\u{200D}👧*", "👩\u{200D}👧", true), ("*👩\u{200D}👧*", "👩👧", false), ("*👩👧*", "👩\u{200D}👧", false),
    ("*👧*", "👩\u{200D}👧", true),
  ])
  func matches(_ pattern: String, _ text: String, _ expected: Bool) {
    var matcher = SearchMatcher(SearchTree(pattern))
    // Also again: nothing is left of the text before.
    let found = [text, "", text].map { matcher.matches($0) }
    let ofNone = NaivePattern.matches(SearchTree(pattern), [(nil, NaiveText(""))]) ?? false
    #expect(found == [expected, ofNone, expected])
  }

  @Test func fieldsAndSeveralTexts() {
    let pattern = SearchTree(
      "title:noon lunch -body:(late OR title:never)", fields: .named(["title", "body"]))
    var matcher = SearchMatcher(pattern)
    func matches(_ texts: [(String?, String)]) -> Bool {
      matcher.begin()
      for (field, text) in texts {
        var text = text
        text.withUTF8 { matcher.add($0, field: field.flatMap { matcher.condition.field(named: $0) }) }
      }
      return matcher.isMatch
    }
    #expect(matches([("title", "Noon"), ("body", "Lunch")]))
    #expect(
      matches([("title", "Noon lunch")])
        && matches([("title", "noon"), (nil, "lunch"), ("other", "late never")]))
    #expect(!matches([("body", "noon lunch")]) && !matches([("title", "noon lunch"), ("body", "late")]))
    #expect(
      !matches([("title", "noon lunch never")]) && matches([("title", "noon lunch"), ("body", "never")]))
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    var (matched, said) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(3000) {
      let about = texts.text(upTo: 20)
      let pattern = texts.pattern(for: about)
      var matcher = SearchMatcher(pattern)
      for _ in 0..<4 {
        var object: [(field: String?, text: String)] = []
        for _ in 0..<texts.random.below(4) {
          let field = texts.random.pick([nil, "title", "body", "two words", "-x"])
          object.append((field, texts.random.oneIn(2) ? about : texts.piece(of: about, upTo: 20)))
        }
        matcher.begin()
        for (field, text) in object {
          var text = text
          text.withUTF8 { matcher.add($0, field: field.flatMap { matcher.condition.field(named: $0) }) }
        }
        let expected = NaivePattern.matches(pattern, object.map { ($0.field, NaiveText($0.text)) })
        #expect(matcher.isMatch == (expected ?? false), "\(pattern) of \(object)")
        matched += matcher.isMatch ? 1 : 0
        said += expected == nil ? 0 : 1
      }
    }
    #expect(matched > said / 10 && matched < said)
  }

  /// A part is what `CONTAINS[cd]` finds, in a text and for an operand without what is not seen and with one apostrophe.
  @Test func partsAreSubstrings() {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(3000) {
      let text = texts.text(upTo: 30)
      let part = texts.piece(of: text, upTo: 6)
      var matcher = SearchMatcher(.text(part, stars: .both))
      func plain(_ text: String) -> String { String(decoding: NaiveFolding(text).utf8, as: UTF8.self) }
      let other = TextPattern(.contains, plain(part), options: [.caseInsensitive, .diacriticInsensitive])
      let saysNothing = TextFolder.folded(part).isEmpty
      let found = matcher.matches(text)
      #expect(
        found == (!saysNothing && other.matches(plain(text))),
        "\(part.debugDescription) \(text.debugDescription)")
    }
  }

  /// Long patterns and texts that are made to take long: the matcher reads each text once.
  @Test func hostileTexts() {
    let text = String(repeating: "a ", count: 20_000)
    let phrase = "\"" + String(repeating: "a ", count: 2000) + "b\""
    for pattern in [
      phrase, "*\"" + String(repeating: "a ", count: 2000) + "b\"*",
      (0..<900).map { "a" + String($0) + "*" }.joined(separator: " OR "),
      "\"" + String(repeating: "a ", count: 2000) + "b\"*", String(repeating: "東", count: 5000),
    ] {
      var matcher = SearchMatcher(SearchTree(pattern))
      let found = matcher.matches(text)
      #expect(!found, "\(pattern.prefix(20))")
    }
    var matcher = SearchMatcher(SearchTree(phrase))
    let found = matcher.matches(text + "b")
    #expect(found)
    for bytes: [UInt8] in [[0xFF], [0x61, 0xFF], [0xED, 0xA0, 0x80], [0x61, 0xC3]] {
      var matcher = SearchMatcher(SearchTree("a"))
      let found = bytes.withUnsafeBufferPointer { matcher.matches($0) }
      #expect(found == bytes.contains(0x61))
    }
  }
}
