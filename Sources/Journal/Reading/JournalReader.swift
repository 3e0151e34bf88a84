/// Reads the records of a journal behind a point, in an unbroken chain.
///
/// Nothing that is in the file can stop the process, or make it ask for more memory than the file has bytes. Others may
/// append meanwhile: a record that is not whole yet is the end, and is there when one asks again. Whoever reads without
/// the lock may be overtaken by a checkpoint that lets segments be used again: then records are missing (`nil` although
/// the head says that there are more, or an error), and one begins again with the store's newer point.
package struct JournalReader: Sendable {
  /// How far it has read.
  package internal(set) var end: JournalEnd
  /// Where it was before it has entered a segment of which it has read no record; nil if it has.
  var before: JournalEnd?
  /// What the journal was to the store when the reader was made.
  package internal(set) var relation: JournalRelation = .empty
  private(set) var file: JournalFile
  let owner: JournalOwner
  /// Nil as long as the file has no header.
  let header: JournalHeader?

  /// Whether the file had a header: whether anything was ever begun in it.
  package var hasHeader: Bool { header != nil }

  /// Memory for bytes of the current segment, which is used again as long as no record of it is kept; how many there are, and
  /// the offset in the segment from which on.
  private var buffer: [UInt8] = []
  private var filled = 0
  private var bufferOffset = 0
  /// How many bytes to read next. Few for somebody who follows a writer, many for somebody who reads everything.
  private var chunk = JournalReader.chunks.lowerBound

  /// Finds the point of a store's last checkpoint in its journal.
  /// - Parameters:
  ///   - owner: The UUID of the store.
  ///   - point: The point of the checkpoint; that of its last commit.
  ///   - last: The point of the journal's last record at that commit, `start` if it had none; nil if the store does not say it.
  /// - Throws: `invalid`, `version` or `otherStore` if the file is no journal of the store; `gap` or `otherChain` if the
  ///   journal has commits that the store does not have and that do not follow the point; `older` if it ends before the point and
  ///   before `last`.
  package init(
    _ file: JournalFile, of owner: JournalOwner, after point: JournalPoint, last: JournalPoint? = nil
  ) throws(JournalError) {
    guard point.sequence < JournalFormat.numberBound - 1 else {
      throw file.error(.invalid, "open", "the store's sequence \(point.sequence) is not possible")
    }
    self.file = file
    self.owner = owner
    end = JournalEnd(at: point)
    header = try file.header(of: owner)
    if let header { try locate(point, last: last, in: try file.segments(header)) }
    if before != nil { before = JournalEnd(at: point) }
  }

  /// Begins at no point.
  init(_ file: JournalFile, _ header: JournalHeader) {
    self.file = file
    owner = header.owner
    self.header = header
    end = JournalEnd(at: .start)
  }

  /// Returns a reader that goes on where this one is, by another handle of the same file: what is written after it goes by that handle.
  /// Nil if it is another file, or if the system does not tell.
  package func goingOn(by other: JournalFile) -> JournalReader? {
    guard let identity = try? file.identity(), let wanted = try? other.identity(), identity == wanted else {
      return nil
    }
    var reader = self
    reader.file = other
    return reader
  }

  /// Returns the next record, or nil if there is none yet.
  /// - Throws: `damaged` if the journal goes on, but not from here; `gap` if the store lacks what came past the journal.
  package mutating func next() throws(JournalError) -> JournalRecord? {
    guard let header, end.slot != nil else { return try nextInNewSegment() }
    while true {
      if let record = try passRecord() { return record }
      let segments = try file.segments(header)
      guard let following = segments.first(behind: end.ordinal) else {
        forgetBytes()
        return nil
      }
      if !begins(following.header), let record = try passRecord() {
        // It was appended before the next segment was begun, and after this one was read.
        return record
      }
      guard begins(following.header) else {
        throw breach(before: following.header)
      }
      enter(following)
    }
  }

  /// Goes to an end that a writer of this process has come to: what it has appended needs not be read.
  package mutating func skip(to end: JournalEnd) {
    self.end = end
    before = nil
    forgetBytes()
  }

  /// Forgets the bytes behind the end that were read together with those before it. A record that is not published may be taken back,
  /// with the segment that it has begun, and another one come in its place: whoever has read up to what is published reads on from
  /// the file.
  package mutating func forgetReadAhead() {
    filled = 0
    guard let before else { return }
    end = before
    self.before = nil
  }

  /// Whether it does not know the segments before its end. Who writes there has to read everything.
  package var knowsNoSegment: Bool { end.ordinal == 0 }

  /// Writes the newest records again, as they were read: those of the segment in which the end lies. Only they can be missing on the disk,
  /// as the one before was synced before this one was begun.
  ///
  /// The system tells of a failed sync only those who had the file open then, each once. What it has lost can be read all the same,
  /// and no later sync writes it. So whoever was perhaps not told does this, and then syncs.
  ///
  /// Call it only while no record before the end can be taken back, and the segment is not used again.
  package func rewriteSegment() throws(JournalError) {
    guard let header, let slot = end.slot else { return }
    let offset = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
    try file.write(file.read(end.offset, at: offset), at: offset, "append")
  }

  /// The error for a journal that goes on with a segment which does not begin where this one was read to.
  private func breach(before header: SegmentHeader) -> JournalError {
    let detail = "segment \(header.ordinal)"
    // All records are there, and the store lacks commits that came past the journal.
    if header.ordinal == end.ordinal + 1, header.previous == end.point {
      return file.error(.gap(end.point, header.start), "read", detail)
    }
    return file.error(
      .damaged(after: end.point.sequence, through: header.start.sequence), "read",
      "\(detail) does not begin there")
  }

  /// Whether a segment begins exactly where this one was read to.
  private func begins(_ header: SegmentHeader) -> Bool {
    header.ordinal == end.ordinal + 1 && header.previous == end.previous && header.start == end.point
      && header.generation >= end.generation
  }

  /// Looks whether somebody has begun a segment at the point since the reader was made, and reads its first record.
  private mutating func nextInNewSegment() throws(JournalError) -> JournalRecord? {
    let again = try JournalReader(file, of: owner, after: end.point)
    guard again.relation == .follows else { return nil }
    self = again
    return try next()
  }

  mutating func enter(_ segment: PlacedSegment) {
    before = before ?? end
    end.enter(segment)
    filled = 0
  }

  /// What comes next has probably not been written yet, and will be little.
  private mutating func forgetBytes() {
    buffer = []
    filled = 0
    chunk = Self.chunks.lowerBound
  }

  /// Reads the record at the end and goes behind it. Nil if there is none in this segment.
  mutating func passRecord() throws(JournalError) -> JournalRecord? {
    var found = try record()
    if found == nil {
      // What was read earlier may be older than the record.
      filled = 0
      found = try record()
    }
    if let found, let header {
      before = nil
      end.pass(
        found.end, generation: found.generation, size: header.version.size(ofPayload: found.payload.count))
    }
    return found
  }

  private mutating func record() throws(JournalError) -> JournalRecord? {
    guard let header, let slot = end.slot else { return nil }
    let room = header.segmentSize - end.offset
    let begin = JournalFormat.offset(ofSlot: slot, segmentSize: header.segmentSize)
    guard try fill(header.version.recordHeader, room: room, segment: begin),
      let fixed = unsafe RecordHeader(
        buffer.span.bytes, at: end.offset - bufferOffset, in: header.version, room: room),
      fixed.first == end.point.sequence + 1, fixed.generation >= end.generation,
      try fill(fixed.count, room: room, segment: begin)
    else { return nil }
    let start = end.offset - bufferOffset
    guard
      unsafe fixed.isWhole(
        buffer.span.bytes.extracting(start..<start + fixed.count), after: end.link, of: owner)
    else { return nil }
    return JournalRecord(
      generation: fixed.generation, first: fixed.first, memberCount: fixed.memberCount,
      payload: buffer[start + header.version.recordHeader..<start + fixed.count], end: fixed.end)
  }

  /// Makes the buffer hold `count` bytes from the end on. Returns false if the segment or the file ends before.
  private mutating func fill(_ count: Int, room: Int, segment begin: Int) throws(JournalError) -> Bool {
    guard count <= room else { return false }
    if end.offset >= bufferOffset, end.offset + count <= bufferOffset + filled { return true }
    let wanted = min(room, max(count, chunk))
    filled = 0
    bufferOffset = end.offset
    if buffer.count < wanted { buffer = [UInt8](repeating: 0, count: wanted) }
    filled = try file.read(wanted, at: begin + end.offset, into: &buffer)
    chunk = min(chunk * 2, Self.chunks.upperBound)
    return filled >= count
  }

  /// The fewest and the most bytes to read at once, but for records that are longer.
  private static let chunks = 4096...256 << 10
}
