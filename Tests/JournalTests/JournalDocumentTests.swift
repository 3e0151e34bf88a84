import Journal
import TestSupport
import Testing

/// The blocks of Documentation/JournalFormat.md are executed, both ways. `SATCHEL_REWRITE=1` writes their bytes anew, and
/// fails.
@Suite(.serialized)
struct JournalDocumentTests {
  private static let name = "Documentation/JournalFormat.md"

  /// A block: what is done to a new journal, in order.
  private struct Script {
    var owner: JournalOwner
    var segmentSize: Int
    var nonce: UInt32
    var after: JournalPoint
    var steps: [FieldLine]

    init(_ lines: [FieldLine]) throws {
      var reader = FieldReader(lines)
      let uuid = try Literal.bytes(reader.find("owner") ?? [], 0)
      func word(_ start: Int) -> UInt64 { uuid[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
      try #require(uuid.count == 16)
      owner = JournalOwner(high: word(0), low: word(8))
      segmentSize = try reader.number("segmentSize")
      nonce = try reader.number("nonce")
      let point = reader.find("after") ?? []
      after = JournalPoint(sequence: try Literal.number(point, 0), chain: try Literal.wordNumber(point, 1))
      steps = reader.lines
    }
  }

  @Test func journalsAreWhatTheDocumentSays() throws {
    var document = try FormatDocument(Self.name)
    let blocks = document.blocks("journal")
    #expect(!blocks.isEmpty)
    for block in blocks.reversed() {
      let middle = try #require(block.lines.firstIndex(of: "="))
      let script = try Script(block.lines[..<middle].map(FieldLine.init(parsing:)))
      let (bytes, points) = try run(script)
      let rows = Self.rows(bytes)
      if FormatDocument.isRewriting {
        document.replace(block, with: block.lines[...middle] + rows)
        continue
      }
      #expect(Array(block.lines[(middle + 1)...]) == rows, "\(block.title)")
      try read(script, try Self.file(block.lines[(middle + 1)...], size: bytes.count), points)
    }
    if FormatDocument.isRewriting {
      try document.save()
      Issue.record(
        "rewrote the blocks of \(Self.name); look at the difference, then run without SATCHEL_REWRITE")
    }
  }

  /// Writes a journal. Returns it, and the points before its first record and behind each jump.
  private func run(_ script: Script) throws -> (bytes: [UInt8], points: [JournalPoint]) {
    let disk = MemoryDisk()
    let reader = try JournalReader(openJournal(disk), of: script.owner, after: script.after)
    let writer = try JournalWriter(
      reader, released: script.after.sequence, limits: JournalLimits(segmentSize: script.segmentSize),
      nonce: script.nonce)
    var points = [script.after]
    for step in script.steps {
      switch step.name {
      case "commits": try writer.append(step.values.indices.map { try Literal.bytes(step.values, $0) })
      case "jump":
        // With two segments, the one in use stays as it is.
        try writer.prepareSegment()
        let point = writer.end.point.jumped(to: try Literal.number(step.values, 0))
        try writer.jump(to: point)
        points.append(point)
      default: throw VectorError("no such step: \(step.text)")
      }
    }
    return (disk.bytes, points)
  }

  /// Reads a journal from each of its points to the next jump, which an older store cannot go over.
  private func read(_ script: Script, _ bytes: [UInt8], _ points: [JournalPoint]) throws {
    var reader = try JournalReader(openJournal(MemoryDisk(bytes)), of: script.owner, after: points[0])
    var jumps = 0
    for step in script.steps {
      switch step.name {
      case "jump":
        jumps += 1
        let end = reader.end.point
        #expect { try reader.next() } throws: { ($0 as? JournalError)?.code == .gap(end, points[jumps]) }
        reader = try JournalReader(openJournal(MemoryDisk(bytes)), of: script.owner, after: points[jumps])
      default:
        let record = try #require(try reader.next())
        #expect(
          try record.members.map(\.bytes) == step.values.indices.map { try Literal.bytes(step.values, $0) })
      }
    }
    #expect(try reader.next() == nil)
  }

  /// The file in rows of 32 bytes, each behind its offset, without those that are zero.
  private static func rows(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 32).compactMap { start in
      let row = Array(bytes[start..<min(bytes.count, start + 32)])
      guard row.contains(where: { $0 != 0 }) else { return nil }
      let digits = String(start, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits + ": " + Literal.hexLines(row)[0]
    }
  }

  /// The file of such rows, of a number of segments.
  private static func file(_ rows: ArraySlice<String>, size: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    for row in rows {
      let parts = row.split(separator: ":")
      guard parts.count == 2, let offset = Int(parts[0], radix: 16) else {
        throw VectorError("no row: \(row)")
      }
      let part = try Literal.hex(parts[1])
      try #require(offset + part.count <= size)
      bytes.replaceSubrange(offset..<offset + part.count, with: part)
    }
    return bytes
  }
}
