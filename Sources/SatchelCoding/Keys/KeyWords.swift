internal import SatchelBytes

/// Values as unsigned 64-bit words that compare like them: the columns of the ranked indexes.
package enum KeyWords {
  /// A signed number; the smallest becomes 0.
  @inlinable
  package static func word(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value) ^ 0x8000_0000_0000_0000
  }

  /// The signed number of a word.
  @inlinable
  package static func value(_ word: UInt64) -> Int64 {
    Int64(bitPattern: word ^ 0x8000_0000_0000_0000)
  }

  /// A Boolean; false before true.
  @inlinable
  package static func word(_ value: Bool) -> UInt64 { value ? 1 : 0 }

  /// An optional value takes two columns, the presence first: missing ones sort first and are one range.
  @inlinable
  package static func words(_ value: Int64?) -> (presence: UInt64, word: UInt64) {
    guard let value else { return (0, 0) }
    return (1, word(value))
  }

  /// The optional value of two columns.
  @inlinable
  package static func value(presence: UInt64, word: UInt64) -> Int64? {
    presence == 0 ? nil : value(word)
  }

  /// A position takes two columns, the absence first: messages without one, the unsent, sort last.
  @inlinable
  package static func words(position: Int64?) -> (unsent: UInt64, word: UInt64) {
    guard let position else { return (1, 0) }
    return (0, word(position))
  }

  /// The position of two columns.
  @inlinable
  package static func position(unsent: UInt64, word: UInt64) -> Int64? {
    unsent == 0 ? value(word) : nil
  }

  /// The word under which an identifier is indexed. Two identifiers may share it: compare the records' bytes.
  package static func identifierHash(_ bytes: RawSpan) -> UInt64 { Checksum.hash(bytes) }

  /// The word under which an identifier is indexed.
  package static func identifierHash(_ bytes: [UInt8]) -> UInt64 { Checksum.hash(bytes) }

  /// The word under which an identifier is indexed.
  package static func identifierHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    unsafe Checksum.hash(bytes.bytes)
  }
}
