package import SatchelModel

/// How values become words of an index key, so that the words' unsigned order is the order of the values.
package enum IndexWords {
  /// The word of a signed number.
  @inlinable
  package static func word(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ (1 << 63) }

  /// The signed number of a word.
  @inlinable
  package static func number(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ (1 << 63)) }

  /// Two columns of an optional date: 0 and 0 without one, so that missing dates sort first.
  @inlinable
  package static func date(_ date: Timestamp?) -> (present: UInt64, word: UInt64) {
    guard let date else { return (0, 0) }
    return (1, word(date.microseconds))
  }

  /// Two columns of a position: 1 and 0 for an unsent message, so that these sort last.
  @inlinable
  package static func place(_ position: Int64?) -> (unsent: UInt64, word: UInt64) {
    guard let position else { return (1, 0) }
    return (0, word(position))
  }

  /// The date of two columns.
  @inlinable
  package static func timestamp(present: UInt64, word: UInt64) -> Timestamp? {
    present == 0 ? nil : Timestamp(microseconds: number(word))
  }

  /// The position of two columns.
  @inlinable
  package static func position(unsent: UInt64, word: UInt64) -> Int64? { unsent == 0 ? number(word) : nil }
}
