import SatchelSearch
import TestSupport
import Testing

@Suite struct ByteSearchTests {
  /// Each occurrence is found, also where it overlaps another one, at whatever place of the eight that are looked at in one step.
  @Test func findsWhatIsThere() {
    var random = SeededGenerator()
    var occurrences = 0
    for _ in 0..<TestEnvironment.rounds(5000) {
      let letters = 1 + random.below(3)
      let text = (0..<random.below(80)).map { _ in [0, 0x7F, 0x80, 0xFF][random.below(letters + 1)] as UInt8 }
      let start = random.below(text.count + 1)
      let piece = Array(text[start...].prefix(1 + random.below(12)))
      let literal = piece.isEmpty || random.oneIn(4) ? [0x80, random.oneIn(2) ? 0xFF : 0] : piece
      let expected = text.indices.filter { text[$0...].starts(with: literal) }.map { $0 + literal.count }
      let search = ByteSearch(literal)
      var found: [Int] = []
      text.withUnsafeBufferPointer {
        search.forEach(in: $0) {
          found.append($0)
          return true
        }
      }
      #expect(found == expected, "\(literal) in \(text)")
      occurrences += found.count
      var first: [Int] = []
      text.withUnsafeBufferPointer {
        search.forEach(in: $0) {
          first.append($0)
          return false
        }
      }
      #expect(first == Array(expected.prefix(1)), "\(literal) in \(text)")
    }
    #expect(occurrences > 0)
  }
}
