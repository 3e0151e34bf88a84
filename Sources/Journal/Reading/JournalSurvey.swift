internal import SatchelBytes

/// All records of a journal that are whole, wherever they are in it: for a store that is damaged.
///
/// A `JournalReader` stops at the first record that is not whole, because nothing behind it may count. Here it may: each segment
/// begins with a checksum of its own, and a record whose payload is damaged still says where the next one begins, and what
/// seeds its checksum. A record that is whole is one that somebody has appended to this store's journal.
package struct JournalSurvey: Sendable {
  /// What cannot be read as a journal.
  package enum Flaw: Sendable, Hashable {
    /// It belongs to the store of this UUID.
    case otherStore(JournalOwner)
    case version(UInt32)
    /// Its header is damaged, and nobody says whose it is.
    case unknownStore
  }

  /// The whole records, in the order in which they were appended.
  package private(set) var records: [JournalRecord] = []
  /// The commits of records that were begun and that are not whole: damaged, or never finished.
  package private(set) var broken: [ClosedRange<UInt64>] = []
  /// The points that the journal has: those behind its records, and those at which segments begin.
  package private(set) var points: Set<JournalPoint> = []
  /// Whether the file is one in which nothing was ever begun, or one of which only that is left.
  package private(set) var isEmpty = false
  /// Why nothing was read; nil if something could be read.
  package private(set) var flaw: Flaw?

  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - owner: The UUID of the store; nil if it is lost: then the journal is believed.
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8], of owner: JournalOwner?) {
    let span = unsafe bytes.span.bytes
    guard span.byteCount > 0 else {
      isEmpty = true
      return
    }
    var owner = owner
    var segmentSize: Int?
    switch JournalHeaderReading(
      span.extracting(0..<min(JournalFormat.sector, span.byteCount)), fileSize: span.byteCount)
    {
    case .header(let header):
      if let owner, header.owner != owner {
        flaw = .otherStore(header.owner)
        return
      }
      owner = header.owner
      segmentSize = header.segmentSize
    case .unfinished:
      isEmpty = true
      return
    case .version(let number):
      flaw = .version(number)
      return
    case .invalid: break
    }
    guard let owner else {
      flaw = .unknownStore
      return
    }
    let segments = Self.segments(span, owner, segmentSize)
    // Neither a header nor a segment: nothing is left of it.
    isEmpty = segmentSize == nil && segments.isEmpty
    for segment in segments { read(segment, span) }
  }

  private struct Segment {
    let header: SegmentHeader
    let checksum: UInt64
    let begin: Int
    var end: Int
  }

  /// Returns the segments in their order; of several with one ordinal, the one that was begun last.
  /// - Parameter size: How long each is; nil if the journal's header is damaged: then they are looked for everywhere.
  private static func segments(_ bytes: RawSpan, _ owner: JournalOwner, _ size: Int?) -> [Segment] {
    var found: [Segment] = []
    var offset = JournalFormat.headerBlock
    while offset + JournalFormat.sector <= bytes.byteCount {
      let sector = bytes.extracting(offset..<offset + JournalFormat.sector)
      if let header = SegmentHeader(sector, owner: owner) {
        if let last = found.indices.last { found[last].end = min(found[last].end, offset) }
        found.append(
          Segment(
            header: header, checksum: sector.u64(JournalFormat.sector - 8), begin: offset,
            end: size.map { min(bytes.byteCount, offset + $0) } ?? bytes.byteCount))
      }
      offset += size ?? JournalFormat.sector
    }
    var newest: [UInt64: Segment] = [:]
    for segment in found
    where newest[segment.header.ordinal].map({ $0.header.generation < segment.header.generation }) ?? true {
      newest[segment.header.ordinal] = segment
    }
    return newest.values.sorted { $0.header.ordinal < $1.header.ordinal }
  }

  private mutating func read(_ segment: Segment, _ bytes: RawSpan) {
    points.insert(segment.header.start)
    var point = segment.header.start
    var link = segment.checksum
    var generation = segment.header.generation
    var offset = segment.begin + JournalFormat.sector
    while offset + JournalFormat.recordHeader <= segment.end,
      let fixed = RecordHeader(
        bytes, at: offset, follows: point.sequence, generation: generation, room: segment.end - offset)
    {
      let record = bytes.extracting(offset..<offset + JournalFormat.recordHeader + fixed.length)
      let payload = record.extracting(JournalFormat.recordHeader..<record.byteCount)
      point = fixed.end(after: point)
      if RecordHeader.checksum(of: record, payload: fixed.length, link: link) == fixed.checksum,
        RecordHeader.isMembers(payload, count: fixed.memberCount)
      {
        points.insert(point)
        records.append(
          JournalRecord(
            generation: fixed.generation, first: fixed.first, memberCount: fixed.memberCount,
            payload: payload.array[...], end: point, checksum: fixed.checksum))
      } else if fixed.memberCount > 0 {
        broken.append(fixed.first...point.sequence)
      }
      link = fixed.checksum
      generation = fixed.generation
      offset += JournalFormat.size(ofPayload: fixed.length)
    }
  }
}
