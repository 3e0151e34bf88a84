import SatchelCoding
import SatchelModel
import SatchelStorage
import Testing

@Suite struct PurgeTests {
  @Test func aDeletedConversationLeavesTheTablesLater() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.createConversation(ConversationDraft(identifier: "d", participants: ["bob"]))
      for index in 0..<12_000 {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob",
            parts: index % 10 == 0 ? [.data([UInt8](repeating: 1, count: 5000), mimeType: "a/b")] : []),
          in: "c")
      }
    }
    try store.write { try $0.deleteConversation("c") }
    func left() throws -> (messages: UInt64, bodies: UInt64, purges: UInt64) {
      try store.read { ($0.seal[.messages].count, $0.seal[.bodies].count, $0.seal[.purge].count) }
    }
    #expect(try left() == (12_000, 3600, 1))
    try expectSound(store)
    #expect(try store.read { try $0.locateMessage("m5") } == nil)
    #expect(try store.read { try $0.locateConversation("c") } == nil)
    // The identifiers are free again at once.
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.send([], to: "c", identifier: "m5")
    }
    var commits = 1
    while try left().purges > 0, commits < 10 {
      let before = try left()
      try store.write { _ = try $0.send([], to: "d") }
      let after = try left()
      #expect(before.messages + before.bodies - after.messages - after.bodies <= 5001)
      try expectSound(store)
      commits += 1
    }
    #expect(commits == 4)
    #expect(try left().bodies == 0)
  }

  @Test func oneVeryLargeMessageIsPurgedToo() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      _ = try writer.send(
        [.data([UInt8](repeating: 3, count: 3 << 20), mimeType: "a/b")], to: "c", identifier: "m")
    }
    try store.write { try $0.deleteMessage("m") }
    #expect(try store.read { $0.seal[.bodies].count } > 700)
    try expectSound(store)
    try store.write { _ = try $0.send([], to: "c") }
    let left = try store.read { ($0.seal[.bodies].count, $0.seal[.purge].count) }
    #expect(left == (0, 0))
    try expectSound(store)
  }
}
