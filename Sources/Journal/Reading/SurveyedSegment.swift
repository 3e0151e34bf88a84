internal import SatchelBytes

/// A segment that was found in the bytes of a journal, wherever it is.
struct SurveyedSegment {
  let header: SegmentHeader
  /// The checksum of the header.
  let checksum: UInt64
  /// The offset of its header in the file.
  let begin: Int
  /// The offset behind it: of the next segment, or the end of the file.
  var end: Int

  /// Returns all segments.
  /// - Parameter size: How long each is; nil if the journal's header is damaged: then they are looked for everywhere.
  static func all(in bytes: RawSpan, _ journal: JournalHeader, _ size: Int?) -> [SurveyedSegment] {
    var found: [SurveyedSegment] = []
    var offset = size == nil ? 0 : JournalFormat.headerBlock
    while offset + JournalFormat.sector <= bytes.byteCount {
      let sector = bytes.extracting(offset..<offset + JournalFormat.sector)
      if let header = SegmentHeader(sector, in: journal) {
        if let last = found.indices.last { found[last].end = min(found[last].end, offset) }
        found.append(
          SurveyedSegment(
            header: header, checksum: sector.u64(JournalFormat.sector - 8), begin: offset,
            end: size.map { min(bytes.byteCount, offset + $0) } ?? bytes.byteCount))
      }
      offset += size ?? JournalFormat.sector
    }
    return found
  }
}

extension [SurveyedSegment] {
  /// The segments in their order; of several with one ordinal, the one that was begun last.
  var newest: [SurveyedSegment] {
    var newest: [UInt64: SurveyedSegment] = [:]
    for segment in self
    where newest[segment.header.ordinal].map({ $0.header.generation < segment.header.generation }) ?? true {
      newest[segment.header.ordinal] = segment
    }
    return newest.values.sorted { $0.header.ordinal < $1.header.ordinal }
  }
}
