/// Unicode's Normalization Form C, in which texts are compared, sorted and matched.
package enum NFC {
  /// The least first byte of a scalar from U+0300 on: below, every text is its own NFC.
  private static let firstComposing: UInt8 = 0xCC

  /// True when bytes of UTF-8 surely are in NFC; the quick answer for nearly all text of Latin letters.
  package static func isSurelyNormalized(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.allSatisfy { $0 < firstComposing }
  }

  /// The text in NFC.
  /// - Complexity: O(text), whatever the text.
  package static func normalized(_ text: String) -> String {
    var steps = NoStepCount()
    return normalized(text, counting: &steps)
  }

  /// The text in NFC, with the steps that it takes.
  package static func normalized(_ text: String, counting steps: inout some StepCount) -> String {
    if text.utf8.allSatisfy({ $0 < firstComposing }) { return text }
    return CanonicalForm.composed.of(text, counting: &steps)
  }

  /// The UTF-8 bytes of the text in NFC.
  package static func bytes(_ text: String) -> [UInt8] { Array(normalized(text).utf8) }

  /// Runs a body with the NFC of UTF-8 bytes; without a copy where they surely are in NFC already.
  package static func withNormalized<Result, Failure: Error>(
    _ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isSurelyNormalized(utf8) { return try body(utf8) }
    let normalized = bytes(String(decoding: utf8, as: UTF8.self))
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: normalized.count)
    defer { buffer.deallocate() }
    _ = buffer.initialize(from: normalized)
    return try body(UnsafeBufferPointer(buffer))
  }
}
