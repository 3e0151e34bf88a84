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
  /// One read, or two if the last record is long; the headers of the file and of all segments while the next record begins a segment.
  /// Call it in the turn among the writers. A record of which only the header was written counts as one: whoever reads on sees that it is
  /// none.
  package func standing() throws(JournalError) -> JournalStanding {
    guard let slot = end.slot else {
      guard try file.header(of: header.owner) == header, try file.slotCount(header, "append") >= slotCount
      else { return .lost }
      let segments = try file.segments(header)
      return segments.first(behind: end.ordinal)?.header.start == end.point ? .followed : .last
    }
    let next = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize) + end.offset
    let isFull = end.offset >= header.segmentSize
    let found = try look(at: last?.record ?? next, isFull ? nil : next)
    if last != nil {
      guard case .record(let own) = found.first, own.end == end.point else { return .lost }
    }
    switch found.second {
    case .record(let other):
      let isNext = other.first == end.point.sequence + 1 && other.link ?? end.link == end.link
      return isNext ? .followed : .last
    case .other: return .last
    // Segments are made whole before they are used.
    case .nothing: return isFull ? .last : .lost
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

  /// Reads what is at an offset, and at a later one.
  private func look(at first: Int, _ second: Int?) throws(JournalError) -> (first: Found, second: Found) {
    let count = header.version.recordHeader
    let span = (second ?? first) - first
    guard span + count <= looked.count else {
      return (try look(at: first, nil).first, try look(at: second ?? first, nil).first)
    }
    let filled = try file.read(span + count, at: first, into: &looked)
    return (found(at: 0, of: filled), second == nil ? .nothing : found(at: span, of: filled))
  }

  private func found(at offset: Int, of filled: Int) -> Found {
    guard offset + header.version.recordHeader <= filled else { return .nothing }
    let bytes = looked
    let found = unsafe RecordHeader(
      bytes.span.bytes, at: offset, in: header.version, room: header.segmentSize)
    return found.map { .record($0) } ?? .other
  }
}
