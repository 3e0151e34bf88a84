internal import SatchelBytes

/// How far the optional indexes have got that a store of an older format is being given. There is none if they are complete.
package struct IndexBuild: Sendable, Hashable {
  /// The indexes. They have no entries of messages and announcements from `next` on.
  package let indexes: StoreHeader.OptionalIndexes
  /// The creation sequence to continue from.
  package let next: UInt64

  package init(indexes: StoreHeader.OptionalIndexes, next: UInt64) {
    self.indexes = indexes
    self.next = next
  }

  /// Returns the bytes of the record.
  package func encode() -> [UInt8] {
    var writer = RecordFrame.writer(.indexBuild, capacity: 24)
    writer.u16(indexes.rawValue)
    writer.varint(next)
    return RecordFrame.finish(&writer, key: ObjectKey.indexBuild.bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .indexBuild, key: ObjectKey.indexBuild.bytes, minimum: 5)
    let span = unsafe body.bytes
    self = try RecordFrame.decode(.indexBuild) { () throws(ByteError) in
      var reader = ByteReader(offset: 2)
      let indexes = StoreHeader.OptionalIndexes(rawValue: try reader.u16(span))
      guard !indexes.isEmpty, indexes.isSubset(of: .known) else { throw ByteError(offset: 2) }
      let build = IndexBuild(indexes: indexes, next: try reader.varint(span))
      try reader.end(span)
      return build
    }
  }
}
