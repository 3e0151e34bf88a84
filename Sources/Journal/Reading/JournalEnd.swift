/// How far a journal was read or written, and where it goes on.
package struct JournalEnd: Sendable, Hashable {
  /// The point that the next record follows.
  package internal(set) var point: JournalPoint
  /// The point of the last record before it in the journal. It is another one if commits came past the journal.
  var previous: JournalPoint
  /// What the checksum of the next record is seeded with: that of the record before it, or of the segment's header.
  var link: UInt64
  /// The highest generation so far.
  package internal(set) var generation: UInt64
  /// The running number of the last segment; 0 if there is none.
  package internal(set) var ordinal: UInt64
  /// The index of the segment in the file; nil if the next record begins a segment in any case.
  var slot: Int?
  /// The offset in the segment at which the next record lies if it fits.
  package internal(set) var offset: Int

  /// The end of a journal that has nothing yet.
  package init(at point: JournalPoint) {
    self.point = point
    previous = point
    link = point.chain
    generation = 0
    ordinal = 0
    slot = nil
    offset = 0
  }

  /// Goes to the begin of a segment.
  mutating func enter(_ segment: PlacedSegment) {
    point = segment.header.start
    previous = segment.header.previous
    link = segment.checksum
    generation = segment.header.generation
    ordinal = segment.header.ordinal
    slot = segment.slot
    offset = JournalFormat.sector
  }

  /// Goes behind a record.
  /// - Parameter size: Bytes from its begin to the next record.
  mutating func pass(_ point: JournalPoint, generation: UInt64, size: Int) {
    self.point = point
    previous = point
    link = point.chain
    self.generation = generation
    offset += size
  }
}

/// What a journal is to a store.
package enum JournalRelation: Sendable, Hashable {
  /// It has no records at all.
  case empty
  /// All its records are older than the store, which does not need them. The point is the last one's.
  case older(JournalPoint)
  /// It has the store's point: what follows that are commits that the store does not have.
  case follows
}
