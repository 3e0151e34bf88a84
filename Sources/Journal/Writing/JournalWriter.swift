internal import SatchelBytes

/// Appends records to a journal. Whoever calls it has the turn among the writers of all processes (`WriterOrder`), one thread at a time.
///
/// A record is one write. It is stored when a `sync` after it has returned; a process that is killed loses nothing of what
/// was appended. An append that throws has not appended, and the next one goes to the same place under a higher
/// generation; if the system refuses even to remove what was written, the outcome is unknown. A sync that throws ends the
/// writer: what was appended since the last good one may be on the disk or not, and asking again would get a wrong answer.
package final class JournalWriter {
  /// How far the journal goes, with what was appended and is not synced yet. As for readers, its generation is the last
  /// record's.
  package internal(set) var end: JournalEnd
  /// That of the records to come. Readers may not wait for it before one of them is there: other writers may come first, in a
  /// generation that counts alike and has a lower nonce.
  package private(set) var generation: UInt64
  /// Whether the disk may not have all that was appended.
  package private(set) var isUnsynced = true
  /// Whether a sync has failed.
  package private(set) var isPoisoned = false
  package let file: JournalFile
  private(set) var header: JournalHeader
  let limits: JournalLimits
  /// The segments with records that no checkpoint has taken over, the oldest first. The last one is being written.
  var live: [PlacedSegment] = []
  /// How many segments the file has.
  var slotCount: Int
  /// How many zeros of the next segment are written, behind those that the file has.
  var zeroed = 0
  /// Whether there was no room for more of them.
  var hasFailedInStep = false
  /// The index of the segment that was begun last; -1 if none was.
  var lastSlot = -1
  /// The highest sequence that a checkpoint has taken over.
  package internal(set) var released: UInt64
  /// The sectors of a write that failed in which a header begins, of its segment or its record: some of it may be there.
  private var torn: Range<Int>?
  /// What was appended last: where the journal ended before it, what was written, and where the record in it begins.
  var last: (end: JournalEnd, place: Range<Int>, record: Int)?
  /// Memory for what `standing` reads: most records, with the header behind them.
  var looked = [UInt8](repeating: 0, count: 4096)
  /// The lower half of this writer's generations: two writers that count alike still have different ones.
  private let nonce: UInt32

  /// Goes on with a journal where a reader has read its last record, and in a new generation.
  ///
  /// If the file has no header yet, it gets one.
  /// - Parameters:
  ///   - reader: One that has read to the end under the lock that the caller still holds.
  ///   - released: The sequence of the store's last checkpoint.
  ///   - nonce: Only tests give one.
  package init(
    _ reader: JournalReader, released: UInt64, limits: JournalLimits = JournalLimits(),
    nonce: UInt32 = .random(in: 1 ... .max)
  ) throws(JournalError) {
    file = reader.file
    self.limits = limits
    self.nonce = nonce
    self.released = released
    end = reader.end
    generation = reader.end.generation
    header =
      reader.header
      ?? JournalHeader(owner: reader.owner, segmentSize: limits.segmentSize, begun: reader.end.point)
    slotCount = 0
    try resume(at: reader.end, released: released)
  }

  /// Goes on where others have appended meanwhile, and in a new generation, so that nothing that they may have left torn
  /// behind their end is taken for something that follows what is written now.
  /// - Parameters:
  ///   - end: The end of a reader that has read to it under the lock.
  ///   - released: The sequence of the store's last checkpoint.
  package func resume(at end: JournalEnd, released: UInt64) throws(JournalError) {
    if let found = try file.header(of: header.owner) {
      header = found
    } else {
      // The file is new, or somebody has emptied it.
      try writeHeader()
    }
    slotCount = try file.slotCount(header, "append")
    forgetZeros()
    generation = max(generation, end.generation)
    self.end = end
    // Either others have written there, or nothing whole was there to be read.
    torn = nil
    last = nil
    live = try liveSegments(behind: released)
    lastSlot = end.slot ?? lastSlot
    self.released = released
    isUnsynced = true
    try beginGeneration()
  }

  /// Appends the members of a draft as one record. They get the sequences after the end's.
  ///
  /// One write; a sync before it if the record begins a segment, and more if no segment is free.
  /// - Returns: The point behind the record; the end's if the draft is empty.
  /// - Throws: `recordTooLong`, `full`, `poisoned`, `system`: nothing is appended. `outcomeUnknown`: others may find it.
  @discardableResult
  package func append(_ draft: inout JournalDraft) throws(JournalError) -> JournalPoint {
    guard draft.memberCount > 0 else { return end.point }
    return try put(&draft)
  }

  /// Lets the system begin to write what was appended last, so that a caller who has something else to do first waits less
  /// in `sync`.
  package func beginSync() {
    if let last { file.beginSync(at: last.place.lowerBound, count: last.place.count) }
  }

  /// Takes back what was appended last, which nobody may have been told of yet.
  /// - Throws: `outcomeUnknown` if it may still be there. The writer is of no use then.
  package func withdraw() throws(JournalError) {
    guard let last else { return }
    if end.ordinal != last.end.ordinal { live.removeLast() }
    end = last.end
    torn = last.place.lowerBound..<last.record + JournalFormat.sector
    self.last = nil
    do {
      try beginGeneration()
      try mend()
    } catch {
      isPoisoned = true
      throw error
    }
    try sync()
  }

  /// Makes all that was appended survive a power cut.
  /// - Throws: `outcomeUnknown` if that fails, and from then on `poisoned`.
  package func sync() throws(JournalError) {
    try checkUsable("sync")
    guard isUnsynced else { return }
    try syncOrPoison("sync")
    isUnsynced = false
  }

  /// Says that a checkpoint has made everything up to a sequence durable in the store: segments with nothing later are
  /// used again.
  ///
  /// Call it only after the checkpoint's last sync. A reader that begins at an older checkpoint finds a gap.
  package func release(through sequence: UInt64) {
    released = max(released, min(sequence, end.point.sequence))
    while live.count > 1, live[1].header.start.sequence <= released { live.removeFirst() }
  }

  /// Says that the store has gone on to a point without the journal, as after a big write, and has everything up to there,
  /// durably. The next record follows that point, and begins a segment.
  /// - Throws: `system`, `outcomeUnknown` or `poisoned`. The journal can only be emptied then.
  package func jump(to point: JournalPoint) throws(JournalError) {
    try checkUsable("append")
    // A record that was refused must not be there when the sequence that it had belongs to another commit.
    if torn != nil {
      try mend()
      try sync()
    }
    last = nil
    end.point = point
    end.link = point.chain
    end.slot = nil
    // The store's seal names the journal's last record. Its segment stays until there is one that begins at the point.
    live = live.suffix(1)
    released = point.sequence
  }

  private func put(_ draft: inout JournalDraft) throws(JournalError) -> JournalPoint {
    try checkUsable("append")
    let size = header.version.size(ofPayload: draft.payloadCount)
    let limit = header.segmentSize - JournalFormat.sector
    guard size <= limit else {
      throw file.error(
        .recordTooLong(draft.payloadCount + header.version.recordHeader, limit: limit), "append")
    }
    guard end.ordinal < JournalFormat.numberBound - 1,
      end.point.sequence + UInt64(draft.memberCount) < JournalFormat.numberBound - 1
    else {
      throw file.error(
        .invalid, "append", "segment \(end.ordinal) or sequence \(end.point.sequence) is the last")
    }
    try mend()
    last = nil
    if end.slot != nil, end.offset + size <= header.segmentSize { return try putInSegment(&draft) }
    return try putInNextSegment(&draft)
  }

  private func putInSegment(_ draft: inout JournalDraft) throws(JournalError) -> JournalPoint {
    guard let slot = end.slot else { return end.point }
    let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize) + end.offset
    return try write(&draft, at: offset, after: end)
  }

  private func putInNextSegment(_ draft: inout JournalDraft) throws(JournalError) -> JournalPoint {
    // So that only the newest segment can be torn, at whatever level of durability.
    try sync()
    let slot = try freeSlot()
    let first = SegmentHeader(
      ordinal: end.ordinal + 1, generation: generation, start: end.point, previous: end.previous, slot: slot)
    let sector = first.encoded(in: header)
    let segment = PlacedSegment(slot: slot, header: first, sector: sector)
    draft.fill(sector: sector, in: header.version)
    let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
    let before = end
    end.enter(segment)
    do throws(JournalError) {
      let point = try write(&draft, withHeader: true, at: offset, after: before)
      live.append(segment)
      lastSlot = slot
      return point
    } catch {
      end = before
      throw error
    }
  }

  /// Writes a draft's record, or also the segment's header before it, and goes behind it.
  private func write(
    _ draft: inout JournalDraft, withHeader: Bool = false, at offset: Int, after before: JournalEnd
  ) throws(JournalError) -> JournalPoint {
    let checksum = draft.fill(
      after: end.point, link: end.link, generation: generation, followsSync: !isUnsynced, in: header)
    let first = JournalDraft.recordOffset(in: header.version) - (withHeader ? JournalFormat.sector : 0)
    let size = header.version.size(ofPayload: draft.payloadCount)
    let padding = size - draft.payloadCount - header.version.recordHeader
    draft.writer.bytes.append(contentsOf: repeatElement(0, count: padding))
    defer { draft.writer.bytes.removeLast(padding) }
    let record = offset + (withHeader ? JournalFormat.sector : 0)
    isUnsynced = true
    do {
      try file.write(draft.writer.bytes, from: first, at: offset, "append")
    } catch {
      torn = offset..<record + JournalFormat.sector
      try beginGeneration()
      do {
        try mend()
        // Nor does a power cut bring back what was not stored.
        try sync()
      } catch {
        // Another writer may find the record whole. This one appends nothing before it is gone.
        guard case .system(let number) = error.code else { throw error }
        throw file.error(.outcomeUnknown(number), "append")
      }
      throw error
    }
    let point = JournalPoint(sequence: end.point.sequence + UInt64(draft.memberCount), chain: checksum)
    end.pass(point, generation: generation, size: size)
    last = (before, offset..<offset + draft.writer.bytes.count - first, record)
    return end.point
  }

  /// Removes the begin of a write that failed. As long as that fails too, nothing else is written.
  private func mend() throws(JournalError) {
    guard let torn else { return }
    let zeros = [UInt8](repeating: 0, count: torn.count)
    isUnsynced = true
    try file.write(zeros, at: torn.lowerBound, "append")
    self.torn = nil
  }

  private func beginGeneration() throws(JournalError) {
    let next = (generation >> 32 + 1) << 32 | UInt64(nonce)
    guard next < JournalFormat.numberBound else {
      throw file.error(.invalid, "append", "generation \(generation) is the last one")
    }
    generation = next
  }

  func checkUsable(_ operation: String) throws(JournalError) {
    guard !isPoisoned else { throw file.error(.poisoned, operation) }
  }

  func syncOrPoison(_ operation: String) throws(JournalError) {
    do {
      try file.sync(operation)
    } catch {
      isPoisoned = true
      guard case .system(let number) = error.code else { throw error }
      throw file.error(.outcomeUnknown(number), operation)
    }
  }
}
