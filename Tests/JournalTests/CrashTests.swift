import SatchelBytes
import TestSupport
import Testing

/// Power cuts and kills at any time: what was acknowledged is there, what was not appended is not, in order.
struct CrashTests {
  @Test func everyImageIsRecovered() {
    var random = SeededGenerator()
    var seen: Set<String> = []
    for round in 0..<TestEnvironment.rounds(300) {
      let seed = random.next()
      var history = JournalHistory(SeededGenerator(seed: seed))
      if let complaint = history.run(lives: 10) {
        Issue.record("round \(round), seed \(seed): \(complaint)")
        return
      }
      seen.formUnion(history.seen)
    }
    let expected: Set = [
      "empty", "older", "follows", "jump", "full", "checkpoint", "late checkpoint", "lost", "adopted",
    ]
    #expect(expected.subtracting(seen) == [])
  }

  /// A record that was torn is written once more; behind it lies an intact one of before, which nobody has acknowledged.
  ///
  /// The generation of the second writer is lower by chance, so that only the chain tells the old record from a new one.
  @Test func aRecordBehindATornOneIsNotTaken() throws {
    let disk = MemoryDisk()
    try reopened(disk, after: .start, nonce: 1).writer.append([[0]])
    let (_, first) = try reopened(disk, after: .start, nonce: 9)
    try first.append([[1]])
    try first.append([[2]])
    let second = 4096 + 3 * 512
    let third = second + 512
    // The first record is torn, the second is not.
    var bytes = disk.bytes
    bytes.replaceSubrange(second - 512..<second, with: [UInt8](repeating: 0, count: 512))
    let image = MemoryDisk(bytes)
    let (found, writer) = try reopened(image, after: .start, nonce: 5)
    let zero = Member(sequence: 1, bytes: [0])
    #expect(found == [zero])
    try writer.append([[3]])
    #expect(image.bytes[second..<third] == bytes[second..<third])
    #expect(try reopened(image, after: .start).members == [zero, Member(sequence: 2, bytes: [3])])

    // If it did not name the record before it, the old one would be taken: here it gets the link that it would have had behind
    // the new record.
    var record = Array(image.bytes[second..<third])
    record.replaceSubrange(24..<32, with: image.bytes[second - 512 + 32..<second - 512 + 40])
    let seed = Checksum.mix(sampleOwner.high ^ 0x6A6F_7572_6E61_6C00, sampleOwner.low)
    let header = Checksum.hash(Array(record[0..<32]), seed: seed)
    let checksum = Checksum.hash(Array(record[40..<40 + 5]), seed: header)
    for index in 0..<8 { record[32 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    var unchained = image.bytes
    unchained.replaceSubrange(second..<third, with: record)
    let taken = try reopened(MemoryDisk(unchained), after: .start).members
    #expect(taken == [zero, Member(sequence: 2, bytes: [3]), Member(sequence: 3, bytes: [2])])
  }

  /// Each of these mistakes has to be found, or the test above would find nothing.
  @Test(arguments: [
    ("no sync", JournalHistory.Sabotage(ignoresSyncs: true)),
    ("release before the checkpoint", JournalHistory.Sabotage(releasesEarly: true)),
    ("the generation stays", JournalHistory.Sabotage(keepsGeneration: true)),
  ])
  func mistakesAreFound(name: String, sabotage: JournalHistory.Sabotage) {
    var random = SeededGenerator(for: name)
    var rounds = 0
    while rounds < 6000 {
      rounds += 1
      var history = JournalHistory(random.fork(), sabotage)
      if let complaint = history.run(lives: 10) {
        print("\(name): found in round \(rounds): \(complaint)")
        return
      }
    }
    Issue.record("\(name): not found in \(rounds) rounds")
  }
}
