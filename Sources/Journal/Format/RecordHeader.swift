internal import SatchelBytes

/// The fixed part of a record, as it is in the file.
struct RecordHeader {
  let version: JournalVersion
  let generation: UInt64
  /// The sequence of its first member.
  let first: UInt64
  let memberCount: Int
  /// Whether everything before the record was synced when it was written.
  let followsSync: Bool
  /// Bytes of the payload.
  let length: Int
  /// The checksum of what lies before the record: a record, or the header of its segment. Nil in the first version, whose
  /// checksums depend on it without naming it.
  let link: UInt64?
  let checksum: UInt64

  /// Reads the header at an offset of bytes.
  ///
  /// Nil if no record can have it, whatever its payload is, or if the bytes end before it does.
  /// - Parameter room: Bytes from the record's begin to the end of its segment.
  init?(_ bytes: RawSpan, at offset: Int, in version: JournalVersion, room: Int) {
    guard bytes.contains(offset, count: version.recordHeader) else { return nil }
    self.version = version
    generation = bytes.u64(offset)
    first = bytes.u64(offset + 8)
    let members = bytes.u32(offset + 16)
    let flags = members >> 24
    memberCount = Int(members & 0xFF_FFFF)
    length = Int(bytes.u32(offset + 20))
    followsSync = flags == 1
    link = version == .first ? nil : bytes.u64(offset + 24)
    checksum = bytes.u64(offset + version.recordHeader - 8)
    guard flags == 0 || flags == 1 && version != .first, memberCount > 0,
      1..<JournalFormat.numberBound ~= generation, 1..<JournalFormat.numberBound ~= first,
      first + UInt64(memberCount) < JournalFormat.numberBound,
      length <= room - version.recordHeader, 4 * memberCount <= length
    else { return nil }
  }

  /// Bytes of the record without the zeros behind it.
  var count: Int { version.recordHeader + length }
  /// Bytes from its begin to the next record.
  var size: Int { version.size(ofPayload: length) }
  /// The sequence of its last member.
  var last: UInt64 { first + UInt64(memberCount) - 1 }
  /// The point behind it.
  var end: JournalPoint { JournalPoint(sequence: last, chain: checksum) }

  /// Whether the record is whole, and the one that follows a link.
  /// - Parameter record: Its `count` bytes.
  func isWhole(_ record: RawSpan, after link: UInt64, of owner: JournalOwner) -> Bool {
    if let own = self.link, own != link { return false }
    return isWhole(record, checksum: Self.checksum(of: record, version, link: link, owner))
  }

  /// Whether the record is whole, whatever it follows. Nobody can tell in the first version, where the answer is no.
  func isWhole(_ record: RawSpan, of owner: JournalOwner) -> Bool {
    guard let link else { return false }
    return isWhole(record, after: link, of: owner)
  }

  private func isWhole(_ record: RawSpan, checksum expected: UInt64) -> Bool {
    record.byteCount == count && expected == checksum
      && Self.isMembers(record.extracting(version.recordHeader..<count), count: memberCount)
  }

  /// Returns the checksum of a record: of its header up to the checksum, then, seeded with that, of its payload.
  ///
  /// The seed is what the record follows in the first version, and its owner in the second: nobody who only wrote a message
  /// can have made bytes of it that pass for a record of the journal.
  static func checksum(
    of record: RawSpan, _ version: JournalVersion, link: UInt64, _ owner: JournalOwner
  ) -> UInt64 {
    let fixed = version.recordHeader
    let seed = version == .first ? link : owner.seed
    let header = Checksum.hash(record.extracting(0..<fixed - 8), seed: seed)
    return Checksum.hash(record.extracting(fixed..<record.byteCount), seed: header)
  }

  /// Whether the lengths of the members add up to the payload.
  private static func isMembers(_ payload: RawSpan, count: Int) -> Bool {
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
