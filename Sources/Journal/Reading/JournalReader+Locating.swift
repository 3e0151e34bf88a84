extension JournalReader {
  /// Goes to a point, if the journal has it, and otherwise says what the journal is to the store.
  ///
  /// Before a segment is begun, everything before it is synced. So only the newest segment may have an end that is torn,
  /// and segments that are used again have older commits than the store.
  mutating func locate(_ point: JournalPoint, in segments: [PlacedSegment]) throws(JournalError) {
    let newestFirst = segments.sorted {
      ($0.header.ordinal, $0.header.generation) > ($1.header.ordinal, $1.header.generation)
    }
    guard let newest = newestFirst.first else { return }
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
    let last = try end(of: newest)
    let later = segments.map(\.header.start).filter { $0.sequence > point.sequence }
    guard other == nil, later.isEmpty, last.sequence < point.sequence else {
      let first = later.min { $0.sequence < $1.sequence }
      if other == nil, let first, later.count == segments.count {
        throw file.error(.gap(point, first), "open", "all records of the journal are later")
      }
      throw file.error(.otherChain(point, other ?? last), "open")
    }
    let generation = segments.lazy.map(\.header.generation).reduce(end.generation, max)
    relation = .older(last)
    end.point = point
    end.previous = last
    end.link = point.chain
    end.isCut = false
    end.generation = generation
    end.slot = nil
  }

  /// Goes behind the last record of a segment, and returns its point.
  private mutating func end(of segment: PlacedSegment) throws(JournalError) -> JournalPoint {
    enter(segment)
    while try passRecord() != nil {}
    return end.point
  }
}
