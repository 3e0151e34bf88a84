/// What a scalar means for the boundaries of words, in a byte: its class of Unicode's property Word_Break, whether it is
/// Extended_Pictographic, and whether it makes a word of a segment.
///
/// **What a word is, is decided here and in ``WordSegments``**: a segment between two boundaries that has a letter or a number, that is a
/// scalar of Unicode's property Alphabetic that is no mark, or one of the general categories Nd, Nl and No. So spaces, punctuation,
/// symbols and emoji are no words.
package struct WordProperty: Sendable {
  /// The classes of Word_Break, with the numbers that the tables have for them.
  package enum Class: UInt8, Sendable {
    case other, carriageReturn, lineFeed, newline, extend, zeroWidthJoiner, format, regionalIndicator
    case katakana, hebrewLetter, letter, singleQuote, doubleQuote, midNumLet, midLetter, midNum
    case numeric, extendNumLet, space
    /// What stands between two letters or numbers of one word; no scalar is of this class.
    case bridge
    /// An apostrophe behind a Hebrew letter; no scalar is of this class.
    case hebrewApostrophe
  }

  private static let pictographic: UInt8 = 0x20
  private static let word: UInt8 = 0x40

  let bits: UInt8

  package var wordClass: Class { Class(rawValue: bits & 0x1F) ?? .other }
  package var isPictographic: Bool { bits & Self.pictographic != 0 }
  package var makesWord: Bool { bits & Self.word != 0 }
}

/// Finds the properties of scalars beyond ASCII. It remembers the last run of the table: most scalars of a text are in it.
package struct WordPropertyFinder: Sendable {
  private var first: UInt32 = 1
  private var last: UInt32 = 0
  private var property = WordProperty(bits: 0)

  package init() {}

  /// Returns the properties of a scalar; of a value that no scalar has those of unassigned ones.
  /// - Complexity: O(1) in the run of the scalar before, else O(log n) in the about two thousand runs of the table.
  @inline(__always)
  package mutating func property(of scalar: UInt32) -> WordProperty {
    if scalar < first || scalar > last { find(scalar) }
    return property
  }

  private mutating func find(_ scalar: UInt32) {
    unsafe WordProperty.runs.withUnsafeBufferPointer { runs in
      // The last run that begins at or before the scalar: the first one begins with the scalars beyond ASCII.
      var low = 1
      var high = runs.count
      while low < high {
        let middle = (low + high) / 2
        if unsafe runs[middle] >> 8 <= scalar { low = middle + 1 } else { high = middle }
      }
      let run = unsafe runs[low - 1]
      first = run >> 8
      last = low < runs.count ? unsafe (runs[low] >> 8) - 1 : UInt32.max
      property = WordProperty(bits: UInt8(truncatingIfNeeded: run))
    }
  }
}
