import Foundation
import SatchelSearch
import TestSupport

/// Texts of many scripts, with their folded forms and where each of their words is.
struct RecallTexts {
  private let texts: [String]
  private let folded: [[UInt8]]
  private var numbersOfWords: [[UInt8]: [Int]] = [:]

  var count: Int { texts.count }
  subscript(number: Int) -> String { texts[number] }

  /// Makes texts up, or takes those of the file that `SATCHEL_CORPUS` names.
  init(_ random: inout SeededGenerator) throws {
    let path = ProcessInfo.processInfo.environment["SATCHEL_CORPUS"] ?? ""
    texts = path.isEmpty ? Self.madeUp(&random) : try Self.texts(ofFile: path)
    folded = texts.map(TextFolder.folded)
    for (number, bytes) in folded.enumerated() {
      let tokens = TextToken.all(of: bytes)
      let fragments = Self.fragments(of: tokens.filter { $0.kind == .word }.map(\.range), in: texts[number])
      for word in Set(tokens.map { Array(bytes[$0.range]) } + fragments) {
        numbersOfWords[word, default: []].append(number)
      }
    }
  }

  /// Returns what words, given by their places in the folded form, have between scalars that are not seen: what stands before such a scalar, up
  /// to a space, is folded by itself, and says how long it is.
  private static func fragments(of words: [Range<Int>], in text: String) -> [[UInt8]] {
    guard text.unicodeScalars.contains(where: isUnseen) else { return [] }
    var places: Set<Int> = []
    var folded: [UInt8] = []
    let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\n" }
    for piece in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isSpace) {
      for place in piece.indices where isUnseen(piece[place]) {
        places.insert(folded.count + TextFolder.folded(String(piece[..<place])).count)
      }
      folded += TextFolder.folded(String(piece)) + [0x20]
    }
    return words.flatMap { word -> [[UInt8]] in
      let cuts = word.dropFirst().filter(places.contains)
      guard !cuts.isEmpty else { return [] }
      return zip([word.lowerBound] + cuts, cuts + [word.upperBound]).map { Array(folded[$0..<$1]) }
    }
  }

  /// Whether a scalar is one of those that are not seen and that the texts have in their words.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format && scalar.properties.isDefaultIgnorableCodePoint
  }

  /// A text in quotation marks, as patterns have it.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  // MARK: What is there

  /// Returns the texts whose folded form has these bytes anywhere.
  func numbers(having part: [UInt8]) -> [Int] { texts.indices.filter { Self.has(folded[$0], part) } }

  /// Returns the texts among whose words and compounds this is.
  func numbers(ofWord word: [UInt8]) -> [Int] { numbersOfWords[word] ?? [] }

  private static func has(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      part.withUnsafeBufferPointer { part in
        guard text.count >= part.count else { return false }
        return (0...text.count - part.count).contains { start in
          text[start] == part[0] && part.indices.allSatisfy { text[start + $0] == part[$0] }
        }
      }
    }
  }

  // MARK: What is asked for

  /// Returns a piece of one of the texts, wherever words begin and end.
  func part(_ random: inout SeededGenerator) -> String {
    let scalars = Array(random.pick(texts).unicodeScalars)
    guard !scalars.isEmpty else { return "" }
    let start = random.below(scalars.count)
    // Mostly a part of a word, and now and then a piece with several.
    let length = 1 + random.below(random.oneIn(8) ? 30 : 5)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[start..<min(scalars.count, start + length)])
    return String(part)
  }

  /// Returns a word, a compound, a character or two of these of one of the texts, folded; nil if the text has none.
  func word(_ random: inout SeededGenerator) -> (bytes: [UInt8], isCharacter: Bool)? {
    let bytes = folded[random.below(count)]
    let tokens = TextToken.all(of: bytes)
    guard !tokens.isEmpty else { return nil }
    let place = random.below(tokens.count)
    let token = tokens[place]
    if token.kind == .nextCharacter, random.oneIn(2) {
      return (Array(bytes[tokens[place - 1].range.lowerBound..<token.range.upperBound]), true)
    }
    return (Array(bytes[token.range]), token.isCharacter)
  }

  // MARK: Texts

  private static let words = [
    "noon", "Noon", "NOON", "lunch", "luncheon", "moon", "at", "a", "I", "x2", "2nd", "3.14", "1,000",
    "10:30",
    "don't", "don’t", "o'clock", "example.org", "www.example.org", "bob@example.org",
    "https://example.org/a?b=c",
    "snake_case", "_x_", "K-팝", "C++", "über", "u\u{308}ber", "Café", "cafe\u{301}", "naïve", "Straße",
    "İstanbul",
    "Ærø", "ﬁne", "①②", "x²", "Ὀδυσσεύς", "καφές", "ΣΊΣΥΦΟΣ", "кофе", "ещё", "ЁЛКА", "שָׁלוֹם", "צה\"ל",
    "ג'ירפה",
    "مَرحَبًا", "قهوة", "سلام\u{200C}ها", "क्षमा", "हिन्दी", "চা", "வணக்கம்", "ภาษาไทย", "กาแฟ", "ສະບາຍດີ", "ភាសា", "မြန်မာ",
    "東京都", "京都", "咖啡", "𠮷野家", "數據庫", "かき", "か\u{3099}き\u{3099}", "カタカナ", "ｶﾀｶﾅ", "コーヒー", "iPhoneが2台", "국립",
    "한국어",
    "각", "\u{1100}\u{1161}\u{11A8}", "👍", "👍🏽", "👩\u{200D}👩\u{200D}👧\u{200D}👦", "🏳️\u{200D}🌈", "🇩🇪🇬🇷", "1️⃣",
    "❤️", "a\u{200B}b", "soft\u{AD}hyphen", "zero\u{200D}width", "\u{202E}rtl\u{202C}", "\u{FEFF}bom",
    "این\u{200C}ها", "اینها", "\u{2067}שלום\u{2069}", "don\u{2BC}t", "word\u{2060}joiner",
    "e\u{301}\u{327}",
    "\"quoted\"", "back\\slash", "*star*", "(paren)", "-minus", "NOT", "OR", "…", "—", "·", "a·b",
  ]

  private static func madeUp(_ random: inout SeededGenerator) -> [String] {
    var texts = [
      "", " ", "noon at noon", "שלום עולם noon קהוה", "السلام عليكم noon ورحمة الله",
      String(repeating: "ab", count: 40), String(repeating: "ab", count: 40) + "c",
      String(repeating: "é", count: 40), String(repeating: "東", count: 300),
    ]
    for _ in 0..<800 { texts.append(text(&random, words: 1 + random.below(12))) }
    // Contents of their own, of 64 KiB and about 300 bytes more or less.
    for _ in 0..<3 {
      var long = ""
      while long.utf8.count < 65_536 - 300 { long += text(&random, words: 40) + "\n" }
      texts.append(long)
      while long.utf8.count < 65_536 + 300 { long += " " + random.pick(words) }
      texts.append(long)
    }
    return texts
  }

  private static func text(_ random: inout SeededGenerator, words count: Int) -> String {
    (0..<count).reduce(into: "") { text, _ in
      text += random.pick(words) + random.pick([" ", " ", " ", "", ", ", ". ", "-", "\n", "'", "_", ":"])
    }
  }

  /// The texts of the parts of a file of the interchange format.
  private static func texts(ofFile path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").flatMap { line -> [String] in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let parts = object?["parts"] as? [[String: Any]] ?? []
      return parts.compactMap { $0["text"] as? String }
    }
  }
}
