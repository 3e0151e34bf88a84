import Ageing
import SatchelCare
import SatchelStorage
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How long a file becomes over many commits, by counting its pages.
@Suite struct AgeingTests {
  private static func age(
    conversations: Int, commits: Int, checkpoint: UInt64, _ body: (AgedStore) throws -> Void
  ) throws {
    let directory = FileManager.default.temporaryDirectory.path + "/satchel-ageing-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var aged = try AgedStore(
      at: directory, seed: TestEnvironment.seed(), conversations: conversations
    ) {
      $0.journal.checkpointCommits = checkpoint
    }
    defer { aged.store.close() }
    try aged.commit(commits)
    try body(aged)
  }

  /// What part of some parts' bytes is room.
  private static func room(_ parts: [StoreSpace.Part]) -> Double {
    let (bytes, used) = parts.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.used) }
    return Double(bytes - used) / Double(max(bytes, 1))
  }

  /// Conversations that grow beside each other leave their pages nearly full, and so do the leaves of indexes.
  @Test func conversationsThatGrowLeaveFullPages() throws {
    try Self.age(conversations: 60, commits: 24_500, checkpoint: 2_000) { aged in
      let space = try aged.store.space()
      let text = SpaceTable([("aged", space)]).text
      // Beside the room there are gaps that deletions leave.
      let records = space.parts.filter { $0.name == "messages" }
      #expect(Self.room(records) <= 0.3, "\(text)")
      let indexes = space.parts.filter { $0.name.contains(".") }
      #expect(indexes.count > 20)
      #expect(Self.room(indexes) <= 0.3, "\(text)")
    }
  }
}
