import Foundation
import Satchel
import SatchelStorage
import Testing

/// A directory that is gone at the end of the test.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("satchel-face-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A store of alice in a directory of its own.
final class Scratch: Sendable {
  let directory: TemporaryDirectory
  let store: MessageStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try Self.open(directory)
  }

  /// Another handle of the same store.
  func reopened() throws -> MessageStore { try Self.open(directory) }

  private static func open(_ directory: TemporaryDirectory) throws -> MessageStore {
    var options = MessageStore.Options()
    options.durability = .relaxed
    return try MessageStore(
      at: directory.url.appendingPathComponent("store"), user: "alice", options: options)
  }
}

/// The error that a body throws; nil, and a failed test, where it throws another one or none.
@discardableResult
func failure(
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
func expectSound(_ store: MessageStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let report = try store.base.read { try Verifier.verify($0) }
  #expect(
    report.isSound, "\(report.faultCount) faults: \(report.faults.prefix(5))", sourceLocation: sourceLocation)
  #expect(report.records > 0, sourceLocation: sourceLocation)
}

/// A generator of random numbers that a seed makes repeatable.
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  /// The generator of a test: `SATCHEL_SEED`, or a random seed; printed, so that a failure can be run again.
  init(for test: String) {
    let given = ProcessInfo.processInfo.environment["SATCHEL_SEED"].flatMap { UInt64($0) }
    state = given ?? UInt64.random(in: 1...UInt64(UInt32.max))
    print("\(test): SATCHEL_SEED=\(state)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// A size from the environment, or a small one.
func size(_ name: String, _ standard: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
}

/// So many seconds into 2025.
func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_735_689_600 + seconds) }
