internal import SatchelBytes

/// Something deleted whose bytes wait to be removed by later commits. Its key says what: one message, or a
/// conversation with all its messages.
package struct PurgeEntry: Sendable, Hashable {
  /// The commit that deleted it.
  package var commit: UInt64
  /// How many message records there were still to remove when the entry was written.
  package var remaining: UInt64
  /// The creation sequence to go on from; those before it are gone.
  package var nextSequence: UInt64

  package init(commit: UInt64, remaining: UInt64, nextSequence: UInt64 = 0) {
    self.commit = commit
    self.remaining = remaining
    self.nextSequence = nextSequence
  }

  /// The bytes of the record.
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
