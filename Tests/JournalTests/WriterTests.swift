import Journal
import TestSupport
import Testing

/// What a writer does and refuses, segment by segment.
struct WriterTests {
  @Test func randomRecordsAreReadBack() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(15) {
      let size = 512 * (2 + random.below(30))
      let limits = JournalLimits(segmentSize: size, softSegments: 2, hardSegments: 1000)
      let disk = MemoryDisk()
      var model: [Member] = []
      for _ in 0..<20 {
        let (members, writer) = try reopened(disk, after: .start, limits: limits)
        #expect(members == model)
        for _ in 0..<random.below(5) {
          let count = 1 + random.below(4)
          let most = (size - 512 - 40) / count - 4
          let group = (0..<count).map { _ in
            randomBytes(random.oneIn(4) ? most : random.below(min(most, 700)), &random)
          }
          try writer.append(group)
          for bytes in group { model.append(Member(sequence: UInt64(model.count) + 1, bytes: bytes)) }
        }
      }
      #expect(try reopened(disk, after: .start, limits: limits).members == model)
    }
  }

  @Test func aRecordHasToFitIntoASegment() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    let most = 4096 - 512 - 40 - 4
    let before = disk.bytes
    #expect {
      try writer.append([[UInt8](repeating: 1, count: most + 1)])
    } throws: {
      ($0 as? JournalError)?.code == .recordTooLong(4096 - 512 + 1, limit: 4096 - 512)
    }
    #expect(disk.bytes == before)
    try writer.append([[UInt8](repeating: 1, count: most)])
    #expect(try reopened(disk, after: .start).members.map(\.bytes.count) == [most])
  }

  @Test func anEmptyDraftIsNoRecord() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    let before = disk.bytes
    #expect(try writer.append([]) == .start)
    #expect(disk.bytes == before)
  }

  @Test func aDraftIsUsedAgain() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var draft = JournalDraft()
    for sequence in UInt8(1)...4 {
      draft.removeAll()
      draft.add([UInt8](repeating: sequence, count: Int(sequence) * 500))
      #expect(draft.memberCount == 1 && draft.payloadCount == 4 + Int(sequence) * 500)
      try writer.append(&draft)
    }
    #expect(try reopened(disk, after: .start).members.map(\.bytes.count) == [500, 1000, 1500, 2000])
  }

  @Test func segmentsAreBoundedAndUsedAgain() throws {
    let limits = JournalLimits(segmentSize: 4096, softSegments: 2, hardSegments: 3)
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start, limits: limits)
    let large = [UInt8](repeating: 5, count: 3000)
    #expect(!writer.isCheckpointDue && writer.needsSegment)
    try writer.append([large])
    #expect(!writer.isCheckpointDue && writer.needsSegment)
    try writer.prepareSegment()
    #expect(!writer.needsSegment)
    let size = try disk.size()
    try writer.append([large])
    #expect(try disk.size() == size)
    #expect(writer.isCheckpointDue)
    try writer.append([large])
    let point = writer.end.point
    for _ in 0..<2 {
      #expect { try writer.append([large]) } throws: { ($0 as? JournalError)?.code == .full(segments: 3) }
    }
    // There is room behind the last one for a small one.
    #expect(writer.segmentsInUse == 3)
    writer.release(through: point.sequence)
    let whole = try disk.size()
    for _ in 0..<20 {
      try writer.append([large])
      writer.release(through: writer.end.point.sequence - 1)
      #expect(writer.segmentsInUse <= 2)
    }
    #expect(try disk.size() == whole)
    #expect(try reopened(disk, after: writer.end.point).members == [])
  }

  /// The zeros of a segment are written in step with what is appended to the one before: no append finds more than a step of them
  /// missing. Without the steps it would write a whole segment.
  @Test func aSegmentIsMadeInSteps() throws {
    let size = 1 << 16
    func greatestGrowth(inSteps: Bool) throws -> Int {
      let disk = MemoryDisk()
      let limits = JournalLimits(segmentSize: size, softSegments: 8, hardSegments: 16)
      let (_, writer) = try reopened(disk, after: .start, limits: limits)
      try writer.prepareSegment()
      var growth = 0
      while writer.segmentsInUse < 4 {
        let before = try disk.size()
        try writer.append([[UInt8](repeating: 7, count: 900)])
        if inSteps { writer.prepareInStep() }
        growth = max(growth, try disk.size() - before)
      }
      #expect(try reopened(disk, after: .start).members.count == Int(writer.end.point.sequence))
      return growth
    }
    #expect(try greatestGrowth(inSteps: false) == size)
    #expect(try greatestGrowth(inSteps: true) <= size / 8)
  }

  /// Somebody else may have begun the segment: then it is not made by whoever had begun to make it.
  @Test func aSegmentThatOthersHaveBegunIsLeft() throws {
    let disk = MemoryDisk()
    let limits = JournalLimits(segmentSize: 1 << 14, softSegments: 8, hardSegments: 16)
    let (_, first) = try reopened(disk, after: .start, limits: limits)
    while first.segmentsInUse == 0 || first.end.offset < 3 << 12 {
      try first.append([[UInt8](repeating: 1, count: 900)])
      first.prepareInStep()
    }
    #expect(try disk.size() % (1 << 14) != JournalFormat.headerBlock)
    try first.sync()
    let (_, second) = try reopened(disk, after: .start, limits: limits)
    while second.segmentsInUse < 2 { try second.append([[UInt8](repeating: 2, count: 900)]) }
    try second.sync()
    try first.resume(at: second.end, released: 0)
    while first.segmentsInUse < 4 {
      try first.append([[UInt8](repeating: 3, count: 900)])
      first.prepareInStep()
    }
    let members = try reopened(disk, after: .start).members
    #expect(members.count == Int(first.end.point.sequence))
    #expect(members.contains { $0.bytes.first == 2 })
  }

  /// Two writers by turns, each of which reads what the other one has appended.
  @Test func writersTakeTurns() throws {
    var random = SeededGenerator()
    let disk = MemoryDisk()
    let limits = JournalLimits(segmentSize: 2048, softSegments: 2, hardSegments: 500)
    var readers = [JournalReader](
      repeating: try JournalReader(openJournal(disk), of: sampleOwner, after: .start), count: 2)
    var writers: [JournalWriter] = []
    for index in 0..<2 {
      _ = try readers[index].all()
      writers.append(
        try JournalWriter(readers[index], released: 0, limits: limits, nonce: UInt32(index) + 1))
    }
    var model: [Member] = []
    var seen: [[Member]] = [[], []]
    for _ in 0..<60 {
      let index = random.below(2)
      for record in try readers[index].all() { seen[index] += record.members }
      #expect(seen[index] == model)
      try writers[index].resume(at: readers[index].end, released: 0)
      #expect(writers[index].end == readers[index].end)
      #expect(writers[index].generation > readers[index].end.generation)
      for _ in 0..<random.below(4) {
        let bytes = randomBytes(random.below(900), &random)
        try writers[index].append([bytes])
        model.append(Member(sequence: UInt64(model.count) + 1, bytes: bytes))
      }
    }
    #expect(try reopened(disk, after: .start, limits: limits).members == model)
  }

  @Test func anEmptiedFileIsBegunAnew() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start, nonce: 1)
    try writer.append([[1]])
    let point = writer.end.point
    // Another process empties the journal, and the store has what was in it.
    try openJournal(disk).empty()
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: point)
    #expect(try reader.next() == nil)
    try writer.resume(at: reader.end, released: point.sequence)
    try writer.append([[2]])
    try writer.sync()
    #expect(try reader.next()?.members == [Member(sequence: 2, bytes: [2])])
    #expect(try reopened(disk, after: point).members == [Member(sequence: 2, bytes: [2])])
  }

  @Test func aReaderSkipsWhatItsOwnWriterHasAppended() throws {
    let disk = MemoryDisk()
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: .start)
    #expect(try reader.all() == [])
    let writer = try JournalWriter(reader, released: 0, limits: smallSegments, nonce: 1)
    for sequence in UInt8(1)...12 {
      try writer.append([[UInt8](repeating: sequence, count: 700)])
      reader.skip(to: writer.end)
      #expect(try reader.next() == nil)
    }
    let (_, other) = try reopened(disk, after: .start, nonce: 2)
    try other.append([[13]])
    #expect(try reader.all().flatMap(\.members) == [Member(sequence: 13, bytes: [13])])
  }

  /// A writer who goes on and then writes elsewhere waits for no generation that nobody writes in.
  @Test func aReaderSkipsToAWriterThatAppendsNothing() throws {
    let disk = MemoryDisk()
    let (_, first) = try reopened(disk, after: .start, nonce: 5)
    try first.append([[1]])
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: .start)
    #expect(try reader.all().count == 1)
    let idle = try JournalWriter(reader, released: 0, limits: smallSegments, nonce: 9)
    reader.skip(to: idle.end)
    let (_, other) = try reopened(disk, after: .start, nonce: 7)
    // The second one begins a segment.
    for sequence in UInt8(2)...3 { try other.append([[UInt8](repeating: sequence, count: 2800)]) }
    #expect(try reader.all().flatMap(\.members).map(\.sequence) == [2, 3])
  }

  @Test func aSegmentHasWholeSectors() {
    for size in [0, 512, 1000, 1025, 128 << 20] {
      #expect {
        try reopened(
          MemoryDisk(), after: .start,
          limits: JournalLimits(segmentSize: size, softSegments: 1, hardSegments: 2))
      } throws: {
        ($0 as? JournalError)?.code == .invalid
      }
    }
  }

  /// A write that failed, and whose place another writer has used meanwhile.
  @Test func aTornPlaceOfOthersIsLeftAlone() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start, nonce: 1)
    try writer.append([[1]])
    disk.fail(.init(call: disk.calls, number: 5, share: 10, count: 2))
    #expect(throws: JournalError.self) { try writer.append([[UInt8](repeating: 66, count: 900)]) }
    let generation = writer.generation
    let (_, other) = try reopened(disk, after: .start, nonce: 2)
    try other.append([[2]])
    try writer.resume(at: other.end, released: 0)
    #expect(writer.generation > max(generation, other.generation))
    try writer.append([[3]])
    let found = try reopened(disk, after: .start).members.map(\.bytes)
    #expect(found == [[1], [2], [3]])
  }

  /// A generation that cannot be raised any more stops nobody's process.
  @Test func theLastGenerationIsRefused() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[1]])
    let header = SegmentHeader(
      ordinal: 1, generation: (1 << 63) - 1, start: .start, previous: .start, slot: 0)
    disk.bytes.replaceSubrange(4096..<4608, with: header.encoded(in: sampleHeader))
    #expect { try reopened(disk, after: .start) } throws: { ($0 as? JournalError)?.code == .invalid }
  }
}
