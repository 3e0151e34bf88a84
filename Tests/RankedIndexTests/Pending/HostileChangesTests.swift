import RankedIndex
import RankedKeys
import SatchelBytes
import TestSupport
import Testing

/// Bytes that are not the changes of a commit are refused, whatever they are, and never a trap.
@Suite struct HostileChangesTests {
  private static let sources = RowSource.all

  private func read(_ commits: [[UInt8]]) throws -> ForestBuffer {
    var changes = ForestBuffer()
    for bytes in commits {
      var reader = ByteReader()
      try changes.read(
        bytes.span.bytes, &reader, numeric: { id in Self.sources.first { $0.tree.id == id }?.tree },
        text: { id in id == 40 ? TextTreeSchema(id: 40, name: "texts") : nil })
      try reader.end(bytes.span.bytes)
    }
    return changes
  }

  /// One commit of insertions into all trees, as random as rows can be.
  private func commit(_ random: inout SeededGenerator, serial: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(Self.sources.count))
    for source in Self.sources {
      writer.u16(source.tree.id)
      writer.varint(3)
      for change in 0..<3 as Range<UInt64> {
        let kind = random.pick([.insert, .insert, .remove, .replace] as [PendingFixture.Change])
        let row = source.make(&random, serial * 3 + change)
        for byte in CommitBytes.change(kind, row, source.tree) { writer.u8(byte) }
      }
    }
    writer.varint(1)
    writer.u16(40)
    writer.varint(1)
    writer.u8(1)
    writer.u64(serial)
    writer.u64(random.next())
    writer.counted("text \(serial)")
    return writer.bytes
  }

  @Test func everyPrefixIsRefused() throws {
    var random = SeededGenerator()
    let bytes = commit(&random, serial: 1)
    _ = try read([bytes])
    for length in 0..<bytes.count {
      #expect(throws: ByteError.self) { try read([Array(bytes[..<length])]) }
    }
    #expect(throws: ByteError.self) { try read([bytes + [0]]) }
  }

  @Test func damagedCommitsAreReadOrRefused() throws {
    var random = SeededGenerator()
    let sound = (0..<80).map { commit(&random, serial: $0) }
    // The rows of these contradict each other.
    let contradicting = (0..<80).map { commit(&random, serial: $0 % 2) }
    var (refused, contradicted, added) = (0, 0, 0)
    // Few of them can be added: as many rounds more as it takes to see one.
    let rounds = TestEnvironment.rounds(300)
    for round in 0..<100 * rounds where round < rounds || added == 0 || refused == 0 || contradicted == 0 {
      var damaged = round % 4 == 0 ? contradicting : sound
      for _ in 0...random.below(3) {
        let commit = random.below(80)
        let place = random.below(damaged[commit].count)
        let byte = UInt8(truncatingIfNeeded: random.next())
        damaged[commit][place] = random.oneIn(2) ? byte : random.pick([0, 1, 2, 0x7F, 0x80, 0xFF])
      }
      guard let changes = try? read(damaged) else {
        refused += 1
        continue
      }
      if (try? PendingForest().adding(changes)) != nil { added += 1 } else { contradicted += 1 }
    }
    #expect(refused > 0 && contradicted > 0 && added > 0)
  }
}
