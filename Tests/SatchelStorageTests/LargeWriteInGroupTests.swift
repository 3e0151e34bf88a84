import LMDB
import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Writes that share a transaction and of which some are so large that they pass changes to LMDB before their end.
@Suite struct LargeWriteInGroupTests {
  private struct GivenUp: Error {}

  /// What a large write has more of than fits its buffers.
  enum Size: CaseIterable {
    case bytes
    case entries
  }

  /// Adds a conversation that is too large for the buffers, reads it, and deletes it again.
  private static func makeLarge(_ writer: Writer, _ size: Size, _ name: String) throws {
    _ = try writer.createConversation(
      ConversationDraft(identifier: Conversation.ID("large \(name)"), participants: ["bob"]))
    let count = size == .bytes ? 24 : 40
    for number in 0..<count {
      let parts: [MessagePart.Draft] =
        size == .bytes
        ? [.text(String(repeating: "x", count: 300_000))] : (0..<1_000).map { .text("part \($0)") }
      _ = try writer.insertMessage(
        MessageDraft(sender: "bob", position: Int64(number), parts: parts),
        in: Conversation.ID("large \(name)"))
      if number % 8 == 3 {
        try writer.read { snapshot in
          for index in IndexCatalog.numeric {
            let rows = try snapshot.forest.count(index.tree)
            if rows > 0 { #expect(try snapshot.forest.select(index.tree, rows / 2) != nil) }
          }
        }
      }
    }
  }

  @Test(arguments: Size.allCases, [false, true])
  func theOthersStay(size: Size, fails: Bool) async throws {
    let seed = TestEnvironment.seed(for: "theOthersStay")
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path)
    let operations = Mutex(RandomOperations(seed: seed))
    let transactions = try scene.transaction()
    @Sendable func small(_ writer: Writer) throws {
      try operations.withLock { operations in
        for _ in 0..<12 {
          try operations.step(writer)
          let difference = try writer.read { try operations.model.difference($0) }
          if let difference { throw Failure(description: difference) }
        }
      }
    }
    for round in 0..<3 {
      let bodies: [WritersInLine.Body] = [
        { try small($0) }, { try small($0) },
        { writer in
          try Self.makeLarge(writer, size, "\(round)")
          if fails { throw GivenUp() }
          try writer.deleteConversation(Conversation.ID("large \(round)"))
        },
        { try small($0) }, { try small($0) },
      ]
      let outcomes = try await scene.run(bodies)
      for (index, outcome) in outcomes.enumerated() {
        switch outcome {
        case .success: #expect(index != 2 || !fails)
        case .failure(let error): #expect(index == 2 && error is GivenUp, "\(error)")
        }
      }
      let difference = try scene.store.read { try operations.withLock { $0.model }.difference($0) }
      #expect(difference == nil, "seed \(seed)")
      try expectSound(scene.store)
    }
    // The first writer of a round does not know that others come: it may be alone once.
    #expect(try scene.transaction() - transactions < 15)
  }
}
