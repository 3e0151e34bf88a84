/// Unicode's Normalization Form C, in which texts are compared, sorted and matched.
package enum NFC {
  /// The lowest first byte of a scalar from U+0300 on. A text without such bytes is its own NFC.
  private static let firstComposing: UInt8 = 0xCC

  /// Returns true only if UTF-8 bytes are in NFC: a quick answer for nearly all text in Latin letters.
  package static func isSurelyNormalized(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe utf8.allSatisfy { $0 < firstComposing }
  }

  /// Returns the text in NFC.
  /// - Complexity: O(text), for any text.
  package static func normalized(_ text: String) -> String {
    var steps = NoStepCount()
    return normalized(text, counting: &steps)
  }

  /// Returns the text in NFC, and counts the steps that this takes.
  package static func normalized(_ text: String, counting steps: inout some StepCount) -> String {
    if text.utf8.allSatisfy({ $0 < firstComposing }) { return text }
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
