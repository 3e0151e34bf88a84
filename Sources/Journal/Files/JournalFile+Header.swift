internal import SatchelBytes

extension JournalFile {
  /// Reads the header. Nil if the file is empty, or was left while it was being made: it has no records then.
  /// - Throws: `invalid`, `version`, `otherStore`.
  package func header(of owner: JournalOwner) throws(JournalError) -> JournalHeader? {
    var size = try size()
    var bytes = try read(JournalFormat.sector, at: 0)
    // Somebody has emptied the file in between, or begun it.
    while bytes.count != min(size, JournalFormat.sector) {
      size = try self.size()
      bytes = try read(JournalFormat.sector, at: 0)
    }
    switch unsafe JournalHeaderReading(bytes.span.bytes, fileSize: size) {
    case .header(let header):
      guard header.owner == owner else {
        throw error(.otherStore(header.owner), "open", "this is the store \(owner)")
      }
      return header
    case .unfinished: return nil
    case .version(let version): throw error(.version(version), "open")
    case .invalid(let reason): throw error(.invalid, "open", reason)
    }
  }

  /// Returns how many whole segments the file has. A shorter rest at the end is a segment that was being made.
  func slotCount(_ header: JournalHeader, _ operation: String = "read") throws(JournalError) -> Int {
    let count = max(0, try size(operation) - JournalFormat.headerBlock) / header.segmentSize
    guard count <= JournalFormat.mostSegments else {
      throw error(
        .invalid, operation, "\(count) segments, of which there may be \(JournalFormat.mostSegments)")
    }
    return count
  }

  /// Returns the headers of all segments that have a valid one, and where they are. One read a segment.
  func segments(_ header: JournalHeader) throws(JournalError) -> [PlacedSegment] {
    var found: [PlacedSegment] = []
    for slot in 0..<(try slotCount(header)) {
      let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
      let bytes = try read(JournalFormat.sector, at: offset)
      if let segment = unsafe SegmentHeader(bytes.span.bytes, in: header) {
        found.append(PlacedSegment(slot: slot, header: segment, sector: bytes))
      }
    }
    return found
  }
}

/// A segment, and the index of the place in the file where it is.
struct PlacedSegment {
  let slot: Int
  let header: SegmentHeader
  /// The checksum of the header, with which that of the first record is seeded.
  let checksum: UInt64

  init(slot: Int, header: SegmentHeader, sector: [UInt8]) {
    self.slot = slot
    self.header = header
    checksum = unsafe sector.span.bytes.u64(JournalFormat.sector - 8)
  }
}

extension [PlacedSegment] {
  /// Returns the segment of an ordinal; of several, the one that was begun last.
  func newest(ordinal: UInt64) -> PlacedSegment? {
    filter { $0.header.ordinal == ordinal }.max { $0.header.generation < $1.header.generation }
  }

  /// Returns the first segment whose ordinal is higher than another one.
  func first(behind ordinal: UInt64) -> PlacedSegment? {
    map(\.header.ordinal).filter { $0 > ordinal }.min().flatMap(newest)
  }
}
