import Foundation
import SatchelSearch
import TestSupport
import Testing

/// What Documentation/Search.md says, against what is.
@Suite struct SearchDocumentTests {
  /// The cells of the rows of a table, without its head.
  private func table(under heading: String) throws -> [[String]] {
    let lines = try FormatDocument("Documentation/Search.md").lines
    let start = try #require(lines.firstIndex(of: heading))
    let rows = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("|") }
    return rows.dropFirst(2).map { row in
      row.split(separator: "|").map {
        String($0.trimmingPrefix(" ").reversed().trimmingPrefix(" ").reversed())
      }
    }
  }

  /// What stands between backticks in a cell.
  private func code(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  @Test func limits() throws {
    let limits = try table(under: "## Patterns").map { $0[1].replacing(",", with: "") }
    let expected = [SearchTree.maximumBytes, SearchTree.maximumTexts, SearchTree.maximumDepth]
    #expect(limits == expected.map(String.init))
    let text = try FormatDocument("Documentation/Search.md").lines.joined(separator: "\n")
    #expect(
      text.contains("A word of more than \(TextTerms.maximumBytes) bytes is *cut*")
        && TextTerms.cutMark == 0xFF)
    #expect(
      text.contains("k1 \(Relevance.saturation), b \(Relevance.lengthShare)") && Relevance.leastWeight == 1e-6
    )
  }

  @Test func tokens() throws {
    let rows = try table(under: "## Words, compounds, characters")
    #expect(rows.map { $0[0] } == ["word", "compound", "fragment", "character"])
    let kinds = [TextToken.Kind.word, .compound, .fragment, .character]
    // Fragments are those of texts with scalars that are not seen: the examples of terms have some.
    for (row, kind) in zip(rows, kinds) where kind != .fragment {
      let examples = code(in: row[2])
      #expect(!examples.isEmpty)
      for example in examples {
        #expect(TextToken.all(of: TextFolder.folded(example)).first?.kind == kind, "\(example)")
      }
    }
  }

  @Test func terms() throws {
    let rows = try table(under: "## Terms")
    #expect(rows.count > 5)
    for row in rows {
      var terms = TextTerms()
      terms.add(unescaped(try #require(code(in: row[0]).first)))
      var found: [String] = []
      terms.forEach { term, _ in found.append(String(decoding: term, as: UTF8.self)) }
      found.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(found == code(in: row[1]), "\(row[0])")
      #expect(String(terms.length) == row[2], "\(row[0])")
    }
  }

  /// A text with the scalars in the places of their values: `\u{AD}`.
  private func unescaped(_ text: String) -> String {
    text.components(separatedBy: "\\u{").enumerated().map { number, piece in
      guard number > 0, let end = piece.firstIndex(of: "}"), let value = UInt32(piece[..<end], radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return piece }
      return String(scalar) + piece[piece.index(after: end)...]
    }.joined()
  }

  @Test func patterns() throws {
    var count = 0
    for row in try table(under: "## What matches") {
      for pattern in code(in: row[0]) {
        count += 1
        let parsed = try SearchTree(strictly: pattern, fields: .named(["title"]))
        #expect(SearchTree(pattern, fields: .named(["title"])) == parsed)
        #expect(SearchTree(parsed.description, fields: .any) == parsed)
      }
    }
    #expect(count > 15)
  }

  @Test func whereTextsAreRead() throws {
    for row in try table(under: "## Where an index answers") where row[0].hasPrefix("`") {
      for pattern in code(in: row[0]) {
        let expression = SearchCondition(SearchTree(pattern)).expression
        #expect(expression.needsReading == (row[2] != "no"), "\(pattern)")
      }
    }
  }
}
