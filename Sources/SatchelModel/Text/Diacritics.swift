#if canImport(Darwin)
  import Foundation
#else
  @_spi(_Unicode) import Swift
#endif

/// Texts without their diacritics: decomposed canonically, nonspacing marks (general category Mn) dropped.
package enum Diacritics {
  /// The text without diacritics.
  package static func removed(from text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    result.reserveCapacity(text.utf8.count)
    #if canImport(Darwin)
      let decomposed = text.decomposedStringWithCanonicalMapping.unicodeScalars
    #else
      let decomposed = text._nfd
    #endif
    for scalar in decomposed where scalar.properties.generalCategory != .nonspacingMark {
      result.append(scalar)
    }
    return String(result)
  }

  /// The UTF-8 bytes without diacritics; nil where they are ASCII, which has none.
  static func removed(from utf8: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    if utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    return Array(removed(from: String(decoding: utf8, as: UTF8.self)).utf8)
  }
}
