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
    if let last, try record(at: last.record)?.end != end.point { return .lost }
    guard let slot = end.slot else {
      guard try file.header(of: header.owner) == header, try file.slotCount(header, "append") >= slotCount
      else { return .lost }
      let segments = try file.segments(header)
      return segments.first(behind: end.ordinal)?.header.start == end.point ? .followed : .last
    }
    guard end.offset < header.segmentSize else { return .last }
    let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize) + end.offset
    guard let next = try record(at: offset), next.first == end.point.sequence + 1 else { return .last }
    return next.link ?? end.link == end.link ? .followed : .last
  }

  private func record(at offset: Int) throws(JournalError) -> RecordHeader? {
    let count = header.version.recordHeader
    guard try file.read(count, at: offset, into: &headerBytes) == count else { return nil }
    let bytes = headerBytes
    return unsafe RecordHeader(bytes.span.bytes, at: 0, in: header.version, room: header.segmentSize)
  }
}
