internal import SatchelBytes

/// Encodes values as unsigned 64-bit words that have the same order: the columns of the ranked indexes.
package enum KeyWords {
  /// Returns the word of a signed number; the smallest number becomes 0.
  @inlinable
  package static func word(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value) ^ 0x8000_0000_0000_0000
  }

  /// Returns the signed number of a word.
  @inlinable
  package static func value(_ word: UInt64) -> Int64 {
    Int64(bitPattern: word ^ 0x8000_0000_0000_0000)
  }

  /// Returns the word of a Boolean; false is before true.
  @inlinable
  package static func word(_ value: Bool) -> UInt64 { value ? 1 : 0 }

  /// Returns the two columns of an optional value, the presence first: missing values sort first and are one range.
  @inlinable
  package static func words(_ value: Int64?) -> (presence: UInt64, word: UInt64) {
    guard let value else { return (0, 0) }
    return (1, word(value))
  }

  /// Returns the optional value of two columns.
  @inlinable
  package static func value(presence: UInt64, word: UInt64) -> Int64? {
    presence == 0 ? nil : value(word)
  }

  /// Returns the two columns of a position, the absence first: messages without a position, the unsent ones, sort last.
  @inlinable
  package static func words(position: Int64?) -> (unsent: UInt64, word: UInt64) {
    guard let position else { return (1, 0) }
    return (0, word(position))
  }

  /// Returns the position of two columns.
  @inlinable
  package static func position(unsent: UInt64, word: UInt64) -> Int64? {
    unsent == 0 ? value(word) : nil
  }

  /// Returns the word under which an identifier is indexed. Two identifiers may have the same word: compare the bytes
  /// in their records.
  package static func identifierHash(_ bytes: RawSpan) -> UInt64 { Checksum.hash(bytes) }

  /// Returns the word under which an identifier is indexed.
  package static func identifierHash(_ bytes: [UInt8]) -> UInt64 { Checksum.hash(bytes) }

  /// Returns the word under which an identifier is indexed.
  package static func identifierHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    unsafe Checksum.hash(bytes.bytes)
  }
}
