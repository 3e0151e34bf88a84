internal import RankedIndex
internal import SatchelBytes
internal import SatchelCoding

/// The bytes of a commit's changes:
///
///     varint: bytes of the seal; the seal, without trees
///     for messages, bodies and objects: varint: number of changes; the changes, in the order in which they were made
///       a change: 1 byte: 0 put, 1 remove, 2 remove what was put by the same changes; varint: bytes of the key, the
///       key; if put: varint: bytes of the value, the value
///     the changes of the indexes: see `ForestChanges`
extension CommitChanges {
  package func encode() -> [UInt8] {
    var writer = ByteWriter(capacity: 2048)
    writer.counted(seal.encode())
    for database in RecordDatabase.allCases {
      writer.varint(UInt64(self[database].count))
      for change in self[database] {
        let value = unsafe change.value
        writer.u8(change.kind.rawValue)
        writer.counted(change.keyBytes)
        if let value = unsafe value { unsafe writer.counted(value.bytes) }
      }
    }
    forest.encode(to: &writer)
    return writer.bytes
  }

  /// Reads changes, and keeps the values of records in `arena`.
  /// - Throws: `RecordError` if the bytes are not such changes.
  package init(_ bytes: [UInt8], in arena: RecordArena) throws {
    unsafe try self.init(bytes.span.bytes, in: arena)
  }

  /// Reads changes, and keeps the values of records in `arena`.
  /// - Throws: `RecordError` if the bytes are not such changes.
  init(_ bytes: RawSpan, in arena: RecordArena) throws {
    var commits = CommitBuffer(in: arena)
    _ = try commits.add(bytes)
    self.init(
      seal: try commits.seal(), messages: commits.messages, bodies: commits.bodies, objects: commits.objects,
      forest: try commits.forest.folded(), arena: arena)
  }
}
