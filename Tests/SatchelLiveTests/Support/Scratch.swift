import Foundation
import Satchel
import SatchelExecution
import SatchelInterchange
import SatchelStorage

/// A store of alice in a directory of its own, which is gone with it.
final class Scratch: Sendable {
  let store: MessageStore
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("satchel-live-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    store = try MessageStore(
      at: directory.appendingPathComponent("store"), user: "alice", options: Self.options)
  }

  static var options: MessageStore.Options {
    var options = MessageStore.Options()
    options.durability = .relaxed
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.checkpointCommits = 3
    options.journal.mostCommits = 7
    // There are no commits but those that a test makes.
    options.purgePause = nil
    return options
  }

  /// Lets the store keep what hangs on messages, conversations and users.
  func keepResponses() throws { try Self.keepResponses(in: store) }

  static func keepResponses(in store: MessageStore) throws {
    try store.enable(.reactions, .threads, .relations, .participations)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Imports lines of the interchange format; those that cannot be taken are left out.
  func importing(_ lines: [String]) throws {
    let file = directory.appendingPathComponent("lines.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var options = Store.Options()
    options.durability = .relaxed
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    options.aggregateEvaluator = QueryAggregateEvaluator()
    _ = try Importer(.descriptor(handle.fileDescriptor), skipsInvalid: true)
      .run(into: store.path, user: nil, options: options)
  }
}
