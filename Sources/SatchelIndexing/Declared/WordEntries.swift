internal import SatchelBytes

/// The kinds of entries of an index of words, each in a group of its own. FORMAT.md, 5.16, specifies them.
///
/// An object that has no text has no entries.
package enum WordEntries: UInt64, Sendable, CaseIterable {
  /// One for each different term of an object's texts: the text is the term. It is the group that other indexes have their entries in.
  case terms
  /// One for each term that is there more than once: see ``frequencyText(of:_:)``.
  case frequencies
  /// One for each object: see ``append(length:of:to:)``.
  case lengths
  /// One without a text for each object that has several texts, of which one has to match a whole pattern.
  case severalTexts
  /// One alone, which belongs to no object: the sum of all lengths. There is none of 0.
  case totalLength

  /// Returns the group of an index's entries of this kind.
  package func group(of index: UInt32) -> UInt64 { rawValue << 32 | UInt64(index) }

  /// Returns the number of the index that a group belongs to, and which of its entries the group has; nil of a group that no index has.
  package static func index(ofGroup group: UInt64) -> (index: UInt32, entries: WordEntries)? {
    WordEntries(rawValue: group >> 32).map { (UInt32(truncatingIfNeeded: group), $0) }
  }

  // MARK: Frequencies

  /// The greatest frequency that is told from greater ones: more makes no difference for relevance.
  package static let maximumFrequency = 255
  /// What stands between a term and its frequency: a byte that no term has.
  package static let endOfTerm: UInt8 = 0

  /// Appends the text of an entry that says how often an object has a term.
  package static func append(
    _ term: UnsafeBufferPointer<UInt8>, frequency: Int, to bytes: inout [UInt8]
  ) {
    unsafe bytes.append(contentsOf: term)
    bytes.append(endOfTerm)
    bytes.append(UInt8(clamping: frequency))
  }

  // MARK: Lengths

  /// So many objects that follow one another have lengths whose entries stand together.
  package static let objectsOfLengths: UInt64 = 256

  /// Appends the text of the entry that has an object's length: the object's number divided by ``objectsOfLengths``, and the number of the
  /// words and characters of all its texts.
  package static func append(length: Int, of row: UInt64, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: row / objectsOfLengths))
    bytes.append(bigEndian: UInt32(clamping: length))
  }

  /// Returns the length that an entry has; nil if it has none.
  package static func length(_ text: RawSpan) -> UInt64? {
    guard text.byteCount == 8 else { return nil }
    return text.bigEndian(4..<8)
  }

  /// Returns the text of the entry that has the sum of the lengths.
  package static func text(ofTotal total: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: total >> 32))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: total))
    return bytes
  }

  /// Returns the sum of the lengths that an entry has; nil if it has none.
  package static func total(_ text: RawSpan) -> UInt64? {
    guard text.byteCount == 8 else { return nil }
    return text.bigEndian(0..<8)
  }
}

extension RawSpan {
  /// Returns the number that up to eight bytes are, the first of which is the greatest.
  fileprivate func bigEndian(_ range: Range<Int>) -> UInt64 {
    var number: UInt64 = 0
    for offset in range { number = number << 8 | UInt64(u8(offset)) }
    return number
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt32) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
