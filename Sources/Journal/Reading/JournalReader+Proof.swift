internal import SatchelBytes

/// Telling damage from the end that a crash leaves.
///
/// A record that cannot be read is the end of the journal if it was never synced. It is damage if something on the disk proves
/// that it was. The proofs are a later record that says that all before it was synced; a segment that was begun; and what the
/// head says.
extension JournalReader {
  /// Makes sure that nothing is missing behind the end that the reader has come to.
  ///
  /// Call it when `next` has returned nil, and only while nobody may append, empty the journal or use a segment again; or
  /// look afterwards whether the store has gone on, and begin anew then.
  /// - Parameter known: A point that the journal has reached by what the head says; nil if it says nothing.
  /// - Throws: `damaged` if commits are missing, `otherChain` if the head knows of another history.
  /// - Complexity: O(1) reads for each segment in use, and the bytes of the newest one and of those that have no header.
  package func checkEnd(known: JournalPoint? = nil) throws(JournalError) {
    let missing = known.flatMap { $0.sequence > end.point.sequence ? $0.sequence : nil }
    try checkLength(after: end.point, through: missing)
    if let missing { throw damaged(through: missing) }
    if let known, known.sequence == end.point.sequence, known != end.point {
      throw file.error(.otherChain(end.point, known), "open", "by its head")
    }
    // In the first version nothing tells.
    guard let header, header.version != .first else { return }
    let slots = (try file.size() - JournalFormat.headerBlock + header.segmentSize - 1) / header.segmentSize
    for slot in 0..<min(slots, JournalFormat.mostSegments) { try check(slot, header) }
  }

  /// Makes sure that the file goes as far as its segments.
  /// - Parameters:
  ///   - point: What can be read of it.
  ///   - last: The commit up to which it had more; nil if nobody knows.
  /// - Throws: `damaged`.
  func checkLength(after point: JournalPoint, through last: UInt64? = nil) throws(JournalError) {
    guard let header, header.version != .first else { return }
    func cut(_ detail: String) -> JournalError {
      file.error(.damaged(after: point.sequence, through: last), "open", detail)
    }
    let size = try file.size()
    // Its first segment was synced before the store was told of the journal.
    guard size >= JournalFormat.headerBlock + header.segmentSize else {
      throw cut("it has \(size) bytes, and segments of \(header.segmentSize)")
    }
    // A segment that is there in part may be one that was being made, but it was never begun then.
    let slot = (size - JournalFormat.headerBlock) / header.segmentSize
    let begin = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
    let sector = try file.read(JournalFormat.sector, at: begin)
    guard let segment = unsafe SegmentHeader(sector.span.bytes, in: header),
      let flaw = segment.flaw(in: slot, isWhole: false)
    else { return }
    throw cut(flaw)
  }

  private func check(_ slot: Int, _ header: JournalHeader) throws(JournalError) {
    let begin = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
    let sector = try file.read(JournalFormat.sector, at: begin)
    if let segment = unsafe SegmentHeader(sector.span.bytes, in: header) {
      if let flaw = segment.flaw(in: slot, isWhole: true) { throw damaged(through: nil, flaw) }
      if slot == end.slot { try checkRecords(of: slot, header, from: end.offset) }
      return
    }
    // It was never begun, or its header is damaged.
    try checkRecords(of: slot, header, from: JournalFormat.sector)
  }

  /// Looks for a record which proves that another one was synced that is missing.
  ///
  /// The first record of a segment proves nothing: it is written at once with the header. So it may be there when the header is not, or
  /// beside the header of whoever has begun the segment again because of that.
  private func checkRecords(of slot: Int, _ header: JournalHeader, from offset: Int) throws(JournalError) {
    var scan = try RecordScan(file, header, slot: slot, from: offset)
    while let found = scan.next() {
      let record = found.header
      guard found.isWhole, record.followsSync, record.first > end.point.sequence,
        record.generation >= end.generation, found.offset > JournalFormat.sector
      else { continue }
      throw damaged(through: record.last)
    }
  }

  private func damaged(through last: UInt64?, _ detail: String = "") -> JournalError {
    file.error(.damaged(after: end.point.sequence, through: last), "open", detail)
  }
}
