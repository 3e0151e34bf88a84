extension JournalWriter {
  /// How many segments have records that no checkpoint has taken over.
  package var segmentsInUse: Int { live.count }

  /// Whether a checkpoint is due.
  package var isCheckpointDue: Bool { live.count >= limits.softSegments }

  /// Whether the next segment has to be made before it can be begun.
  package var needsSegment: Bool { live.count == slotCount && live.count < limits.hardSegments }

  /// Makes a segment if none is free, so that no commit has to wait for it.
  package func prepareSegment() throws(JournalError) {
    try checkUsable("append")
    if needsSegment { try makeSegment() }
  }

  /// Writes some zeros of the next segment, if no segment is free and the last one is more than half full: twice what was appended to it
  /// beyond its half, in steps, so that no commit waits for all of them. Call it after an append, before others have their turn.
  ///
  /// They are synced when the segment is begun, which writes those that are missing. If there is no room for them, nothing more is
  /// tried before that.
  package func prepareInStep() {
    guard !isPoisoned, !hasFailedInStep, end.slot != nil, needsSegment, slotCount > 0 else { return }
    let step = header.segmentSize / Self.stepsOfSegment
    let due = (2 * end.offset - header.segmentSize) / step * step
    guard due > zeroed else { return }
    do { try writeZeros(through: min(due, header.segmentSize)) } catch { hasFailedInStep = true }
  }

  /// Returns the index of a segment that is free: made now, if all are in use.
  func freeSlot() throws(JournalError) -> Int {
    guard live.count < limits.hardSegments else { throw fullError() }
    if live.count == slotCount { try makeSegment() }
    // By turns, so that what has gone into the store last stays in the file for longest.
    for distance in 1...slotCount {
      let slot = (lastSlot + distance) % slotCount
      if !live.contains(where: { $0.slot == slot }) { return slot }
    }
    throw fullError()
  }

  func fullError() -> JournalError { file.error(.full(segments: live.count), "append") }

  /// Returns the segments that have a record behind a sequence, from the end's backwards; at least the one with the last record.
  func liveSegments(behind released: UInt64) throws(JournalError) -> [PlacedSegment] {
    guard end.ordinal > 0 else { return [] }
    let all = try file.segments(header)
    var live: [PlacedSegment] = []
    var ordinal = end.ordinal
    while let segment = all.newest(ordinal: ordinal) {
      live.insert(segment, at: 0)
      if segment.header.start.sequence <= released { break }
      ordinal -= 1
    }
    return live
  }

  /// Writes the header to a file that has none.
  func writeHeader() throws(JournalError) {
    guard JournalHeader.isSize(header.segmentSize) else {
      throw file.error(.invalid, "create", "segments of \(header.segmentSize) bytes")
    }
    try file.write(header.encoded(), at: 0, "create")
  }

  /// Writes the zeros of a new segment and syncs them. Space that was only reserved would be written to the disk's tables
  /// at each first use.
  private func makeSegment() throws(JournalError) {
    guard slotCount < JournalFormat.mostSegments else { throw fullError() }
    if slotCount == 0 {
      // Before anything is behind the header: a long file without a header is damaged, not unfinished. And what is in the
      // file means nothing if its name is lost.
      try syncOrPoison("append")
      try file.syncName("append")
    }
    try writeZeros(through: header.segmentSize)
    try syncOrPoison("append")
    slotCount += 1
    forgetZeros()
  }

  /// Writes the next segment's zeros up to an offset in it, if they are not there yet.
  private func writeZeros(through end: Int) throws(JournalError) {
    let begin = JournalFormat.offset(ofSlot: slotCount, segmentSize: header.segmentSize)
    let zeros = [UInt8](repeating: 0, count: min(end - zeroed, Self.zeroCount))
    while zeroed < end {
      let excess = max(0, zeros.count - (end - zeroed))
      try file.write(zeros, from: excess, at: begin + zeroed, "append")
      zeroed += zeros.count - excess
    }
  }

  /// Forgets what has been written of the next segment: it is begun, or somebody else may have begun it.
  func forgetZeros() {
    zeroed = 0
    hasFailedInStep = false
  }

  /// In how many steps a segment is prepared while the one before it is filled.
  private static let stepsOfSegment = 16
  /// How many zeros to write at once.
  private static let zeroCount = 256 << 10
}
