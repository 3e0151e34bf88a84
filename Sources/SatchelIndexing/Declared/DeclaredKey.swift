/// The text of an entry of a declared index, of its first columns or of all: bytes that compare as the values of the columns do, one after
/// the other. FORMAT.md, 5.16, specifies them.
///
/// | value | bytes |
/// | --- | --- |
/// | missing | 0; of a position, 255, because unsent messages come last |
/// | a number, a date, a Boolean, a status | 1, then the number plus 2⁶³, as eight bytes |
/// | the number of a conversation or a user | 2, then the number as four bytes |
/// | a text, an identifier, a MIME type | 5, then its bytes, with 255 behind each zero byte, then 0 and 1 |
/// | a value of metadata | the bytes of its `ValueKey`, or of a text 5 and its NFC; in the same way, with the same end |
///
/// No value's bytes are the beginning of another's, so that the next column begins where one ends. A column that is ordered in
/// another direction than the last one has all its bits inverted. So the entries lie in the order of the columns, forwards or
/// backwards, and those of equal values in the order of creation in the direction of the last column.
package struct DeclaredKey: Sendable, Hashable {
  package private(set) var bytes: [UInt8]
  /// Whether a value is missing, or is one that the bytes do not tell from others: a unique index allows as many of it as there are.
  package var hasGap = false

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Begins the key of another object, in the same memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    hasGap = false
  }

  /// The first bytes of values.
  package enum Tag {
    package static let missing: UInt8 = 0
    package static let integer: UInt8 = 1
    package static let reference: UInt8 = 2
    package static let text: UInt8 = 5
    package static let missingLast: UInt8 = 0xFF
  }

  /// Appends that a value is missing.
  package mutating func appendMissing(isLast: Bool = false, isInverted: Bool) {
    let byte = isLast ? Tag.missingLast : Tag.missing
    bytes.append(isInverted ? ~byte : byte)
    hasGap = true
  }

  /// The first columns, and one more.
  package static func + (columns: DeclaredKey, next: DeclaredKey) -> DeclaredKey {
    var sum = columns
    sum.bytes += next.bytes
    sum.hasGap = columns.hasGap || next.hasGap
    return sum
  }

  package mutating func append(integer: Int64, isInverted: Bool) {
    let inversion: UInt64 = isInverted ? .max : 0
    bytes.append(Tag.integer ^ UInt8(truncatingIfNeeded: inversion))
    let word = (UInt64(bitPattern: integer) ^ 1 << 63 ^ inversion).bigEndian
    unsafe withUnsafeBytes(of: word) { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func append(reference number: UInt32, isInverted: Bool) {
    let inversion: UInt32 = isInverted ? .max : 0
    bytes.append(Tag.reference ^ UInt8(truncatingIfNeeded: inversion))
    unsafe withUnsafeBytes(of: (number ^ inversion).bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends a text, or a value of metadata, that begins with its tag.
  package mutating func append(
    tag: UInt8?, _ value: UnsafeBufferPointer<UInt8>, isInverted: Bool
  ) {
    let start = bytes.count
    unsafe append(tag: tag, escaping: value)
    bytes.append(0)
    bytes.append(1)
    invert(from: start, isInverted)
  }

  /// Appends the beginning of a value, without its end. Values of which it is a beginning, and only they, have these bytes.
  package mutating func append(beginning value: [UInt8], isInverted: Bool) {
    let start = bytes.count
    unsafe value.withUnsafeBufferPointer { unsafe append(tag: nil, escaping: $0) }
    invert(from: start, isInverted)
  }

  private mutating func append(tag: UInt8?, escaping value: UnsafeBufferPointer<UInt8>) {
    bytes.reserveCapacity(bytes.count + value.count + 3)
    if let tag { bytes.append(tag) }
    guard unsafe value.contains(0) else { return unsafe bytes.append(contentsOf: value) }
    for index in value.indices {
      bytes.append(unsafe value[index])
      if unsafe value[index] == 0 { bytes.append(0xFF) }
    }
  }

  private mutating func invert(from start: Int, _ isInverted: Bool) {
    guard isInverted else { return }
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}

extension DeclaredKey {
  /// The group of an index's entries in their tree. An index of words has others as well: see `WordEntries`.
  package static func group(of index: UInt32) -> UInt64 { UInt64(index) }

  /// All groups that an index's entries may be in.
  package static func groups(of index: UInt32) -> [UInt64] {
    WordEntries.allCases.map { $0.group(of: index) }
  }
}
