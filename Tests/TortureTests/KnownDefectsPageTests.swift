import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Documentation/KnownDefects.md names a test for each defect, and the test is there.
@Suite struct KnownDefectsPageTests {
  @Test func eachDefectHasATestByName() throws {
    let rows = try FormatDocument("Documentation/KnownDefects.md").lines
      .filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count >= 9)
    for row in rows {
      var source = ""
      var tests = 0
      // A path, and the tests of this file behind it.
      for (index, word) in row.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        if word.contains("/") {
          let file = FormatDocument.path.deletingLastPathComponent().appendingPathComponent(String(word))
          source = try String(contentsOf: file, encoding: .utf8)
        } else {
          let name = word.prefix { $0 != "(" }
          let isThere = source.split(separator: "@Test").dropFirst().contains { $0.contains("func \(name)(") }
          #expect(isThere, "no test \(name) where \(row) says")
          tests += 1
        }
      }
      #expect(tests > 0, "no test for \(row)")
    }
  }
}
