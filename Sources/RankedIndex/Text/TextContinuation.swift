import SatchelBytes

/// The part of a long text that its node does not hold. It is a value of the side table under its own number. Exactly
/// one entry or separator refers to it.
///
///     offset | size | numbers little-endian
///     0      | 8    | checksum: hash of the bytes from 8 on, seeded with the number
///     8      | 2    | tree
///     10     | …    | the text from its 241st byte on
package enum TextContinuation {
  static let headerBytes = 10

  package static func encode(_ text: ArraySlice<UInt8>, number: UInt64, tree: UInt16) -> [UInt8] {
    var value = ByteWriter(capacity: headerBytes + text.count)
    value.u64(0)
    value.u16(tree)
    value.bytes.append(contentsOf: text)
    let hash = unsafe Checksum.hash(value.bytes.span.bytes.extracting(8..<value.count), seed: number)
    value.set(u64: hash, at: 0)
    return value.bytes
  }

  /// Returns the text's bytes in a value. Returns nil unless the value is undamaged, has this number and tree, and
  /// holds at least one byte.
  package static func decode(
    _ value: UnsafeRawBufferPointer, number: UInt64, tree: UInt16
  ) -> UnsafeRawBufferPointer? {
    guard value.count > headerBytes else { return nil }
    let bytes = unsafe value.bytes
    guard bytes.u16(8) == tree,
      bytes.u64(0) == Checksum.hash(bytes.extracting(8..<bytes.byteCount), seed: number)
    else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: value[headerBytes...])
  }

  /// Returns the tree that a value of the side table names; nil if the value is too short to name one.
  static func tree(of value: UnsafeRawBufferPointer) -> UInt16? {
    unsafe value.count >= headerBytes ? value.bytes.u16(8) : nil
  }

  /// Whether a value of the side table names this tree.
  static func isContinuation(_ value: UnsafeRawBufferPointer, of tree: UInt16) -> Bool {
    unsafe self.tree(of: value) == tree
  }
}
