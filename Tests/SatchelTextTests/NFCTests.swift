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

  /// Every scalar that the quick check passes is its own NFC, alone and after a letter, is never moved, and composes with nothing before it.
  @Test func quickCheck() {
    var quick = 0
    for value in UInt32(0)..<0x11_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      for part in parts.dropFirst() {
        #expect(!Self.isQuick(String(part)), "\(String(part.value, radix: 16)) composes")
      }
      let text = "a" + String(scalar)
      guard Self.isQuick(text) else { continue }
      quick += 1
      #expect(scalar.properties.canonicalCombiningClass == .notReordered)
      // With something behind it that is not quick, so that the text takes the long way.
      let bytes = Array(text.utf8)
      #expect(Array(NFC.bytes(text + "b\u{e38}").prefix(bytes.count)) == bytes, "\(String(value, radix: 16))")
    }
    #expect(quick > 40_000)
  }

  @Test func whatIsQuick() {
    for text in [
      "plain", "Crème", "Ελληνικά", "Привет, мир", "שלום", "مرحبا", "你好，世界。", "こんにちは", "カタカナ", "안녕", "👍🏽 👨‍👩‍👧 ❤️",
      "“…”",
    ] { #expect(Self.isQuick(text), "\(text)") }
    for text in [
      "e\u{301}", "\u{1112}\u{1161}", "か\u{3099}", "\u{212B}", "\u{387}", "\u{F900}", "ไทย\u{e38}",
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
