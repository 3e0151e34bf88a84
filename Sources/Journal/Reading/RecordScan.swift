internal import SatchelBytes

/// Looks at each sector of a segment for a record that may begin there. For journals whose records are known by themselves: what
/// is damaged before a record does not hide it.
struct RecordScan {
  /// Something that looks like a record.
  struct Candidate {
    let header: RecordHeader
    /// The offset in the segment.
    let offset: Int
    /// Whether its checksum and its members are right: then somebody has appended it to this store's journal.
    let isWhole: Bool
  }

  private let journal: JournalHeader
  private let bytes: [UInt8]
  /// The offset in the segment of the first byte.
  private let first: Int
  private var offset: Int

  /// - Parameters:
  ///   - slot: The index of the segment's place in the file. Of one that the file has not whole, what there is.
  ///   - offset: Where to begin in the segment.
  /// - Complexity: O(bytes of the segment), read at once.
  init(
    _ file: JournalFile, _ journal: JournalHeader, slot: Int, from offset: Int
  ) throws(JournalError) {
    self.journal = journal
    first = offset
    self.offset = offset
    let begin = JournalFormat.offset(ofSlot: slot, segmentSize: journal.segmentSize)
    bytes = try file.read(max(0, journal.segmentSize - offset), at: begin + offset)
  }

  /// - Parameter bytes: Those of a segment from an offset on.
  init(_ bytes: [UInt8], _ journal: JournalHeader, from offset: Int) {
    self.journal = journal
    self.bytes = bytes
    first = offset
    self.offset = offset
  }

  /// Returns the next one, in the order of the sectors; nil if there is none.
  mutating func next() -> Candidate? {
    let bytes = bytes
    let span = unsafe bytes.span.bytes
    while offset - first + JournalFormat.sector <= span.byteCount {
      let place = offset - first
      let begin = offset
      offset += JournalFormat.sector
      // Most sectors are zero, or begin in the midst of a payload.
      guard span.u64(place) != 0,
        let header = RecordHeader(
          span, at: place, in: journal.version, room: journal.segmentSize - begin)
      else { continue }
      let isWhole =
        place + header.count <= span.byteCount
        && header.isWhole(span.extracting(place..<place + header.count), of: journal.owner)
      if isWhole { offset = begin + header.size }
      return Candidate(header: header, offset: begin, isWhole: isWhole)
    }
    return nil
  }
}
