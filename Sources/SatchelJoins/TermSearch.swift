internal import SatchelReading
internal import SatchelSearch

/// Finds the terms that have one of some patterns: in terms that are kept, and among others that stand one behind the other with a zero byte around
/// each.
struct TermSearch {
  private let searches: [ByteSearch]
  /// What ends terms that were cut: they are known of kept ones.
  private let cutMark: ByteSearch?
  /// Where the terms begin that were found among kept ones, each once, ascending.
  private(set) var places: [Int] = []
  /// The others that were found, each once.
  private(set) var others: Set<[UInt8]> = []

  /// - Parameter expressions: Ends and parts of terms, and the mark of those that were cut. Others find nothing.
  init(_ expressions: [SearchExpression]) {
    searches = expressions.compactMap { expression in
      // The zero byte is the end of a term.
      switch expression {
      case .suffix(let bytes): ByteSearch(bytes + [0])
      case .part(let bytes): ByteSearch(bytes)
      default: nil
      }
    }
    let asksForCut = expressions.contains { $0 == .cutTerm || $0 == .reading(.cutTerm) }
    cutMark = asksForCut ? ByteSearch([TextTerms.cutMark, 0]) : nil
  }

  /// How many were found; of those that are among the kept ones and the others some twice.
  var count: Int { places.count + others.count }

  /// Returns the terms that were found, each once, in the order of the tree.
  /// - Parameter kept: The terms that were looked through.
  func terms(_ kept: KeptTerms?) -> [[UInt8]] {
    var terms = others
    if let kept { for place in places { terms.insert(kept.term(at: place)) } }
    return terms.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Looks through terms.
  /// - Complexity: O(bytes) for each pattern.
  mutating func look(through terms: [UInt8]) {
    for search in searches + (cutMark.map { [$0] } ?? []) {
      unsafe terms.withUnsafeBufferPointer { bytes in
        unsafe search.forEach(in: bytes) { end in
          let first = unsafe Self.start(of: end - search.literal.count, in: bytes)
          var last = end - search.literal.count
          while unsafe last < bytes.count && bytes[last] != 0 { last += 1 }
          others.insert(unsafe [UInt8](bytes[first..<last]))
          return true
        }
      }
    }
  }

  /// Looks through terms that are kept. Once.
  /// - Complexity: O(bytes) for each pattern; if the terms are found by trigrams, O(lines with the rarest of its trigrams).
  mutating func look(through kept: KeptTerms) {
    for search in searches {
      unsafe kept.bytes.withUnsafeBufferPointer { bytes in
        kept.forEachRange(having: search.literal) { range in
          unsafe search.forEach(in: UnsafeBufferPointer(rebasing: bytes[range])) { end in
            let place = unsafe Self.start(of: range.lowerBound + end - search.literal.count, in: bytes)
            // A term may have it several times.
            if places.last != place { places.append(place) }
            return true
          }
        }
      }
    }
    if cutMark != nil { places += kept.cutTerms }
    guard searches.count > 1 || cutMark != nil else { return }
    places.sort()
    places = places.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Returns where the term begins that has a place in it.
  private static func start(of place: Int, in terms: UnsafeBufferPointer<UInt8>) -> Int {
    var first = place
    while first > 0, unsafe terms[first - 1] != 0 { first -= 1 }
    return first
  }
}
