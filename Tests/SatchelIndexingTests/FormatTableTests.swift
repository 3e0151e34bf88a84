import SatchelIndexing
import TestSupport
import Testing

/// FORMAT.md's table of the trees is made from the definitions of the indexes. `SATCHEL_REWRITE=1` writes it anew, and
/// fails.
@Suite struct FormatTableTests {
  private static let head = [
    #"| id | name | set | entries | key columns \| payload columns |"#, "| --- | --- | --- | --- | --- |",
  ]

  @Test func hasTheIndexesOfTheCode() throws {
    var document = try FormatDocument()
    let start = try #require(document.lines.firstIndex { $0.hasPrefix("| id | name |") })
    let rows = document.lines[start...].prefix { $0.hasPrefix("|") }
    let expected = Self.head + Self.rows()
    if FormatDocument.isRewriting {
      document.lines.replaceSubrange(rows.indices, with: expected)
      try document.save()
      Issue.record("rewrote the trees of FORMAT.md; look at the difference, then run without SATCHEL_REWRITE")
      return
    }
    for (found, expected) in zip(rows, expected) { #expect(found == expected) }
    #expect(rows.count == expected.count)
  }

  /// The document says of each column what it is.
  @Test func saysWhatEachColumnIs() throws {
    let lines = try FormatDocument().lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("### 7.7 ") })
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.filter { !$0.hasPrefix("|") }.joined()
    for name in Set(IndexCatalog.numeric.flatMap(\.columns).map(\.name)) {
      #expect(section.contains("`\(name)`"), "\(name)")
    }
  }

  private static func rows() -> [String] {
    let numeric = IndexCatalog.numeric.map { index in
      let names = index.columns.map(\.name)
      let key = names.prefix(index.tree.keyColumns).joined(separator: ", ")
      let payload = names.dropFirst(index.tree.keyColumns).joined(separator: ", ")
      let columns = payload.isEmpty ? key : key + #" \| "# + payload
      return (index.number, "`\(index.name)` | \(index.since) | \(entries(of: index)) | \(columns)")
    }
    let text = IndexCatalog.text.map { index in
      let columns = index.columns.joined(separator: ", ")
      let set = index.optionalIndexes.isEmpty ? "1" : "optional"
      return (index.number, "`\(index.name)` | \(set) | \(index.entries) | text: \(columns)")
    }
    return (numeric + text).sorted { $0.0 < $1.0 }.map { "| \($0.0) | \($0.1) |" }
  }

  /// What has an entry in an index, in words.
  private static func entries(of index: IndexDefinition) -> String {
    let objects = index.kind.rawValue
    return switch (index.kind, index.holds) {
    case (.parts, .visible): "parts of visible messages"
    case (.announcements, .visible), (.identities, .visible): objects
    case (.announcements, .unread): "unread announcements"
    case (.conversations, .unread): "visible conversations with unread messages"
    case (.messages, .lookUp): "messages and announcements"
    case (.messages, .remoteLookUp): "messages and announcements with a remote identifier"
    case (_, .remoteLookUp): "\(objects) with a remote identifier"
    case (_, .visible): "visible \(objects)"
    case (_, .unread): "visible unread \(objects)"
    case (_, .unsent): "visible \(objects) that have not been sent"
    case (_, .belowFirst), (_, .lookUp): objects
    case (_, .unreadBelowFirst): "unread \(objects)"
    case (_, .oncePerFirst): "participants of visible \(objects)"
    case (_, .hidden): "\(objects) that are not visible"
    }
  }
}
