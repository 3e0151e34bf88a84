import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import Testing

/// Reactions, replies and states of participants that come as records, which name messages and conversations by any of their names.
@Suite struct ResponseNameTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.reactions, .threads, .participations)
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.confirm(Conversation.ID("room"), as: "srv/room")
      for number in 1...4 {
        try tx.receive([.text("\(number)")], in: "room", from: "bob", id: Message.ID("m\(number)"))
        try tx.confirm(Message.ID("m\(number)"), as: Message.ID("srv\(number)"), position: Int64(number))
      }
      try tx.announce([.text("Hear")], from: "bob", id: "news")
    }
  }

  private func importing(
    _ lines: [String], skippingInvalid: Bool = false, ifExists: ExistingMessage = .fail
  ) throws -> MessageStore.Import {
    let text = ([Said.header] + lines).joined(separator: "\n") + "\n"
    return try store.importLines(
      from: .bytes(text.utf8), skippingInvalid: skippingInvalid, ifExists: ifExists)
  }

  private func expectKept(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try store.fetch(Conversation.filter { $0.my.isPinned }).map(\.id) == ["room"],
      sourceLocation: sourceLocation)
    #expect(
      try store.fetch(Participation.recordType.query).map(\.id.name) == ["room/alice", "room/bob"],
      sourceLocation: sourceLocation)
    #expect(
      try store.fetch(Reaction.recordType.query).map(\.id.name) == ["m1/👍/bob"],
      sourceLocation: sourceLocation)
    let replies = try store.fetch(Reply.recordType.query, as: Reply.self)
    #expect(
      replies.map(\.message) == ["m2"] && replies.map(\.parent) == ["m1"], sourceLocation: sourceLocation)
    try expectSound(store, sourceLocation: sourceLocation)
  }

  @Test func savedByAnotherNameTheyAreKeptByTheIdentifier() throws {
    try store.write { tx in
      for user in ["alice", "bob"] {
        let saved = try tx.save(Said.participation("srv/room", user))
        #expect(
          saved.id.name == "room/\(user)" && saved["conversation"] == .reference(Conversation.ID("room")))
      }
      #expect(try tx.save(Said.reaction("srv1", "bob")).id.name == "m1/👍/bob")
      #expect(try tx.save(Said.reply("srv2", to: "srv1")).id.name == "m2")
    }
    try expectKept()
    // Any name finds, changes and deletes it.
    let name = Said.participation("srv/room", "alice").id
    #expect(try store.record(name)?.id.name == "room/alice" && store.records([name]).count == 1)
    try store.write { try $0.update(name) { $0["role"] = "admin" } }
    #expect(try store.participation(in: "room")?.role == "admin")
    try store.write { tx in
      try tx.delete(name)
      try tx.delete(Said.reaction("srv1", "bob").id)
      try tx.delete(Said.reply("srv2", to: "m1").id)
    }
    #expect(try store.recordCount(of: Participation.recordType) == 1)
    #expect(try store.recordCount(of: Reaction.recordType) + store.recordCount(of: Reply.recordType) == 0)
    // What is said of a user goes with him.
    try store.write { try $0.removeParticipants(["bob"], from: "room") }
    #expect(try store.recordCount(of: Participation.recordType) == 0)
    try expectSound(store)
  }

  @Test func importedByAnotherNameTheyAreKeptByTheIdentifier() throws {
    let records = [
      Said.participation("srv/room", "alice"), Said.participation("srv/room", "bob"),
      Said.reaction("srv1", "bob"), Said.reply("srv2", to: "srv1"),
    ]
    let lines = try records.map(Said.line)
    #expect(try importing(lines).records == 4)
    try expectKept()
    let again = try importing(lines, ifExists: .merge)
    #expect(again.records == 0 && again.merged == 4)
    try expectKept()
    let error = failure(.rejectedLine) { _ = try importing([Said.line(Said.reply("m2", to: "m3"))]) }
    #expect(error?.context["reason"]?.contains("is in the store already") == true)
  }

  @Test func aMessageHasOneParent() throws {
    try store.write { tx in
      try tx.save(Said.reply("m2", to: "m1"))
      try tx.save(Said.reply("srv2", to: "srv3"))
    }
    #expect(try store.parent(of: "m2") == "m3" && store.recordCount(of: Reply.recordType) == 1)
    #expect(try store.thread(of: "m1").replyCount == 0 && store.thread(of: "srv3").replyCount == 1)
    let own = failure(.invalidValue) { try store.write { _ = try $0.save(Said.reply("m4", to: "srv4")) } }
    #expect(own?.context["record"] == "m4")
    // One that came before its message, by the name that the message gets, stays the only one.
    try store.write { try $0.save(Said.reply("srv9", to: "m1")) }
    try store.write { tx in
      try tx.receive([.text("9")], in: "room", from: "bob", id: "m9")
      try tx.confirm("m9", as: "srv9")
      try tx.save(Said.reply("m9", to: "m4"))
    }
    #expect(try store.parent(of: "m9") == "m4" && store.recordCount(of: Reply.recordType) == 2)
    try expectSound(store)
  }

  @Test(arguments: [false, true])
  func whatCameBeforeItsConversationIsKeptByItsIdentifier(asImport: Bool) throws {
    let ahead = [
      Said.participation("srv/new", "alice"), Said.participation("srv/new", "bob"),
      Said.participation("new", "bob"),
    ]
    if asImport {
      _ = try importing(
        ahead.map(Said.line) + [
          #"{"kind":"conversation","identifier":"new","remoteID":"srv/new","participants":["alice","bob"]}"#,
          #"{"kind":"message","identifier":"n1","conversation":"new","sender":"bob","parts":[]}"#,
        ])
    } else {
      try store.write { tx in
        for record in ahead { try tx.save(record) }
        try tx.createConversation(with: ["bob"], id: "new")
        try tx.send([.text("1")], to: "new")
      }
      #expect(try store.participation(in: "new") == nil)
      try store.write { try $0.confirm(Conversation.ID("new"), as: "srv/new") }
    }
    #expect(try store.participation(in: "new")?.isPinned == true)
    #expect(try store.fetch(Conversation.filter { $0.my.isPinned }).map(\.id) == ["new"])
    #expect(
      try Set(store.fetch(Participation.recordType.query).map(\.id.name)) == ["new/alice", "new/bob"])
    try expectSound(store)
  }

  /// A new store takes messages into its tables late: what is said of them finds them before that.
  @Test func aNewStoreFindsThemAsWell() throws {
    let path = scratch.directory.url.appendingPathComponent("new").path
    let lines =
      Self.newStore
      + (try [
        Said.participation("srv/room", "alice"), Said.participation("srv/room", "bob"),
        Said.reaction("srv1", "bob"), Said.reply("srv2", to: "srv1"),
      ].map(Said.line))
    let text = lines.joined(separator: "\n") + "\n"
    #expect(try Importer(.bytes(Array(text.utf8))).run(into: path, user: "alice").records == 4)
    let store = try MessageStore(existingAt: path)
    defer { store.close() }
    #expect(
      try StoreFeature.allCases.flatMap { feature in
        try store.recordCount(of: feature.recordType) == 0
          ? [] : store.fetch(feature.recordType.query).map(\.id.name)
      } == ["m1/👍/bob", "m2", "room/alice", "room/bob"])
    #expect(try store.fetch(Conversation.filter { $0.my.isPinned }).map(\.id) == ["room"])
    #expect(try store.parent(of: "srv2") == "m1")
    try expectSound(store)
  }

  private static let newStore = [
    Said.header,
    #"{"kind":"recordType","name":"_reaction","fields":{"date":"date","kind":"text","message":"reference to messages","remoteID":"text","state":"text","user":"reference to identities"},"onDelete":{"message":"cascade"}}"#,
    #"{"kind":"recordType","name":"_reply","fields":{"message":"reference to messages","parent":"reference to messages"},"onDelete":{"message":"cascade"}}"#,
    #"{"kind":"recordType","name":"_participation","fields":{"archivedAt":"date","conversation":"reference to conversations","isArchived":"boolean","isHidden":"boolean","isMuted":"boolean","isPinned":"boolean","joinedAt":"date","lastReadPosition":"integer","mutedUntil":"date","pinnedAt":"date","role":"text","user":"reference to identities"},"onDelete":{"conversation":"cascade"}}"#,
    #"{"kind":"conversation","identifier":"room","remoteID":"srv/room","participants":["alice","bob"]}"#,
    #"{"kind":"message","identifier":"m1","remoteID":"srv1","conversation":"room","sender":"bob","parts":[]}"#,
    #"{"kind":"message","identifier":"m2","remoteID":"srv2","conversation":"room","sender":"bob","parts":[]}"#,
  ]

  // MARK: What cannot be said

  /// Of a message that was deleted for everyone, its reactions go with its contents; of none there are any later, by whatever way they come.
  @Test func whatWasDeletedForEveryoneTakesNoReactions() throws {
    try store.write { tx in
      try tx.react(to: "m1", with: "👍", by: "bob")
      try tx.delete("m1", for: .everyone)
    }
    #expect(try store.recordCount(of: Reaction.recordType) == 0)
    let ways: [() throws -> Void] = [
      { try self.store.write { _ = try $0.react(to: "m1", with: "👍", by: "bob") } },
      { try self.store.write { _ = try $0.save(Said.reaction("m1", "bob")) } },
      { try self.store.write { _ = try $0.save(Said.reaction("srv1", "bob")) } },
    ]
    for way in ways { #expect(failure(.invalidValue, way)?.context["message"] == "m1") }
    let line = try Said.line(Said.reaction("srv1", "bob"))
    #expect(failure(.rejectedLine) { _ = try importing([line]) }?.context["line"] == "2")
    let report = try importing([line], skippingInvalid: true)
    #expect(report.records == 0 && report.rejectedLineCount == 1)
    #expect(report.rejectedLines.first?.reason.contains("deleted for everyone") == true)
    #expect(try store.recordCount(of: Reaction.recordType) == 0)
    // What is left of it answers, and is answered.
    try store.write { try $0.save(Said.reply("m2", to: "m1")) }
    #expect(try store.thread(of: "m1").replyCount == 1)
    try expectSound(store)
  }

  /// The reactions of a message that comes as one that was deleted for everyone go when it comes, if they came before.
  @Test func reactionsThatCameBeforeSuchAMessageGo() throws {
    let tombstone =
      #"{"kind":"message","identifier":"t","remoteID":"srvt","conversation":"room","sender":"bob","parts":[],"deletedAt":"2025-01-01T00:00:00Z"}"#
    let reactions = try [Said.line(Said.reaction("t", "bob")), Said.line(Said.reaction("srvt", "carol"))]
    #expect(try importing(reactions + [tombstone]).messages == 1)
    #expect(try store.recordCount(of: Reaction.recordType) == 0)
    let path = scratch.directory.url.appendingPathComponent("new").path
    let text = (Self.newStore + reactions + [tombstone]).joined(separator: "\n") + "\n"
    _ = try Importer(.bytes(Array(text.utf8))).run(into: path, user: "alice")
    let new = try MessageStore(existingAt: path)
    defer { new.close() }
    #expect(try new.recordCount(of: Reaction.recordType) == 0)
    try expectSound(new)
  }

  /// An export of a store comes in again, whatever was deleted in it.
  @Test func anExportComesInAgain() throws {
    try store.write { tx in
      for message in ["m1", "m2"] as [Message.ID] { try tx.react(to: message, with: "👍", by: "bob") }
      try tx.setParent("m1", of: "m2")
      try tx.pin("room", at: date(1))
      try tx.delete("m1", for: .everyone)
    }
    let file = scratch.directory.url.appendingPathComponent("chat.jsonl")
    try store.export(to: .file(file))
    let copy = try Scratch().store
    try copy.importLines(from: .file(file))
    for type in [Reaction.recordType, Reply.recordType, Participation.recordType] {
      #expect(try copy.fetch(type.query).map(\.fields) == store.fetch(type.query).map(\.fields))
    }
    try expectSound(copy)
  }

  @Test func announcementsTakeNone() throws {
    for record in [Said.reaction("news", "bob"), Said.reply("news", to: "m1")] {
      let error = failure(.invalidValue) { try store.write { _ = try $0.save(record) } }
      #expect(error?.context["announcement"] == "news")
      let report = try importing([Said.line(record)], skippingInvalid: true)
      #expect(report.rejectedLines.first?.reason.contains("An announcement takes no reactions") == true)
    }
    failure(.unknownMessage) { try store.write { _ = try $0.react(to: "news", with: "👍") } }
  }
}
