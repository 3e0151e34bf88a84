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
    var words: [[UInt32]] = text.withUTF8 { utf8 in
      var segments = unsafe WordSegments(utf8)
      var words: [[UInt32]] = []
      while let range = unsafe segments.nextWord() {
        let word = unsafe FoldedScalars(UnsafeBufferPointer(rebasing: utf8[range]))
        var scalars: [UInt32] = []
        var index = 0
        while index < range.count {
          let (scalar, next) = unsafe word.read(at: index)
          scalars.append(scalar)
          index = next
        }
        words.append(scalars)
      }
      return words
    }
    words.sort { $0.lexicographicallyPrecedes($1) }
    // Behind a word stand first those that begin with it.
    let last = words.indices.last
    words = words.indices.filter { $0 == last || !words[$0 + 1].starts(with: words[$0]) }.map { words[$0] }
    scalars = words.flatMap(\.self)
    starts = words.reduce(into: [0]) { starts, word in
      starts.append(starts[starts.count - 1] + Int32(truncatingIfNeeded: word.count))
    }
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
