/// The Swift code of an article, and whether Swift files have it.
struct CodeBlocks {
  /// What is wrong with the fences of an article.
  struct Malformed: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// The lines of each block, without the indentation that all lines of the block have.
  let blocks: [[String]]

  /// Finds the blocks between the lines "```swift" and "```". Blocks of plain text and of a shell have no Swift.
  /// - Throws: ``Malformed`` for a fence of any other spelling, which would hide code from the comparison.
  init(of article: String) throws(Malformed) {
    var blocks: [[String]] = []
    var block: (lines: [Substring], isSwift: Bool)?
    for (number, line) in Self.lines(article).enumerated() {
      let isFence = line.drop { $0 == " " }.hasPrefix("```") || line.contains("~~~")
      switch (block, line) {
      case (nil, "```swift"): block = ([], true)
      case (nil, "```"), (nil, "```sh"): block = ([], false)
      case (let open?, "```"):
        if open.isSwift { blocks.append(Self.outdented(open.lines)) }
        block = nil
      case _ where isFence:
        throw Malformed(line: number + 1, reason: "a fence is ```swift, ```sh or ```, without indentation")
      default: block?.lines.append(line)
      }
    }
    guard block == nil else { throw Malformed(line: Self.lines(article).count, reason: "a block has no end") }
    self.blocks = blocks
  }

  /// Returns the blocks that the code does not have, line by line, at any indentation.
  func missing(from code: [String]) -> [[String]] {
    let files = code.map(Self.lines)
    return blocks.filter { block in
      !files.contains { lines in
        lines.indices.contains { start in
          start + block.count <= lines.count
            && Self.outdented(lines[start..<(start + block.count)]) == block
        }
      }
    }
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func outdented(_ lines: some Sequence<Substring>) -> [String] {
    let lines = Array(lines)
    let width = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(width)) }
  }
}
