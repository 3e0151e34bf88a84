import SatchelCare
import SatchelInterchange
import SatchelModel
import SatchelRecords
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// What changed since a commit, as lines that bring a copy of the store of that time up to date.
@Suite struct ChangeExporterTests {
  /// A store with some objects.
  private func makeStore(_ store: TemporaryStore) throws {
    let opened = try Store.open(directory: store.path, user: "me", options: Self.options)
    defer { opened.close() }
    try opened.write { writer in
      for name in ["a", "b"] {
        _ = try writer.createConversation(
          ConversationDraft(
            identifier: Conversation.ID(name), participants: ["bob"], isDistinct: name == "a",
            metadata: ["title": "T", "theme": ["color": "red"]]))
      }
      for index in 0..<10 {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob", position: Int64(index), isUnread: true,
            parts: [.text("text \(index)")],
            recipientStatus: [RecipientStatusEntry(user: "me", status: .sent)], metadata: ["k": "v"]),
          in: index % 2 == 0 ? "a" : "b")
      }
      try writer.insertIdentity(Identity(userID: "bob", displayName: "Bob", emailAddress: "b@example.org"))
      _ = try writer.insertAnnouncement(MessageDraft(identifier: "n", sender: "bob", isUnread: true))
    }
  }

  private static var options: Store.Options {
    var options = Store.Options()
    options.durability = .temporaryImport
    return options
  }

  /// The changes of a store since a commit.
  private func changes(
    _ store: TemporaryStore, since: UInt64
  ) throws -> (lines: [UInt8], summary: ChangeExporter.Summary) {
    try store.read { snapshot in
      let file = try TemporaryFile()
      var exporter = ChangeExporter(snapshot, since: since, to: file.descriptor)
      let summary = try exporter.run()
      return (file.content(), summary)
    }
  }

  /// Makes a copy of a store, lets each of `commits` change the store, and brings the copy up to date by what was exported.
  private func expectSame(
    _ commits: (Writer) throws -> Void..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try TemporaryStore()
    try makeStore(store)
    let copy = try TemporaryStore()
    let since = try backUp(store, copy)
    let opened = try Store.open(directory: store.path, user: "me", options: Self.options)
    for commit in commits { try opened.write(commit) }
    opened.close()
    let (lines, summary) = try changes(store, since: since)
    #expect(summary.sequence == since + UInt64(commits.count), sourceLocation: sourceLocation)
    try apply(lines, copy)
    #expect(try copy.export() == store.export(), sourceLocation: sourceLocation)
    #expect(try copy.verify() == 0, sourceLocation: sourceLocation)
  }

  private func backUp(_ store: TemporaryStore, _ copy: TemporaryStore) throws -> UInt64 {
    let opened = try Store.open(directory: store.path, user: "me", options: Self.options)
    defer { opened.close() }
    return try opened.backup(to: copy.path, verifying: false).sequence
  }

  private func apply(_ lines: [UInt8], _ copy: TemporaryStore) throws {
    let file = try TemporaryFile(lines)
    let summary = try Importer(.descriptor(file.descriptor)).run(into: copy.path, user: nil)
    #expect(summary.rejected == 0 && summary.unknownKeys == 0)
  }

  @Test func nothingHasChanged() throws {
    let store = try TemporaryStore()
    try makeStore(store)
    let since = try store.read { $0.seal.commit }
    let (bytes, summary) = try changes(store, since: since)
    #expect(summary.changes == 0 && summary.sequence == since)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix(#","sequence":\#(since)}"#) == true, "\(lines)")
  }

  /// Keys of an update are key paths, keys of a dictionary are not; and a dictionary of one key may look like a date.
  @Test func keysThatAreNoNames() throws {
    let metadata: Metadata = [
      "a.b": "one", "a": ["b": "two", "c.d": 5], "'\"": true, "\\": "x", "😀": ["$date": "no date"],
      "caf\u{E9}": "1",
      "cafe\u{301}": "2", "-x": "y", "$date": ["$$date": ["$x": Timestamp(microseconds: 5)]],
      "two words": [:],
    ]
    try expectSame(
      { writer in
        var update = MessageUpdate()
        update.metadata = [.replace(metadata)]
        try writer.updateMessage("m3", update)
        var conversation = ConversationUpdate()
        conversation.metadata = [.merge(metadata)]
        try writer.updateConversation("b", conversation)
        try writer.putIdentity(Identity(userID: "bob", metadata: metadata))
        try writer.putIdentity(Identity(userID: "new", metadata: ["$date": "x"]))
      },
      { writer in
        var update = MessageUpdate()
        update.metadata = [.remove(at: MetadataPath(["a.b"])), .set(1, at: MetadataPath(["a.b", "c"]))]
        try writer.updateMessage("m3", update)
      })
  }

  @Test func everyPropertyOfAMessage() throws {
    try expectSame { writer in
      var update = MessageUpdate()
      update.position = .clear
      update.sentAt = .set(Timestamp(microseconds: 5))
      update.isSent = false
      update.isUnread = false
      update.recipientStatus = ["me": nil, "carol": .read]
      update.transferStatus = [0: .uploading]
      update.metadata = [
        .remove(at: MetadataPath(dotted: "k")), .set(.text("x"), at: MetadataPath(dotted: "deep.er")),
      ]
      try writer.updateMessage("m3", update)
      var cleared = MessageUpdate()
      cleared.recipientStatus = ["me": nil]
      cleared.metadata = [.replace(Metadata())]
      try writer.updateMessage("m4", cleared)
      try writer.markRead(["n"], isAnnouncement: true)
    }
  }

  /// A merge that replaces the parts without dating the edit.
  @Test func newPartsWithoutADate() throws {
    try expectSame { writer in
      var update = MessageUpdate()
      update.parts.all = [.text("other")]
      update.editedAt = .clear
      try writer.updateMessage("m1", update)
    }
  }

  @Test func messagesThatAreEditedAndDeletedForEveryone() throws {
    try expectSame(
      { writer in
        var update = MessageUpdate()
        update.parts.all = [.text("edited"), .text(String(repeating: "long ", count: 300))]
        for id in ["m1", "m2", "n"] { try writer.updateMessage(Message.ID(id), update) }
      },
      { writer in
        var update = MessageUpdate()
        update.deletedAt = .set(Timestamp(microseconds: 9))
        for id in ["m2", "m3"] { try writer.updateMessage(Message.ID(id), update) }
      },
      { writer in
        var update = MessageUpdate()
        update.parts.removed = [0]
        update.transferStatus = [1: .uploading]
        update.editedAt = .clear
        try writer.updateMessage("m1", update)
      })
  }

  @Test func everyPropertyOfAConversation() throws {
    try expectSame { writer in
      var update = ConversationUpdate()
      update.participants = .replace(["me", "carol"])
      update.metadata = [
        .remove(at: MetadataPath(dotted: "theme.color")), .set(.text("U"), at: MetadataPath(dotted: "title")),
      ]
      try writer.updateConversation("b", update)
    }
  }

  /// Others came and went: the participants are the same, and the conversation is no longer distinct.
  @Test func distinctnessThatHasEnded() throws {
    try expectSame { writer in
      var update = ConversationUpdate()
      update.participants = .add(["carol"])
      try writer.updateConversation("a", update)
      update.participants = .remove(["carol"])
      try writer.updateConversation("a", update)
    }
  }

  @Test func identities() throws {
    try expectSame { writer in
      try writer.putIdentity(Identity(userID: "bob", firstName: "B", followed: true, metadata: ["x": "y"]))
      try writer.putIdentity(Identity(userID: "carol", displayName: "Carol"))
    }
  }

  @Test func identifiersThatAreUsedAgain() throws {
    try expectSame { writer in
      try writer.deleteMessage("m3")
      try writer.deleteConversation("a")
      _ = try writer.createConversation(ConversationDraft(identifier: "a", participants: ["carol"]))
      _ = try writer.insertMessage(
        MessageDraft(identifier: "m3", sender: "carol", parts: [.text("new")]), in: "a")
      _ = try writer.insertMessage(MessageDraft(identifier: "m2", sender: "carol"), in: "b")
      try writer.deleteMessage("n", isAnnouncement: true)
      _ = try writer.insertMessage(MessageDraft(identifier: "gone", sender: "carol"), in: "b")
      try writer.deleteMessage("gone")
    }
  }

  @Test func manyMessagesOfOneConversation() throws {
    try expectSame { writer in
      for index in 0..<1500 {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("x\(index)"), sender: "bob", position: Int64(index)), in: "b")
      }
    }
    // All of them move between the indexes, and nothing of them changes.
    try expectSame { writer in
      var update = ConversationUpdate()
      update.participants = .replace(["bob"])
      try writer.updateConversation("b", update)
    }
  }

  /// The messages that a conversation takes with it when it appears or disappears are a range of the log. What the same commit
  /// changes of them afterwards is listed all the same.
  @Test func changesOfMessagesThatHaveMoved() throws {
    try expectSame { writer in
      var update = ConversationUpdate()
      update.participants = .replace(["bob"])
      try writer.updateConversation("b", update)
      // Brings the changes so far to the records, as a query in the write does: those that follow come in a second step.
      _ = try writer.read { $0.seal.commit }
      try writer.deleteMessage("m1")
      _ = try writer.insertMessage(MessageDraft(identifier: "late", sender: "bob"), in: "b")
      var message = MessageUpdate()
      message.isUnread = false
      try writer.updateMessage("m3", message)
    }
  }

  /// A message came with more than the log lists, and went before the changes were asked for: nobody has it.
  @Test func oneOfManyThatIsDeletedLater() throws {
    try expectSame(
      { writer in
        for index in 0..<1500 {
          _ = try writer.insertMessage(
            MessageDraft(identifier: Message.ID("x\(index)"), sender: "bob"), in: "b")
        }
      }, { try $0.deleteMessage("x7") })
  }

  @Test func whatTheLogDoesNotList() throws {
    let store = try TemporaryStore()
    try makeStore(store)
    let since = try store.read { $0.seal.commit }
    let opened = try Store.open(directory: store.path, user: "me", options: Self.options)
    try opened.write { writer in
      for index in 0..<1500 {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("x\(index)"), sender: "bob"), in: "b")
      }
    }
    let created = try opened.sequence()
    try opened.write { writer in for index in 0..<1200 { try writer.deleteMessage(Message.ID("x\(index)")) } }
    opened.close()
    for commit in [since, created] {
      let error = #expect(throws: SatchelError.self) { _ = try changes(store, since: commit) }
      #expect(error?.code == .logTrimmed && error?.context["commit"] == "\(created + 1)")
    }
    let error = #expect(throws: SatchelError.self) { _ = try changes(store, since: created + 2) }
    #expect(error?.code == .invalidValue)
    #expect(try changes(store, since: created + 1).summary.changes == 0)
  }

  @Test func importsOfSomeLinesAreListed() throws {
    let store = try TemporaryStore()
    try makeStore(store)
    let copy = try TemporaryStore()
    let since = try backUp(store, copy)
    let lines = [
      #"{"kind":"header","format":"satchel-interchange","version":1}"#,
      #"{"kind":"message","identifier":"i1","conversation":"a","sender":"bob","parts":[{"mimeType":"text/plain","text":"in"}]}"#,
      #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#, #"{"kind":"delete","message":"m2"}"#,
    ]
    let file = try TemporaryFile(Array(lines.map { $0 + "\n" }.joined().utf8))
    _ = try Importer(.descriptor(file.descriptor)).run(into: store.path, user: nil)
    let (difference, summary) = try changes(store, since: since)
    #expect(summary.changes == 3)
    try apply(difference, copy)
    #expect(try copy.export() == store.export())
  }

  /// Random commits, with backups of any age brought up to date.
  @Test func randomCommits() throws {
    var random = SeededGenerator(for: "randomCommits")
    let store = try TemporaryStore()
    try makeStore(store)
    var number = 0
    for round in 0..<TestEnvironment.rounds(6) {
      let copy = try TemporaryStore()
      let since = try backUp(store, copy)
      let opened = try Store.open(directory: store.path, user: "me", options: Self.options)
      for _ in 0..<1 + Int.random(in: 0..<8, using: &random) {
        try opened.write { writer in
          for _ in 0..<1 + Int.random(in: 0..<12, using: &random) {
            number += 1
            try Self.step(writer, number, &random)
          }
        }
      }
      // Declarations come with changes of records.
      try opened.write { writer in
        try writer.declare([RecordType("round")])
        try writer.save(Record(id: Record.ID(type: "round", name: "last"), ["n": .integer(Int64(round))]))
      }
      opened.close()
      try apply(changes(store, since: since).lines, copy)
      #expect(try copy.export() == store.export(), "round \(round)")
      #expect(try copy.verify() == 0, "round \(round)")
    }
  }

  /// One random change; one that makes no sense in the store as it is does nothing.
  private static func step(_ writer: Writer, _ number: Int, _ random: inout SeededGenerator) throws {
    func pick<T>(_ elements: [T]) -> T { elements[Int.random(in: 0..<elements.count, using: &random)] }
    let message = Message.ID("r\(Int.random(in: 0..<40, using: &random))")
    let conversation = Conversation.ID(pick(["a", "b", "x", "y"]))
    let users: [Identity.ID] = ["me", "bob", "carol", "d\u{E9}"]
    do {
      switch Int.random(in: 0..<13, using: &random) {
      case 10...: try changeRecords(writer, number, &random)
      case 0:
        _ = try writer.createConversation(
          ConversationDraft(
            identifier: conversation, participants: [pick(users)], isDistinct: pick([true, false])))
      case 1...3:
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: message, sender: pick(users), position: pick([nil, Int64(number)]),
            isUnread: pick([true, false]),
            parts: [.text(String(repeating: "t", count: pick([3, 900])))],
            recipientStatus: [RecipientStatusEntry(user: pick(users), status: .sent)]), in: conversation)
      case 4, 5:
        var update = MessageUpdate()
        update.position = pick([.keep, .clear, .set(Int64(number))])
        update.sentAt = pick([.keep, .clear, .set(Timestamp(microseconds: Int64(number)))])
        update.isUnread = pick([nil, true, false])
        update.recipientStatus = [pick(users): pick([nil, .read, .delivered])]
        update.transferStatus = pick([[:], [0: pick(TransferStatus.allCases)]])
        update.metadata = pick([
          [],
          [.set(.text("v\(number)"), at: MetadataPath(pick([["a", "b"], ["c"], ["a.b"], ["'", "😀"]])))],
          [.remove(at: MetadataPath(pick([["a"], ["c"], ["a.b"], ["'"]])))],
          [.replace(Metadata())],
        ])
        update.parts.all = pick([nil, nil, [], [.text("edited \(number)")]])
        update.parts.appended = pick([[], [], [.text(String(repeating: "e", count: 800))]])
        try writer.updateMessage(message, update)
      case 6:
        var update = ConversationUpdate()
        update.participants = pick([.add([pick(users)]), .remove([pick(users)]), .replace([pick(users)])])
        update.metadata = pick([
          [], [.set(.text("v\(number)"), at: MetadataPath(dotted: "t.u"))],
          [.remove(at: MetadataPath(dotted: "t"))],
        ])
        try writer.updateConversation(conversation, update)
      case 7: try writer.putIdentity(Identity(userID: pick(users), displayName: pick([nil, "N\(number)"])))
      case 8 where number % 2 == 0:
        var update = MessageUpdate()
        update.deletedAt = .set(Timestamp(microseconds: Int64(number)))
        try writer.updateMessage(message, update)
      case 8: try writer.deleteMessage(message)
      default: if number % 4 == 0 { try writer.deleteConversation(conversation) }
      }
    } catch let error as SatchelError where error.code != .corrupted {
    }
  }
}
