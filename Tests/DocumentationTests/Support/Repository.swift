import Foundation

/// The files of the repository that these tests compare.
enum Repository {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  /// The articles.
  static let catalog = "Sources/Satchel/Satchel.docc"
  /// The Swift files that compile and run the articles' code.
  static let guides = "Tests/DocumentationTests/Guides"

  /// Returns the text of a file, given by its path in the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the names of a folder's files that have an extension, without it, in ascending order.
  static func names(in folder: String, withExtension suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix("." + suffix) }.map { String($0.dropLast(suffix.count + 1)) }.sorted()
  }

  /// Returns the rows of the first table below a heading of an article: of each cell the texts that are set as code.
  static func table(_ heading: String, of article: String) throws -> [[[String]]] {
    let lines = try text("\(catalog)/\(article).md").split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "## \(heading)" }
    let rows = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
    return rows.map { row in
      // A vertical line within a cell has a backslash before it.
      row.replacing("\\|", with: "\u{1}").split(separator: "|").map { cell in
        let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
        return stride(from: 1, to: pieces.count, by: 2).map {
          String(pieces[$0].replacing("\u{1}", with: "|"))
        }
      }
    }
  }
}
