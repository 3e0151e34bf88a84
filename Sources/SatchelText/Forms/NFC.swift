/// Unicode's Normalization Form C, in which texts are compared, sorted and matched.
package enum NFC {
  /// The lowest first byte of a scalar from U+0300 on. A text without such bytes is its own NFC.
  private static let firstComposing: UInt8 = 0xCC

  /// Returns true only if UTF-8 bytes are in NFC: a quick answer for nearly all text in Latin, Greek, Cyrillic, Chinese, Japanese and Korean
  /// letters, with emoji.
  package static func isSurelyNormalized(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var offset = 0
    while offset < utf8.count {
      let first = unsafe utf8[offset]
      if first < firstComposing {
        offset += 1
        continue
      }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard offset + length <= utf8.count else { return false }
      var scalar = UInt32(first) & (0x7F >> UInt32(length))
      for place in offset + 1..<offset + length { scalar = scalar << 6 | UInt32(unsafe utf8[place] & 0x3F) }
      guard isInert(scalar) else { return false }
      offset += length
    }
    return true
  }

  /// Whether a scalar from U+0300 on is one of many that no normalization changes, that compose with no scalar before them, and that are
  /// never moved: its NFC_Quick_Check is Yes, and its combining class is 0. A text of such scalars alone is in NFC (UAX #15, 9).
  private static func isInert(_ scalar: UInt32) -> Bool {
    switch scalar {
    // Han, Hangul syllables, kana.
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x309B...0x30FF, 0x3400...0x4DBF: true
    // Greek, Cyrillic, Hebrew and Arabic letters.
    case 0x038E...0x0482, 0x048A...0x052F, 0x05D0...0x05EA, 0x0621...0x064A, 0x0660...0x066F: true
    // Punctuation, wide forms, variation selectors.
    case 0x2010...0x2027, 0x2030...0x205E, 0x3001...0x3029, 0xFF01...0xFF5E, 0x200D, 0xFE0F: true
    // Symbols and emoji.
    case 0x2600...0x27BF, 0x1F300...0x1FAFF: true
    default: false
    }
  }

  /// Returns the text in NFC.
  /// - Complexity: O(text), for any text.
  package static func normalized(_ text: String) -> String {
    var steps = NoStepCount()
    return normalized(text, counting: &steps)
  }

  /// Returns the text in NFC, and counts the steps that this takes.
  package static func normalized(_ text: String, counting steps: inout some StepCount) -> String {
    var text = text
    if text.withUTF8({ unsafe isSurelyNormalized($0) }) { return text }
    return CanonicalForm.composed.of(text, counting: &steps)
  }

  /// Returns the UTF-8 bytes of the text in NFC.
  package static func bytes(_ text: String) -> [UInt8] { Array(normalized(text).utf8) }

  /// Calls `body` with the NFC of UTF-8 bytes; without a copy if they are surely in NFC already.
  package static func withNormalized<Result, Failure: Error>(
    _ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if unsafe isSurelyNormalized(utf8) { return unsafe try body(utf8) }
    let normalized = unsafe bytes(String(decoding: utf8, as: UTF8.self))
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: normalized.count)
    defer { unsafe buffer.deallocate() }
    _ = unsafe buffer.initialize(from: normalized)
    return unsafe try body(UnsafeBufferPointer(buffer))
  }
}
