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
}
