import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

@Suite struct ChangeLogTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"], metadata: ["title": "old"]))
      _ = try writer.insertMessage(
        MessageDraft(identifier: "m", sender: "bob", position: 7, isUnread: true, parts: [.text("x")]),
        in: "c")
      try writer.putIdentity(Identity(userID: "bob", displayName: "Bob"))
    }
  }

  private func entry(_ body: (Writer) throws -> Void) throws -> ChangeLogEntry {
    let before = try store.sequence()
    try store.write(body)
    let changes = try #require(try store.read { try $0.changes(after: before) })
    return changes.first?.entry ?? ChangeLogEntry()
  }

  @Test func createdObjectsAreNamed() throws {
    let first = try #require(try store.read { try $0.changes(after: 1) }?.first?.entry)
    #expect(first.changes.map(\.action) == [.created, .created, .created])
    #expect(
      Set(first.changes.map(\.object)) == [
        .conversation(0), .message(MessageKey(conversation: 0, sequence: 1)), .identity(0),
      ])
    #expect(first.changes.allSatisfy { $0.before.isEmpty && $0.properties.isEmpty })
  }

  @Test func updatesNameTheirPropertiesAndValuesBefore() throws {
    let entry = try entry { writer in
      var update = MessageUpdate()
      update.position = .set(9)
      update.isUnread = false
      update.metadata = [.set("x", at: MetadataPath(dotted: "a.b"))]
      try writer.updateMessage("m", update)
      var conversation = ConversationUpdate()
      conversation.metadata = [.set("new", at: MetadataPath(dotted: "title"))]
      try writer.updateConversation("c", conversation)
      try writer.setFollowed(true, "bob")
    }
    let message = try #require(entry.changes.first { if case .message = $0.object { true } else { false } })
    #expect(message.action == .updated)
    #expect(message.properties == LoggedProperties([.position, .isUnread, .metadata, .updatedAt]))
    #expect(message.before(.position) == .word(7))
    #expect(message.before(.isUnread) == .word(1))
    let path = try #require(try store.read { try $0.metadataPaths.number(of: "a.b") })
    #expect(message.metadata == [MetadataChange(path: path, before: .missing)])
    let conversation = try #require(entry.changes.first { $0.object == .conversation(0) })
    #expect(
      conversation.properties
        == LoggedProperties([.metadata, .unreadCount, .lastPosition, .lastIsUnread, .updatedAt]))
    #expect(conversation.before(.unreadCount) == .word(1))
    #expect(conversation.metadata.map(\.before) == [.text(Array("old".utf8))])
    let identity = try #require(entry.changes.first { $0.object == .identity(0) })
    #expect(identity.properties == LoggedProperties([.followed]))
  }

  @Test func stepsOfOneTransactionFold() throws {
    let entry = try entry { writer in
      _ = try writer.send([.text("a")], to: "c", identifier: "new")
      _ = try writer.read { $0.seal.commit }
      var update = MessageUpdate()
      update.position = .set(100)
      try writer.updateMessage("new", update)
      _ = try writer.send([.text("b")], to: "c", identifier: "gone")
      _ = try writer.read { $0.seal.commit }
      try writer.deleteMessage("gone")
      update.position = .set(8)
      try writer.updateMessage("m", update)
      _ = try writer.read { $0.seal.commit }
      update.position = .set(6)
      try writer.updateMessage("m", update)
    }
    func change(_ sequence: UInt64) -> LoggedChange? {
      entry.changes.first { $0.object == .message(MessageKey(conversation: 0, sequence: sequence)) }
    }
    #expect(change(2)?.action == .created)
    #expect(change(3) == nil)
    #expect(change(1)?.before(.position) == .word(7))
    #expect(Set(entry.changes.map(\.object)).count == entry.changes.count)
  }

  /// A message that is as it was moves with its conversation all the same.
  @Test func aMessageChangedBackIsHiddenWithItsConversation() throws {
    let entry = try entry { writer in
      var update = MessageUpdate()
      update.isUnread = false
      try writer.updateMessage("m", update)
      update.isUnread = true
      try writer.updateMessage("m", update)
      var conversation = ConversationUpdate()
      conversation.participants = .remove(["me"])
      try writer.updateConversation("c", conversation)
    }
    #expect(entry.ranges.map(\.scope) == [.conversation(0)])
    #expect(entry.ranges.first?.sequences == 1...1)
  }

  @Test func aDeletedObjectLeavesItsWholeIdentifier() throws {
    let long = String(repeating: "🧺", count: 250)
    try store.write { writer in
      _ = try writer.insertMessage(
        MessageDraft(identifier: Message.ID(long), sender: "bob", position: 8), in: "c")
    }
    let entry = try entry { try $0.deleteMessage(Message.ID(long)) }
    #expect(
      entry.changes.first { $0.action == .deleted }?.before(.identifier) == .text(Array(long.utf8)))
    try expectSound(store)
  }

  @Test func deletedObjectsLeaveTheirValues() throws {
    let entry = try entry { try $0.deleteConversation("c") }
    let message = try #require(
      entry.changes.first { $0.object == .message(MessageKey(conversation: 0, sequence: 1)) })
    #expect(message.action == .deleted && message.before(.identifier) == .text(Array("m".utf8)))
    let conversation = try #require(entry.changes.first { $0.object == .conversation(0) })
    #expect(conversation.action == .deleted && conversation.before(.messageCount) == .word(1))
  }

  @Test func manyMessagesOfAConversationAreARange() throws {
    let entry = try entry { writer in
      for _ in 0..<1500 { _ = try writer.send([], to: "c") }
    }
    #expect(entry.changes.map(\.object) == [.conversation(0)])
    #expect(entry.ranges.map(\.count) == [1500])
    #expect(entry.ranges.first?.sequences == 2...1501)
    #expect(entry.ranges.first?.actions == .created)
  }

  /// As many as the log lists are listed, and one more is not.
  @Test func aThousandMessagesOfAConversationAreListed() throws {
    for count in [999, 1000, 1001] {
      let name = Conversation.ID("of \(count)")
      try store.write { writer in
        _ = try writer.createConversation(ConversationDraft(identifier: name, participants: ["bob"]))
        for index in 0..<count {
          _ = try writer.insertMessage(
            MessageDraft(identifier: Message.ID("\(count) \(index)"), sender: "bob", isUnread: true), in: name
          )
        }
      }
      let update = try entry { writer in
        // In several steps, in which some messages change twice.
        for step in 0..<3 {
          for index in step * 300..<(step == 2 ? count : step * 300 + 400) {
            var update = MessageUpdate()
            update.position = .set(Int64(step * 10_000 + index))
            try writer.updateMessage(Message.ID("\(count) \(index)"), update)
          }
          _ = try writer.read { $0.seal.commit }
        }
      }
      let reading = try entry { _ = try $0.markAllRead(in: name) }
      let deletion = try entry { try $0.deleteConversation(name) }
      for entry in [update, reading, deletion] {
        let messages = entry.changes.count { if case .message = $0.object { true } else { false } }
        #expect(messages == (count > 1000 ? 0 : count))
        #expect(entry.ranges.map(\.scope).count == (count > 1000 ? 1 : 0))
      }
    }
    try expectSound(store)
  }

  /// What comes and goes in one transaction is no change, so that it does not count among those that are listed.
  @Test func whatHasGoneAgainDoesNotCount() throws {
    let entry = try entry { writer in
      for step in 0..<4 {
        let ids = try (0..<600).map { _ in try writer.send([], to: "c") }
        _ = try writer.read { $0.seal.commit }
        for id in ids.dropLast(step == 3 ? 5 : 0) { try writer.deleteMessage(id) }
        _ = try writer.read { $0.seal.commit }
      }
      try writer.deleteMessage("m")
    }
    let actions = entry.changes.compactMap { change in
      if case .message = change.object { change.action } else { nil }
    }
    #expect(entry.ranges.isEmpty)
    #expect(actions == [.created, .created, .created, .created, .created, .deleted])
    try expectSound(store)
  }

  @Test func theLogIsBounded() throws {
    let commits = TestEnvironment.rounds(10_300)
    _ = try store.write { try $0.registerConsumer("reads nothing") }
    for index in 0..<commits {
      try store.write { writer in
        var update = MessageUpdate()
        update.position = .set(Int64(index))
        try writer.updateMessage("m", update)
      }
    }
    let (log, all, late) = try store.read { snapshot in
      (
        snapshot.seal.log, try snapshot.changes(after: 1),
        try snapshot.changes(after: snapshot.seal.commit - 5)
      )
    }
    #expect(log.count <= 10_000 && log.count > 9000)
    #expect(all == nil)
    #expect(late?.count == 5)
    let complete = try store.read { try $0.changes(after: log.first - 1) }
    #expect(complete?.count == Int(log.count))
    #expect(try store.read { try $0.changes(after: log.first - 2) } == nil)
    try expectSound(store)
  }
}
