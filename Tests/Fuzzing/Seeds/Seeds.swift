import TestSupport

extension FuzzTarget {
  /// Inputs that the decoder accepts, or nearly: what a search for others begins with. Those of records, keys and nodes are
  /// the examples of FORMAT.md.
  package func seeds() throws -> [[UInt8]] {
    switch name {
    case "rowNode": try Self.rowNodeSeeds() + Self.documentedNodes(ofKind: 1)
    case "textNode": try Self.textNodeSeeds() + Self.documentedNodes(ofKind: 2)
    case "key":
      try FormatDocument().blocks("keys").flatMap { try $0.lines.map { try Self.hex(behindEqualSignOf: $0) } }
    case "body":
      try FormatDocument().blocks("pieces").flatMap(\.lines).map {
        let piece = try Self.hex(behindEqualSignOf: $0).dropLast(8)
        return [UInt8(piece.count & 0xFF), UInt8(piece.count >> 8)] + piece
      }
    case "aggregateGroup":
      try FormatDocument().blocks("groups").flatMap(\.lines).map { try Self.hex(behindEqualSignOf: $0) }
    case "aggregateText":
      try FormatDocument().blocks("totals").flatMap(\.lines).map { try Self.hex(behindEqualSignOf: $0) }
    case "valueKey":
      try FormatDocument().blocks("values").flatMap(\.lines).map { try Self.hex(behindEqualSignOf: $0) }
    case "continuation":
      try FormatDocument().blocks(name).map { Array(try Self.bytes(of: $0).dropFirst(8)) }
    case "directory": try FormatDocument().blocks(name).map { Array(try Self.bytes(of: $0).dropLast(8)) }
    case "page": Self.pageSeeds
    case "pages": try Self.imageSeeds()
    case "journal": try Self.journalSeeds()
    case "head": try Self.headSeeds()
    case "commitChanges": Self.commitSeeds()
    case "forestChanges": Self.forestSeeds()
    case "changeLog": try documentedRecords() + Self.changeLogSeeds()
    default: try Self.seedTexts[name].map { $0.map { Array($0.utf8) } } ?? documentedRecords()
    }
  }

  /// The records of a kind, without their checksums.
  private func documentedRecords() throws -> [[UInt8]] {
    let kind = name.hasPrefix("dictionary") ? "dictionary" : name
    return try FormatDocument().blocks("vector").filter { $0.title.hasPrefix(kind + ":") }.map {
      Array(try Self.bytes(of: $0).dropLast(8))
    }
  }

  private static func documentedNodes(ofKind kind: UInt8) throws -> [[UInt8]] {
    try FormatDocument().blocks("node").map { try bytes(of: $0) }.filter { $0[3] == kind }.map {
      [$0[2] == 0 ? 0 : 1] + $0[4..<8] + $0[NodeInput.headerBytes...]
    }
  }

  /// The bytes behind the line with an equal sign alone.
  private static func bytes(of block: FormatDocument.Block) throws -> [UInt8] {
    guard let sign = block.lines.firstIndex(of: "=") else { throw Violation("\(block.title) has no bytes") }
    return try Literal.hex(block.lines[(sign + 1)...].joined())
  }

  private static func hex(behindEqualSignOf line: String) throws -> [UInt8] {
    guard let sign = line.lastIndex(of: "=") else { throw Violation("\(line) has no bytes") }
    return try Literal.hex(line[line.index(after: sign)...])
  }
}
