/// The words of one text, without case and diacritics and in ascending order, so that many patterns find in it what they begin with
/// without reading it again.
package struct FoldedWords: Sendable {
  /// The scalars of all words, one behind the other, in the order of the text.
  let scalars: [UInt32]
  /// Where each word is among the scalars. The words are in ascending order.
  let words: [Range<Int>]

  /// - Complexity: O(text + words · log(words)).
  package init(_ utf8: UnsafeBufferPointer<UInt8>) {
    var steps = NoStepCount()
    if let plain = unsafe Diacritics.removed(from: utf8, counting: &steps) {
      self = unsafe plain.withUnsafeBufferPointer { unsafe FoldedWords(plain: $0) }
    } else {
      unsafe self.init(plain: utf8)
    }
  }

  /// - Parameter utf8: A text whose diacritics, if they are to be ignored, are removed already.
  init(plain utf8: UnsafeBufferPointer<UInt8>) {
    let text = unsafe FoldedScalars(utf8)
    var scalars: [UInt32] = []
    var words: [Range<Int>] = []
    var segments = unsafe WordSegments(utf8)
    while let word = unsafe segments.nextWord() {
      let start = scalars.count
      var index = word.lowerBound
      while index < word.upperBound {
        let (scalar, next) = unsafe text.read(at: index)
        scalars.append(scalar)
        index = next
      }
      words.append(start..<scalars.count)
    }
    unsafe scalars.withUnsafeBufferPointer { scalars in
      words.sort { unsafe Self.isLess(scalars, $0, scalars, $1) }
    }
    self.scalars = scalars
    self.words = words
  }

  /// Returns whether some word begins with scalars of another array.
  /// - Complexity: O(log(words) · scalars in the range).
  func hasWord(beginningWith range: Range<Int>, of others: UnsafeBufferPointer<UInt32>) -> Bool {
    unsafe scalars.withUnsafeBufferPointer { scalars in
      // A word that begins with them is not less, and is before all others that are not.
      var (low, high) = (0, words.count)
      while low < high {
        let middle = (low + high) / 2
        if unsafe Self.isLess(scalars, words[middle], others, range) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      guard low < words.count, words[low].count >= range.count else { return false }
      let start = words[low].lowerBound
      return (0..<range.count).allSatisfy {
        unsafe scalars[start + $0] == others[range.lowerBound + $0]
      }
    }
  }

  private static func isLess(
    _ left: UnsafeBufferPointer<UInt32>, _ leftRange: Range<Int>, _ right: UnsafeBufferPointer<UInt32>,
    _ rightRange: Range<Int>
  ) -> Bool {
    for offset in 0..<min(leftRange.count, rightRange.count) {
      let scalar = unsafe left[leftRange.lowerBound + offset]
      let other = unsafe right[rightRange.lowerBound + offset]
      if scalar != other { return scalar < other }
    }
    return leftRange.count < rightRange.count
  }
}
