#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A file of expected text that tests compare what they find with.
///
/// `SATCHEL_REWRITE=1` writes what was found into it. The test that compares fails then as well, so that the difference
/// is looked at.
package struct GoldenFile {
  package let url: URL

  /// The file of a name in the folder `Golden` of a test target; `test` is a file in a folder of that target.
  package init(_ name: String, besideFolderOf test: String = #filePath) {
    url = URL(fileURLWithPath: test).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Golden").appendingPathComponent(name)
  }

  package func read() throws -> String { try String(contentsOf: url, encoding: .utf8) }

  /// Why a test has to fail: the lines that differ, or that the file was rewritten. Nil if the file says `found`.
  package func complaint(about found: String) throws -> String? {
    let expected = try? read()
    if FormatDocument.isRewriting {
      try found.write(to: url, atomically: false, encoding: .utf8)
      return "rewrote \(url.lastPathComponent); look at the difference, then run without SATCHEL_REWRITE"
    }
    guard let expected else { return "\(url.lastPathComponent) is missing: SATCHEL_REWRITE=1 makes it" }
    guard expected != found else { return nil }
    let lines = LineDifference(expected: expected, found: found).text
    return "\(url.lastPathComponent) says otherwise (- expected, + found):\n\(lines)"
  }
}

/// The lines in which two texts differ, with a few equal ones around them.
struct LineDifference {
  let text: String

  init(expected: String, found: String, context: Int = 2, limit: Int = 60) {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [(text: String, isChange: Bool)] = []
    var left = 0
    var right = 0
    while left < old.count || right < new.count {
      if left < old.count, removed.contains(left) {
        lines.append(("-\(left + 1): \(old[left])", true))
        left += 1
      } else if right < new.count, inserted.contains(right) {
        lines.append(("+\(right + 1): \(new[right])", true))
        right += 1
      } else {
        lines.append((" \(right + 1): \(new[right])", false))
        left += 1
        right += 1
      }
    }
    var shown: [String] = []
    var last = -1
    for index in lines.indices {
      let around = lines[max(0, index - context)...min(lines.count - 1, index + context)]
      guard around.contains(where: \.isChange) else { continue }
      if shown.count >= limit {
        shown.append("… and more")
        break
      }
      if last >= 0, index > last + 1 { shown.append("  …") }
      shown.append(lines[index].text)
      last = index
    }
    text = shown.joined(separator: "\n")
  }
}
