internal import SatchelBytes

/// The first sector of a segment: which one of the journal's segments it is, and the points between which it begins.
package struct SegmentHeader: Sendable, Hashable {
  /// The running number of the segment in the order of the journal, from 1.
  package var ordinal: UInt64
  /// The generation of its first record.
  package var generation: UInt64
  /// The point that its first record follows.
  package var start: JournalPoint
  /// The point of the journal's last record before it. It is not `start` if commits between them did not go through the
  /// journal.
  package var previous: JournalPoint
  /// The index of its place in the file. In a journal of the first version, which does not say it, nil.
  package var slot: Int?

  package init(
    ordinal: UInt64, generation: UInt64, start: JournalPoint, previous: JournalPoint, slot: Int?
  ) {
    self.ordinal = ordinal
    self.generation = generation
    self.start = start
    self.previous = previous
    self.slot = slot
  }

  /// "Segment" and a zero as the bytes of a little-endian number.
  static let magic: UInt64 = 0x0074_6E65_6D67_6553

  /// Returns what is wrong with where the segment lies; nil if nothing is.
  /// - Parameters:
  ///   - place: The index of the place in the file.
  ///   - isWhole: Whether the file goes as far as the segment.
  func flaw(in place: Int, isWhole: Bool) -> String? {
    if slot != place { return "segment \(ordinal) is in place \(place), where another one was" }
    return isWhole ? nil : "segment \(ordinal) is cut off"
  }

  /// Returns the header's sector.
  package func encoded(in journal: JournalHeader) -> [UInt8] {
    var header = ByteWriter(capacity: JournalFormat.sector)
    header.u64(Self.magic)
    header.u64(ordinal)
    header.u64(generation)
    header.u64(start.sequence &+ 1)
    header.u64(start.chain)
    header.u64(previous.sequence)
    header.u64(previous.chain)
    header.u64(journal.version == .first ? start.chain : UInt64(slot ?? 0))
    JournalFormat.seal(&header, owner: journal.owner)
    return header.bytes
  }

  /// Reads a sector. Nil if it is not the header of a segment of this store's journal: never used, torn or damaged.
  package init?(_ bytes: RawSpan, in journal: JournalHeader) {
    guard bytes.byteCount == JournalFormat.sector, bytes.u64(0) == Self.magic,
      JournalFormat.isSealed(bytes, owner: journal.owner), JournalFormat.isReserved(bytes, from: 64)
    else { return nil }
    ordinal = bytes.u64(8)
    generation = bytes.u64(16)
    let first = bytes.u64(24)
    previous = JournalPoint(sequence: bytes.u64(40), chain: bytes.u64(48))
    guard 1..<JournalFormat.numberBound ~= ordinal, 1..<JournalFormat.numberBound ~= generation,
      1..<JournalFormat.numberBound ~= first, previous.sequence < first
    else { return nil }
    start = JournalPoint(sequence: first - 1, chain: bytes.u64(32))
    let last = bytes.u64(56)
    guard journal.version == .first ? last == start.chain : last < JournalFormat.mostSegments else {
      return nil
    }
    slot = journal.version == .first ? nil : Int(last)
  }
}
