/// In which parts of some bytes, lines of equal length, each three bytes stand that follow one another: what leaves little of them to be looked through
/// for more than two bytes.
///
/// Trigrams that share a hash share their lines: the lines of a trigram are those that may have it.
package struct TrigramLines: Sendable {
  package static let lineBytes = 256
  /// More lines have no numbers.
  package static let maximumBytes = lineBytes << 16
  private static let bitsOfHash: UInt32 = 16
  /// So many bytes at a time.
  private static let step = 1 << 20

  /// Where the lines of each hash begin, and where the last ones end.
  private let starts: [UInt32]
  private let lines: [UInt16]

  /// - Parameters:
  ///   - bytes: At most ``maximumBytes``.
  ///   - check: Is called now and then.
  /// - Complexity: O(bytes), and about two bytes for each of them.
  package init(of bytes: [UInt8], _ check: () throws -> Void) rethrows {
    let hashes = 1 << Int(Self.bitsOfHash)
    // The number of each hash's lines, in the place behind it.
    var starts = [UInt32](repeating: 0, count: hashes + 1)
    var last = [Int32](repeating: -1, count: hashes)
    try Self.forEachTrigram(of: bytes, check) { hash, line in
      if last[hash] != line {
        last[hash] = line
        starts[hash + 1] += 1
      }
    }
    for hash in 0..<hashes { starts[hash + 1] += starts[hash] }
    var next = starts
    var lines = [UInt16](repeating: 0, count: Int(starts[hashes]))
    for hash in 0..<hashes { last[hash] = -1 }
    try Self.forEachTrigram(of: bytes, check) { hash, line in
      if last[hash] != line {
        last[hash] = line
        lines[Int(next[hash])] = UInt16(truncatingIfNeeded: line)
        next[hash] += 1
      }
    }
    self.starts = starts
    self.lines = lines
  }

  /// Returns the lines, ascending, in one of which each occurrence of some bytes has those that follow a distance from its first: of all its trigrams
  /// the one with the fewest lines, without those that have not the others near there. Nil if they are less than three.
  package func lines(having literal: [UInt8]) -> (lines: [UInt16], offset: Int)? {
    var trigrams = (0..<max(0, literal.count - 2)).map { offset in
      let hash = Self.hash(literal[offset], literal[offset + 1], literal[offset + 2])
      return (offset: offset, lines: lines[Int(starts[hash])..<Int(starts[hash + 1])])
    }
    trigrams.sort { $0.lines.count < $1.lines.count }
    guard let first = trigrams.first else { return nil }
    var found = Array(first.lines)
    for other in trigrams.dropFirst().prefix(Self.mostOthers) where found.count > Self.fewLines {
      var place = other.lines.startIndex
      found.removeAll { line in
        // Where the other one begins if this one begins in the line.
        let least = Int(line) * Self.lineBytes + other.offset - first.offset
        while place < other.lines.endIndex, (Int(other.lines[place]) + 1) * Self.lineBytes <= least {
          place += 1
        }
        return place == other.lines.endIndex
          || Int(other.lines[place]) * Self.lineBytes >= least + Self.lineBytes
      }
    }
    return (found, first.offset)
  }

  /// So few lines are looked through sooner than further trigrams.
  private static let fewLines = 32
  private static let mostOthers = 4

  @inline(__always)
  private static func hash(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    let trigram = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
    return Int((trigram &* 0x9E37_79B1) >> (32 - bitsOfHash))
  }

  /// Calls `body` with the hash and the line of the first byte of each three bytes.
  @inline(__always)
  private static func forEachTrigram(
    of bytes: [UInt8], _ check: () throws -> Void, _ body: (Int, Int32) -> Void
  ) rethrows {
    var place = 0
    let end = bytes.count - 2
    while place < end {
      let stop = min(end, place + step)
      while place < stop {
        body(hash(bytes[place], bytes[place + 1], bytes[place + 2]), Int32(place / lineBytes))
        place += 1
      }
      try check()
    }
  }
}
