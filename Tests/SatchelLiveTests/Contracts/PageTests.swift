import Foundation
import Testing

/// The code of the page is the code that `WatchingGuide.swift` and `WatchingGuideTests.swift` compile and run.
@Suite struct PageTests {
  /// Lines without the indentation that all of them have.
  private func outdented(_ lines: some Sequence<Substring>) -> [String] {
    let lines = Array(lines)
    let width = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(width)) }
  }

  @Test func everyBlockIsCompiledAndRun() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let repository = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: repository.appendingPathComponent("Documentation/WatchingAQuery.md"), encoding: .utf8)
    let code = try ["WatchingGuide.swift", "WatchingGuideTests.swift"].flatMap { name in
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    var block: [Substring]?
    var blocks: [[String]] = []
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        block = []
      } else if line == "```" {
        if let block { blocks.append(outdented(block)) }
        block = nil
      } else {
        block?.append(line)
      }
    }
    #expect(blocks.count > 10)
    for block in blocks {
      let isThere = code.indices.contains { start in
        start + block.count <= code.count && outdented(code[start..<(start + block.count)]) == block
      }
      #expect(
        isThere,
        "WatchingGuideTests.swift and WatchingGuide.swift lack this block of the page:\n\(block.joined(separator: "\n"))"
      )
    }
  }
}
