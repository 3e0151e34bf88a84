/// Unicode's Normalization Form C, in which texts are compared, sorted and matched.
package enum NFC {
  /// The lowest first byte of a scalar from U+0300 on. A text without such bytes is its own NFC.
  private static let firstComposing: UInt8 = 0xCC

  /// Returns true only if UTF-8 bytes are in NFC: a quick answer for nearly all text in the scripts of living languages, with emoji.
  package static func isSurelyNormalized(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var offset = 0
    var isBehindInert = false
    while offset < utf8.count {
      let first = unsafe utf8[offset]
      if first < firstComposing {
        offset += 1
        isBehindInert = true
        continue
      }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard offset + length <= utf8.count else { return false }
      var scalar = UInt32(first) & (0x7F >> UInt32(length))
      for place in offset + 1..<offset + length { scalar = scalar << 6 | UInt32(unsafe utf8[place] & 0x3F) }
      if isInert(scalar) {
        isBehindInert = true
      } else {
        guard isBehindInert, isMark(scalar) else { return false }
        isBehindInert = false
      }
      offset += length
    }
    return true
  }

  /// Whether a scalar from U+0300 on is one of many that no normalization changes, that compose with no scalar before them, and that are
  /// never moved: its NFC_Quick_Check is Yes, and its combining class is 0. A text of such scalars alone is in NFC (UAX #15, 9).
  private static func isInert(_ scalar: UInt32) -> Bool {
    switch scalar {
    // Greek, Cyrillic, Armenian, Hebrew and Arabic letters, Georgian, Ethiopic, and Latin letters of Vietnamese.
    case 0x038E...0x0482, 0x048A...0x052F, 0x0531...0x0556, 0x0559...0x058A, 0x05D0...0x05EA, 0x060C...0x060F,
      0x061B...0x064A, 0x0660...0x066F, 0x0671...0x06D5, 0x06EE...0x06FF, 0x10A0...0x10FF, 0x1200...0x135A,
      0x1E00...0x1EFF:
      true
    // Letters and vowel signs of Devanagari, Bengali, Gurmukhi, Gujarati, Tamil, Telugu, Kannada and Malayalam.
    case 0x0900...0x093B, 0x093D...0x094C, 0x0964...0x097F, 0x0985...0x09B9, 0x09BF...0x09CC, 0x09E6...0x09FD,
      0x0A05...0x0A32, 0x0A3E...0x0A4C, 0x0A66...0x0A76, 0x0A85...0x0AB9, 0x0ABD...0x0ACC, 0x0AE6...0x0AF1,
      0x0B83...0x0BB9, 0x0BBF...0x0BCC, 0x0BE6...0x0BFA, 0x0C05...0x0C39, 0x0C3D...0x0C4C, 0x0C66...0x0C6F,
      0x0C85...0x0CB9, 0x0CC3...0x0CCC, 0x0CE6...0x0CEF, 0x0D05...0x0D3A, 0x0D3F...0x0D4C, 0x0D66...0x0D7F:
      true
    // Thai, Lao and Khmer.
    case 0x0E01...0x0E37, 0x0E3F...0x0E47, 0x0E4C...0x0E5B, 0x0E81...0x0EB7, 0x0EBB...0x0EC6, 0x0ED0...0x0EDF,
      0x1780...0x17D1, 0x17D4...0x17DC, 0x17E0...0x17E9:
      true
    // Han, Hangul syllables, kana and wide forms.
    case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
      0xFF01...0xFF9F:
      true
    // Punctuation, symbols, emoji and what joins them.
    case 0x200B...0x2027, 0x202A...0x205E, 0x20A0...0x20C0, 0x2190...0x21FF, 0x2500...0x2ADB, 0xFE0F,
      0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF:
      true
    default: false
    }
  }

  /// Whether a scalar is a mark that composes with no scalar before it. Behind an inert scalar it stays where it is; a second mark could
  /// have to come before it.
  private static func isMark(_ scalar: UInt32) -> Bool {
    switch scalar {
    // Arabic vowels; viramas; tones and lower vowels of Thai and Lao.
    case 0x064B...0x0652, 0x0670, 0x094D, 0x09CD, 0x0A4D, 0x0ACD, 0x0BCD, 0x0C4D, 0x0CCD, 0x0D4D,
      0x0E38...0x0E3A,
      0x0E48...0x0E4B, 0x0EB8...0x0EBA, 0x0EC8...0x0ECB, 0x17D2:
      true
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
