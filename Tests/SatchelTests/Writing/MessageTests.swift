import Foundation
import Satchel
import SatchelScenes
import Testing

@Suite struct MessageTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  let room: Conversation.ID

  init() throws {
    scratch = try Scratch()
    room = try scratch.store.write { tx in try tx.createConversation(with: ["bob", "carol"], id: "room").id }
  }

  func message(_ id: Message.ID) throws -> Message { try #require(try store.read { try $0.message(id) }) }

  @Test func sentMessages() throws {
    let before = Date.now
    let id = try store.write { tx in
      try tx.send(
        [.text("Hello"), .url("https://example.org/a", mimeType: "video/mp4", size: 70)], to: room,
        metadata: ["a": "b"])
    }
    let sent = try message(id)
    #expect(sent.sender == "alice" && sent.conversation == room && sent.position == nil)
    #expect(!sent.isSent && !sent.isUnread && sent.metadata == ["a": "b"])
    #expect(sent.sentAt == sent.receivedAt)
    let at = try #require(sent.sentAt)
    #expect(at >= before.addingTimeInterval(-0.001) && at <= Date.now)
    #expect(sent.recipientStatus == ["bob": .pending, "carol": .pending])
    #expect(sent.parts.map(\.mimeType) == ["text/plain", "video/mp4"])
    #expect(sent.parts.map(\.size) == [5, 70])
    #expect(sent.parts.map(\.content) == [.text("Hello"), .url("https://example.org/a")])
    #expect(sent.parts.map(\.id) == [.init("\(id)/parts/0"), .init("\(id)/parts/1")])
    #expect(try store.count(Message.filter { $0.recipientStatus["bob"] == .pending }) == 1)
    #expect(try store.count(Message.filter { $0.recipientStatus["alice"] == nil }) == 1)
  }

  @Test func receivedMessages() throws {
    let id = try store.write { tx in
      try tx.receive(
        [.text("Hi"), .data([1, 2], mimeType: "image/png")], in: room, from: "eve", id: "m1", position: 5,
        sentAt: date(1.5), receivedAt: date(2.000_001), recipientStatus: ["alice": .delivered, "bob": .read],
        metadata: ["x": ["y": "z"]])
    }
    let stored = try message(id)
    #expect(stored.id == "m1" && stored.sender == "eve" && stored.position == 5)
    #expect(stored.sentAt == date(1.5))
    #expect(stored.receivedTimestamp == Timestamp(date(2.000_001)))
    #expect(stored.isSent && stored.isUnread && stored.metadata["x.y"] == "z")
    #expect(stored.recipientStatus == ["alice": .delivered, "bob": .read])
    #expect(stored.parts.last?.content == .data([1, 2]))
    let bare = try message(store.write { tx in try tx.receive([], in: room, from: "bob", isUnread: false) })
    #expect(bare.parts.isEmpty && bare.text == nil && !bare.isUnread && bare.sentAt != nil)
  }

  @Test func announcements() throws {
    let id = try store.write { tx in
      try tx.announce(
        [.text("Maintenance")], from: "service", id: "a1", position: 3, sentAt: date(1), receivedAt: date(2),
        metadata: ["kind": "notice"])
    }
    let stored = try #require(try store.read { try $0.announcement(id) })
    #expect(stored.sender == "service" && stored.text == "Maintenance" && stored.position == 3)
    #expect(stored.sentAt == date(1) && stored.receivedAt == date(2) && stored.isUnread && stored.isSent)
    #expect(stored.metadata == ["kind": "notice"])
    #expect(try store.count(Message.all) == 0 && store.count(MessagePart.all) == 0)
    #expect(try store.count(Message.filter { $0.identifier == "a1" }) == 0)
    #expect(try store.content(of: stored.parts[0].id) == Array("Maintenance".utf8))
    try store.write { tx in
      failure(.identifierExists) { try tx.send([], to: room, id: "a1") }
      try tx.markAsRead(id)
      #expect(try tx.count(Announcement.filter { $0.isUnread }) == 0)
      try tx.update(id) { $0.isUnread = true }
      #expect(try tx.count(Announcement.filter { $0.isUnread }) == 1)
      try tx.delete(id)
      #expect(try tx.count(Announcement.all) == 0)
      failure(.unknownMessage) { try tx.delete(id) }
    }
    try expectSound(store)
  }

  @Test func messagesAndAnnouncementsAreNotMistakenForEachOther() throws {
    try store.write { tx in
      try tx.send([.text("message")], to: room, id: "m")
      try tx.announce([.text("announcement")], from: "service", id: "a")
      #expect(
        failure(.unknownMessage) { try tx.delete(Announcement.ID("m")) }?.context["announcement"] == "m")
      #expect(failure(.unknownMessage) { try tx.delete(Message.ID("a")) }?.context["message"] == "a")
      failure(.unknownMessage) { try tx.markAsRead(Announcement.ID("m")) }
      failure(.unknownMessage) { try tx.markAsRead([Message.ID("a")]) }
      failure(.unknownMessage) { try tx.update(Announcement.ID("m")) { $0.position = 1 } }
      failure(.unknownMessage) { try tx.update(Message.ID("a")) { $0.position = 1 } }
      failure(.unknownMessage) { try tx.setMetadata("x", at: "k", of: .announcement("m")) }
      failure(.unknownMessage) { try tx.setMetadata("x", at: "k", of: .message("a")) }
    }
    #expect(try store.count(Message.all) == 1 && store.count(Announcement.all) == 1)
  }

  @Test func readingMarks() throws {
    let ids = try store.write { tx in
      try (1...10).map { try tx.receive([], in: room, from: "bob", position: Int64($0)) }
    }
    func unread() throws -> Int? { try store.read { try $0.conversation(room)?.unreadCount } }
    #expect(try unread() == 10)
    try store.write { tx in try tx.markAsRead(ids[0]) }
    #expect(try unread() == 9)
    try store.write { tx in try tx.markAsRead([ids[0], ids[1], ids[2], ids[2]]) }
    #expect(try unread() == 7)
    try store.write { tx in
      #expect(
        failure(.unknownMessage) { try tx.markAsRead([ids[3], "nobody's"]) }?.context["message"]
          == "nobody's")
      let left = try tx.count(Message.filter { $0.isUnread })
      #expect(left == 7, "an unknown one leaves all as they were")
    }
    #expect(try store.write { tx in try tx.markAsRead(room) } == 7)
    #expect(try store.write { tx in try tx.markAsRead(room) } == 0)
    #expect(try unread() == 0)
    #expect(try store.read { try $0.conversation(room)?.lastMessage?.isUnread } == false)
    try store.write { tx in failure(.unknownConversation) { try tx.markAsRead(Conversation.ID("none")) } }
    try expectSound(store)
  }

  @Test func updates() throws {
    let id = try store.write { tx in try tx.send([.text("x")], to: room) }
    let old = try message(id)
    try store.write { tx in
      try tx.update(id) {
        $0.position = 9
        $0.isSent = true
        $0.sentAt = date(3)
        $0.recipientStatus = ["bob": .read, "carol": nil, "dora": .sent]
      }
    }
    let new = try message(id)
    #expect(new.position == 9 && new.isSent && new.sentAt == date(3))
    #expect(new.receivedTimestamp == old.receivedTimestamp && new.isUnread == old.isUnread)
    #expect(new.recipientStatus == ["bob": .read, "dora": .sent])
    try store.write { tx in
      try tx.update(id) {
        $0.position = .some(nil)
        $0.sentAt = .some(nil)
        $0.receivedAt = .some(nil)
      }
      let cleared = try #require(try tx.fetch(Message.filter { $0.identifier == id }).first)
      #expect(cleared.position == nil && cleared.sentAt == nil && cleared.receivedAt == nil && cleared.isSent)
      #expect(try tx.count(Message.filter { $0.sentAt == nil && $0.position == nil }) == 1)
      try tx.update(id) { _ in }
      failure(.invalidIdentifier) { try tx.update(id) { $0.recipientStatus = ["": .read] } }
      failure(.unknownMessage) { try tx.update(Message.ID("no")) { $0.position = 1 } }
      struct Mine: Error {}
      #expect(throws: Mine.self) { try tx.update(id) { _ in throw Mine() } }
    }
    #expect(try message(id).recipientStatus == ["bob": .read, "dora": .sent])
    try expectSound(store)
  }

  @Test func wrongMessagesAreRefusedWhole() throws {
    try store.write { tx in
      try tx.send([], to: room, id: "taken")
      func refused(_ code: SatchelError.Code, _ key: String, _ value: String, _ body: () throws -> Void) {
        let error = failure(code, body)
        #expect(error?.context[key] == value, "\(error.map { "\($0)" } ?? "")")
      }
      refused(.unknownConversation, "conversation", "none") { try tx.send([], to: "none") }
      refused(.identifierExists, "message", "taken") { try tx.send([], to: room, id: "taken") }
      refused(.invalidIdentifier, "message", "") { try tx.send([], to: room, id: "") }
      refused(.invalidIdentifier, "sender", "") { try tx.receive([], in: room, from: "") }
      refused(.invalidIdentifier, "recipient", "a\0") {
        try tx.receive([], in: room, from: "bob", recipientStatus: ["a\0": .read])
      }
      refused(.invalidKey, "keyPath", "a.''") { try tx.send([], to: room, metadata: ["a": ["": "x"]]) }
      refused(.invalidValue, "property", "parts.mimeType") {
        try tx.send([.text("x"), .text("y", mimeType: "")], to: room)
      }
      for type in ["t", "/", "t/", "/s", "t/s/u", "t /s", "t/s x", "t/\u{e4}", "t/s; a\n", "t;a/s"] {
        refused(.invalidValue, "value", type) { try tx.send([.data([1], mimeType: type)], to: room) }
      }
      refused(.invalidValue, "property", "parts.size") {
        try tx.send([.url("u", mimeType: "t/s", size: -1)], to: room)
      }
      refused(.invalidValue, "property", "parts") {
        try tx.send([MessagePart.Draft](repeating: .text(""), count: 65_536), to: room)
      }
    }
    #expect(try store.count(Message.all) == 1)
    try expectSound(store)
  }

  @Test func deletedMessagesVanish() throws {
    let ids = try store.write { tx in
      try (1...3).map {
        try tx.receive(
          [.data([UInt8](repeating: UInt8($0), count: 9000), mimeType: "image/\($0)")], in: room, from: "bob",
          position: Int64($0))
      }
    }
    try store.write { tx in
      try tx.delete(ids[2])
      failure(.unknownMessage) { try tx.delete(ids[2]) }
      failure(.unknownMessage) { _ = try tx.read { try $0.content(of: .init("\(ids[2])/parts/0")) } }
    }
    #expect(try store.identifiers(Message.all) == Array(ids[..<2]))
    #expect(try store.count(MessagePart.filter { $0.mimeType == "image/3" }) == 0)
    let shown = try #require(try store.read { try $0.conversation(room) })
    #expect(shown.lastMessage?.id == ids[1] && shown.messageCount == 2 && shown.unreadCount == 2)
    try store.write { tx in for id in ids[..<2] { try tx.delete(id) } }
    #expect(try store.count(Conversation.all) == 0, "a conversation without messages is not shown")
    try expectSound(store)
  }

  @Test func aDateNoMicrosecondReachesIsKeptInBounds() throws {
    let id = try store.write { tx in
      try tx.receive([], in: room, from: "bob", sentAt: .distantPast, receivedAt: .distantFuture)
    }
    let stored = try message(id)
    #expect(stored.sentAt == .distantPast && stored.receivedAt == .distantFuture)
    try store.write { tx in
      try tx.update(id) {
        $0.sentAt = Date(timeIntervalSince1970: -.infinity)
        $0.receivedAt = Date(timeIntervalSince1970: 1e300)
      }
    }
    #expect(try message(id).sentTimestamp == Timestamp(microseconds: .min))
    #expect(try message(id).receivedTimestamp == Timestamp(microseconds: .max))
    _ = try message(id).description(of: \.sentAt)
    try expectSound(store)
  }
}

extension Message {
  /// The text of a date at the ends of what a timestamp can say: making it must not trap.
  fileprivate func description(of property: KeyPath<Message, Date?>) -> String {
    String(describing: self[keyPath: property])
  }
}
