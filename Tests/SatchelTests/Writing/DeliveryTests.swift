import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Messages that are delivered more than once.
@Suite struct DeliveryTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.createConversation(with: ["bob", "carol"], id: "other")
      try tx.receive(
        [.text("Noon?")], in: "room", from: "bob", id: "m", position: 1, sentAt: date(1), receivedAt: date(2),
        recipientStatus: ["alice": .delivered], metadata: ["a": "b"])
    }
  }

  func message(_ id: Message.ID = "m") throws -> Message {
    try #require(try store.read { try $0.message(id) })
  }

  @Test func oneThatIsThereIsRefusedOrIgnored() throws {
    let before = try message()
    let sequence = try store.lastSequence()
    failure(.identifierExists) {
      _ = try store.write { tx in try tx.receive([.text("x")], in: "room", from: "bob", id: "m") }
    }
    let id = try store.write { tx in
      try tx.receive([.text("x")], in: "room", from: "bob", id: "m", position: 7, ifExists: .ignore)
    }
    #expect(try id == "m" && message() == before && store.lastSequence() == sequence)
    try store.write { tx in try tx.receive([.text("x")], in: "room", from: "bob", id: "n", ifExists: .ignore)
    }
    #expect(try message("n").text == "x")
  }

  @Test func whatSaysNothingNewIsNoChange() throws {
    let large = String(repeating: "é", count: 3000)
    try store.write { tx in
      try tx.receive(
        [.text(large), .data(Array(repeating: 1, count: 900), mimeType: "a/b")], in: "room", from: "bob",
        id: "n",
        position: 2, sentAt: date(3), receivedAt: date(4))
    }
    let sequence = try store.lastSequence()
    try store.write { tx in
      try tx.receive(
        [.text("Noon?")], in: "room", from: "bob", id: "m", position: 1, sentAt: date(1), receivedAt: date(2),
        recipientStatus: ["alice": .delivered], metadata: ["a": "b"], ifExists: .merge)
      try tx.receive(
        [.text(large), .data(Array(repeating: 1, count: 900), mimeType: "a/b")], in: "room", from: "bob",
        id: "n",
        position: 2, sentAt: date(3), ifExists: .merge)
    }
    #expect(try store.lastSequence() == sequence)
  }

  @Test func aMergeIsAnUpdate() throws {
    try store.write { tx in
      try tx.markAsRead("m")
      try tx.receive(
        [.text("One?")], in: "room", from: "bob", id: "m", position: 4, sentAt: date(5),
        recipientStatus: ["bob": .read], metadata: ["c": "d"], editedAt: date(6), ifExists: .merge)
    }
    let merged = try message()
    #expect(
      merged.text == "One?" && merged.position == 4 && merged.sentAt == date(5) && merged.editedAt == date(6))
    #expect(merged.receivedAt == date(2) && !merged.isUnread && merged.metadata == ["a": "b", "c": "d"])
    #expect(merged.recipientStatus == ["alice": .delivered, "bob": .read])
    // An older content does not come back; the rest of an older delivery does.
    try store.write { tx in
      try tx.receive([.text("Noon?")], in: "room", from: "bob", id: "m", position: 5, ifExists: .merge)
      try tx.receive([.text("No?")], in: "room", from: "bob", id: "m", editedAt: date(5), ifExists: .merge)
    }
    #expect(try message().text == "One?" && message().position == 5 && message().editedAt == date(6))
    try store.write { tx in
      try tx.receive(
        [.text("Two?")], in: "room", from: "bob", id: "m", isUnread: true, editedAt: date(6), ifExists: .merge
      )
    }
    #expect(try message().text == "Two?" && message().isUnread)
    try expectSound(store)
  }

  @Test func oneThatWasDeletedForEveryoneStaysSo() throws {
    try store.write { tx in
      try tx.delete("m", for: .everyone, at: date(9))
      try tx.receive(
        [.text("Noon?")], in: "room", from: "bob", id: "m", position: 3, recipientStatus: ["alice": .read],
        metadata: ["a": "b"], editedAt: date(20), ifExists: .merge)
    }
    let found = try message()
    #expect(found.deletedAt == date(9) && found.parts.isEmpty && found.editedAt == nil && found.position == 3)
    #expect(found.metadata == Metadata() && found.recipientStatus.isEmpty)
  }

  @Test func anotherConversationOrSenderIsRefused() throws {
    let before = try message()
    for policy in [ExistingMessage.ignore, .merge] {
      failure(.identifierExists) {
        _ = try store.write { tx in
          try tx.receive([.text("x")], in: "other", from: "bob", id: "m", ifExists: policy)
        }
      }
      failure(.identifierExists) {
        _ = try store.write { tx in
          try tx.receive([.text("x")], in: "room", from: "eve", id: "m", ifExists: policy)
        }
      }
      failure(.identifierExists) {
        _ = try store.write { tx in try tx.announce([.text("x")], from: "bob", id: "m", ifExists: policy) }
      }
      failure(.unknownConversation) {
        _ = try store.write { tx in
          try tx.receive([.text("x")], in: "none", from: "bob", id: "m", ifExists: policy)
        }
      }
      failure(.invalidValue) {
        _ = try store.write { tx in
          try tx.receive([.text("x", mimeType: "x")], in: "room", from: "bob", id: "m", ifExists: policy)
        }
      }
    }
    #expect(try message() == before)
  }

  @Test func announcementsAreDeliveredAlike() throws {
    try store.write { tx in
      try tx.announce([.text("Closed")], from: "service", id: "a", position: 1)
      try tx.announce([.text("Open")], from: "service", id: "a", editedAt: date(3), ifExists: .merge)
      try tx.announce([.text("Closed")], from: "service", id: "a", position: 2, ifExists: .merge)
      try tx.announce([.text("x")], from: "service", id: "a", position: 9, ifExists: .ignore)
    }
    let found = try #require(try store.read { try $0.announcement("a") })
    #expect(found.parts.map(\.content) == [.text("Open")] && found.position == 2 && found.editedAt == date(3))
  }

  /// Deliveries of the versions of some messages in any order, again and again, with deletions for everyone in between: in the end
  /// each has the newest contents that came before its deletion, or none.
  @Test func deliveriesInAnyOrder() throws {
    var random = SeededGenerator(for: "deliveriesInAnyOrder")
    for round in 0..<TestEnvironment.rounds(150) {
      var newest: [Message.ID: Int] = [:]
      var deleted: Set<Message.ID> = []
      for _ in 0..<(1 + random.below(12)) {
        let id = Message.ID("r\(round)/\(random.below(3))")
        if newest[id] != nil, random.percent(10) {
          try store.write { tx in try tx.delete(id, for: .everyone, at: date(500)) }
          deleted.insert(id)
          continue
        }
        let version = random.below(6)
        let text = "\(id) \(version)" + String(repeating: "x", count: version % 2 * 800)
        try store.write { tx in
          try tx.receive(
            [.text(text)], in: "room", from: "bob", id: id, position: Int64(version),
            editedAt: version == 0 ? nil : date(Double(version)), ifExists: .merge)
        }
        newest[id] = max(newest[id] ?? 0, version)
      }
      for (id, version) in newest {
        let found = try message(id)
        #expect((found.deletedAt != nil) == deleted.contains(id))
        let text = "\(id) \(version)" + String(repeating: "x", count: version % 2 * 800)
        #expect(found.text == (deleted.contains(id) ? nil : text), "round \(round)")
      }
    }
    try expectSound(store)
  }
}
