internal import SatchelBytes

/// The sizes that Documentation/JournalFormat.md specifies, and what every header has in common.
package enum JournalFormat {
  /// Bytes before the first segment.
  package static let headerBlock = 4096
  /// Bytes that a disk writes as a whole: headers are one sector, and a record begins on one.
  package static let sector = 512
  /// The sizes that a segment may have; each is a number of whole sectors.
  package static let segmentSizes = 2 * sector...64 << 20
  /// The most segments that a journal may have. A file that would have more is not a journal: looking through it would
  /// take as long as whoever made it wants.
  package static let mostSegments = 4096
  /// No sequence, generation or ordinal reaches this bound, so that they can be added to without a check.
  static let numberBound: UInt64 = 1 << 63

  /// Returns the offset in the file at which a segment begins.
  package static func offset(ofSlot slot: Int, segmentSize: Int) -> Int {
    headerBlock + slot * segmentSize
  }

  /// Fills a header to one sector, and puts its checksum into the last eight bytes.
  static func seal(_ writer: inout ByteWriter, owner: JournalOwner) {
    let fields = sector - 8
    writer.bytes.append(contentsOf: repeatElement(0, count: fields - writer.count))
    writer.u64(Checksum.hash(writer.bytes, seed: owner.seed))
  }

  /// Whether a header's last eight bytes are the checksum of those before them.
  static func isSealed(_ header: RawSpan, owner: JournalOwner) -> Bool {
    guard header.byteCount == sector else { return false }
    return Checksum.hash(header.extracting(first: sector - 8), seed: owner.seed) == header.u64(sector - 8)
  }

  /// Whether the bytes from an offset to the checksum are zero.
  static func isReserved(_ header: RawSpan, from start: Int) -> Bool {
    var sum: UInt8 = 0
    for offset in start..<sector - 8 { sum |= header.u8(offset) }
    return sum == 0
  }
}
