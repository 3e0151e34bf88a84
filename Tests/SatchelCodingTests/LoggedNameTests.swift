import SatchelBytes
import SatchelCoding
import SatchelModel
import TestSupport
import Testing

/// An object is looked for in an entry of the log by the bytes that name it.
struct LoggedNameTests {
  /// The bytes that are looked for, by the format.
  private func bytes(_ object: ObjectRow) -> [UInt8] {
    var writer = ByteWriter()
    switch object {
    case .conversation(let row), .identity(let row): writer.varint(UInt64(row))
    case .message(let key):
      writer.varint(UInt64(key.conversation))
      writer.varint(key.sequence)
    case .record(let key):
      writer.varint(UInt64(key.type))
      writer.varint(key.sequence)
    }
    return Array(writer.bytes.prefix(8))
  }

  @Test func whateverChangedIsFoundAndNothingElse() {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    var (found, missed) = (0, 0)
    for round in 0..<TestEnvironment.rounds(3000) {
      let entry = random.logEntry()
      let record = entry.encode(commit: random.number())
      for object in entry.changes.map(\.object) {
        #expect(
          record.withUnsafeBytes { LoggedName.mayBe([LoggedName(of: object)], in: $0) },
          "seed \(seed), round \(round)")
        found += 1
      }
      let other = random.objectRow()
      let name = bytes(other)
      let isThere = record.indices.contains { start in
        start + 8 <= record.count && record[start...].starts(with: name)
      }
      if !isThere { missed += 1 }
      #expect(
        record.withUnsafeBytes { LoggedName.mayBe([LoggedName(of: other)], in: $0) } == isThere,
        "seed \(seed), round \(round)")
    }
    #expect(found > 0 && missed > 0, "seed \(seed)")
  }

  @Test func namesOfEveryLengthAreFoundAtTheEndOfAnEntry() {
    for sequence in [0, 127, 128, 1 << 20, 1 << 42, UInt64.max] {
      let object = ObjectRow.message(MessageKey(conversation: 4_294_967_295, sequence: sequence))
      let record = ChangeLogEntry(changes: [LoggedChange(object, .created)]).encode(commit: 1)
      #expect(record.withUnsafeBytes { LoggedName.mayBe([LoggedName(of: object)], in: $0) })
      // The checksum alone is no name, and neither is less than one.
      #expect(!record.suffix(8).withUnsafeBytes { LoggedName.mayBe([LoggedName(of: object)], in: $0) })
      #expect(!record.prefix(7).withUnsafeBytes { LoggedName.mayBe([LoggedName(of: object)], in: $0) })
    }
  }
}
