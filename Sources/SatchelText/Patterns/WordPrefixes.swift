/// Beginnings of words, each of which some word of a text has to begin with, in any order: the operand of AUTOCOMPLETE.
///
/// They are case-folded scalars. One that is the beginning of another is left out: where the other is found, it is. So a word of a text
/// begins with at most one of them, and it is found by bisection.
struct WordPrefixes: Sendable {
  /// The scalars of all of them, one behind the other; they are in ascending order.
  private let scalars: [UInt32]
  /// Where each begins among the scalars, and behind the last one where it ends.
  private let starts: [Int32]

  private var count: Int { starts.count - 1 }
  var isEmpty: Bool { scalars.isEmpty }

  /// - Parameter text: The words, as `WordSegments` finds them, without diacritics if texts are.
  init(_ text: String) {
    var text = text
    let folded = text.withUTF8 { unsafe FoldedWords(plain: $0) }
    let words = folded.words.map { folded.scalars[$0] }
    var scalars: [UInt32] = []
    var starts: [Int32] = [0]
    for (index, word) in words.enumerated() {
      // Behind a word stand first those that begin with it.
      if index + 1 < words.count, words[index + 1].starts(with: word) { continue }
      scalars += word
      starts.append(Int32(truncatingIfNeeded: scalars.count))
    }
    self.scalars = scalars
    self.starts = starts
  }

  /// Returns whether each of them begins a word of a text; false if there are none.
  /// - Complexity: O(text · log(count)).
  func areFound(in utf8: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount) -> Bool {
    guard count > 0 else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: Bool.self, capacity: count) { isFound in
      unsafe isFound.initialize(repeating: false)
      var missing = count
      let text = unsafe FoldedScalars(utf8)
      var segments = unsafe WordSegments(utf8)
      while let word = unsafe segments.nextWord() {
        steps.add(1)
        guard let index = unsafe index(atBeginningOf: word, of: text, counting: &steps),
          unsafe !isFound[index]
        else { continue }
        unsafe isFound[index] = true
        missing -= 1
        if missing == 0 { break }
      }
      unsafe steps.add(segments.scalarsRead)
      return missing == 0
    }
  }

  /// Returns whether each of them begins one of a text's words; false if there are none.
  /// - Complexity: O(scalars of all of them · log(words)).
  func areFound(in words: FoldedWords) -> Bool {
    guard count > 0 else { return false }
    return unsafe scalars.withUnsafeBufferPointer { scalars in
      (0..<count).allSatisfy {
        unsafe words.hasWord(beginningWith: Int(starts[$0])..<Int(starts[$0 + 1]), of: scalars)
      }
    }
  }

  /// Returns which of them a word of a text begins with.
  private func index(
    atBeginningOf word: Range<Int>, of text: FoldedScalars, counting steps: inout some StepCount
  ) -> Int? {
    unsafe scalars.withUnsafeBufferPointer { scalars in
      unsafe starts.withUnsafeBufferPointer { starts in
        // Those that begin with as many scalars of the word as `depth` says.
        var candidates = 0..<starts.count - 1
        var depth = 0
        var index = word.lowerBound
        while true {
          let first = candidates.lowerBound
          if unsafe Int(starts[first + 1] - starts[first]) == depth { return first }
          guard index < word.upperBound else { return nil }
          let (scalar, next) = unsafe text.read(at: index)
          index = next
          /// Returns the first candidate whose next scalar is not less.
          func firstCandidate(from scalar: UInt32) -> Int {
            var (low, high) = (candidates.lowerBound, candidates.upperBound)
            while low < high {
              steps.add(1)
              let middle = (low + high) / 2
              if unsafe scalars[Int(starts[middle]) + depth] < scalar {
                low = middle + 1
              } else {
                high = middle
              }
            }
            return low
          }
          let lower = firstCandidate(from: scalar)
          let upper = firstCandidate(from: scalar + 1)
          guard lower < upper else { return nil }
          candidates = lower..<upper
          depth += 1
        }
      }
    }
  }
}
