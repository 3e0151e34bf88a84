internal import SatchelBytes

/// A record while its members are collected. Its memory can be used for one record after another.
///
/// The bytes have room in front for the headers of the record and of a segment, so that each is written with one call,
/// whether it begins a segment or not.
package struct JournalDraft: Sendable {
  /// A sector for the segment's header, the record's header, its payload.
  var writer: ByteWriter
  /// How many members it has.
  package private(set) var memberCount = 0

  /// The offset of the record in the bytes.
  static let recordOffset = JournalFormat.sector
  /// The offset of the first member in the bytes.
  static let payloadOffset = recordOffset + JournalFormat.recordHeader

  package init(capacity: Int = 4096) {
    writer = ByteWriter(capacity: Self.payloadOffset + capacity)
    writer.bytes.append(contentsOf: repeatElement(0, count: Self.payloadOffset))
  }

  /// The bytes of the record's payload so far.
  package var payloadCount: Int { writer.count - Self.payloadOffset }

  /// Adds a commit. Its sequence is the one after the member before it.
  package mutating func add(_ member: RawSpan) {
    // A member whose length is cut off here makes a record that no segment can hold, and that is refused.
    writer.u32(UInt32(truncatingIfNeeded: member.byteCount))
    writer.append(member)
    memberCount += 1
  }

  /// Adds a commit.
  package mutating func add(_ member: [UInt8]) { unsafe add(member.span.bytes) }

  /// Removes the members and keeps their memory.
  package mutating func removeAll() {
    writer.bytes.removeSubrange(Self.payloadOffset...)
    memberCount = 0
  }

  /// Fills in the record's header, for the place behind a point. The link is the checksum of what lies before it.
  /// - Returns: The record's checksum.
  mutating func fill(after point: JournalPoint, link: UInt64, generation: UInt64) -> UInt64 {
    let payload = payloadCount
    writer.set(u64: generation, at: Self.recordOffset)
    writer.set(u64: point.sequence + 1, at: Self.recordOffset + 8)
    writer.set(u32: UInt32(memberCount), at: Self.recordOffset + 16)
    writer.set(u32: UInt32(payload), at: Self.recordOffset + 20)
    let checksum = unsafe RecordHeader.checksum(
      of: writer.bytes.span.bytes.extracting(Self.recordOffset..<writer.count), payload: payload,
      link: link)
    writer.set(u64: checksum, at: Self.recordOffset + 24)
    return checksum
  }

  /// Puts a segment's header in front of the record.
  mutating func fill(sector: [UInt8]) {
    writer.bytes.replaceSubrange(0..<JournalFormat.sector, with: sector)
  }
}
