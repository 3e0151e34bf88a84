import Journal
import TestSupport
import Testing

/// What a journal is to a store, by the point of the store's last checkpoint.
struct RelationTests {
  /// A journal with the sequences 1 to 9, and the point behind each.
  private func sample() throws -> (disk: MemoryDisk, points: [JournalPoint]) {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var points = [JournalPoint.start]
    for sequence in 1...9 {
      points.append(try writer.append([[UInt8](repeating: UInt8(sequence), count: 700)]))
    }
    try writer.sync()
    return (disk, points)
  }

  private func relation(_ disk: MemoryDisk, _ point: JournalPoint) throws -> JournalRelation {
    try JournalReader(openJournal(disk), of: sampleOwner, after: point).relation
  }

  private func code(_ disk: MemoryDisk, _ point: JournalPoint) -> JournalError.Code? {
    do throws(JournalError) {
      var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: point)
      _ = try reader.all()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func anEmptyFileIsEmpty() throws {
    #expect(try relation(MemoryDisk(), .start) == .empty)
    let header = JournalHeader(owner: sampleOwner, segmentSize: 4096).encoded()
    for count in [1, 7, 8, 100, 512, 4095, 4096] {
      #expect(try relation(MemoryDisk(Array(header.prefix(count))), .start) == .empty)
      #expect(try relation(MemoryDisk([UInt8](repeating: 0, count: count)), .start) == .empty)
    }
    // The first segment was being made.
    for more in [1, 4095, 4096, 8192] {
      let disk = MemoryDisk(header + [UInt8](repeating: 0, count: more))
      #expect(try relation(disk, JournalPoint(sequence: 7, chain: 7)) == .empty)
    }
  }

  /// A store that uses its journal is not before the point at which the file was begun: it has used an earlier life of it.
  @Test func aJournalThatWasBegunLaterIsRefused() throws {
    let begun = JournalPoint(sequence: 9, chain: 99)
    let header = JournalHeader(owner: sampleOwner, segmentSize: 4096, begun: begun)
    let disk = MemoryDisk(header.encoded() + [UInt8](repeating: 0, count: 4096))
    #expect(try openJournal(disk).header(of: sampleOwner) == header)
    let before = JournalPoint(sequence: 8, chain: 88)
    #expect {
      try JournalReader(openJournal(disk), of: sampleOwner, after: before, last: .start)
    } throws: { error in
      (error as? JournalError)?.code == .gap(before, begun)
    }
    // It was begun at this point, or before it; or the store does not use it.
    for point in [begun, JournalPoint(sequence: 10, chain: 1)] {
      #expect(
        try JournalReader(openJournal(disk), of: sampleOwner, after: point, last: .start).relation == .empty)
    }
    #expect(try relation(disk, before) == .empty)
  }

  /// A segment that is used again still has records of its earlier use, which follow nothing.
  @Test func whatASegmentHadBeforeIsNotFound() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var points = [JournalPoint.start]
    func append(_ count: Int) throws {
      for _ in 0..<count { points.append(try writer.append([[UInt8](repeating: 7, count: 100)])) }
      try writer.sync()
    }
    // Segments of 4,096 bytes have room for seven; the first one is used again for the fifteenth.
    try append(14)
    writer.release(through: 14)
    try append(1)
    try #require(disk.bytes.count == 3 * 4096)
    for sequence in 2...6 {
      #expect {
        try JournalReader(
          openJournal(disk), of: sampleOwner, after: points[sequence], last: points[sequence])
      } throws: { error in
        (error as? JournalError)?.code == .gap(points[sequence], points[7])
      }
    }
  }

  @Test func everyPointIsFound() throws {
    let (disk, points) = try sample()
    for (sequence, point) in points.enumerated() {
      var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: point)
      #expect(reader.relation == .follows)
      let records = try reader.all()
      #expect(records.flatMap(\.members).map(\.sequence) == Array(UInt64(sequence) + 1..<10))
      #expect(reader.end.point == points[9])
      #expect(records.last.map { $0.end == points[9] } ?? true)
    }
  }

  @Test func anotherStoresJournalIsRefused() throws {
    let (disk, points) = try sample()
    let other = JournalOwner(high: 1, low: 2)
    #expect {
      try JournalReader(openJournal(disk), of: other, after: points[3])
    } throws: { error in
      (error as? JournalError)?.code == .otherStore(sampleOwner)
        && "\(error)".contains("00112233445566778899aabbccddeeff")
    }
  }

  @Test func anotherHistoryIsRefused() throws {
    let (disk, points) = try sample()
    let before = disk.bytes
    for sequence in [UInt64(1), 4, 5, 8, 9] {
      let point = JournalPoint(sequence: sequence, chain: 66)
      #expect(code(disk, point) == .otherChain(point, points[Int(sequence)]))
    }
    #expect(disk.bytes == before)
    // Before the first record there is only the start.
    let point = JournalPoint(sequence: 0, chain: 66)
    #expect(code(disk, point) == .otherChain(point, points[0]))
  }

  @Test func anOlderJournalIsIgnored() throws {
    let (disk, points) = try sample()
    let later = points[9].jumped(to: 10).jumped(to: 11)
    #expect(try relation(disk, later) == .older(points[9]))
    // It is gone on with, behind the store's point.
    let (members, writer) = try reopened(disk, after: later)
    #expect(members == [])
    try writer.append([[12]])
    #expect(try reopened(disk, after: later).members == [Member(sequence: 12, bytes: [12])])
    // An older store lacks what did not go through the journal.
    #expect(code(disk, points[4]) == .gap(points[9], later))
  }

  @Test func aStoreFromBeforeTheJournalIsRefused() throws {
    let disk = MemoryDisk()
    let point = JournalPoint(sequence: 40, chain: 40)
    let (_, writer) = try reopened(disk, after: point)
    try writer.append([[41]])
    let older = JournalPoint(sequence: 30, chain: 30)
    #expect(code(disk, older) == .gap(older, point))
    #expect(code(disk, point) == nil)
  }

  /// Segments that were used again, and a store that was put back from before that.
  @Test func aStoreFromBeforeTheReuseIsRefused() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var points = [JournalPoint.start]
    for sequence in 1...60 {
      points.append(try writer.append([[UInt8](repeating: UInt8(sequence), count: 900)]))
      if sequence % 7 == 0 { writer.release(through: UInt64(sequence)) }
    }
    #expect((try disk.size() - 4096) / 4096 < 8)
    #expect(code(disk, points[56]) == nil)
    for sequence in [0, 3, 20, 40] {
      guard case .gap(let store, let journal) = code(disk, points[sequence]) else {
        Issue.record("\(sequence): \(String(describing: code(disk, points[sequence])))")
        continue
      }
      #expect(journal.sequence > store.sequence && store.sequence >= UInt64(sequence))
    }
  }

  /// A record in the middle that cannot be read is the end if nothing says otherwise; the next segment says otherwise,
  /// since everything before it was synced when it was begun.
  @Test func aDamagedRecordIsNotTheEndIfASegmentFollows() throws {
    let (disk, points) = try sample()
    let intact = disk.bytes
    var (ends, gaps) = (0, 0)
    for offset in stride(from: 4096 + 512 + 40, to: intact.count, by: 512) {
      var bytes = intact
      bytes[offset] ^= 1
      guard bytes[(offset & ~511)..<(offset & ~511) + 32].contains(where: { $0 != 0 }) else { continue }
      let damaged = MemoryDisk(bytes)
      switch code(damaged, points[0]) {
      case .damaged(let end, let through):
        #expect(points.contains { $0.sequence == end } && end <= through ?? end)
        gaps += 1
      case nil:
        let found = try reopened(MemoryDisk(bytes), after: points[0]).members
        #expect(found.map(\.sequence) == Array(1..<UInt64(found.count) + 1))
        ends += 1
      case let other: Issue.record("\(offset): \(String(describing: other))")
      }
    }
    #expect(ends > 0 && gaps > 0)
  }

  /// A record is appended, and the next segment begun, between the looks for the one and for the other.
  @Test func aRecordThatCameMeanwhileIsNotMissed() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[UInt8](repeating: 1, count: 2000)])
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: .start)
    _ = try reader.all()
    let filled = disk.bytes
    try writer.append([[UInt8](repeating: 2, count: 400)])
    try writer.append([[UInt8](repeating: 3, count: 2000)])
    let later = disk.bytes
    disk.bytes = filled
    disk.beforeNextSize { disk.bytes = later }
    #expect(try reader.all().map(\.memberCount) == [1, 1])
    #expect(reader.end.point == writer.end.point)
  }

  @Test func headersThatAreNoneAreRefused() throws {
    let (disk, _) = try sample()
    var bytes = disk.bytes
    bytes[40] = 1
    #expect(code(MemoryDisk(bytes), .start) == .invalid)
    bytes = disk.bytes
    bytes.replaceSubrange(0..<512, with: [UInt8](repeating: 0, count: 512))
    #expect(code(MemoryDisk(bytes), .start) == .invalid)
    #expect(code(MemoryDisk(Array("not a journal".utf8)), .start) == .invalid)
    let header = JournalHeader(owner: sampleOwner, segmentSize: 1024).encoded()
    #expect(code(MemoryDisk(header + [UInt8](repeating: 0, count: 4097 << 10)), .start) == .invalid)
    #expect(code(disk, JournalPoint(sequence: .max, chain: 0)) == .invalid)
  }
}
