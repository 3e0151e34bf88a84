/// The letters of scripts that are searched character by character: Han, kana, Hangul, and scripts without spaces between words (Thai, Lao,
/// Khmer, Myanmar, Tai Le, New Tai Lue, Tai Tham, Tai Viet).
package enum UnspacedScripts {
  /// - Complexity: O(log n) in the about a hundred runs of the table; O(1) for most scalars.
  package static func contains(_ scalar: UInt32) -> Bool {
    if scalar < 0xE01 { return false }
    if scalar &- 0x4E00 < 0x5200 || scalar &- 0xAC00 < 0x2BA4 { return true }
    return unsafe runs.withUnsafeBufferPointer { runs in
      var (low, high) = (0, runs.count / 2)
      while low < high {
        let middle = (low + high) / 2
        if unsafe runs[middle * 2] <= scalar { low = middle + 1 } else { high = middle }
      }
      return unsafe low > 0 && scalar <= runs[low * 2 - 1]
    }
  }
}
