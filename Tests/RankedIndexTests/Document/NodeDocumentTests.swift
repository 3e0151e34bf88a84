import RankedIndex
import TestSupport
import Testing

/// Section 7 of FORMAT.md is executed: its nodes, directories and continuations, both ways. `SATCHEL_REWRITE=1` writes
/// their bytes anew, and fails.
@Suite(.serialized)
struct NodeDocumentTests {
  @Test func nodesAreWhatTheDocumentSays() throws {
    var shapes: Set<String> = []
    try check("node") { lines, bytes in
      var reader = FieldReader(lines)
      let node = try NodeDescription(&reader)
      try reader.end()
      shapes.insert("\(node.kind) \(node.level > 0)")
      guard let encoded = node.encoded() else { throw VectorError("no node has these lines: \(lines)") }
      if let bytes {
        let decoded = bytes.withUnsafeBytes { NodeDescription(number: node.number, value: $0) }
        #expect(decoded.isChecksumRight)
        #expect(decoded.lines == lines)
        #expect(decoded.encoded() == bytes)
      }
      return (node.lines, encoded)
    }
    #expect(shapes == ["1 false", "1 true", "2 false", "2 true"])
  }

  @Test func directoriesAreWhatTheDocumentSays() throws {
    try check("directory") { lines, bytes in
      var reader = FieldReader(lines)
      let directory = try Directory(&reader)
      try reader.end()
      if let bytes { #expect(try Directory(bytes) == directory) }
      return (directory.lines, directory.encode())
    }
  }

  @Test func continuationsAreWhatTheDocumentSays() throws {
    try check("continuation") { lines, bytes in
      var reader = FieldReader(lines)
      let number: UInt64 = try reader.number("number")
      let tree: UInt16 = try reader.number("tree")
      let text = try Literal.bytes(reader.find("text") ?? [], 0)
      try reader.end()
      if let bytes {
        let decoded = bytes.withUnsafeBytes {
          TextContinuation.decode($0, number: number, tree: tree).map { [UInt8]($0) }
        }
        #expect(decoded == text)
      }
      return (lines, TextContinuation.encode(text[...], number: number, tree: tree))
    }
  }

  /// Runs every block of a name: `run` gets its lines and, unless the document is being rewritten, its bytes, and says
  /// what both should be.
  private func check(
    _ name: String, run: (_ lines: [FieldLine], _ bytes: [UInt8]?) throws -> ([FieldLine], [UInt8])
  ) throws {
    var document = try FormatDocument()
    let blocks = document.blocks(name)
    #expect(!blocks.isEmpty)
    for block in blocks.reversed() {
      let middle = block.lines.firstIndex(of: "=") ?? block.lines.endIndex
      let lines = try block.lines[..<middle].map(FieldLine.init(parsing:))
      let bytes =
        FormatDocument.isRewriting ? nil : try Literal.hex(block.lines[middle...].dropFirst().joined())
      let (expectedLines, expectedBytes) = try run(lines, bytes)
      if FormatDocument.isRewriting {
        document.replace(block, with: expectedLines.map(\.text) + ["="] + Literal.hexLines(expectedBytes))
      } else {
        #expect(lines == expectedLines, "\(block.title): the lines are not in their canonical form")
        #expect(bytes == expectedBytes, "\(block.title): \(Literal.hex(expectedBytes))")
      }
    }
    if FormatDocument.isRewriting {
      try document.save()
      Issue.record(
        "rewrote the blocks \(name) of FORMAT.md; look at the difference, then run without SATCHEL_REWRITE")
    }
  }
}
