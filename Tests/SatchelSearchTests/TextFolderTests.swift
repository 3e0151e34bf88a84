import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct TextFolderTests {
  private func definition(_ text: String) -> [UInt8] { NaiveFolding(text).utf8 }

  /// What is folded, with a bar at each break.
  @Test(arguments: [
    ("Donau\u{AD}dampf", "donau|dampf"), ("این\u{200C}ها", "این|ها"), ("a\u{200B}b", "a|b"),
    ("a\u{200D}b", "a|b"), ("a\u{2060}b", "a|b"), ("\u{FEFF}a", "|a"), ("a\u{200E}\u{200F}b", "a|b"),
    ("\u{202A}a\u{202B}b\u{202C}c\u{202D}d\u{202E}e", "|a|b|c|d|e"),
    ("\u{2066}a\u{2067}b\u{2068}c\u{2069}", "|a|b|c|"), ("\u{61C}a\u{180E}b\u{2061}c", "|a|b|c"),
    ("e\u{AD}\u{301}a", "e|a"), ("ক\u{200D}\u{9BE}", "কা"), ("\u{9C7}\u{200C}\u{9BE}x", "\u{9CB}x"),
    ("\u{1112}\u{200B}\u{1161}", "하"), ("\u{1112}\u{302E}\u{AD}a\u{AD}", "\u{1112}\u{302E}|a|"),
    ("\u{1112}\u{302E}\u{AD}\u{9BE}a", "\u{1112}\u{302E}\u{9BE}a"),
    ("👩\u{200D}👩\u{200D}👧", "👩\u{200D}👩\u{200D}👧"), ("🏳️\u{200D}🌈", "🏳\u{200D}🌈"),
    ("👩🏽\u{200D}🚀", "👩🏽\u{200D}🚀"), ("❤️\u{200D}🔥", "❤\u{200D}🔥"), ("👩\u{200D}", "👩|"),
    ("\u{200D}👧", "|👧"), ("a\u{200D}👧", "a|👧"), ("👩\u{200D}a", "👩|a"), ("👩\u{200C}👧", "👩|👧"),
    ("\u{1112}\u{302E}👩\u{200D}👧", "\u{1112}\u{302E}👩\u{200D}👧"),
    ("Don’t L\u{2BC}état l'", "don't l'etat l'"), ("‘’", "‘'"),
  ])
  func whatIsNotSeen(_ text: String, _ expected: String) {
    var folder = TextFolder()
    var text = text
    text.withUTF8 { folder.fold($0) }
    var found = folder.bytes
    for place in folder.breaks.reversed() { found.insert(UInt8(ascii: "|"), at: place) }
    #expect(found == Array(expected.utf8), "\(String(decoding: found, as: UTF8.self).debugDescription)")
  }

  @Test func invisibleScalars() {
    for value: UInt32 in 0..<0x11_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(InvisibleScalars.contains(value) == NaiveFolding.isInvisible(scalar), "\(value)")
    }
  }

  @Test func singleScalars() {
    for value: UInt32 in Array(0..<0x3400) + stride(from: 0x3400, to: 0x11_0000, by: 37) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      #expect(TextFolder.folded(text) == definition(text), "\(value)")
      #expect(TextFolder.folded("가" + text + "a") == definition("가" + text + "a"), "\(value)")
    }
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    var folder = TextFolder()
    for _ in 0..<TestEnvironment.rounds(5000) {
      var text = texts.text(upTo: texts.random.oneIn(10) ? 100 : 10)
      text.withUTF8 { folder.fold($0, keepingPlaces: true) }
      let naive = NaiveFolding(text)
      #expect(folder.bytes == naive.utf8, "\(text.debugDescription)")
      let breaks = folder.breaks.map { place in folder.bytes[..<place].count { $0 & 0xC0 != 0x80 } }
      #expect(breaks.filter { $0 < naive.scalars.count } == naive.breaks.sorted(), "\(text.debugDescription)")
      // The places lead from the folded text to whole scalars of the original, and leave nothing out but what is not seen.
      let count = text.utf8.count
      var end = 0
      for (index, place) in folder.places.enumerated() {
        let next = index + 1 < folder.places.count ? Int(folder.places[index + 1].folded) : folder.bytes.count
        // What is not seen has a place, but becomes nothing.
        if next == place.folded { continue }
        let original = folder.original(of: Int(place.folded)..<next, textCount: count)
        #expect(original.lowerBound == place.original && original.lowerBound >= end)
        #expect(end == 0 || isUnseen(Array(text.utf8)[end..<original.lowerBound]), "\(text.debugDescription)")
        end = original.upperBound
        let utf8 = Array(text.utf8)[original]
        #expect(
          definition(String(decoding: utf8, as: UTF8.self)) == Array(folder.bytes[Int(place.folded)..<next]))
      }
      #expect(folder.places.isEmpty || isUnseen(Array(text.utf8)[end...]), "\(text.debugDescription)")
    }
  }

  /// Whether a piece of a text folds to nothing.
  private func isUnseen(_ utf8: ArraySlice<UInt8>) -> Bool {
    definition(String(decoding: utf8, as: UTF8.self)).isEmpty
  }

  @Test func bytesThatAreNoText() {
    for bytes: [UInt8] in [
      [0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80, 0x41], [0xF4, 0x90, 0x80, 0x80], [0x80, 0xCC],
    ] {
      var folder = TextFolder()
      bytes.withUnsafeBufferPointer { folder.fold($0, keepingPlaces: true) }
      let folded = folder.bytes
      #expect(String(validating: folded, as: UTF8.self) != nil)
      #expect(folder.original(of: folded.indices, textCount: bytes.count).upperBound <= bytes.count)
    }
  }
}
