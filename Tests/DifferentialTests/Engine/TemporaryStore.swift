import Foundation
import Satchel
import SatchelExecution
import SatchelInterchange
import SatchelStorage

/// A store that an interchange file was imported into, removed with the value.
final class TemporaryStore {
  let store: MessageStore
  let imported: Importer.Summary
  private let directory: URL

  /// Imports lines, leaving out those that cannot be taken.
  convenience init(lines: String, user: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("differential-\(UUID()).jsonl")
    try Data(lines.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try self.init(file: file.path, user: user)
  }

  /// Imports a file, leaving out the lines that cannot be taken.
  init(file: String, user: String) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("differential-\(UUID())")
    let descriptor = open(file, O_RDONLY)
    guard descriptor >= 0 else { throw QueryError("cannot open \(file)") }
    defer { close(descriptor) }
    imported = try Importer(.descriptor(descriptor), skipsInvalid: true).run(into: directory.path, user: user)
    store = try MessageStore(path: directory.path, user: Identity.ID(user))
  }

  /// What the last import of further lines has left out, and why.
  private(set) var rejections: [String] = []

  /// Imports further lines, leaving out those that cannot be taken.
  func importing(_ lines: String) throws -> Importer.Summary {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("differential-\(UUID()).jsonl")
    try Data(lines.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let descriptor = open(file.path, O_RDONLY)
    guard descriptor >= 0 else { throw QueryError("cannot open \(file.path)") }
    defer { close(descriptor) }
    rejections = []
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    return try Importer(
      .descriptor(descriptor), skipsInvalid: true,
      onRejection: { [self] line, reason in rejections.append("line \(line): \(reason)") }
    ).run(into: directory.path, user: nil, options: options)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }
}
