internal import SatchelBytes

extension JournalReader {
  /// Goes to the store's point, if the journal has it, and otherwise says what the journal is to the store.
  ///
  /// Before a segment is begun, everything before it is synced. So only the newest segment may have an end that is torn,
  /// and segments that are used again have older commits than the store.
  /// - Parameter last: The point of the journal's last record when the store was at `point`; nil if the store does not know, or does
  ///   not use the journal.
  mutating func locate(
    _ point: JournalPoint, last: JournalPoint?, in segments: [PlacedSegment]
  ) throws(JournalError) {
    if last != nil, let begun = header?.begun {
      // The store has used another file before, or an earlier life of this one.
      guard begun.sequence <= point.sequence else {
        throw file.error(.gap(point, begun), "open", "the journal was begun later")
      }
    }
    let newestFirst = segments.sorted {
      ($0.header.ordinal, $0.header.generation) > ($1.header.ordinal, $1.header.generation)
    }
    guard let newest = newestFirst.first else {
      if let last, last != .start {
        try checkLength(after: point)
        throw file.error(.older(point, .start), "open", "it has no records, and had one at \(last)")
      }
      return
    }
    var other: JournalPoint?
    for segment in newestFirst where segment.header.start.sequence <= point.sequence {
      enter(segment)
      while end.point != point, end.point.sequence <= point.sequence {
        if end.point.sequence == point.sequence { other = end.point }
        guard try passRecord() != nil else { break }
      }
      if end.point == point {
        relation = .follows
        return
      }
    }
    // The point is a record's: something before it is damaged, which the store does not need any more.
    if last == point, try find(point, in: segments) {
      relation = .follows
      return
    }
    if last != nil { try checkLength(after: point) }
    let found = try end(of: newest)
    let later = segments.map(\.header.start).filter { $0.sequence > point.sequence }
    guard other == nil, later.isEmpty, found.sequence < point.sequence else {
      let first = later.min { $0.sequence < $1.sequence }
      if other == nil, let first, later.count == segments.count {
        throw file.error(.gap(point, first), "open", "all records of the journal are later")
      }
      throw file.error(.otherChain(point, other ?? found), "open")
    }
    var previous = end.previous
    // A segment may have been begun by a record that was lost: then the last record is in the one before, or there is none.
    let isBegunOnly = found == newest.header.start && end.offset == JournalFormat.sector
    let record = !isBegunOnly ? found : newest.header.ordinal == 1 ? .start : newest.header.previous
    if let last, last != record {
      guard last != .start else { throw file.error(.otherChain(point, record), "open") }
      // Its last record, behind damage.
      guard last != point, try find(last, in: segments) else {
        throw file.error(.older(point, record), "open", "it had a record at \(last)")
      }
      previous = last
    }
    let generation = segments.lazy.map(\.header.generation).reduce(end.generation, max)
    relation = .older(found)
    end.point = point
    end.previous = previous
    end.link = point.chain
    end.generation = generation
    end.slot = nil
    before = nil
  }

  /// Looks everywhere for the place behind a point, and goes there. Only for journals whose records are known by themselves.
  ///
  /// It is where the record begins that names the point's chain value as what it follows; without one, behind the record whose checksum
  /// is that value. If that is damaged, so may be its length: then what follows is looked for in all that is behind its header.
  private mutating func find(_ point: JournalPoint, in segments: [PlacedSegment]) throws(JournalError) -> Bool
  {
    guard let header, header.version != .first else { return false }
    var last: (segment: PlacedSegment, offset: Int)?
    // A segment that is used again may still have records of its earlier use.
    for segment in segments where segment.header.start.sequence <= point.sequence {
      var scan = try RecordScan(file, header, slot: segment.slot, from: JournalFormat.sector)
      while let found = scan.next() {
        let record = found.header
        if found.isWhole, record.link == point.chain, record.first == point.sequence + 1 {
          go(to: found.offset, in: segment, behind: point)
          return true
        }
        if record.end == point {
          last = (segment, found.offset + (found.isWhole ? record.size : JournalFormat.sector))
        }
      }
    }
    guard let last else { return false }
    go(to: last.offset, in: last.segment, behind: point)
    return true
  }

  private mutating func go(to offset: Int, in segment: PlacedSegment, behind point: JournalPoint) {
    enter(segment)
    end.point = point
    end.previous = point
    end.link = point.chain
    end.offset = offset
    before = nil
  }

  /// Goes behind the last record of a segment, and returns its point.
  private mutating func end(of segment: PlacedSegment) throws(JournalError) -> JournalPoint {
    enter(segment)
    while try passRecord() != nil {}
    return end.point
  }
}
