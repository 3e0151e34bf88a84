internal import SatchelBytes

/// A record while its members are collected. Its memory can be used for one record after another.
///
/// The bytes have room in front for the headers of the record and of a segment, so that each is written with one call,
/// whether it begins a segment or not.
package struct JournalDraft: Sendable {
  /// A sector for the segment's header, the record's header, its payload. A record of a version with a shorter header, and what
  /// is before it, begins later.
  var writer: ByteWriter
  /// How many members it has.
  package private(set) var memberCount = 0

  /// The offset of the first member in the bytes.
  static let payloadOffset = JournalFormat.sector + JournalVersion.second.recordHeader

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

  /// The offset of the record in the bytes.
  static func recordOffset(in version: JournalVersion) -> Int { payloadOffset - version.recordHeader }

  /// Fills in the record's header, for the place behind a point.
  /// - Parameters:
  ///   - link: The checksum of what lies before it.
  ///   - followsSync: Whether everything before it is synced.
  /// - Returns: The record's checksum.
  mutating func fill(
    after point: JournalPoint, link: UInt64, generation: UInt64, followsSync: Bool, in journal: JournalHeader
  ) -> UInt64 {
    let version = journal.version
    let start = Self.recordOffset(in: version)
    let flags: UInt32 = followsSync && version != .first ? 1 : 0
    writer.set(u64: generation, at: start)
    writer.set(u64: point.sequence + 1, at: start + 8)
    writer.set(u32: UInt32(memberCount) | flags << 24, at: start + 16)
    writer.set(u32: UInt32(payloadCount), at: start + 20)
    if version != .first { writer.set(u64: link, at: start + 24) }
    let checksum = unsafe RecordHeader.checksum(
      of: writer.bytes.span.bytes.extracting(start..<writer.count), version, link: link, journal.owner)
    writer.set(u64: checksum, at: Self.payloadOffset - 8)
    return checksum
  }

  /// Puts a segment's header in front of the record.
  mutating func fill(sector: [UInt8], in version: JournalVersion) {
    let end = Self.recordOffset(in: version)
    writer.bytes.replaceSubrange(end - JournalFormat.sector..<end, with: sector)
  }
}
