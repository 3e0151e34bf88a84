import Foundation
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// Messages that are deleted for everyone.
@Suite struct WithdrawalTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  static let secret = "the secret, which nobody may read any more"

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.receive([.text("first")], in: "room", from: "bob", id: "m0", position: 1, sentAt: date(1))
      try tx.receive(
        [.text(Self.secret), .data(Array(repeating: 7, count: 5000), mimeType: "image/png")], in: "room",
        from: "bob",
        id: "m", position: 2, sentAt: date(2), receivedAt: date(3), recipientStatus: ["alice": .read],
        metadata: ["a": "b"])
    }
  }

  func message(_ id: Message.ID = "m") throws -> Message {
    try #require(try store.read { try $0.message(id) })
  }

  @Test func itStaysInItsPlaceWithoutItsContents() throws {
    try store.write { tx in try tx.delete("m", for: .everyone, at: date(9)) }
    let found = try message()
    #expect(found.deletedAt == date(9) && found.updatedAt != nil)
    #expect(
      found.parts.isEmpty && found.text == nil && found.metadata == Metadata()
        && found.recipientStatus.isEmpty)
    #expect(
      found.sender == "bob" && found.position == 2 && found.sentAt == date(2) && found.receivedAt == date(3))
    #expect(found.isUnread)
    let room = try #require(try store.read { try $0.conversation("room") })
    #expect(room.messageCount == 2 && room.unreadCount == 2 && room.lastMessage?.id == "m")
    #expect(try store.fetch(Message.filter { $0.deletedAt == nil }).map(\.id) == ["m0"])
    #expect(try store.fetch(Message.filter { $0.deletedAt != nil }).map(\.id) == ["m"])
    #expect(try store.count(Query<Message>()) == 2)
    #expect(try store.count(MessagePart.filter { $0.message == "m" }) == 0)
    #expect(try store.count(Message.filter { $0.parts.any { $0.mimeType == "image/png" } }) == 0)
    try expectSound(store)
    #expect(try store.base.read { $0.seal[.bodies].count } == 0)
  }

  @Test func itIsReadMovedAndDeletedOnceMore() throws {
    try store.write { tx in
      try tx.delete("m", for: .everyone, at: date(9))
      try tx.delete("m", for: .everyone, at: date(10))
      try tx.markAsRead("m")
      try tx.update("m") { $0.position = 0 }
    }
    #expect(try message().deletedAt == date(9) && message().position == 0 && !message().isUnread)
    #expect(try store.read { try $0.conversation("room") }?.lastMessage?.id == "m0")
    try store.write { tx in try tx.delete("m") }
    #expect(try store.read { try $0.message("m") } == nil)
    try expectSound(store)
  }

  @Test func itGetsNoContentsAgain() throws {
    try store.write { tx in try tx.delete("m", for: .everyone) }
    func refused(_ property: String, _ body: (WriteTransaction) throws -> Void) {
      let error = failure(.invalidValue) { try store.write { try body($0) } }
      #expect(error?.context["property"] == property, "\(error?.description ?? "")")
    }
    refused("parts") { tx in try tx.update("m") { $0.parts = [.text("again")] } }
    refused("parts") { tx in try tx.update("m") { $0.appendedParts = [.text("again")] } }
    refused("recipientStatus") { tx in try tx.update("m") { $0.recipientStatus = ["bob": .read] } }
    refused("metadata") { tx in try tx.setMetadata("c", at: "a", of: .message("m")) }
    #expect(try message().parts.isEmpty && message().metadata == Metadata())
  }

  /// Whatever the log has kept of former contents goes, also what the same write has left there.
  @Test func nothingOfItStaysInTheLog() async throws {
    let start = try store.lastSequence()
    try store.writing { tx in
      try tx.update("m") { $0.replacedParts = [0: .text(Self.secret + "!")] }
      try tx.setMetadata(.text(Self.secret), at: "a", of: .message("m"))
    }
    try store.writing { tx in try tx.update("m") { $0.replacedParts = [0: .text("plain"), 1: .text("x")] } }
    try store.writing { tx in try tx.setMetadata("plain", at: "a", of: .message("m")) }
    let kept = try await commits(of: store, after: start)
    let former = kept.flatMap(\.changes).flatMap(\.formerParts)
    #expect(former.map(\.index) == [0, 0, 1])
    #expect(former[1].beginning.map { String(decoding: $0, as: UTF8.self) } == Self.secret + "!")
    #expect(former[2].length == 5000 && former[2].beginning == Array(repeating: 7, count: 256))
    try store.writing { tx in
      try tx.update("m") { $0.replacedParts = [0: .text("not for long")] }
      _ = try tx.read { try $0.count(Query<Message>()) }
      try tx.delete("m", for: .everyone, at: date(9))
    }
    let left = try await commits(of: store, after: start)
    #expect(left.count == kept.count + 1)
    for change in left.flatMap(\.changes) {
      #expect(change.formerParts.allSatisfy { $0.beginning == nil && $0.digest == nil })
      for property in change.properties where property.property.hasPrefix("metadata") {
        #expect(property.before == .unknown || property.before == .missing, "\(property)")
      }
    }
    #expect(
      left.last?.changes.first { $0.object == .message("m") }?["deletedAt"]?.after
        == .date(Timestamp(date(9))))
    try expectSound(store)
  }

  @Test func ofSeveralInOneWrite() throws {
    try store.write { tx in
      for number in 0..<300 {
        try tx.receive(
          [.text(String(repeating: "x", count: 700))], in: "room", from: "bob", id: .init("n\(number)"))
      }
    }
    try store.write { tx in
      for number in stride(from: 0, to: 300, by: 2) { try tx.delete(.init("n\(number)"), for: .everyone) }
    }
    #expect(try store.count(Message.filter { $0.deletedAt != nil }) == 150)
    #expect(try store.count(Message.filter { $0.conversation == "room" }) == 302)
    try expectSound(store)
  }

  /// Nor of a delivery that has become one with it, of itself before it was deleted and delivered again, or of what one write does.
  @Test func nothingStaysUnderFormerRows() throws {
    let start = try store.read { $0.sequence }
    try store.write { tx in
      try tx.send([.text(Self.secret)], to: "room", id: "draft")
      try tx.receive(
        [.text(Self.secret)], in: "room", from: "alice", id: "srv", position: 3, metadata: ["k": "secret"])
    }
    try store.write { tx in try tx.update("srv") { $0.parts = [.text(Self.secret + " edited")] } }
    try store.write { tx in try tx.confirm("draft", as: "srv") }
    try store.write { tx in try tx.delete("m") }
    try store.write { tx in
      try tx.receive([.text(Self.secret)], in: "room", from: "bob", id: "m", restoresDeleted: true)
    }
    #expect(try !keptContents(start).isEmpty)
    try store.write { tx in
      try tx.delete("draft", for: .everyone)
      try tx.delete("m", for: .everyone)
      try tx.delete("m0", for: .everyone)
      try tx.delete("m0")
    }
    #expect(try keptContents(start).isEmpty)
    try expectSound(store)
  }

  /// The contents and texts of metadata that the log has since a commit.
  private func keptContents(_ start: UInt64) throws -> [String] {
    try store.changes(since: start).flatMap(\.changes).flatMap { change in
      change.formerParts.compactMap(\.beginning).map { String(decoding: $0, as: UTF8.self) }
        + change.properties.filter { $0.property.hasPrefix("metadata.") }.compactMap { property in
          if case .text(let text) = property.before { text } else { nil }
        }
    }
  }
}
