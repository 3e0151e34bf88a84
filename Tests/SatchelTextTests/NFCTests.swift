import Foundation
import SatchelText
import Testing

@Suite struct NFCTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}"), ("A\u{30A}", "\u{C5}"),
    ("\u{C5}", "\u{C5}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"),
    ("\u{212A}", "K"), ("\u{FB01}", "\u{FB01}"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("\u{301}", "\u{301}"),
    ("\u{958}", "\u{915}\u{93C}"),
  ])
  func normalizes(_ text: String, _ expected: String) {
    let bytes = Array(expected.utf8)
    #expect(NFC.bytes(text) == bytes)
    let viaBytes = Array(text.utf8).withUnsafeBufferPointer { NFC.withNormalized($0) { Array($0) } }
    #expect(viaBytes == bytes)
    #expect(Array(NFC.normalized(expected).utf8) == bytes)
  }

  private static func isQuick(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { NFC.isSurelyNormalized($0) }
  }

  /// Every scalar that the quick check passes behind a letter is its own NFC and composes with nothing before it. It is never moved, or it
  /// is a mark, and then no mark passes behind it.
  @Test func quickCheck() {
    var quick = 0
    var marks: [Unicode.Scalar] = []
    var composed: [Unicode.Scalar] = []
    for value in UInt32(0)..<0x11_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      for part in parts.dropFirst() where part.properties.canonicalCombiningClass == .notReordered {
        #expect(!Self.isQuick("a" + String(part)), "\(String(part.value, radix: 16)) composes")
      }
      if let first = parts.first, parts.count > 1,
        String(scalar).precomposedStringWithCanonicalMapping.unicodeScalars.count == 1
      {
        for part in parts.dropFirst() {
          #expect(
            !Self.isQuick("a" + String(part)), "\(String(part.value, radix: 16)) composes with \(first)")
        }
      }
      let text = "a" + String(scalar)
      guard Self.isQuick(text) else { continue }
      quick += 1
      if scalar.properties.canonicalCombiningClass != .notReordered { marks.append(scalar) }
      if parts.count > 1, !("가"..."힣").contains(scalar) { composed.append(scalar) }
      // With something behind it that is not quick, so that the text takes the long way.
      let bytes = Array(text.utf8)
      #expect(
        Array(NFC.bytes(text + "b\u{301}\u{323}").prefix(bytes.count)) == bytes, "\(String(value, radix: 16))"
      )
    }
    #expect(quick > 40_000)
    #expect(marks.count > 20)
    var onComposed = 0
    for mark in marks {
      #expect(!Self.isQuick(String(mark)))
      for other in marks { #expect(!Self.isQuick("a" + String(mark) + String(other))) }
      // Taken apart, a letter has marks of its own, before which this one may come.
      for letter in composed + ["가", "힣"] {
        let text = String(letter) + String(mark)
        guard Self.isQuick(text) else { continue }
        onComposed += 1
        let normalized = text.precomposedStringWithCanonicalMapping
        #expect(Array(normalized.utf8) == Array(text.utf8), "\(text.unicodeScalars.map { $0.value })")
      }
    }
    #expect(onComposed > 10_000)
  }

  @Test func whatIsQuick() {
    for text in [
      "plain", "Crème", "Ελληνικά", "Привет, мир", "שלום", "مرحبا", "你好，世界。", "こんにちは", "カタカナ", "안녕", "👍🏽 👨‍👩‍👧 ❤️",
      "“…”", "हिन्दी", "நன்றி", "ภาษาไทยดีที่สุด", "ລາວ", "کتاب؟", "ខ្មែរ", "Tiếng Việt", "አማርኛ", "🇩🇪", "مَرحَبا",
    ] { #expect(Self.isQuick(text), "\(text)") }
    for text in [
      "e\u{301}", "\u{1112}\u{1161}", "か\u{3099}", "\u{212B}", "\u{387}", "\u{F900}", "ไทย\u{e38}\u{e38}",
      "क\u{93C}", "\u{94D}", "ক\u{9BE}", "ل\u{653}", "a\u{64E}\u{651}",
    ] {
      #expect(!Self.isQuick(text), "\(text)")
    }
    // What is cut off in the middle is none.
    #expect(![0xE4, 0xBD].withUnsafeBufferPointer { NFC.isSurelyNormalized($0) })
  }

  @Test func diacritics() {
    for (text, expected) in [
      ("Crème Brûlée", "Creme Brulee"), ("Å", "A"), ("\u{212B}", "A"), ("ø", "ø"), ("Việt", "Viet"),
      ("й", "и"),
      ("plain", "plain"), ("\u{301}", ""), ("\u{AC01}", "\u{AC01}"),
    ] {
      #expect(Diacritics.removed(from: text).utf8.elementsEqual(expected.utf8))
    }
  }
}
