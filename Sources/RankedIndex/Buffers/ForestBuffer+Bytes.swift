package import RankedKeys
package import SatchelBytes

extension ForestBuffer {
  /// Reads the changes of one more commit at `reader`: see `ForestChanges.encode`.
  /// - Parameters:
  ///   - numeric: Returns the schema of a numeric tree; nil if there is no such tree.
  ///   - text: The same for string trees.
  /// - Throws: `ByteError` if the bytes are not such changes. What was read of them stays.
  package mutating func read(
    _ bytes: RawSpan, _ reader: inout ByteReader, numeric: (UInt16) -> TreeSchema?,
    text: (UInt16) -> TextTreeSchema?
  ) throws(ByteError) {
    var last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let (start, id, count) = try Self.readTree(bytes, &reader, after: &last)
      guard let rows = knownRows(id) ?? numeric(id).map({ self.rows($0) }) else {
        throw ByteError(offset: start)
      }
      for _ in 0..<count { try rows.buffer.changes.read(bytes, &reader) }
    }
    last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let (start, id, count) = try Self.readTree(bytes, &reader, after: &last)
      guard let texts = knownTexts(id) ?? text(id).map({ self.texts($0) }) else {
        throw ByteError(offset: start)
      }
      for _ in 0..<count { try texts.buffer.changes.read(bytes, &reader) }
    }
  }

  /// Reads which tree comes next, whose id must be greater than the last one's, and the number of its changes.
  private static func readTree(
    _ bytes: RawSpan, _ reader: inout ByteReader, after last: inout Int
  ) throws(ByteError) -> (start: Int, id: UInt16, count: UInt64) {
    let start = reader.offset
    let id = try reader.u16(bytes)
    let count = try reader.varint(bytes)
    guard last < id, count > 0 else { throw ByteError(offset: start) }
    last = Int(id)
    return (start, id, count)
  }
}
