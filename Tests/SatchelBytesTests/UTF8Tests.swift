import SatchelBytes
import TestSupport
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

  /// Long ones, which are checked in blocks: every first byte with ends around the limits, at every place of a block.
  @Test func inBlocks() {
    let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for length in [26, 33, 48] {
      for place in 0..<length {
        for first in UInt8(0x7F) ... .max {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = first
          for (offset, next) in [0xBF, 0x80, 0x80].enumerated() where place + offset + 1 < length {
            check(bytes)
            bytes[place + offset + 1] = UInt8(next)
          }
          check(bytes)
        }
        for second in edges {
          for first: UInt8 in [0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4] where place + 4 < length {
            var bytes = [UInt8](repeating: 0x61, count: length)
            bytes.replaceSubrange(place..<place + 4, with: [first, second, 0x80, 0x80])
            check(bytes)
            bytes[place + 3] = 0x61
            check(bytes)
            bytes[place + 2] = 0x61
            check(bytes)
          }
        }
      }
    }
  }

  /// Random texts of all scripts, and what single changes and cuts make of them.
  @Test func randomTexts() {
    var random = SeededGenerator()
    for _ in 0..<20_000 {
      var text = ""
      let ceilings: [UInt32] = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF]
      let ceiling = ceilings[Int.random(in: 0..<4, using: &random)]
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        let isPlain = Bool.random(using: &random)
        let value = UInt32.random(in: 0...(isPlain ? 0x7F : ceiling), using: &random)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      var bytes = Array(text.utf8)
      check(bytes)
      guard !bytes.isEmpty else { continue }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0 ... .max, using: &random)
      check(bytes)
      check(Array(bytes.dropLast(Int.random(in: 0...3, using: &random))))
    }
  }
}
