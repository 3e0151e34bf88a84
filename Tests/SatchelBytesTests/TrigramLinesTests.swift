import SatchelBytes
import TestSupport
import Testing

@Suite struct TrigramLinesTests {
  /// No occurrence is left out, wherever it lies; and of bytes that are rare little is left.
  @Test func allOccurrencesAreInTheLines() {
    var random = SeededGenerator()
    for round in 0..<60 {
      let letters = UInt8(2 + random.below(30))
      let count = round < 8 ? round : random.below(20_000)
      let bytes = (0..<count).map { _ in UInt8(random.below(Int(letters))) }
      let lines = TrigramLines(of: bytes) {}
      for _ in 0..<20 {
        let length = 1 + random.below(12)
        // Mostly bytes that are there.
        let start = random.below(max(1, count - length))
        var literal = Array(bytes.dropFirst(start).prefix(length))
        if literal.isEmpty || random.oneIn(5) {
          literal = (0..<length).map { _ in UInt8(random.below(Int(letters))) }
        }
        guard let found = lines.lines(having: literal) else {
          #expect(literal.count < 3)
          continue
        }
        #expect(found.lines == found.lines.sorted() && found.offset + 3 <= literal.count)
        for place in stride(from: 0, through: count - literal.count, by: 1)
        where bytes[place..<place + literal.count].elementsEqual(literal) {
          let line = UInt16((place + found.offset) / TrigramLines.lineBytes)
          #expect(found.lines.contains(line), "\(literal) at \(place) of \(count)")
        }
      }
    }
  }

  @Test func rareBytesHaveFewLines() {
    var random = SeededGenerator()
    let bytes = (0..<100_000).map { _ in UInt8(97 + random.below(8)) }
    let lines = TrigramLines(of: bytes) {}
    // Of 391 lines, five letters of eight are in one of some 33,000 places.
    #expect(lines.lines(having: Array(bytes[50_000..<50_007])).map { $0.lines.count < 60 } == true)
    #expect(lines.lines(having: Array("xyz".utf8)).map(\.lines.isEmpty) == true)
  }
}
