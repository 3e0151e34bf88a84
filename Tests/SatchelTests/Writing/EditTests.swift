import Foundation
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// Messages whose parts are edited.
@Suite struct EditTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.receive(
        [
          .text("Noon?"), .data([1, 2, 3], mimeType: "image/png"),
          .url("https://example.org/a", mimeType: "video/mp4"),
        ],
        in: "room", from: "bob", id: "m", position: 1, sentAt: date(1), receivedAt: date(2),
        metadata: ["a": "b"])
    }
  }

  func message(_ id: Message.ID = "m") throws -> Message {
    try #require(try store.read { try $0.message(id) })
  }

  func contents(_ id: Message.ID = "m") throws -> [MessagePart.Content] {
    try message(id).parts.map(\.content)
  }

  @Test func partsAreReplaced() throws {
    #expect(try message().editedAt == nil)
    let before = Date.now.addingTimeInterval(-0.001)
    try store.write { tx in try tx.update("m") { $0.parts = [.text("One?", mimeType: "text/html")] } }
    let edited = try message()
    #expect(edited.parts.map(\.content) == [.text("One?")] && edited.text == "One?")
    #expect(edited.parts.map(\.mimeType) == ["text/html"] && edited.parts.map(\.size) == [4])
    #expect(try #require(edited.editedAt) >= before)
    #expect(edited.editedAt == edited.updatedAt && edited.metadata == ["a": "b"] && edited.position == 1)
    #expect(try store.count(Message.filter { $0.parts.any { $0.mimeType == "image/png" } }) == 0)
    #expect(try store.count(Message.filter { $0.parts.any { $0.mimeType == "text/html" } }) == 1)
    #expect(try store.count(MessagePart.filter { $0.mimeType == "video/mp4" }) == 0)
    #expect(try store.count(MessagePart.filter { $0.size == 4 }) == 1)
    #expect(try store.count(Message.filter { $0.editedAt != nil }) == 1)
    try expectSound(store)
  }

  @Test func singlePartsAreReplacedRemovedAndAppended() throws {
    try store.write { tx in
      try tx.update("m") {
        $0.replacedParts = [1: .data([9], mimeType: "image/gif")]
        $0.removedParts = [0]
        $0.appendedParts = [.text("And?")]
        $0.editedAt = .some(date(7))
      }
    }
    #expect(try contents() == [.data([9]), .url("https://example.org/a"), .text("And?")])
    #expect(try message().editedAt == date(7))
    #expect(try store.fetch(Query<MessagePart>(format: "message = 'm'")).map(\.index) == [0, 1, 2])
    try store.write { tx in
      try tx.update("m") {
        $0.parts = [.text("a"), .text("b")]
        $0.replacedParts = [0: .text("c")]
        $0.appendedParts = [.text("d")]
      }
    }
    #expect(try contents() == [.text("c"), .text("b"), .text("d")])
    try store.write { tx in try tx.update("m") { $0.removedParts = [0, 1, 2] } }
    #expect(try message().parts.isEmpty && message().text == nil)
    try expectSound(store)
  }

  /// Large contents are kept apart from the record: they go, come and move with their parts.
  @Test func largeContentsMoveWithTheirParts() throws {
    let text = String(repeating: "é", count: 4000)
    let data = (0..<9000).map { UInt8(truncatingIfNeeded: $0) }
    try store.write { tx in
      try tx.update("m") {
        $0.parts = [
          .text(text), .data(data, mimeType: "a/b"), .text("short"), .data(data.reversed(), mimeType: "a/b"),
        ]
      }
    }
    func read(_ index: Int) throws -> [UInt8] {
      Array(try store.read { try $0.data(of: .init("m/parts/\(index)")) })
    }
    #expect(try read(1) == data && message().text == text)
    try store.write { tx in try tx.update("m") { $0.removedParts = [0] } }
    #expect(try read(0) == data && read(2) == data.reversed() && message().text == "short")
    try store.write { tx in
      try tx.update("m") { $0.replacedParts = [0: .text(text + text)] }
      try tx.update("m") { $0.removedParts = [1] }
      try tx.update("m") { $0.appendedParts = [.data(data, mimeType: "c/d")] }
    }
    #expect(try message().text == text + text && read(1) == data.reversed() && read(2) == data)
    try expectSound(store)
    try store.write { tx in try tx.update("m") { $0.parts = [] } }
    try expectSound(store)
    #expect(try store.base.read { $0.seal[.bodies].count } == 0)
  }

  @Test func whatChangesNothingIsNoEdit() throws {
    let sequence = try store.lastSequence()
    try store.write { tx in try tx.update("m") { $0.replacedParts = [0: .text("Noon?")] } }
    #expect(try message().editedAt == nil && message().updatedAt == date(2))
    #expect(try store.lastSequence() == sequence)
    // A transfer is no edit.
    try store.write { tx in try tx.update("m") { $0.transferStatus = [2: .downloading] } }
    #expect(try message().editedAt == nil && message().updatedAt == date(2))
  }

  /// What counts as a change of what users see, and what does not.
  @Test func theTimeOfTheLastChange() throws {
    #expect(try message().updatedAt == date(2))
    #expect(try store.count(Message.filter { $0.updatedAt == date(2) }) == 1)
    try store.write { tx in
      try tx.markAsRead("m")
      try tx.update("m") { $0.recipientStatus = ["bob": .read] }
    }
    #expect(try message().updatedAt == date(2))
    func expectChange(_ body: (WriteTransaction) throws -> Void) throws {
      let before = Timestamp(Date.now)
      try store.write { try body($0) }
      let after = try #require(try message().updatedTimestamp)
      #expect(after >= Timestamp(microseconds: before.microseconds - 1000))
      #expect(try store.count(Message.filter { $0.updatedAt == after.date }) == 1)
      // Told apart from the next one.
      usleep(2000)
    }
    try expectChange { tx in try tx.update("m") { $0.position = 5 } }
    try expectChange { tx in try tx.setMetadata("c", at: "a", of: .message("m")) }
    try expectChange { tx in try tx.update("m") { $0.appendedParts = [.text("more")] } }
    try expectChange { tx in try tx.update("m") { $0.isSent = false } }
    #expect(try store.fetch(Message.order { $0.updatedAt.descending }).map(\.id) == ["m"])
  }

  @Test func wrongEdits() throws {
    func refused(_ property: String, _ body: (inout MessageChanges) -> Void) {
      let error = failure(.invalidValue) { try store.write { tx in try tx.update("m", body) } }
      #expect(error?.context["property"] == property, "\(error?.description ?? "")")
    }
    let before = try message()
    refused("parts") { $0.replacedParts = [3: .text("a")] }
    refused("parts") { $0.removedParts = [-1] }
    refused("parts") {
      $0.replacedParts = [0: .text("a")]
      $0.removedParts = [0]
    }
    refused("parts") {
      $0.parts = []
      $0.removedParts = [0]
    }
    refused("parts.mimeType") { $0.appendedParts = [.text("a", mimeType: "text")] }
    refused("parts.size") { $0.parts = [.url("a", mimeType: "a/b", size: -1)] }
    refused("parts") { $0.appendedParts = Array(repeating: .text("a"), count: 65_533) }
    #expect(try message() == before)
    failure(.unknownMessage) { try store.write { tx in try tx.update("none") { $0.parts = [] } } }
  }

  @Test func announcementsAreEditedAlike() throws {
    try store.write { tx in
      try tx.announce([.text("Closed at two")], from: "service", id: "a")
      try tx.update(Announcement.ID("a")) { $0.parts = [.text("Closed at three")] }
    }
    let found = try #require(try store.read { try $0.announcement("a") })
    #expect(found.parts.map(\.content) == [.text("Closed at three")] && found.editedAt != nil)
    try expectSound(store)
  }
}
