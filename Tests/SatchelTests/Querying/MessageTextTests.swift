import Foundation
import Satchel
import SatchelScenes
import Testing

/// A message's text is the text, however long it is and however the message is read.
@Suite struct MessageTextTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  let lengths = [0, 1, 511, 512, 513, 2047, 2048, 2049, 4072, 4080, 4081, 9000, 300_000]

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in try tx.createConversation(with: ["bob"], id: "c") }
  }

  /// So many UTF-8 bytes or one more, scalars of two bytes among them.
  static func text(_ length: Int) -> String {
    var bytes: [UInt8] = []
    while bytes.count < length {
      bytes += bytes.count % 7 == 3 ? Array("\u{E9}".utf8) : [UInt8(97 + bytes.count % 26)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func ofEveryLength() throws {
    for length in lengths {
      let text = Self.text(length)
      let id = Message.ID("m\(length)")
      // In front of the text something else, behind it another one.
      let parts: [MessagePart.Draft] = [.data([1], mimeType: "a/b"), .text(text), .text("b" + text)]
      try store.write { tx in
        try tx.receive(parts, in: "c", from: "bob", id: id, position: Int64(length))
        // Before the commit, too.
        let written = try tx.read { try $0.message(id) }
        #expect(written?.text == text)
      }
      let query = Message.filter { $0.identifier == id }
      let message = try #require(try store.fetch(query).first)
      #expect(message.text == text)
      #expect(message.parts[1].content == .text(text))
      #expect(message.parts[2].content == (length < 65_536 ? .text("b" + text) : .storedText))
      #expect(try store.read { try $0.message(id) }?.text == text)
      // A list of conversations reads no more of a long text than its beginning.
      let last = try store.fetch(Conversation.filter { $0.identifier == "c" }).first?.lastMessage
      #expect(last?.text == (length <= 65_536 ? text : nil))
      #expect(last?.preview == message.preview && last?.preview != nil)
      #expect(try store.fetch(MessagePart.filter { $0.message == id }) == message.parts)
      #expect(try store.count(Message.filter { $0.parts.any { $0.text == text } }) >= 1)
      try store.read { snapshot in
        try snapshot.forEach(query) { #expect($0.text == text) }
        try snapshot.forEachRecord(of: query) { record in
          let (found, size, message) = (try record.text, try record.textSize, try record.message())
          let count = try record.withTextBytes { $0.byteCount }
          #expect(found == text && message.text == text)
          #expect(size == text.utf8.count && count == text.utf8.count)
        }
      }
    }
    // A page of them, and what no part of is a text.
    let page = try store.fetch(Message.order { $0.position })
    #expect(page.map(\.text) == lengths.map { Self.text($0) })
    try store.write { tx in
      try tx.send([.data([1, 2], mimeType: "a/b"), .url("x:y", mimeType: "a/b")], to: "c", id: "none")
      try tx.announce([.text(Self.text(5000))], from: "bob", id: "long")
    }
    let none = try #require(try store.read { try $0.message("none") })
    #expect(none.text == nil)
    #expect(try store.fetch(Announcement.filter { $0.identifier == "long" }).first?.text == Self.text(5000))
    store.close()
    // The values do not need the store.
    #expect(page.last?.text == Self.text(300_000))
  }

  /// What is not wanted is not read: a short text costs no value beside its record.
  @Test func onlyLongTextsAreReadFromElsewhere() throws {
    try store.write { tx in
      for number in 0..<20 {
        let text = Self.text(number == 7 ? 3000 : 100)
        try tx.receive(
          [.text(text), .text(Self.text(70_000))], in: "c", from: "bob", position: Int64(number))
      }
    }
    try store.read { snapshot in
      let before = snapshot.base.metrics.bodiesRead
      let page = try snapshot.fetch(Message.order { $0.position }.limit(20))
      #expect(page.allSatisfy { $0.text != nil })
      #expect(snapshot.base.metrics.bodiesRead - before == 1)
    }
  }

  @Test func onesOwnMessageIsRead() throws {
    try store.write { tx in
      try tx.receive([.text("mine")], in: "c", from: store.user, id: "mine", position: 1)
      try tx.receive([.text("theirs")], in: "c", from: "bob", id: "theirs", position: 2)
      try tx.receive([.text("told")], in: "c", from: store.user, id: "told", position: 3, isUnread: true)
      try tx.receive([.text("known")], in: "c", from: "bob", id: "known", position: 4, isUnread: false)
      try tx.announce([.text("mine")], from: store.user, id: "my notice")
      try tx.announce([.text("theirs")], from: "bob", id: "their notice")
    }
    let unread = try store.identifiers(Message.filter { $0.isUnread }.order { $0.position })
    #expect(unread == ["theirs", "told"])
    #expect(try store.fetch(Conversation.filter { $0.identifier == "c" }).first?.unreadCount == 2)
    #expect(try store.identifiers(Announcement.filter { $0.isUnread }) == ["their notice"])
    try expectSound(store)
  }
}
