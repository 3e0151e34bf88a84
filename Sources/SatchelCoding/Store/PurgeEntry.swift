internal import SatchelBytes

/// A deleted message, or a deleted conversation with all its messages, whose bytes later commits remove. The key says
/// which.
package struct PurgeEntry: Sendable, Hashable {
  /// The commit that deleted it.
  package var commit: UInt64
  /// The number of message records that were still to be removed when the entry was written.
  package var remaining: UInt64
  /// The creation sequence to continue from; the records before it are already removed.
  package var nextSequence: UInt64

  package init(commit: UInt64, remaining: UInt64, nextSequence: UInt64 = 0) {
    self.commit = commit
    self.remaining = remaining
    self.nextSequence = nextSequence
  }

  /// Returns the bytes of the record.
  package func encode(key: MessageKey) -> [UInt8] {
    var writer = RecordFrame.writer(.purge, capacity: 32)
    writer.u16(0)
    writer.varint(commit)
    writer.varint(remaining)
    writer.varint(nextSequence)
    return RecordFrame.finish(&writer, key: ObjectKey.purge(key).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, key: MessageKey) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .purge, key: ObjectKey.purge(key).bytes, minimum: 4)
    let span = unsafe body.bytes
    self = try RecordFrame.decode(.purge) { () throws(ByteError) in
      guard span.u16(2) == 0 else { throw ByteError(offset: 2) }
      var reader = ByteReader(offset: 4)
      let entry = PurgeEntry(
        commit: try reader.varint(span), remaining: try reader.varint(span),
        nextSequence: try reader.varint(span))
      try reader.end(span)
      return entry
    }
  }
}
