internal import SatchelBytes

/// A record of a journal: the commits of one group.
package struct JournalRecord: Sendable, Hashable {
  /// Grows whenever somebody else goes on with the journal, and behind a write that failed.
  package let generation: UInt64
  /// The sequence of its first member.
  package let first: UInt64
  /// How many commits it holds.
  package let memberCount: Int
  /// The members, each behind its length: bytes of what the reader has read, who reads on in other memory if they are kept.
  package let payload: ArraySlice<UInt8>
  /// The point behind the record. Its chain value is the record's checksum.
  package let end: JournalPoint

  /// Calls a closure with the sequence and the bytes of each member, in order.
  package func forEachMember<Failure: Error>(
    _ body: (_ sequence: UInt64, _ member: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes = unsafe payload.span.bytes
    var offset = 0
    for index in 0..<memberCount {
      let count = Int(bytes.u32(offset))
      try body(first + UInt64(index), bytes.extracting(offset + 4..<offset + 4 + count))
      offset += 4 + count
    }
  }
}
