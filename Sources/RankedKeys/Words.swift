/// A row of a numeric tree: the key columns, then the payload columns; the unused words are 0.
///
/// The eight words are stored inline. This type replaces `InlineArray<8, UInt64>`, which Apple systems have only from
/// version 26 on, and which is neither comparable nor hashable.
package struct Words: Sendable, Hashable {
  @usableFromInline var w0: UInt64
  @usableFromInline var w1: UInt64
  @usableFromInline var w2: UInt64
  @usableFromInline var w3: UInt64
  @usableFromInline var w4: UInt64
  @usableFromInline var w5: UInt64
  @usableFromInline var w6: UInt64
  @usableFromInline var w7: UInt64

  /// The number of words, however many of them a schema uses.
  @inlinable package static var count: Int { 8 }

  /// The indices of the words.
  @inlinable package var indices: Range<Int> { 0..<8 }

  /// Eight equal words.
  @inlinable
  package init(repeating word: UInt64 = 0) {
    w0 = word
    w1 = word
    w2 = word
    w3 = word
    w4 = word
    w5 = word
    w6 = word
    w7 = word
  }

  /// Creates a row from its first words; the others are 0.
  @inlinable
  package init(
    _ w0: UInt64, _ w1: UInt64 = 0, _ w2: UInt64 = 0, _ w3: UInt64 = 0,
    _ w4: UInt64 = 0, _ w5: UInt64 = 0, _ w6: UInt64 = 0, _ w7: UInt64 = 0
  ) {
    self.w0 = w0
    self.w1 = w1
    self.w2 = w2
    self.w3 = w3
    self.w4 = w4
    self.w5 = w5
    self.w6 = w6
    self.w7 = w7
  }

  /// One word; `index` is 0 to 7.
  @inlinable
  package subscript(index: Int) -> UInt64 {
    // A load at an offset would first copy all eight words, to have an address.
    @inline(__always) get {
      switch index {
      case 0: return w0
      case 1: return w1
      case 2: return w2
      case 3: return w3
      case 4: return w4
      case 5: return w5
      case 6: return w6
      case 7: return w7
      default: preconditionFailure("a row has eight words")
      }
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: index) < 8)
      unsafe withUnsafeMutableBytes(of: &self) {
        unsafe $0.storeBytes(of: newValue, toByteOffset: index &* 8, as: UInt64.self)
      }
    }
  }

  /// Compares the first `columns` words. The result is negative, 0 or positive.
  @inlinable
  package func compare(_ other: Words, columns: Int) -> Int {
    // Without a loop, each word is read in place.
    if columns > 0, w0 != other.w0 { return w0 < other.w0 ? -1 : 1 }
    if columns > 1, w1 != other.w1 { return w1 < other.w1 ? -1 : 1 }
    if columns > 2, w2 != other.w2 { return w2 < other.w2 ? -1 : 1 }
    if columns > 3, w3 != other.w3 { return w3 < other.w3 ? -1 : 1 }
    if columns > 4, w4 != other.w4 { return w4 < other.w4 ? -1 : 1 }
    if columns > 5, w5 != other.w5 { return w5 < other.w5 ? -1 : 1 }
    if columns > 6, w6 != other.w6 { return w6 < other.w6 ? -1 : 1 }
    if columns > 7, w7 != other.w7 { return w7 < other.w7 ? -1 : 1 }
    return 0
  }

  /// Returns these words with all words from index `columns` on set to 0.
  @inlinable
  package func prefix(_ columns: Int) -> Words {
    var words = self
    for index in columns..<8 { words[index] = 0 }
    return words
  }
}

extension Words: ExpressibleByArrayLiteral {
  /// Creates a row of at most eight words; the others are 0.
  @inlinable
  package init(arrayLiteral elements: UInt64...) {
    precondition(elements.count <= 8)
    self.init(repeating: 0)
    for (index, word) in elements.enumerated() { self[index] = word }
  }
}

extension Words: CustomStringConvertible {
  package var description: String {
    "[" + indices.map { String(self[$0]) }.joined(separator: ", ") + "]"
  }
}
