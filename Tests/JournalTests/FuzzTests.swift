import Journal
import TestSupport
import Testing

/// Whatever is in the file, reading ends, stays within it, and stops nobody's process.
struct FuzzTests {
  @Test func damagedJournalsAreReadToAnEnd() throws {
    var random = SeededGenerator()
    let (bytes, points) = try sample(&random)
    var (read, refused) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(1500) {
      var damaged = bytes
      for _ in 0..<1 + random.below(4) { damage(&damaged, &random) }
      if use(damaged, random.pick(points), &random) { read += 1 } else { refused += 1 }
    }
    #expect(read > 0 && refused > 0)
  }

  /// Headers of any numbers, with the right checksums.
  @Test func sealedNonsenseIsReadToAnEnd() throws {
    var random = SeededGenerator()
    let (bytes, points) = try sample(&random)
    func number() -> UInt64 {
      random.pick([0, 1, 2, 5, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63, .max, random.next()])
    }
    for _ in 0..<TestEnvironment.rounds(1500) {
      var changed = bytes
      for _ in 0..<1 + random.below(3) {
        let header = SegmentHeader(
          ordinal: number(), generation: number(), start: JournalPoint(sequence: number(), chain: number()),
          previous: JournalPoint(sequence: number(), chain: number()),
          slot: Int(number() >> 1))
        let slot = random.below((changed.count - 4096) / 4096)
        changed.replaceSubrange(
          4096 * (slot + 1)..<4096 * (slot + 1) + 512, with: header.encoded(in: sampleHeader))
      }
      _ = use(
        changed, random.oneIn(2) ? random.pick(points) : JournalPoint(sequence: number(), chain: number()),
        &random)
    }
  }

  @Test func randomBytesAreReadToAnEnd() {
    var random = SeededGenerator()
    let header = JournalHeader(owner: sampleOwner, segmentSize: 1024).encoded()
    for round in 0..<TestEnvironment.rounds(300) {
      let noise = randomBytes(random.below(20_000), &random)
      _ = use(round % 2 == 0 ? noise : header + noise, .start, &random)
    }
  }

  private func sample(_ random: inout SeededGenerator) throws -> (bytes: [UInt8], points: [JournalPoint]) {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    var points = [JournalPoint.start]
    for sequence in 1...40 {
      points.append(
        try writer.append((0...random.below(3)).map { _ in randomBytes(random.below(300), &random) }))
      if sequence % 10 == 0 { writer.release(through: points[sequence - 5].sequence) }
    }
    return (disk.bytes, points.suffix(20))
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    // Near the begin of a sector are the numbers that lengths and places are made of.
    let sector = random.below(bytes.count / 512 + 1) * 512
    let offset = min(bytes.count - 1, sector + random.below(random.oneIn(2) ? 64 : 512))
    switch random.below(5) {
    case 0: bytes[offset] ^= 1 << UInt8(random.below(8))
    case 1:
      for index in offset..<min(bytes.count, offset + 8) {
        bytes[index] = random.pick([0, 0x7F, 0x80, 0xFF])
      }
    case 2: bytes.removeSubrange(offset...)
    case 3:
      let from = random.below(bytes.count / 512) * 512
      let piece = Array(bytes[from..<min(bytes.count, from + 512)])
      bytes.replaceSubrange(sector..<min(bytes.count, sector + piece.count), with: piece)
    default: bytes += randomBytes(random.below(2000), &random)
    }
  }

  /// Reads a file and goes on with it. Returns whether it was not refused.
  private func use(_ bytes: [UInt8], _ point: JournalPoint, _ random: inout SeededGenerator) -> Bool {
    let disk = MemoryDisk(bytes)
    do throws(JournalError) {
      var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: point)
      let records = try reader.all()
      #expect(records.reduce(0) { $0 + $1.payload.count } <= bytes.count)
      #expect(disk.largestRead <= max(512, bytes.count))
      var next = point.sequence + 1
      for member in records.flatMap(\.members) {
        #expect(member.sequence == next)
        next += 1
      }
      let writer = try JournalWriter(reader, released: point.sequence, limits: smallSegments)
      try writer.append([[1, 2, 3]])
      try writer.sync()
      let found = try reopened(disk, after: point).members
      #expect(found.count == records.flatMap(\.members).count + 1)
      return true
    } catch {
      #expect("\(error)".contains("journal"))
      return false
    }
  }
}
