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
}
