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

  /// Every scalar below the quick check's bound is its own NFC, alone and after a letter.
  @Test func quickCheck() {
    var quick = 0
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a" + String(scalar)
      let bytes = Array(text.utf8)
      guard bytes.withUnsafeBufferPointer({ NFC.isSurelyNormalized($0) }) else { continue }
      quick += 1
      // With something behind it that is not quick, so that the text takes the long way.
      #expect(Array(NFC.bytes(text + "b\u{3042}").prefix(bytes.count)) == bytes)
    }
    #expect(quick == 0x300)
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
