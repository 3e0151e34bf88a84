package import Foundation
package import Satchel
import SatchelCare
import SatchelStorage
import Synchronization
package import Testing

/// A directory that is gone at the end of the test.
package final class TemporaryDirectory: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("satchel-face-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A store of alice in a directory of its own, which is there as long as the process: a store must not lose its files while a test
/// that keeps nothing but the store goes on with it.
package final class Scratch: Sendable {
  private static let kept = Mutex<[TemporaryDirectory]>([])

  package let directory: TemporaryDirectory
  package let store: MessageStore

  package init() throws {
    directory = try TemporaryDirectory()
    store = try Self.open(directory)
    Self.kept.withLock { kept in
      if kept.isEmpty { atexit { Scratch.kept.withLock { $0 = [] } } }
      kept.append(directory)
    }
  }

  /// Another handle of the same store.
  package func reopened(_ keys: MessageStore.MetadataKeys = .any) throws -> MessageStore {
    try Self.open(directory, keys)
  }

  private static func open(
    _ directory: TemporaryDirectory, _ keys: MessageStore.MetadataKeys = .any
  ) throws -> MessageStore {
    var options = MessageStore.Options()
    options.metadataKeys = keys
    options.durability = .relaxed
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    // There are no commits but those that a test makes.
    options.purgePause = nil
    return try MessageStore(
      at: directory.url.appendingPathComponent("store"), user: "alice", options: options)
  }
}

/// The error that a body throws; nil, and a failed test, where it throws another one or none.
@discardableResult
package func failure(
  _ code: SatchelError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SatchelError? {
  do {
    try body()
    Issue.record("Nothing was thrown instead of \(code)", sourceLocation: sourceLocation)
  } catch let error as SatchelError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    let line = error.description
    #expect(!line.isEmpty && !line.contains { $0.isNewline }, "\(line)", sourceLocation: sourceLocation)
    #expect(line.hasPrefix(error.message), sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(error) was thrown instead of \(code)", sourceLocation: sourceLocation)
  }
  return nil
}

/// Fails with the first faults of a store that does not agree with itself.
package func expectSound(_ store: MessageStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let report = try store.base.read { try Verifier.verify($0) }
  #expect(
    report.isSound, "\(report.faultCount) faults: \(report.faults.prefix(5))", sourceLocation: sourceLocation)
  #expect(report.records > 0, sourceLocation: sourceLocation)
}

/// So many seconds into 2025.
package func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_735_689_600 + seconds) }
