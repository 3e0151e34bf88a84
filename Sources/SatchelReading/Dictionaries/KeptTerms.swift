internal import SatchelBytes
internal import Synchronization

/// All terms that an index of words has in its tree, one behind the other, with a zero byte around each: no term has one.
///
/// They are of one state of the tree, in which pending entries are not. If they are asked for again and again, they are found by their trigrams.
package final class KeptTerms: Sendable {
  /// The number of the index.
  let index: UInt32
  /// The state of the tree: see `Forest.state(of:)`.
  let state: (sequence: UInt64, count: UInt64)
  package let bytes: [UInt8]
  /// Those of each term.
  private let rows: [Rows]
  /// How many terms begin before each line.
  private let termsBefore: [UInt32]
  /// Where terms begin that were cut, ascending: each search for ends and parts of words asks for them.
  package let cutTerms: [Int]
  /// Whether some term has a byte.
  private let isThere: [Bool]
  /// In which lines trigrams are; nil as long as nobody has asked often.
  private let lines: TrigramLines?
  private let looks = Atomic(0)

  /// The least and the greatest row of a term.
  package struct Rows: Sendable {
    package let first: UInt64
    /// .max if it is not known.
    package let last: UInt64

    /// Whether it has one row alone.
    package var isOne: Bool { first == last }
  }

  /// More bytes of terms are not kept.
  static let maximumBytes = TrigramLines.maximumBytes
  /// So many looks at all terms cost about as much as it does to find out where trigrams are.
  private static let looksWorthLines = 8

  /// - Parameters:
  ///   - bytes: At most ``maximumBytes``: 0, and then each term and 0.
  ///   - rows: Of each term.
  ///   - cutMark: The last byte of terms that were cut.
  init(index: UInt32, state: (sequence: UInt64, count: UInt64), bytes: [UInt8], rows: [Rows], cutMark: UInt8)
  {
    self.index = index
    self.state = state
    self.bytes = bytes
    self.rows = rows
    var isThere = [Bool](repeating: false, count: 256)
    var termsBefore: [UInt32] = []
    var cutTerms: [Int] = []
    var start = 0
    var terms: UInt32 = 0
    for (place, byte) in bytes.enumerated() {
      if place % TrigramLines.lineBytes == 0 { termsBefore.append(terms) }
      isThere[Int(byte)] = true
      guard byte == 0 else { continue }
      terms += 1
      if place > 0, bytes[place - 1] == cutMark { cutTerms.append(start) }
      start = place + 1
    }
    self.isThere = isThere
    self.termsBefore = termsBefore
    self.cutTerms = cutTerms
    lines = nil
  }

  /// The same with what they are found by.
  init(_ terms: KeptTerms, lines: TrigramLines) {
    (index, state, bytes) = (terms.index, terms.state, terms.bytes)
    (rows, termsBefore, cutTerms, isThere) = (terms.rows, terms.termsBefore, terms.cutTerms, terms.isThere)
    self.lines = lines
  }

  /// Notes that terms are about to be looked for; returns true once: when they have been so often that lines are worth it.
  func isWorthLines() -> Bool {
    guard lines == nil else { return false }
    return looks.add(1, ordering: .relaxed).newValue == Self.looksWorthLines
  }

  /// Whether bytes may be in the terms: false if one of them is in none, as is what ends terms that were cut where no words are that long.
  package func mayHave(_ literal: [UInt8]) -> Bool { literal.allSatisfy { isThere[Int($0)] } }

  /// Calls `body` with parts of ``bytes``, ascending, in which the occurrences of some bytes are, each in one of them.
  package func forEachRange(having literal: [UInt8], _ body: (Range<Int>) -> Void) {
    guard mayHave(literal) else { return }
    guard let (lines, offset) = lines?.lines(having: literal) else { return body(bytes.indices) }
    for line in lines {
      // In this line the occurrence has the trigram that stands at the offset.
      let first = Int(line) * TrigramLines.lineBytes - offset
      let end = first + TrigramLines.lineBytes + literal.count - 1
      body(max(0, first)..<min(bytes.count, end))
    }
  }

  /// Returns the rows of the term that begins at a place.
  package func rows(ofTermAt place: Int) -> Rows {
    let line = place / TrigramLines.lineBytes
    var number = Int(termsBefore[line])
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for place in line * TrigramLines.lineBytes..<place { number &+= unsafe bytes[place] == 0 ? 1 : 0 }
    }
    // A zero byte is before the first term as well.
    return rows[number - 1]
  }

  /// Returns the term that begins at a place.
  package func term(at place: Int) -> [UInt8] {
    var end = place
    while bytes[end] != 0 { end += 1 }
    return Array(bytes[place..<end])
  }
}
