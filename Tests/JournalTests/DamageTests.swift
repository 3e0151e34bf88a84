import Journal
import TestSupport
import Testing

/// Damage of a journal at rest, each commit of which was synced: it is told from the end that a crash leaves.
struct DamageTests {
  /// A journal of several segments, and the point behind each commit.
  private struct Sample {
    let bytes: [UInt8]
    let points: [JournalPoint]
    init(commits: Int, segmentSize: Int, _ random: inout SeededGenerator) throws {
      let disk = MemoryDisk()
      let limits = JournalLimits(segmentSize: segmentSize, softSegments: 4, hardSegments: 64)
      let (_, writer) = try reopened(disk, after: .start, limits: limits, nonce: 3)
      var points = [JournalPoint.start]
      for _ in 0..<commits {
        points.append(try writer.append([randomBytes(random.below(1200), &random)]))
        try writer.sync()
      }
      bytes = disk.bytes
      self.points = points
    }
  }

  private enum Found: Equatable {
    case commits(UInt64)
    case refused
  }

  private func open(
    _ bytes: [UInt8], after point: JournalPoint = .start, last: JournalPoint? = nil,
    known: JournalPoint? = nil
  ) throws -> Found {
    do throws(JournalError) {
      var reader = try JournalReader(
        openJournal(MemoryDisk(bytes)), of: sampleOwner, after: point, last: last)
      _ = try reader.all()
      try reader.checkEnd(known: known)
      return .commits(reader.end.point.sequence)
    } catch {
      switch error.code {
      case .damaged, .invalid, .version, .otherChain, .otherStore, .gap, .older: return .refused
      default: throw error
      }
    }
  }

  /// Each sector in each way. Whatever is lost is told, but for the last commit, and the one before it where two sectors are damaged: a
  /// header, and the only record behind the one that was written with it.
  @Test func whatIsLostIsTold() throws {
    var random = SeededGenerator()
    for segmentSize in [2048, 4096, 16384] {
      let sample = try Sample(commits: 40, segmentSize: segmentSize, &random)
      let last = UInt64(sample.points.count - 1)
      #expect(try open(sample.bytes) == .commits(last))
      var refused = 0
      for sector in 0..<sample.bytes.count / 512 {
        for way in 0..<4 {
          var bytes = sample.bytes
          let start = sector * 512
          switch way {
          case 0: bytes[start + random.below(512)] ^= 1 << UInt8(random.below(8))
          case 1: bytes.replaceSubrange(start..<start + 512, with: repeatElement(0, count: 512))
          case 2:
            let from = random.below(bytes.count / 512) * 512
            bytes.replaceSubrange(start..<start + 512, with: sample.bytes[from..<from + 512])
          default:
            // Two that have changed places.
            let other = random.below(bytes.count / 512) * 512
            bytes.replaceSubrange(start..<start + 512, with: sample.bytes[other..<other + 512])
            bytes.replaceSubrange(other..<other + 512, with: sample.bytes[start..<start + 512])
          }
          switch try open(bytes) {
          case .refused: refused += 1
          case .commits(let found):
            #expect(
              found >= last - (way == 3 ? 2 : 1), "sector \(sector), way \(way): \(found) of \(last)")
          }
        }
      }
      #expect(refused > 0)
    }
  }

  /// A record that nothing follows may be torn: without the head nobody can tell. The head can.
  @Test func theHeadTellsOfTheLastCommit() throws {
    var random = SeededGenerator()
    let sample = try Sample(commits: 20, segmentSize: 4096, &random)
    let known = try #require(sample.points.last)
    #expect(try open(sample.bytes, known: known) == .commits(20))
    for size in stride(from: 4096, to: sample.bytes.count, by: 512) {
      #expect(try open(Array(sample.bytes.prefix(size)), known: known) == .refused, "\(size) bytes")
    }
    #expect(try open(sample.bytes, known: JournalPoint(sequence: 20, chain: 1)) == .refused)
    #expect(try open(sample.bytes, known: sample.points[7]) == .commits(20))
  }

  /// A segment over another one: what was there is gone, and both say the same.
  @Test func aSegmentElsewhereIsTold() throws {
    var random = SeededGenerator()
    let sample = try Sample(commits: 30, segmentSize: 4096, &random)
    let segments = (sample.bytes.count - 4096) / 4096
    try #require(segments > 3)
    for from in 0..<segments {
      for to in 0..<segments where from != to {
        var bytes = sample.bytes
        bytes.replaceSubrange(
          4096 * (to + 1)..<4096 * (to + 2), with: sample.bytes[4096 * (from + 1)..<4096 * (from + 2)])
        #expect(try open(bytes) == .refused, "\(from) over \(to)")
      }
    }
  }

  @Test func aShorterFileIsTold() throws {
    var random = SeededGenerator()
    let sample = try Sample(commits: 30, segmentSize: 4096, &random)
    for size in 4096..<sample.bytes.count where size % 4096 != 0 && (size % 512 == 0 || random.oneIn(40)) {
      switch try open(Array(sample.bytes.prefix(size))) {
      case .refused: break
      // Less than the header of the last segment is left, or all of that segment's last record.
      case .commits(let found): #expect(size % 4096 < 512 || found == 30, "\(size) bytes: \(found)")
      }
    }
  }

  /// What the store has already may be damaged: the commits behind its point are found all the same.
  @Test func damageBeforeTheStoresPointCostsNothing() throws {
    var random = SeededGenerator()
    let sample = try Sample(commits: 40, segmentSize: 16384, &random)
    for _ in 0..<TestEnvironment.rounds(200) {
      let at = 5 + random.below(30)
      let point = sample.points[at]
      // Behind the headers of the journal and of the segment, and before the point.
      let segment = try #require(begin(of: sample, at))
      let record = try #require(offset(of: sample, at + 1))
      guard record > segment + 1024 else { continue }
      var bytes = sample.bytes
      let place = segment + 512 + random.below(record - segment - 512)
      if random.oneIn(2) {
        bytes[place] ^= 1 << UInt8(random.below(8))
      } else {
        bytes.replaceSubrange(place & ~511..<(place & ~511) + 512, with: repeatElement(0, count: 512))
      }
      #expect(try open(bytes, after: point, last: point) == .commits(40), "byte \(place), point \(at)")
    }
  }

  /// The length of the record at the store's point may be damaged, too: what follows it does not depend on that.
  @Test func aDamagedLengthHidesNothing() throws {
    var random = SeededGenerator()
    let sample = try Sample(commits: 12, segmentSize: 16384, &random)
    for at in 1..<12 {
      let record = try #require(offset(of: sample, at))
      for bit in 0..<64 {
        var bytes = sample.bytes
        bytes[record + 16 + bit / 8] ^= 1 << UInt8(bit % 8)
        let point = sample.points[at]
        #expect(try open(bytes, after: point, last: point) == .commits(12), "commit \(at), bit \(bit)")
      }
    }
  }

  /// The offset in the file of a commit's record.
  private func offset(of sample: Sample, _ sequence: Int) -> Int? {
    stride(from: 4096, to: sample.bytes.count, by: 512).first { offset in
      offset % 16384 != 4096 && number(sample.bytes, offset + 8) == UInt64(sequence)
        && number(sample.bytes, offset + 32) == sample.points[sequence].chain
    }
  }

  /// The offset of the segment in which the commit after one is.
  private func begin(of sample: Sample, _ sequence: Int) -> Int? {
    offset(of: sample, sequence + 1).map { ($0 - 4096) / 16384 * 16384 + 4096 }
  }

  private func number(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// An older copy of the journal, beside a store that knows of a later record.
  @Test func anOlderJournalIsRefused() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var images: [(bytes: [UInt8], point: JournalPoint)] = []
    for sequence in UInt8(1)...40 {
      let point = try writer.append([[UInt8](repeating: sequence, count: 600)])
      images.append((disk.bytes, point))
      if sequence % 4 == 0 { writer.release(through: point.sequence - 2) }
    }
    let (_, last) = try #require(images.last)
    for (bytes, point) in images.dropLast() {
      // The commit is a record of the journal.
      #expect(try open(bytes, after: last, last: last) == .refused)
      // It came past the journal, behind that record.
      #expect(try open(bytes, after: last.jumped(to: 41), last: last) == .refused)
      #expect(try open(bytes, after: point.jumped(to: 41), last: point) == .commits(41))
    }
    #expect(try open(disk.bytes, after: last, last: last) == .commits(40))
    #expect(try open(disk.bytes, after: last.jumped(to: 41), last: last) == .commits(41))
    // One that has records, beside a store that knows of none.
    #expect(try open(disk.bytes, after: last.jumped(to: 41), last: .start) == .refused)
    let empty =
      JournalHeader(owner: sampleOwner, segmentSize: 4096).encoded() + [UInt8](repeating: 0, count: 4096)
    #expect(try open(empty, after: last, last: .start) == .commits(40))
    #expect(try open(empty, after: last, last: last) == .refused)
  }

  /// The first record of a segment is lost, and the header that was written with it is there: the journal's last record is the one
  /// before it, if there is any.
  @Test func aSegmentThatIsOnlyBegunHasNoRecord() throws {
    let base = JournalPoint(sequence: 13, chain: 13)
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: base)
    var last = JournalPoint.start
    for ordinal in 1...3 {
      let point = try writer.append([[UInt8](repeating: UInt8(ordinal), count: 3000)])
      var bytes = disk.bytes
      let begin = bytes.count - 4096
      bytes.replaceSubrange(begin + 512..<begin + 4096, with: repeatElement(0, count: 3584))
      let before = ordinal == 1 ? base : last
      let later = before.jumped(to: before.sequence + 1)
      #expect(try open(bytes, after: later, last: last) == .commits(later.sequence))
      #expect(try open(bytes, after: later, last: point) == .refused)
      last = point
    }
  }

  /// The header of a segment was lost, and the record behind it was not. Whoever begins the segment again does not know of that record,
  /// and a loss of power may leave his header beside it.
  @Test func aFirstRecordWithoutItsHeaderProvesNothing() throws {
    let zeros = [UInt8](repeating: 0, count: 512)
    let disk = MemoryDisk()
    let (_, first) = try reopened(disk, after: .start, nonce: 1000)
    try first.prepareSegment()
    let empty = disk.bytes
    try first.append([[1, 2, 3]])
    let old = disk.bytes
    // The nonce decides which generation is the higher one.
    for nonce in [UInt32(1), .max] {
      let again = MemoryDisk(empty)
      let (_, second) = try reopened(again, after: .start, nonce: nonce)
      try second.append([[4, 5, 6]])
      var bytes = again.bytes
      bytes.replaceSubrange(4608..<5120, with: old[4608..<5120])
      #expect(try open(bytes) == .commits(0))
      bytes.replaceSubrange(4096..<4608, with: zeros)
      #expect(try open(bytes) == .commits(0))
    }
  }

  /// Commits of a relaxed store that the disk has written in any order before it lost power: no later record says that the
  /// missing one was synced.
  @Test func aTornEndIsNoDamage() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(400) {
      var disk = MemoryDisk()
      // The first segment is there before a store knows of the journal.
      try reopened(disk, after: .start).writer.prepareSegment()
      for _ in 0..<3 {
        disk = MemoryDisk(disk.bytes)
        let (_, writer) = try reopened(
          disk, after: .start, nonce: .random(in: 1 ... .max, using: &random))
        try writer.sync()
        var synced = writer.end.point.sequence
        var marks = [(steps: disk.stepCount, synced: synced)]
        for _ in 0..<random.below(14) {
          try writer.append([randomBytes(random.below(900), &random)])
          // A sync now and then, as of another process or of a new segment.
          if random.oneIn(5) {
            try writer.sync()
            synced = writer.end.point.sequence
          }
          marks.append((disk.stepCount, synced))
        }
        let mark = random.pick(marks)
        let image = CrashImage(disk, steps: mark.steps, random: &random)
        let last: UInt64
        do {
          var reader = try JournalReader(openJournal(MemoryDisk(image.bytes)), of: sampleOwner, after: .start)
          _ = try reader.all()
          try reader.checkEnd()
          last = reader.end.point.sequence
        } catch {
          Issue.record("an end that a crash has left is taken for damage: \(error)")
          return
        }
        #expect(last >= mark.synced)
        disk = MemoryDisk(image.bytes)
      }
    }
  }

  /// A text that was written to look like records: nobody who does not know the store can make its checksums.
  @Test func aMessageThatLooksLikeRecordsIsNoProof() throws {
    let (other, forger) = try sampleOfAnotherStore()
    let disk = MemoryDisk()
    let (_, writer) = try reopened(
      disk, after: .start, limits: JournalLimits(segmentSize: 16384, softSegments: 2, hardSegments: 4))
    try writer.append([[1]])
    try writer.sync()
    // Its sectors begin where those of the other journal do.
    let text = [UInt8](repeating: 0, count: 512 - 44) + other[4096 + 512..<4096 + 512 + 2048]
    try writer.append([text])
    var bytes = disk.bytes
    let torn = 4096 + 1024
    bytes.replaceSubrange(torn..<torn + 512, with: repeatElement(0, count: 512))
    #expect(forger == 4)
    #expect(try open(bytes) == .commits(1))
  }

  private func sampleOfAnotherStore() throws -> (bytes: [UInt8], commits: UInt64) {
    let disk = MemoryDisk()
    let reader = try JournalReader(openJournal(disk), of: JournalOwner(high: 7, low: 7), after: .start)
    let writer = try JournalWriter(reader, released: 0, limits: smallSegments, nonce: 99)
    for number in UInt8(1)...4 {
      try writer.append([[number]])
      try writer.sync()
    }
    return (disk.bytes, writer.end.point.sequence)
  }

  /// A journal of the first version is read and gone on with as it is.
  @Test func aJournalOfTheFirstVersionStaysOne() throws {
    let header = JournalHeader(owner: sampleOwner, segmentSize: 4096, version: .first)
    let disk = MemoryDisk(header.encoded())
    for round in UInt8(0)..<6 {
      let (members, writer) = try reopened(disk, after: .start, nonce: UInt32(round) + 1)
      #expect(members.map(\.bytes) == (0..<round).map { [UInt8](repeating: $0, count: 1000) })
      try writer.append([[UInt8](repeating: round, count: 1000)])
    }
    #expect(try openJournal(disk).header(of: sampleOwner) == header)
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: .start)
    #expect(try reader.all().count == 6)
    try reader.checkEnd()
  }
}
