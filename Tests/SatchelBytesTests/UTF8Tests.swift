import SatchelBytes
import Testing

/// Which bytes are texts: as the standard library says, however they lie between ASCII.
@Suite struct UTF8Tests {
  private func check(_ bytes: [UInt8]) {
    let expected = String(validating: bytes, as: UTF8.self)
    let isUTF8 = bytes.withUnsafeBytes { $0.isUTF8 }
    let text = bytes.withUnsafeBytes { String(utf8: $0) }
    #expect(isUTF8 == (expected != nil), "\(bytes)")
    #expect(text == expected, "\(bytes)")
  }

  @Test func oneAndTwoBytes() {
    check([])
    for first in UInt8.min ... .max {
      check([first])
      for second in UInt8.min ... .max { check([first, second]) }
    }
  }

  /// Every first byte, with second ones around the limits of each range, and every kind of end.
  @Test func longerOnes() {
    let edges: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for first in UInt8(0xC0) ... .max {
      for second in edges {
        for third in edges {
          check([first, second, third])
          for fourth in [UInt8(0x7F), 0x80, 0xBF, 0xC0] {
            check([first, second, third, fourth])
            // Behind and before eight bytes that are passed at once.
            check(Array("12345678".utf8) + [first, second, third, fourth] + Array("abcdefgh".utf8))
          }
        }
      }
    }
  }

  @Test func realTexts() {
    for text in ["Grüße 👋🏽 aus Köln", "漢字かな交じり文", "e\u{301}", "plain", "\u{FFFD}\u{10FFFF}"] {
      check(Array(text.utf8))
      for cut in 0..<text.utf8.count { check(Array(text.utf8.prefix(cut))) }
    }
  }
}
