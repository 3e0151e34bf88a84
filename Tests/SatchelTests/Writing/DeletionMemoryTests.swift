import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// What the store's user has deleted does not come back when it is delivered once more.
@Suite struct DeletionMemoryTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room", metadata: ["title": "Room"])
      try tx.createConversation(with: ["bob", "carol"], id: "other")
      for number in 1...5 { try deliver(number, tx) }
    }
  }

  @discardableResult
  func deliver(
    _ number: Int, _ tx: WriteTransaction, in conversation: Conversation.ID = "room",
    ifExists: ExistingMessage = .fail, restoresDeleted: Bool = false
  ) throws -> Message.ID {
    try tx.receive(
      [.text("\(number)")], in: conversation, from: "bob", id: Message.ID("m\(number)"),
      position: Int64(number), sentAt: date(Double(number)), ifExists: ifExists,
      restoresDeleted: restoresDeleted)
  }

  func shown(_ conversation: Conversation.ID = "room") throws -> [Message.ID] {
    try store.fetch(Message.filter { $0.conversation == conversation }.order { $0.position }).map(\.id)
  }

  @Test(arguments: [ExistingMessage.fail, .ignore, .merge])
  func aDeletedMessageStaysDeleted(_ policy: ExistingMessage) throws {
    try store.write { tx in
      try tx.delete("m2")
      try tx.delete("m4")
    }
    let commits = try store.lastSequence()
    for id in [2, 4] {
      #expect(try store.write { tx in try deliver(id, tx, ifExists: policy) } == Message.ID("m\(id)"))
    }
    #expect(try shown() == ["m1", "m3", "m5"] && store.lastSequence() == commits)
    // In the same write, too; what is no delivery of it comes.
    try store.write { tx in
      try tx.delete("m1")
      try deliver(1, tx, ifExists: policy)
      try deliver(6, tx, ifExists: policy)
      try deliver(2, tx, in: "other", ifExists: policy)
    }
    #expect(try shown() == ["m3", "m5", "m6"] && shown("other") == ["m2"])
    failure(.invalidValue) {
      try store.write { tx in
        _ = try tx.receive([.text("x", mimeType: "x")], in: "room", from: "bob", id: "m4", ifExists: policy)
      }
    }
    try store.write { tx in try deliver(4, tx, ifExists: policy, restoresDeleted: true) }
    #expect(try shown() == ["m3", "m4", "m5", "m6"])
    try store.write { tx in
      try tx.delete("m4")
      try deliver(4, tx, ifExists: policy)
    }
    #expect(try shown() == ["m3", "m5", "m6"])
    try expectSound(store)
  }

  @Test func itIsKnownByBothNamesAndAfterItIsOpenedAgain() throws {
    try store.write { tx in
      try tx.send([.text("mine")], to: "room", id: "draft")
      try tx.confirm("draft", as: "srv-9", position: 9)
      try tx.delete("draft")
      // What was never sent is no delivery of anything.
      try tx.send([.text("never sent")], to: "room", id: "unsent")
      try tx.delete("unsent")
      try tx.announce([.text("Closed")], from: "service", id: "notice")
      try tx.delete(Announcement.ID("notice"))
    }
    let again = try scratch.reopened()
    defer { again.close() }
    try again.write { tx in
      try tx.receive([], in: "room", from: "alice", id: "draft")
      try tx.receive([], in: "room", from: "alice", id: "srv-9")
      try tx.announce([], from: "service", id: "notice")
      try tx.receive([], in: "room", from: "bob", id: "unsent", position: 7)
    }
    #expect(try shown() == ["m1", "m2", "m3", "m4", "m5", "unsent"])
    #expect(try store.count(Announcement.all) == 0)
    try store.write { tx in try tx.announce([], from: "service", id: "notice", restoresDeleted: true) }
    #expect(try store.count(Announcement.all) == 1)
  }

  @Test func aDeletedConversationComesBackEmpty() throws {
    try store.write { tx in
      try tx.delete("m5")
      try tx.confirm("room" as Conversation.ID, as: "srv-room")
      try tx.delete(Conversation.ID("room"))
      for number in 1...5 { try deliver(number, tx) }
    }
    #expect(try store.conversation("room") == nil)
    // Not even the last one, which was deleted before the conversation was.
    try store.write { tx in try deliver(5, tx, in: "srv-room") }
    #expect(try store.conversation("room") == nil)
    try store.write { tx in
      try deliver(6, tx, in: "srv-room")
      for number in 1...5 { try deliver(number, tx) }
    }
    let room = try #require(try store.conversation("room"))
    #expect(room.remoteID == "srv-room" && room.metadata == ["title": "Room"] && room.messageCount == 1)
    #expect(Set(room.participants) == ["alice", "bob"])
    #expect(try shown() == ["m6"])
    // Once more, from where it has come to.
    try store.write { tx in
      try tx.delete(Conversation.ID("srv-room"))
      try deliver(6, tx)
    }
    #expect(try store.conversation("room") == nil)
    try store.write { tx in try deliver(3, tx, restoresDeleted: true) }
    #expect(try shown() == ["m3"])
    try expectSound(store)
    // A conversation that the program makes anew has no past.
    try store.write { tx in
      try tx.delete(Conversation.ID("room"))
      try tx.createConversation(with: ["bob"], id: "room")
      for number in 1...6 { try deliver(number, tx) }
    }
    #expect(try shown().count == 6)
    try expectSound(store)
  }

  @Test func oneThatHasComeBackIsKnownByNamesThatItGetsLater() throws {
    try store.write { tx in
      try tx.delete(Conversation.ID("room"))
      try deliver(6, tx)
      try tx.confirm("room" as Conversation.ID, as: "srv-room")
      for number in 1...5 { try deliver(number, tx, in: "srv-room") }
      try deliver(7, tx, in: "srv-room")
    }
    #expect(try shown() == ["m6", "m7"])
  }

  @Test func withoutPositionsTheDateDecides() throws {
    try store.write { tx in
      try tx.receive([], in: "other", from: "bob", id: "a", sentAt: date(10))
      try tx.delete(Conversation.ID("other"))
      try tx.receive([], in: "other", from: "bob", id: "b", sentAt: date(9))
      try tx.receive([], in: "other", from: "bob", id: "c", position: 1, sentAt: date(10))
    }
    #expect(try store.conversation("other") == nil)
    try store.write { tx in try tx.receive([], in: "other", from: "bob", id: "d", sentAt: date(11)) }
    #expect(try shown("other") == ["d"])
    // One without a message has no past: any delivery brings it back.
    try store.write { tx in
      try tx.createConversation(with: ["eve"], id: "empty")
      try tx.delete(Conversation.ID("empty"))
      try tx.receive([], in: "empty", from: "eve", id: "e")
    }
    #expect(try shown("empty") == ["e"])
    failure(.unknownConversation) {
      _ = try store.write { tx in try tx.receive([], in: "never", from: "bob", id: "f") }
    }
    try expectSound(store)
  }

  /// The floor is the latest date, whichever message has it; what was never sent has none that counts.
  @Test func theFloorIsTheLatestDate() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "dated")
      try tx.receive([.text("1")], in: "dated", from: "bob", id: "d1", sentAt: date(200))
      try tx.receive([.text("2")], in: "dated", from: "bob", id: "d2", sentAt: date(100))
      try tx.send([.text("mine")], to: "dated", id: "d3")
    }
    try store.write { tx in try tx.delete(Conversation.ID("dated")) }
    try store.write { tx in
      try tx.receive([.text("1")], in: "dated", from: "bob", id: "d1", sentAt: date(200))
    }
    #expect(try store.conversation("dated") == nil)
    try store.write { tx in
      try tx.receive([.text("4")], in: "dated", from: "bob", id: "d4", sentAt: date(201))
    }
    #expect(try shown("dated") == ["d4"])
    try expectSound(store)
  }

  /// A conversation comes back without the server's name if another one has got it.
  @Test func aTakenNameIsNotTakenBack() throws {
    try store.write { tx in try tx.confirm("room" as Conversation.ID, as: "srv-room") }
    try store.write { tx in
      try tx.delete(Conversation.ID("room"))
      try tx.confirm("other" as Conversation.ID, as: "srv-room")
      try deliver(9, tx)
    }
    #expect(try store.conversation("room")?.remoteID == nil && shown() == ["m9"])
    #expect(try store.conversation("srv-room")?.id == "other")
    try expectSound(store)
  }

  /// The oldest names are forgotten when there are more than 100,000.
  @Test func theOldestAreForgotten() throws {
    let count = 100_300
    try store.write { tx in
      for number in 10..<10 + count { try deliver(number, tx) }
      for number in 10..<10 + count { try tx.delete(Message.ID("m\(number)")) }
    }
    try store.write { tx in
      try deliver(10, tx)
      try deliver(10 + 300, tx)
      try deliver(9 + count, tx)
    }
    #expect(try shown() == ["m1", "m2", "m3", "m4", "m5", "m10"])
    try expectSound(store)
  }

  /// Deliveries in any order, again and again, with deletions in between, against what they come to.
  @Test func deliveriesAndDeletionsInAnyOrder() throws {
    var random = SeededGenerator(for: "deliveriesAndDeletionsInAnyOrder")
    for round in 0..<TestEnvironment.rounds(60) {
      let room = Conversation.ID("r\(round)")
      var here: [Int: Bool] = [:]
      var (isThere, floor) = (true, 0)
      try store.write { tx in _ = try tx.createConversation(with: ["bob"], id: room) }
      for _ in 0..<(1 + random.below(30)) {
        let number = 1 + random.below(8)
        try store.write { tx in
          switch random.below(10) {
          case 0:
            guard isThere else { return }
            try tx.delete(room)
            floor = max(floor, here.keys.max() ?? 0)
            (isThere, here) = (false, [:])
          case 1..<4:
            guard here[number] == true else { return }
            try tx.delete(Message.ID("\(room)/\(number)"))
            here[number] = false
          default:
            try tx.receive(
              [], in: room, from: "bob", id: Message.ID("\(room)/\(number)"), position: Int64(number),
              sentAt: date(1), ifExists: random.percent(50) ? .ignore : .merge)
            guard number > floor, here[number] == nil else { return }
            (isThere, here[number]) = (true, true)
          }
        }
      }
      let expected = here.filter(\.value).keys.sorted().map { Message.ID("\(room)/\($0)") }
      #expect(try shown(room) == expected, "round \(round)")
      #expect(try (store.conversation(room) != nil) == isThere, "round \(round)")
    }
    try expectSound(store)
  }
}
