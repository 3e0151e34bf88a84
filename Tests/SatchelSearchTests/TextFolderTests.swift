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
      checkPlaces(of: text, folder)
    }
  }

  /// The places lead from each scalar of the folded text to whole scalars of the original, and leave nothing out but what is not seen.
  private func checkPlaces(of text: String, _ folder: TextFolder) {
    let count = text.utf8.count
    var groups: [(original: Range<Int>, folded: [UInt8])] = []
    var start = 0
    for scalar in String(decoding: folder.bytes, as: UTF8.self).unicodeScalars {
      let utf8 = Array(String(scalar).utf8)
      let original = folder.original(of: start..<start + utf8.count, textCount: count)
      start += utf8.count
      if groups.last?.original == original {
        groups[groups.count - 1].folded += utf8
      } else {
        groups.append((original, utf8))
      }
    }
    var end = 0
    for group in groups {
      #expect(group.original.lowerBound >= end, "\(text.debugDescription)")
      #expect(isUnseen(text, end..<max(end, group.original.lowerBound)), "\(text.debugDescription)")
      end = group.original.upperBound
      let utf8 = Array(text.utf8)[group.original]
      #expect(definition(String(decoding: utf8, as: UTF8.self)) == group.folded, "\(text.debugDescription)")
      // A joiner belongs to the scalar before it; nothing else that is not seen is at an edge.
      let scalars = String(decoding: utf8, as: UTF8.self).unicodeScalars
      for edge in [scalars.first, scalars.last].compactMap(\.self)
      where !["\u{200C}", "\u{200D}"].contains(edge) {
        #expect(!NaiveFolding.isInvisible(edge), "\(text.debugDescription)")
      }
    }
    #expect(isUnseen(text, end..<count), "\(text.debugDescription)")
  }

  /// Whether a part of a text folds to nothing.
  private func isUnseen(_ text: String, _ range: Range<Int>) -> Bool {
    definition(String(decoding: Array(text.utf8)[range], as: UTF8.self)).isEmpty
  }

  /// A text that folding makes neither longer nor shorter needs one place, one whose scalars change needs one for each run.
  @Test(arguments: [
    ("x", 1), ("Ab", 1), ("\u{41F}\u{440}", 1), ("東京 ", 1), ("\u{1F600}", 1), ("é", 1000), ("aé", 1000),
    ("\u{1D15E}", 1000), ("\u{23A}\u{1E9E}", 2000),
    ("\u{AD}", 1), ("a\u{AD}", 2000), ("a\u{AD}\u{200C}\u{200B}", 2000), ("a\u{200C}", 1000),
    ("\u{1112}\u{302E}\u{AD}", 2000),
  ])
  func placesKept(_ piece: String, _ most: Int) {
    var folder = TextFolder()
    var text = String(repeating: piece, count: 1000)
    text.withUTF8 { folder.fold($0, keepingPlaces: true) }
    #expect(folder.places.count <= most)
    checkPlaces(of: text, folder)
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
