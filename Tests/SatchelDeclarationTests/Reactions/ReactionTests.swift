import Foundation
import Satchel
import SatchelResponses
import SatchelScenes
import Testing

/// Reactions to messages.
@Suite struct ReactionTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.reactions)
    try scratch.store.write { tx in
      for room in ["room", "other"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(room))
        for number in 1...3 {
          try tx.receive(
            [.text("\(number)")], in: Conversation.ID(room), from: "bob", id: Message.ID("\(room)\(number)"),
            position: Int64(number))
        }
      }
      try tx.announce([.text("Hear")], from: "bob", id: Announcement.ID("news"))
    }
  }

  private func kinds(_ message: Message.ID) throws -> [String] {
    try store.reactionSummary(of: message).kinds.map { "\($0.kind) \($0.count)\($0.isMine ? " mine" : "")" }
  }

  @Test func theyAreCountedByKind() throws {
    try store.write { tx in
      for user in ["carol", "bob", "alice"] { try tx.react(to: "room1", with: "👍", by: Identity.ID(user)) }
      try tx.react(to: "room1", with: "❤️", by: "bob")
      try tx.react(to: "room2", with: "👍", by: "bob")
    }
    #expect(try kinds("room1") == ["❤️ 1", "👍 3 mine"])
    #expect(try kinds("room2") == ["👍 1"] && kinds("room3") == [] && kinds("nobody's") == [])
    let summary = try store.reactionSummary(of: "room1")
    #expect(summary.count == 4 && summary["👍"] == 3 && summary["🎉"] == 0 && summary.mine == ["👍"])
    #expect(try store.reactionSummary(of: "room3").isEmpty)
    // Those who reacted, in the order in which the store was told of them.
    let all = try store.reactions(to: "room1")
    #expect(
      try store.fetch(all, as: Reaction.self).map(\.user) == ["carol", "bob", "alice", "bob"])
    #expect(
      try store.fetch(all.filter { $0.kind == "👍" }.limit(1).offset(1), as: Reaction.self).map(\.user)
        == ["bob"])
    #expect(try store.count(all) == 4 && store.count(store.reactions(to: "nobody's")) == 0)
    try expectSound(store)
  }

  @Test func toReactTwiceChangesNothing() throws {
    let first = try store.write { try $0.react(to: "room1", with: "👍", at: date(5)) }
    #expect(first.state == .pending && first.date == date(5) && first.user == "alice")
    let commits = try store.lastSequence()
    let second = try store.write { try $0.react(to: "room1", with: "👍", at: date(9)) }
    #expect(try second == first && store.lastSequence() == commits)
    let removed = try store.write { tx in
      [
        try tx.removeReaction(from: "room1", with: "👍", by: "bob"),
        try tx.removeReaction(from: "room1", with: "👍"),
        try tx.removeReaction(from: "room1", with: "👍"),
      ]
    }
    #expect(try removed == [false, true, false] && kinds("room1") == [])
    try store.write { try $0.react(to: "room1", with: "👍") }
    #expect(try kinds("room1") == ["👍 1 mine"])
  }

  @Test func whatWasStoredBeforeItWasSentIsConfirmed() throws {
    try store.write { try $0.react(to: "room1", with: "👍", at: date(5)) }
    let pending = Reaction.recordType.filter { $0.state == "pending" }
    #expect(try store.count(pending) == 1)
    try store.write { try $0.confirmReaction(to: "room1", with: "👍", remoteID: "r-1") }
    let found = try #require(try store.first(store.reactions(to: "room1"), as: Reaction.self))
    #expect(found.state == .sent && found.remoteID == "r-1" && found.date == date(5))
    #expect(try store.count(pending) == 0)
    // The service's own word, instead of a confirmation.
    try store.write { tx in
      try tx.react(to: "room2", with: "👍", at: date(6))
      try tx.react(to: "room2", with: "👍", by: "alice", at: date(7), remoteID: "r-2")
    }
    let said = try #require(try store.first(store.reactions(to: "room2"), as: Reaction.self))
    #expect(said.state == .sent && said.remoteID == "r-2" && said.date == date(6))
    failure(.unknownRecord) { try store.write { try $0.confirmReaction(to: "room3", with: "👍") } }
  }

  @Test(arguments: ["a/b", "50%", "%2F", "e\u{301}", "\u{e9}", "👩‍👩‍👧", " ", "a b"])
  func anyTextIsAKind(kind: String) throws {
    try store.write { tx in
      try tx.react(to: "room1", with: kind, by: "x/y")
      try tx.react(to: "room1", with: kind)
      try tx.react(to: "room1", with: kind + "/", by: "x/y")
    }
    let summary = try store.reactionSummary(of: "room1")
    #expect(summary.count == 3 && summary[kind] == 2 && summary[kind + "/"] == 1)
    let user = try store.fetch(store.reactions(to: "room1"), as: Reaction.self).first?.user
    #expect(user == "x/y" && summary.mine == [kind])
    try expectSound(store)
  }

  @Test func messagesWhoseNamesBeginAlikeAreKeptApart() throws {
    try store.write { tx in
      for name in ["a", "a/👍", "a%", "a/👍/b", "ab"] {
        try tx.receive([.text("x")], in: "room", from: "bob", id: Message.ID(name))
        try tx.react(to: Message.ID(name), with: "👍", by: Identity.ID("of " + name))
      }
    }
    for name in ["a", "a/👍", "a%", "a/👍/b", "ab"] {
      #expect(try kinds(Message.ID(name)) == ["👍 1"], "\(name)")
    }
  }

  /// From a number on, they are counted without being walked through.
  @Test(arguments: [1, 15, 16, 17, 40]) func manyOfAKind(count: Int) throws {
    try store.write { tx in
      for number in 0..<count {
        try tx.react(
          to: "room1", with: "👍",
          by: Identity.ID(String(UnicodeScalar(UInt8(98 + number % 20))) + "\(number)"))
        try tx.react(to: "room1", with: "👎", by: Identity.ID("\(number)"))
      }
      try tx.react(to: "room1", with: "👎")
      try tx.react(to: "room1", with: "🤷", by: "zoe")
    }
    #expect(try kinds("room1") == ["👍 \(count)", "👎 \(count + 1) mine", "🤷 1"])
    try store.write { try $0.react(to: "room1", with: "👍") }
    #expect(try kinds("room1") == ["👍 \(count + 1) mine", "👎 \(count + 1) mine", "🤷 1"])
  }

  @Test func theyGoWithTheMessage() throws {
    try store.write { tx in
      for message in ["room1", "room2", "room3", "other1", "other2"] {
        try tx.react(to: Message.ID(message), with: "👍", by: "bob")
        try tx.react(to: Message.ID(message), with: "❤️")
      }
    }
    try store.write { tx in
      try tx.delete("room1", for: .everyone)
      try tx.delete("room2")
    }
    #expect(try kinds("room1") == [] && kinds("room2") == [] && kinds("room3").count == 2)
    #expect(try store.recordCount(of: Reaction.recordType) == 6)
    failure(.invalidValue) { try store.write { _ = try $0.react(to: "room1", with: "👍") } }
    failure(.unknownMessage) { try store.write { _ = try $0.react(to: "room2", with: "👍") } }
    try store.write { try $0.delete(Conversation.ID("other")) }
    #expect(try store.recordCount(of: Reaction.recordType) == 2)
    try expectSound(store)
    // In the write that reacts, too.
    try store.write { tx in
      try tx.react(to: "room3", with: "🎉", by: "bob")
      try tx.delete("room3", for: .everyone)
    }
    #expect(try store.recordCount(of: Reaction.recordType) == 0)
    try expectSound(store)
  }

  /// A record of the program's own that refers to a reaction says what becomes of it.
  @Test func whatRefersToAReactionIsLookedAt() throws {
    let note = RecordType("note") { $0.reference("about", to: Reaction.recordType, onDelete: .cascade) }
    try store.declare(note)
    try store.write { tx in
      let reaction = try tx.react(to: "room1", with: "👍")
      try tx.save(Record(note, ["about": .reference(Reference(reaction))]))
    }
    try store.write { try $0.delete("room1", for: .everyone) }
    #expect(try store.recordCount(of: note) == 0)
  }

  @Test func bothNamesOfAMessageAreTheMessage() throws {
    try store.write { tx in
      try tx.send([.text("Noon?")], to: "room", id: "draft")
      try tx.react(to: "draft", with: "👍", by: "bob")
    }
    // The delivery overtakes the confirmation, and so do reactions to it.
    try store.write { tx in
      try tx.receive([.text("Noon?")], in: "room", from: "alice", id: "srv")
      try tx.react(to: "srv", with: "👍", by: "bob")
      try tx.react(to: "srv", with: "👍", by: "carol")
      try tx.react(to: "srv", with: "❤️")
    }
    try store.write { try $0.confirm("draft", as: "srv", position: 9) }
    for name in ["draft", "srv"] as [Message.ID] {
      #expect(try kinds(name) == ["❤️ 1 mine", "👍 2"])
      #expect(try store.count(store.reactions(to: name).filter { $0.kind == "❤️" }) == 1)
    }
    let commits = try store.lastSequence()
    try store.write { try $0.react(to: "draft", with: "❤️") }
    #expect(try store.lastSequence() == commits)
    #expect(try store.write { try $0.removeReaction(from: "draft", with: "❤️") })
    #expect(try kinds("srv") == ["👍 2"])
    try store.write { try $0.delete("srv", for: .everyone) }
    #expect(try kinds("draft") == [] && store.recordCount(of: Reaction.recordType) == 0)
    try expectSound(store)
  }

  @Test func wrongReactionsAreRefused() throws {
    failure(.unknownMessage) { try store.write { _ = try $0.react(to: "none", with: "👍") } }
    failure(.unknownMessage) { try store.write { _ = try $0.react(to: "news", with: "👍") } }
    failure(.invalidValue) { try store.write { _ = try $0.react(to: "room1", with: "") } }
    failure(.invalidIdentifier) { try store.write { _ = try $0.react(to: "room1", with: "👍", by: "") } }
    // A record that says two things of itself.
    var record = try Record(store.write { try $0.react(to: "room1", with: "👍") })
    record["kind"] = "👎"
    let error = failure(.invalidValue) { try store.write { _ = try $0.save(record) } }
    #expect(error?.context["expected"] == "room1/👎/alice" && error?.context["found"] == "room1/👍/alice")
    record["kind"] = nil
    failure(.invalidValue) { try store.write { _ = try $0.save(record) } }
    #expect(try kinds("room1") == ["👍 1 mine"])
  }

  @Test func aNameOfTheLibraryIsNoNameOfAProgramsType() throws {
    let other = failure(.invalidKey) { try store.declare(RecordType("_mine")) }
    #expect(
      other?.context["library"] == "_reaction _reply _relation _participation"
        && other?.context["recordType"] == "_mine")
    for type in [
      RecordType("_reply"), RecordType("_reaction") { $0.text("colour") },
      RecordType("_reaction") { $0.reference("message", to: Reference.messages, onDelete: .nullify) },
    ] {
      let error = failure(.invalidKey) { try store.declare(type) }
      #expect(error?.context["recordType"] == type.name && error?.context["expected"] != nil)
    }
    // It is declared as any other type is.
    try store.declare(Reaction.recordType, Reply.recordType)
    #expect(try store.types().map(\.type.name) == ["_reaction", "_reply"])
    #expect(try store.types().first?.type == Reaction.recordType)
  }

  @Test func whatIsOffIsNamed() throws {
    let store = try Scratch().store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.receive([.text("1")], in: "room", from: "bob", id: "m")
    }
    let uses: [(MessageStore) throws -> Void] = [
      { try $0.write { _ = try $0.react(to: "m", with: "👍") } },
      { try $0.write { _ = try $0.removeReaction(from: "m", with: "👍") } },
      { try $0.write { try $0.confirmReaction(to: "m", with: "👍") } }, { _ = try $0.reactions(to: "m") },
      { _ = try $0.reactionSummary(of: "m") }, { _ = try $0.fetch(Message.all.including(\.reactions)) },
      { _ = try $0.fetch(Message.filter { $0.isUnread == false }.including(\.reactions)) },
      { try $0.controller(for: Message.all.including(\.reactions)).execute() },
    ]
    for use in uses {
      let error = failure(.unknownRecordType) { try use(store) }
      #expect(error?.context["call"] == "store.enable(.reactions)")
    }
    try store.write { try $0.delete("m", for: .everyone) }
    try store.enable(.reactions)
    let commits = try store.lastSequence()
    try store.enable(.reactions)
    #expect(try store.lastSequence() == commits)
    let error = failure(.unknownRecordType) { _ = try store.fetch(Message.all.including(\.replies)) }
    #expect(error?.context["call"] == "store.enable(.threads)")
    try store.write { try $0.enable(.reactions, .threads) }
    #expect(try store.fetch(Message.all.including(\.replies)).map(\.threadSummary?.replyCount) == [0])
  }
}
