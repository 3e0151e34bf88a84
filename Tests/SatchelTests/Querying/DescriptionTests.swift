import Foundation
import Satchel
import SatchelModel
import SatchelScenes
import Testing

/// What `print` shows of objects and errors.
@Suite struct DescriptionTests {
  @Test func objectsAreOneLine() throws {
    let scratch = try Scratch()
    let store = scratch.store
    try store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob\nB."))
      let room = try tx.conversation(
        with: ["bob"], metadata: ["title": "Say \"hi\"", "theme": ["color": "red"]])
      try tx.receive(
        [.text("First\nsecond " + String(repeating: "x", count: 100)), .data([1, 2], mimeType: "a/b")],
        in: room.id, from: "bob", id: "m", position: 1, sentAt: Date(timeIntervalSince1970: 0.25),
        isUnread: true)
      try tx.receive([.data([1], mimeType: "image/png")], in: room.id, from: "bob", id: "n", position: 2)
      try tx.receive([], in: room.id, from: "bob", id: "o", position: 3)
    }
    func message(_ id: Message.ID) throws -> Message {
      try #require(try store.fetch(Message.filter { $0.identifier == id }).first)
    }
    let first = try message("m")
    let conversation = first.conversation
    #expect(
      "\(first)" == "message m in \(conversation) from bob, sent 1970-01-01T00:00:00.25Z, unread: "
        + #"First\nsecond "# + String(repeating: "x", count: 66) + "…")
    #expect("\(try message("n"))".hasSuffix(": image/png"))
    #expect("\(try message("o"))".hasSuffix(", without parts"))
    #expect("\(first.parts[1])" == "part m/parts/1, a/b, 2 bytes")
    let room = try #require(try store.fetch(Conversation.filter { $0.identifier == conversation }).first)
    #expect(
      "\(room)"
        == "conversation \(conversation) of alice, bob: 3 messages, \(room.unreadCount) unread, metadata "
        + #"["theme": ["color": "red"], "title": "Say \"hi\""]"#)
    let bob = try #require(try store.fetch(Identity.filter { $0.userID == "bob" }).first)
    #expect("\(bob)" == #"identity bob (Bob\nB.)"#)
    #expect("\(Metadata())" == "[:]")
    #expect("\(Timestamp(microseconds: 1))" == "1970-01-01T00:00:00.000001Z")
  }

  @Test func whatGoesIntoAMessageIsOneLine() {
    let long = String(repeating: "x", count: 100)
    let drafts = [
      MessagePart.Draft.text("Hi\n" + long), .data([UInt8](repeating: 7, count: 9000), mimeType: "a/b"),
      .url("https://example.com", mimeType: "video/mp4"),
    ]
    #expect(
      "\(drafts)"
        == #"[new part, text/plain, 103 bytes: Hi\n"# + String(repeating: "x", count: 76)
        + "…, new part, a/b, 9000 bytes, new part, video/mp4: https://example.com]")
    let arriving = AsyncStream<[UInt8]> { $0.finish() }
    let sources = [
      MessagePart.Source.draft(drafts[1]), .file(path: "/tmp/film", mimeType: "video/mp4"),
      .chunks([[1]], mimeType: "a/\nb"), .chunks(arriving, mimeType: "a/b"),
    ]
    #expect(
      sources.map { "\($0)" } == [
        "new part, a/b, 9000 bytes", "content of a file or a sequence, video/mp4",
        #"content of a file or a sequence, a/\nb"#, "content of an asynchronous sequence, a/b",
      ])
  }

  @Test func whatHasChangedIsOneLine() async throws {
    let scratch = try Scratch()
    let store = scratch.store
    let start = try await store.read { $0.sequence }
    try await store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<12 { try tx.send([.text("\(number)")], to: "c", id: Message.ID("m\(number)")) }
    }
    let controller = store.controller(for: Message.order { $0.identifier }, window: .first(5))
    var changes = controller.changes.makeAsyncIterator()
    try await controller.execute()
    let change = try #require(await changes.next())
    let list = controller.list
    #expect("\(list)" == "rows 0..<5 of 12 after commit \(list.sequence)")
    #expect("\(change)" == "5 inserted: \(list)")
    try await store.write { tx in
      try tx.update("m0") { $0.isSent = true }
      try tx.setMetadata("x", at: "mood", of: .message("m1"))
    }
    let commits = try await store.changes(since: start)
    let (first, later) = (commits[0].description, commits[1].description)
    #expect(
      first.hasPrefix("commit \(commits[0].sequence): created ") && first.hasSuffix(" and 3 more")
        && first.contains("created message m3"), "\(first)")
    #expect(
      later.contains("updated message m0 (isSent")
        && later.contains("updated message m1 (updatedAt, metadata.mood)"),
      "\(later)")
  }

  @Test func smallValuesAreWords() {
    #expect("\([RecipientStatus.read, .pending])" == "[read, pending]")
    #expect("\(["bob": RecipientStatus.sent] as [Identity.ID: RecipientStatus])" == "[bob: sent]")
    #expect("\([PresenceStatus.away]) \([TransferStatus.awaitingUpload])" == "[away] [awaitingUpload]")
    #expect(
      "\([AggregateValue(group: "bob", value: 3), AggregateValue(group: nil, value: 1)])"
        == "[bob: 3, none: 1]")
    let lunch = AggregateValue(group: Conversation.ID("lunch"), value: 12)
    #expect("\(lunch)" == "lunch: 12")
  }

  @Test func anErrorsLocalizedTextSaysWhatIsWrong() throws {
    let scratch = try Scratch()
    let error = #expect(throws: SatchelError.self) {
      try scratch.store.write { _ = try $0.send([], to: "none") }
    }
    let text = try #require(error).localizedDescription
    #expect(text.contains("No conversation has that identifier"))
    #expect(text.contains("none"))
  }
}
