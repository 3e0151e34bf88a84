import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import TestSupport
import Testing

/// What is said of messages and conversations before they come, or before they get the name by which it is said; and what is not to come back.
@Suite struct ResponseAheadTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.reactions, .threads, .participations)
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      for number in 1...3 {
        try tx.receive([.text("\(number)")], in: "room", from: "bob", id: Message.ID("m\(number)"))
      }
    }
  }

  private func names(_ type: RecordType) throws -> [String] {
    try store.fetch(type.query).map(\.id.name).sorted()
  }

  private func save(_ records: Record...) throws {
    try store.write { tx in for record in records { try tx.save(record) } }
  }

  private func exported(_ store: MessageStore) throws -> String {
    let file = scratch.directory.url.appendingPathComponent("\(UUID().uuidString).jsonl")
    try store.export(to: .file(file))
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func imported(_ text: String) throws -> MessageStore {
    let copy = try Scratch().store
    try copy.importLines(from: .bytes(Array(text.utf8)))
    return copy
  }

  /// What a store exports, another one takes, and exports the same.
  private func expectAgain(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectSound(store, sourceLocation: sourceLocation)
    let text = try exported(store)
    let copy = try imported(text)
    #expect(try exported(copy) == text, sourceLocation: sourceLocation)
    try expectSound(copy, sourceLocation: sourceLocation)
    copy.close()
  }

  // MARK: Names

  @Test func whatIsSaidByTwoNamesIsSaidOnce() throws {
    try save(
      Said.reaction("m9", "bob"), Said.reaction("r9", "bob"), Said.reaction("r9", "carol"),
      Said.reply("r9", to: "m1"), Said.reply("m2", to: "r9"), Said.reply("m3", to: "m9"))
    try store.write { try $0.receive([.text("9")], in: "room", from: "bob", id: "m9") }
    #expect(try names(Reaction.recordType) == ["m9/👍/bob", "r9/👍/bob", "r9/👍/carol"])
    try store.write { try $0.confirm("m9", as: "r9") }
    #expect(try names(Reaction.recordType) == ["m9/👍/bob", "m9/👍/carol"])
    #expect(try names(Reply.recordType) == ["m2", "m3", "m9"])
    for name in ["m9", "r9"] as [Message.ID] {
      #expect(try store.reactionSummary(of: name).kinds.map(\.count) == [2])
      #expect(try store.parent(of: name) == "m1" && store.thread(of: name).replyCount == 2)
    }
    let replies = try store.fetch(Reply.recordType.query, as: Reply.self)
    #expect(Set(replies.map(\.parent)) == ["m1", "m9"])
    try expectAgain()
  }

  /// A reaction is sent if one of the two is; what the one of the identifier does not say is said by the other.
  @Test func twoThatBecomeOneKeepWhatEitherSays() throws {
    var (pending, sent) = (Said.reaction("m9", "alice"), Said.reaction("r9", "alice"))
    pending["state"] = "pending"
    pending["note"] = "own"
    sent["remoteID"] = "x"
    sent["note"] = "other"
    var (role, pin) = (Said.participation("new", "alice"), Said.participation("srv", "alice"))
    role["isPinned"] = false
    role["pinnedAt"] = nil
    role["role"] = "admin"
    role["lastReadPosition"] = 3
    pin["isArchived"] = true
    pin["archivedAt"] = .date(Timestamp(date(7)))
    pin["lastReadPosition"] = 8
    try save(pending, sent, role, pin)
    try store.write { tx in
      try tx.receive([.text("9")], in: "room", from: "bob", id: "m9")
      try tx.createConversation(with: ["bob"], id: "new")
    }
    try store.write { tx in
      try tx.confirm("m9", as: "r9")
      try tx.confirm(Conversation.ID("new"), as: "srv")
    }
    let reaction = try #require(try store.record(pending.id))
    #expect(reaction["state"] == "sent" && reaction["remoteID"] == "x" && reaction["note"] == "own")
    let state = try #require(try store.participation(in: "new"))
    #expect(state.role == "admin" && state.lastReadPosition == 8 && !state.isPinned)
    #expect(state.isArchived && state.archivedAt == date(7) && state.pinnedAt == nil)
    #expect(try names(Participation.recordType) == ["new/alice"])
    try expectAgain()
  }

  @Test func aMessageThatGetsTheNameOfWhatItAnswersAnswersNothing() throws {
    try save(Said.reply("m2", to: "r2"))
    #expect(try store.parent(of: "m2") == "r2")
    try store.write { try $0.confirm("m2", as: "r2") }
    #expect(try store.parent(of: "m2") == nil && store.thread(of: "m2").replyCount == 0)
    try save(Said.reply("m3", to: "m1"), Said.reply("r3", to: "m3"))
    try store.write { try $0.confirm("m3", as: "r3") }
    #expect(try store.parent(of: "m3") == "m1" && names(Reply.recordType) == ["m2", "m3"])
    try expectAgain()
  }

  @Test func anAnnouncementTakesNothingOfWhatWasSaidBefore() throws {
    try save(
      Said.reaction("news", "bob"), Said.reply("news", to: "m1"), Said.reaction("srv", "bob"),
      Said.reply("srv", to: "m1"), Said.reply("m2", to: "srv"))
    try store.write { try $0.announce([.text("Hear")], from: "bob", id: "news") }
    #expect(try names(Reaction.recordType) == ["srv/👍/bob"] && names(Reply.recordType) == ["m2", "srv"])
    let line = #"{"kind":"update","message":"news","set":{"remoteID":"srv"}}"#
    try store.importLines(from: .bytes(Array("\(Said.header)\n\(line)\n".utf8)))
    #expect(try names(Reaction.recordType) == [] && names(Reply.recordType) == ["m2"])
    // An announcement may be answered.
    #expect(try store.parent(of: "m2") == "news")
    try expectAgain()
  }

  /// A reply to a name that the announcement gets which it is itself: it goes once.
  @Test func anAnnouncementThatWasAReplyToItselfComes() throws {
    try save(Said.reply("news", to: "srv"))
    let line = #"{"kind":"announcement","identifier":"news","remoteID":"srv","sender":"bob","parts":[]}"#
    try store.importLines(from: .bytes(Array("\(Said.header)\n\(line)\n".utf8)))
    #expect(try names(Reply.recordType) == [] && store.count(Announcement.all) == 1)
    try expectAgain()
  }

  /// A reference has at most 2,048 bytes: what cannot be said of a message by its identifier goes when that comes.
  @Test func whatCannotBeSaidByAnIdentifierGoes() throws {
    try save(Said.reaction("r9", "bob"), Said.reply("r9", to: "m1"), Said.reply("m2", to: "r9"))
    try store.write { tx in
      try tx.receive(
        [.text("9")], in: "room", from: "bob", id: Message.ID(String(repeating: "x", count: 2100)))
      try tx.confirm(Message.ID(String(repeating: "x", count: 2100)), as: "r9")
    }
    #expect(try names(Reaction.recordType) == [] && names(Reply.recordType) == ["m2"])
    #expect(try store.parent(of: "m2") == nil)
    try expectAgain()
  }

  /// Records of an application that refer to a reaction go on to, by its new name.
  @Test func referencesToWhatIsRenamedFollow() throws {
    let note = RecordType("note") {
      $0.reference("about", to: Reaction.recordType, onDelete: .restrict)
      $0.text("text")
    }
    try store.declare(note)
    try save(Said.reaction("r9", "bob"))
    try store.write {
      try $0.save(Record(note, name: "n", ["about": .reference(Said.reaction("r9", "bob").id)]))
    }
    let before = try #require(try store.record(Record.ID(type: "note", name: "n")))
    try store.write { tx in
      try tx.receive([.text("9")], in: "room", from: "bob", id: "m9")
      try tx.confirm("m9", as: "r9")
    }
    let after = try #require(try store.record(before.id))
    #expect(after["about"] == .reference(Said.reaction("m9", "bob").id))
    #expect(after.updatedTimestamp == before.updatedTimestamp)
    failure(.referenced) { try store.write { try $0.delete(Said.reaction("m9", "bob").id) } }
    try expectAgain()
  }

  /// What was said of a message that a write deletes is not said of another one that gets its name in the same write.
  @Test(arguments: [#"{"kind":"delete","message":"m1"}"#, #"{"kind":"delete","conversation":"old"}"#])
  func aNameThatPassesOnTakesNothingWithIt(deletion: String) throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "old")
      try tx.delete("m1")
    }
    try store.write {
      try $0.receive([.text("1")], in: "old", from: "bob", id: "m1", restoresDeleted: true)
    }
    try save(Said.reaction("m1", "bob"), Said.reply("m1", to: "m2"), Said.reply("m3", to: "m1"))
    let lines = [
      Said.header, deletion,
      #"{"kind":"message","identifier":"m9","remoteID":"m1","conversation":"room","sender":"bob","parts":[]}"#,
    ]
    try store.importLines(from: .bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
    #expect(try names(Reaction.recordType) == [] && names(Reply.recordType) == ["m3"])
    #expect(try store.parent(of: "m3") == nil)
    try expectAgain()
  }

  /// Whatever is said by any names, before and after they are known, is kept by the identifiers once they are.
  @Test func namesNeverStay() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(4) {
      let scratch = try Scratch()
      let store = scratch.store
      try store.enable(.reactions, .threads, .participations)
      var (messages, confirmed): (Set<Int>, Set<Int>) = ([], [])
      try store.write { try $0.createConversation(with: ["bob", "carol"], id: "c0") }
      var (rooms, confirmedRooms): (Set<Int>, Set<Int>) = ([0], [])
      func name(_ number: Int) -> String { random.oneIn(2) ? "m\(number)" : "r/\(number)" }
      func room(_ number: Int) -> String { random.oneIn(2) ? "c\(number)" : "s/\(number)" }
      for _ in 0..<120 {
        try store.write { tx in
          for _ in 0...random.below(3) {
            let (one, other) = (random.below(8), random.below(8))
            switch random.below(10) {
            case 0..<3:
              let name = name(one).replacing("/", with: "%2F")
              var record = Said.reaction(name, ["bob", "carol"][random.below(2)])
              record["message"] = .reference(Message.ID(name.replacing("%2F", with: "/")))
              try tx.save(record)
            case 3..<6 where one != other: try tx.save(Said.reply(name(one), to: name(other)))
            case 6: try tx.save(Said.participation(room(one), ["alice", "bob"][random.below(2)]))
            case 7 where messages.insert(one).inserted:
              try tx.receive([.text("x")], in: "c0", from: "bob", id: Message.ID("m\(one)"))
            case 8 where messages.contains(one) && confirmed.insert(one).inserted:
              try tx.confirm(Message.ID("m\(one)"), as: Message.ID("r/\(one)"))
            case 9:
              if rooms.insert(one).inserted {
                try tx.createConversation(with: ["bob", "carol"], id: Conversation.ID("c\(one)"))
              } else if confirmedRooms.insert(one).inserted {
                try tx.confirm(Conversation.ID("c\(one)"), as: Conversation.ID("s/\(one)"))
              }
            default: break
            }
          }
        }
      }
      let place = "seed \(seed), round \(round)"
      for type in [Reaction.recordType, Reply.recordType, Participation.recordType] {
        for record in try store.fetch(type.query) {
          for value in record.fields.map(\.value) {
            guard let reference = value.referenceValue else { continue }
            let number = Int(reference.name.drop { !$0.isNumber }) ?? -1
            let isOld =
              reference.type == "messages" && reference.name.hasPrefix("r/") && confirmed.contains(number)
              || reference.type == "conversations" && reference.name.hasPrefix("s/")
                && confirmedRooms.contains(number)
            #expect(!isOld, "\(place): \(record)")
          }
        }
      }
      try expectSound(store)
      let text = try exported(store)
      let copy = try imported(text)
      #expect(try exported(copy) == text, "\(place)")
      for other in [store, copy] { other.close() }
    }
  }

  // MARK: What stays deleted

  private func expectBringsBack(
    _ text: String, _ policy: ExistingMessage, messages: Int, reactions: Int = 0, replies: Int,
    participations: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.importLines(from: .bytes(Array(text.utf8)), ifExists: policy)
    #expect(try store.count(Message.all) == messages, sourceLocation: sourceLocation)
    #expect(try store.recordCount(of: Reaction.recordType) == reactions, sourceLocation: sourceLocation)
    #expect(try store.recordCount(of: Reply.recordType) == replies, sourceLocation: sourceLocation)
    #expect(
      try store.recordCount(of: Participation.recordType) == participations, sourceLocation: sourceLocation)
    try expectSound(store, sourceLocation: sourceLocation)
  }

  /// An export of before comes in again after something was deleted: that stays so, and no line is refused.
  @Test(arguments: [ExistingMessage.merge, .ignore])
  func whatIsDeletedStaysSo(policy: ExistingMessage) throws {
    try store.write { tx in
      for message in ["m1", "m2"] as [Message.ID] { try tx.react(to: message, with: "👍", by: "bob") }
      try tx.setParent("m1", of: "m2")
      try tx.setParent("m2", of: "m3")
      try tx.pin("room", at: date(1))
    }
    let before = try exported(store)
    try store.write { try $0.delete("m1", for: .everyone) }
    try expectBringsBack(before, policy, messages: 3, reactions: 1, replies: 2)
    try store.write { try $0.delete("m2") }
    try expectBringsBack(before, policy, messages: 2, replies: 1)
    #expect(try store.parent(of: "m3") == nil)
    try store.write { try $0.delete(Conversation.ID("room")) }
    try expectBringsBack(before, policy, messages: 0, replies: 0, participations: 0)
    #expect(try store.count(Conversation.all) == 0)
    // A message that comes later brings the conversation back, without what it was to its participants.
    let later =
      #"{"kind":"message","identifier":"m4","conversation":"room","sender":"bob","sentAt":"2099-01-01T00:00:00Z","parts":[]}"#
    try expectBringsBack("\(Said.header)\n\(later)\n", policy, messages: 1, replies: 0, participations: 0)
    try expectBringsBack(before, policy, messages: 1, replies: 0, participations: 0)
    #expect(try store.participation(in: "room") == nil)
    // A program that says it again says it.
    try store.write { try $0.pin("room", at: date(2)) }
    try expectBringsBack(before, policy, messages: 1, replies: 0)
  }

  /// Messages without a position and a date of sending are not told from those that were deleted with their conversation.
  @Test(arguments: [ExistingMessage.merge, .ignore])
  func messagesWithoutAPlaceStayDeletedWithTheirConversation(policy: ExistingMessage) throws {
    let lines = [
      Said.header, #"{"kind":"conversation","identifier":"c","participants":["alice","bob"]}"#,
      #"{"kind":"message","identifier":"c1","conversation":"c","sender":"bob","parts":[]}"#,
      #"{"kind":"message","identifier":"c2","conversation":"c","sender":"bob","parts":[]}"#,
    ]
    let text = lines.joined(separator: "\n") + "\n"
    try store.importLines(from: .bytes(Array(text.utf8)))
    #expect(try store.count(Message.all) == 5)
    try store.write { try $0.delete(Conversation.ID("c")) }
    let report = try store.importLines(from: .bytes(Array(text.utf8)), ifExists: policy)
    #expect(report.ignored == 3 && report.messages == 0)
    #expect(try store.count(Message.all) == 3 && store.count(Conversation.all) == 1)
  }

  /// A message that was deleted and has come back is one that is there.
  @Test(arguments: [ExistingMessage.merge, .ignore])
  func whatHasComeBackIsMerged(policy: ExistingMessage) throws {
    try store.write { try $0.setParent("m1", of: "m2") }
    try store.write { try $0.react(to: "m1", with: "👍", by: "bob") }
    let before = try exported(store)
    try store.write { try $0.delete("m1") }
    let again = before.split(separator: "\n").first { $0.contains(#""identifier":"m1""#) }
    try store.importLines(from: .bytes(Array("\(Said.header)\n\(try #require(again))\n".utf8)))
    try expectBringsBack(before, policy, messages: 3, reactions: 1, replies: 1, participations: 0)
    #expect(try store.parent(of: "m2") == (policy == .merge ? "m1" : nil))
  }

  /// A file of another source calls a message and a conversation otherwise: what it says by its own identifiers is said of those of the store.
  @Test(arguments: [ExistingMessage.merge, .ignore])
  func aFileWithOtherIdentifiersMeansTheSame(policy: ExistingMessage) throws {
    let lines =
      [
        Said.header,
        #"{"kind":"conversation","identifier":"k9","remoteID":"room","participants":["alice","bob"]}"#,
        #"{"kind":"message","identifier":"x1","remoteID":"m1","conversation":"k9","sender":"bob","parts":[]}"#,
        #"{"kind":"message","identifier":"x4","conversation":"k9","sender":"bob","parts":[]}"#,
        #"{"kind":"update","message":"x1","set":{"isUnread":false}}"#,
      ]
      + (try [
        Said.reaction("x1", "bob"), Said.reply("x4", to: "x1"), Said.reply("m2", to: "x1"),
        Said.participation("k9", "alice"),
      ].map(Said.line))
    let text = lines.joined(separator: "\n") + "\n"
    try expectBringsBack(text, policy, messages: 4, reactions: 1, replies: 2)
    #expect(
      try names(Reaction.recordType) == ["m1/👍/bob"] && names(Participation.recordType) == ["room/alice"])
    #expect(try store.parent(of: "x4") == "m1" && store.parent(of: "m2") == "m1")
    #expect(try store.count(Conversation.all) == 1 && store.participation(in: "room")?.isPinned == true)
    try expectBringsBack(text, policy, messages: 4, reactions: 1, replies: 2)
  }

  /// What was deleted stays so also under the other identifier that a file has for it.
  @Test(arguments: [ExistingMessage.merge, .ignore])
  func whatAFileCallsOtherwiseStaysDeleted(policy: ExistingMessage) throws {
    try store.write { tx in
      try tx.confirm(Conversation.ID("room"), as: "rk")
      try tx.confirm("m1", as: "r1", position: 1)
      try tx.delete(Conversation.ID("room"))
    }
    let lines =
      [
        Said.header,
        #"{"kind":"conversation","identifier":"c9","remoteID":"rk","participants":["alice","bob"]}"#,
        #"{"kind":"message","identifier":"m9","remoteID":"r1","position":1,"conversation":"c9","sender":"bob","parts":[]}"#,
      ] + (try [Said.reaction("m9", "bob"), Said.participation("c9", "alice")].map(Said.line))
    try expectBringsBack(
      lines.joined(separator: "\n") + "\n", policy, messages: 0, replies: 0, participations: 0)
    #expect(try store.count(Conversation.all) == 0)
  }

  /// A delta, which has the changes of records as updates, gives no message a parent that stays deleted.
  @Test func anUpdateBringsNoDeletedParentBack() throws {
    try store.write { try $0.setParent("m1", of: "m3") }
    let message = try #require(
      exported(store).split(separator: "\n").first { $0.contains(#""identifier":"m1""#) })
    try store.write { try $0.delete("m1") }
    let update =
      #"{"kind":"update","record":["_reply","m3"],"set":{"fields":{"message":{"$reference":["messages","m3"]},"parent":{"$reference":["messages","m1"]}}}}"#
    try store.importLines(
      from: .bytes(Array("\(Said.header)\n\(message)\n\(update)\n".utf8)), ifExists: .merge)
    #expect(try store.parent(of: "m3") == nil && store.count(Message.all) == 2)
    try expectSound(store)
  }

  /// A merge takes nothing back that was read or sent, and what is true comes with its date.
  @Test func aMergeOfRecordsTakesNothingBack() throws {
    try store.write { tx in
      try tx.pin("room", at: date(1))
      try tx.markRead("room", upTo: 9)
      try tx.react(to: "m1", with: "👍", remoteID: "x")
    }
    var (state, reaction) = (Said.participation("room", "alice"), Said.reaction("m1", "alice"))
    state["isPinned"] = false
    state["pinnedAt"] = nil
    state["role"] = "admin"
    reaction["state"] = "pending"
    var lines = try [Said.header, Said.line(state), Said.line(reaction)]
    lines[1] = lines[1].replacing(#""role":"admin""#, with: #""role":"admin","lastReadPosition":4"#)
    let text = lines.joined(separator: "\n") + "\n"
    for _ in 0..<2 {
      let report = try store.importLines(from: .bytes(Array(text.utf8)), ifExists: .merge)
      #expect(report.merged == 2)
      let own = try #require(try store.participation(in: "room"))
      #expect(!own.isPinned && own.pinnedAt == nil && own.role == "admin" && own.lastReadPosition == 9)
      #expect(try store.fetch(Reaction.recordType.query, as: Reaction.self).map(\.state) == [.sent])
    }
    try expectAgain()
  }

  /// A new store takes a file that has lines of before and of after.
  @Test func aFileOfTwoExportsComesInToANewStore() throws {
    try store.write { try $0.react(to: "m1", with: "👍", by: "bob") }
    let before = try exported(store)
    try store.write { try $0.delete("m1", for: .everyone) }
    let objects = try (exported(store) + before).split(separator: "\n").filter {
      !$0.hasPrefix(#"{"kind":"header""#) && !$0.hasPrefix(#"{"kind":"trailer""#)
    }
    let path = scratch.directory.url.appendingPathComponent("new").path
    let both = ([Said.header] + objects.map(String.init)).joined(separator: "\n") + "\n"
    let summary = try Importer(.bytes(Array(both.utf8)), existing: .ignore).run(into: path, user: "alice")
    #expect(summary.messages == 3)
    let new = try MessageStore(existingAt: path)
    defer { new.close() }
    #expect(try new.recordCount(of: Reaction.recordType) == 0)
    try expectSound(new)
  }
}
