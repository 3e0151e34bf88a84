internal import SatchelSearch

/// Finds the terms that have one of some patterns, among terms that stand one behind the other with a zero byte around each.
struct TermSearch {
  private let searches: [ByteSearch]
  /// Those that were found, each once.
  private(set) var found: Set<[UInt8]> = []

  /// - Parameter expressions: Ends and parts of terms, and the mark of those that were cut. Others find nothing.
  init(_ expressions: [SearchExpression]) {
    searches = expressions.compactMap { expression in
      // The zero byte is the end of a term.
      switch expression {
      case .suffix(let bytes): ByteSearch(bytes + [0])
      case .part(let bytes): ByteSearch(bytes)
      case .cutTerm, .reading(.cutTerm): ByteSearch([TextTerms.cutMark, 0])
      default: nil
      }
    }
  }

  /// Looks through terms.
  /// - Parameter mayHave: Whether bytes may be in them.
  /// - Complexity: O(bytes) for each pattern.
  mutating func look(through terms: [UInt8], mayHave: ([UInt8]) -> Bool = { _ in true }) {
    for search in searches where mayHave(search.literal) {
      unsafe terms.withUnsafeBufferPointer { bytes in
        unsafe search.forEach(in: bytes) { end in
          var (first, last) = (end - search.literal.count, end - search.literal.count)
          while first > 0, unsafe bytes[first - 1] != 0 { first -= 1 }
          while unsafe last < bytes.count && bytes[last] != 0 { last += 1 }
          found.insert(unsafe [UInt8](bytes[first..<last]))
          return true
        }
      }
    }
  }
}
