import Foundation
import SatchelStorage
import TestSupport
import Testing

/// The documents name the format in which a new store is written.
struct FormatVersionTests {
  @Test(arguments: [
    ("FORMAT.md", "# The Satchel file format, version "), ("CHANGELOG.md", "**Format**: "),
  ])
  func documentsNameTheFormat(_ document: String, _ words: String) throws {
    let scratch = try ScratchDirectory()
    var options = Store.Options()
    options.create = true
    let store = try Store.open(directory: scratch.path + "/store", user: "ann", options: options)
    defer { store.close() }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(words) })
    let number = line.dropFirst(words.count).prefix { $0.isNumber }
    #expect(UInt32(number) == store.header.versions.format, "\(document): \(line)")
  }

  /// A row for each format, which says that programs of all formats from it up to the newest open its stores.
  @Test func theArticleOnUpgradingKnowsEveryFormat() throws {
    let article = FormatDocument.path.deletingLastPathComponent()
      .appendingPathComponent("Sources/Satchel/Satchel.docc/UpgradingStores.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 3 ? UInt32(cells[0]).map { (format: $0, readers: cells[2]) } : nil
    }
    let newest = Store.format
    #expect(rows.map(\.format) == Array(1...newest))
    for (format, readers) in rows {
      let numbers = readers.split { !$0.isNumber }.compactMap { UInt32($0) }
      #expect(numbers.first == format && numbers.last == newest, "format \(format): \(readers)")
    }
  }
}
