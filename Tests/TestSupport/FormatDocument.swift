#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// FORMAT.md, or another document beside it, with its fenced blocks: what the document says is what the tests run.
package struct FormatDocument {
  /// A fenced block: the words behind the fence, and the lines in it.
  package struct Block {
    package var name: String
    package var title: String
    /// Where the first line stands in the document.
    package var start: Int
    package var lines: [String]
  }

  package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("FORMAT.md")

  /// True when what is in the document is to be written anew; the tests fail then, so that nobody forgets to look.
  package static var isRewriting: Bool { ProcessInfo.processInfo.environment["SATCHEL_REWRITE"] == "1" }

  package var lines: [String]
  private let url: URL

  /// Reads a document, whose path is relative to the folder of FORMAT.md.
  package init(_ name: String = "FORMAT.md") throws {
    url = Self.path.deletingLastPathComponent().appendingPathComponent(name)
    lines = try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  package func save() throws {
    try lines.joined(separator: "\n").write(to: url, atomically: false, encoding: .utf8)
  }

  /// The blocks of a name, in order.
  package func blocks(_ name: String) -> [Block] {
    var found: [Block] = []
    var open: Block?
    for (number, line) in lines.enumerated() {
      if let block = open {
        if line == "```" {
          if block.name == name { found.append(block) }
          open = nil
        } else {
          open!.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ", maxSplits: 1).map(String.init)
        open = Block(
          name: words.first ?? "", title: words.count > 1 ? words[1] : "", start: number + 1, lines: [])
      }
    }
    return found
  }

  /// Puts other lines into a block. Blocks behind it move: replace from the last to the first.
  package mutating func replace(_ block: Block, with new: [String]) {
    lines.replaceSubrange(block.start..<block.start + block.lines.count, with: new)
  }
}
