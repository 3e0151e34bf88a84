internal import SatchelBytes

/// A record of a journal: the commits of one group, or a cut.
package struct JournalRecord: Sendable, Hashable {
  /// Grows whenever somebody else goes on with the journal, and behind a write that failed.
  package let generation: UInt64
  /// The sequence of its first member.
  package let first: UInt64
  /// How many commits it holds; 0 for a cut.
  package let memberCount: Int
  /// The members, each behind its length: bytes of what the reader has read, who reads on in other memory if they are kept.
  package let payload: ArraySlice<UInt8>
  /// The point behind the record; of a cut, the one before it.
  package let end: JournalPoint
  /// Its checksum, with which that of the next record is seeded.
  let checksum: UInt64

  /// Whether it holds no commits, and marks the place at which a checkpoint has frozen what came before.
  package var isCut: Bool { memberCount == 0 }

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

/// The fixed part of a record, as it is in the file.
struct RecordHeader {
  let generation: UInt64
  let first: UInt64
  let memberCount: Int
  let length: Int
  let checksum: UInt64

  /// Reads a header at an offset of bytes that reach at least to its end.
  ///
  /// Nil if no record with it may follow a sequence in a generation, whatever the payload is.
  /// - Parameter room: Bytes from the record's begin to the end of its segment.
  init?(_ bytes: RawSpan, at offset: Int, follows sequence: UInt64, generation: UInt64, room: Int) {
    guard bytes.contains(offset, count: JournalFormat.recordHeader) else { return nil }
    self.generation = bytes.u64(offset)
    first = bytes.u64(offset + 8)
    memberCount = Int(bytes.u32(offset + 16))
    length = Int(bytes.u32(offset + 20))
    checksum = bytes.u64(offset + 24)
    guard generation <= self.generation, self.generation < JournalFormat.numberBound,
      first == sequence + 1, first < JournalFormat.numberBound,
      length <= room - JournalFormat.recordHeader, 4 * memberCount <= length, memberCount > 0 || length == 0
    else { return nil }
  }

  /// Returns the checksum of a record: of the first 24 bytes of its header, seeded with its predecessor's, and of the
  /// payload, seeded with that.
  static func checksum(of record: RawSpan, payload: Int, link: UInt64) -> UInt64 {
    let header = Checksum.hash(record.extracting(0..<24), seed: link)
    let start = JournalFormat.recordHeader
    return Checksum.hash(record.extracting(start..<start + payload), seed: header)
  }

  /// Returns the point behind the record.
  func end(after point: JournalPoint) -> JournalPoint {
    memberCount == 0
      ? point : JournalPoint(sequence: first - 1 + UInt64(memberCount), chain: checksum)
  }

  /// Whether the lengths of the members add up to the payload.
  static func isMembers(_ payload: RawSpan, count: Int) -> Bool {
    var reader = ByteReader()
    do throws(ByteError) {
      for _ in 0..<count { _ = try reader.take(Int(try reader.u32(payload)), payload) }
      try reader.end(payload)
      return true
    } catch {
      return false
    }
  }
}
