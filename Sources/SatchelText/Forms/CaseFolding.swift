/// Unicode's simple case folding: one scalar becomes one scalar, independent of the locale. ß is not ss, and İ is not
/// i.
package enum CaseFolding {
  /// The Unicode version of the table as a store's header holds it: major × 65,536 + minor × 256 + update.
  package static var packedUnicodeVersion: UInt32 {
    unicodeVersion.split(separator: ".").reduce(0) { $0 << 8 | (UInt32($1) ?? 0) }
  }

  /// Returns the scalar that represents a scalar and all others that differ from it only in case.
  /// - Complexity: O(log n) in the about two hundred runs of the table; O(1) for ASCII.
  package static func fold(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return scalar &- 0x41 < 26 ? scalar | 0x20 : scalar }
    return foldBeyondASCII(scalar)
  }

  private static func foldBeyondASCII(_ scalar: UInt32) -> UInt32 {
    unsafe runs.withUnsafeBufferPointer { runs in
      let value = Int32(bitPattern: scalar)
      // The last run that begins at or before the scalar.
      var low = 0
      var high = runs.count / 4
      while low < high {
        let middle = (low + high) / 2
        if unsafe runs[middle * 4] <= value { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return scalar }
      let run = (low - 1) * 4
      let first = unsafe runs[run]
      guard unsafe value <= runs[run + 1], unsafe (value - first) % runs[run + 2] == 0 else { return scalar }
      return unsafe UInt32(bitPattern: value + runs[run + 3])
    }
  }
}
