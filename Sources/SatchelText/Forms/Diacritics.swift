/// Removes diacritics from texts: decomposes them canonically, drops nonspacing marks (general category Mn), and composes what is left, so
/// that a Hangul syllable stays one scalar.
package enum Diacritics {
  /// Returns the text without diacritics.
  /// - Complexity: O(text), for any text.
  package static func removed(from text: String) -> String {
    var steps = NoStepCount()
    return removed(from: text, counting: &steps)
  }

  /// Returns the text without diacritics, and counts the steps that this takes.
  package static func removed(from text: String, counting steps: inout some StepCount) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    result.reserveCapacity(text.utf8.count)
    for scalar in CanonicalForm.decomposed.of(text, counting: &steps).unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      result.append(scalar)
    }
    return CanonicalForm.composed.of(String(result), counting: &steps)
  }

  /// Returns UTF-8 bytes without diacritics; nil if they are ASCII, which has none.
  static func removed(
    from utf8: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount
  ) -> [UInt8]? {
    steps.add(utf8.count)
    var isASCII = true
    var isLatin = true
    for index in 0..<utf8.count {
      let byte = unsafe utf8[index]
      if byte >= 0x80 { isASCII = false }
      if byte >= 0xCC { isLatin = false }
    }
    if isASCII { return nil }
    if isLatin, let plain = unsafe removedFromLatin(utf8) { return plain }
    return unsafe Array(removed(from: String(decoding: utf8, as: UTF8.self), counting: &steps).utf8)
  }

  /// Does the same for scalars below U+0300, with a table instead of a string; nil if the bytes are not UTF-8.
  private static func removedFromLatin(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    var index = 0
    while index < utf8.count {
      let first = unsafe utf8[index]
      if first < 0x80 {
        result.append(first)
        index += 1
        continue
      }
      guard first >= 0xC2, index + 1 < utf8.count, unsafe utf8[index + 1] & 0xC0 == 0x80 else { return nil }
      let plain = unsafe latin[Int(first & 0x1F) << 6 + Int(utf8[index + 1] & 0x3F) - 0x80]
      if plain < 0x80 {
        result.append(UInt8(plain))
      } else {
        result.append(0xC0 | UInt8(plain >> 6))
        result.append(0x80 | UInt8(plain & 0x3F))
      }
      index += 2
    }
    return result
  }

  /// The scalars from U+0080 to U+02FF without their diacritics. Each becomes one scalar of that range or of ASCII.
  private static let latin: [UInt16] = (UInt16(0x80)..<0x300).map { value in
    let plain = Unicode.Scalar(value).flatMap { removed(from: String($0)).unicodeScalars.first }
    return plain.map { UInt16(truncatingIfNeeded: $0.value) } ?? value
  }
}
