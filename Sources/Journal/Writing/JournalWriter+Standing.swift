internal import SatchelBytes

/// What a writer finds where he has appended last.
package enum JournalStanding: Sendable {
  /// The journal ends where he has ended.
  case last
  /// Somebody has appended behind him.
  case followed
  /// What he has appended last is not there any more: somebody has written to the file, or cut it, who is no writer.
  case lost
}

extension JournalWriter {
  /// Looks at the record that was appended last, and behind it. The head says the same, but it is a file like others: an older one may be
  /// put in its place, and then what others have appended would be written over.
  ///
  /// Reads the headers of two records; that of the file and of all segments while the next record begins a segment. Call it under the
  /// journal's lock. A record of which only the header was written counts as one: whoever reads on sees that it is none.
  package func standing() throws(JournalError) -> JournalStanding {
    if let last {
      guard case .record(let own) = try header(at: last.record), own.end == end.point else { return .lost }
    }
    guard let slot = end.slot else {
      guard try file.header(of: header.owner) == header, try file.slotCount(header, "append") >= slotCount
      else { return .lost }
      let segments = try file.segments(header)
      return segments.first(behind: end.ordinal)?.header.start == end.point ? .followed : .last
    }
    guard end.offset < header.segmentSize else { return .last }
    let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize) + end.offset
    switch try header(at: offset) {
    case .record(let next):
      let isNext = next.first == end.point.sequence + 1 && next.link ?? end.link == end.link
      return isNext ? .followed : .last
    case .other: return .last
    // Segments are made whole before they are used.
    case .nothing: return .lost
    }
  }

  /// What is at an offset of the file.
  private enum Found {
    case record(RecordHeader)
    /// Bytes that are no header of a record.
    case other
    /// The file ends before.
    case nothing
  }

  private func header(at offset: Int) throws(JournalError) -> Found {
    let count = header.version.recordHeader
    guard try file.read(count, at: offset, into: &headerBytes) == count else { return .nothing }
    let bytes = headerBytes
    guard
      let found = unsafe RecordHeader(
        bytes.span.bytes, at: 0, in: header.version, room: header.segmentSize)
    else { return .other }
    return .record(found)
  }
}
