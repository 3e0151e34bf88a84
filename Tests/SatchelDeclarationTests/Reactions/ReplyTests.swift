import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import Testing

/// Messages that answer others.
@Suite struct ReplyTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.threads)
    try scratch.store.write { tx in
      for room in ["room", "other"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(room))
        for number in 1...4 {
          try tx.receive(
            [.text("\(number)")], in: Conversation.ID(room), from: number % 2 == 0 ? "bob" : "carol",
            id: Message.ID("\(room)\(number)"), position: Int64(number))
        }
      }
    }
  }

  private func replies(_ message: Message.ID) throws -> [Message.ID] {
    try store.fetch(store.replies(to: message), as: Reply.self).map(\.message)
  }

  @Test func aThreadIsCountedAndRead() throws {
    let mine = try store.write { tx in
      try tx.setParent("room1", of: "room3")
      try tx.setParent("room1", of: "room2")
      return try tx.reply(to: "room1", with: [.text("Yes")], id: "mine", metadata: ["a": "b"])
    }
    #expect(try store.message(mine)?.conversation == "room" && store.message(mine)?.sender == "alice")
    let thread = try store.thread(of: "room1")
    #expect(
      thread.replyCount == 3 && thread.lastReply == "mine"
        && thread.participants == ["carol", "bob", "alice"])
    #expect(try replies("room1") == ["room3", "room2", "mine"])
    #expect(try store.parent(of: "mine") == "room1" && store.parent(of: "room1") == nil)
    // It is a query as any other: in another order, by pages, with the messages, with a condition on them.
    let all = try store.replies(to: "room1")
    let sorted = all.order { $0.message.position }.including(\.message)
    #expect(
      try store.fetch(sorted).map { $0.included("message", as: Message.self)?.text } == ["2", "3", "Yes"])
    #expect(try store.page(all.limit(1).offset(1), as: Reply.self).objects.map(\.message) == ["room2"])
    #expect(try store.count(all.filter { $0.message.sender.userID == "bob" }) == 1)
    #expect(try store.count(Reply.recordType.filter { $0.parent.sender.userID == "carol" }) == 3)
    let empty = try store.thread(of: "room4")
    #expect(empty.replyCount == 0 && empty.lastReply == nil && empty.participants == [])
    try expectSound(store)
  }

  @Test func aMessageAnswersOne() throws {
    try store.write { try $0.setParent("room1", of: "room2") }
    let commits = try store.lastSequence()
    try store.write { try $0.setParent("room1", of: "room2") }
    #expect(try store.lastSequence() == commits)
    try store.write { try $0.setParent("room3", of: "room2") }
    #expect(try replies("room1") == [] && replies("room3") == ["room2"])
    try store.write { try $0.setParent(nil, of: "room2") }
    #expect(try replies("room3") == [] && store.parent(of: "room2") == nil)
    #expect(try store.recordCount(of: Reply.recordType) == 0)
    try store.write { try $0.setParent(nil, of: "room2") }
  }

  @Test func repliesStayWhenWhatTheyAnswerGoes() throws {
    try store.write { tx in
      for number in 2...3 { try tx.setParent("room1", of: Message.ID("room\(number)")) }
      try tx.setParent("room3", of: "room4")
      try tx.setParent("other1", of: "other2")
    }
    try store.write { try $0.delete("room1", for: .everyone) }
    #expect(try replies("room1") == ["room2", "room3"] && store.thread(of: "room1").replyCount == 2)
    // A reply that is withdrawn is still in its place; one that is deleted is gone.
    try store.write { try $0.delete("room2", for: .everyone) }
    #expect(try replies("room1") == ["room2", "room3"])
    try store.write { try $0.delete("room3") }
    #expect(try replies("room1") == ["room2"])
    #expect(try store.message("room4") != nil && store.parent(of: "room4") == nil)
    #expect(try store.record(Record.ID(type: "_reply", name: "room4"))?["parent"] == nil)
    #expect(try store.record(Record.ID(type: "_reply", name: "room4")) != nil)
    try store.write { try $0.delete(Conversation.ID("other")) }
    #expect(try store.recordCount(of: Reply.recordType) == 2)
    try expectSound(store)
  }

  /// An announcement is in no conversation, and so is answered from each.
  @Test func anAnnouncementMayBeAnswered() throws {
    let lines = #"""
      {"kind":"header","format":"satchel-interchange","version":4}
      {"kind":"announcement","identifier":"news","remoteID":"srv/news","sender":"bob","parts":[]}

      """#
    try store.importLines(from: .bytes(lines.utf8))
    try store.write { tx in
      try tx.setParent("news", of: "room1")
      try tx.setParent("srv/news", of: "other2")
      try tx.save(
        Record(
          Reply.recordType, name: "room3",
          ["message": .reference(Message.ID("room3")), "parent": .reference(Announcement.ID("news"))]))
    }
    for name in ["news", "srv/news"] as [Message.ID] {
      #expect(try replies(name) == ["room1", "other2", "room3"])
      let thread = try store.thread(of: name)
      #expect(
        thread.replyCount == 3 && thread.lastReply == "room3" && thread.participants == ["carol", "bob"])
    }
    for message in ["room1", "room3"] as [Message.ID] { #expect(try store.parent(of: message) == "news") }
    #expect(
      try store.count(Reply.recordType.filter { $0.parent == Reference(Announcement.ID("srv/news")) }) == 3)
    // It is no message, is in no conversation, and answers nothing.
    #expect(try store.count(Reply.recordType.filter { $0.parent.sender.userID == "bob" }) == 0)
    failure(.unknownMessage) { try store.write { _ = try $0.reply(to: "news", with: [.text("x")]) } }
    failure(.unknownMessage) { try store.write { try $0.setParent("room1", of: "news") } }
    try store.write { try $0.delete(Announcement.ID("news")) }
    #expect(try replies("news") == [] && store.recordCount(of: Reply.recordType) == 3)
    #expect(try store.parent(of: "room1") == nil)
    try expectSound(store)
  }

  /// Replies may come before what they answer.
  @Test func aParentMayComeLater() throws {
    try store.write { try $0.setParent("late", of: "room2") }
    #expect(try store.thread(of: "late").replyCount == 1 && replies("late") == ["room2"])
    try store.write { try $0.receive([.text("x")], in: "room", from: "bob", id: "late") }
    #expect(try store.thread(of: "late").participants == ["bob"])
  }

  @Test func bothNamesOfAMessageAreTheMessage() throws {
    try store.write { tx in
      try tx.reply(to: "room1", with: [.text("Yes")], id: "draft")
      try tx.setParent("srv", of: "room2")
      try tx.setParent("draft", of: "room3")
    }
    try store.write { tx in
      try tx.receive([.text("Yes")], in: "room", from: "alice", id: "srv")
      try tx.setParent("room1", of: "srv")
      try tx.setParent("srv", of: "room4")
    }
    try store.write { try $0.confirm("draft", as: "srv", position: 9) }
    // It answers what it did, once; and whatever answers either answers it.
    #expect(try replies("room1") == ["draft"] && store.thread(of: "room1").replyCount == 1)
    for name in ["draft", "srv"] as [Message.ID] {
      #expect(try replies(name) == ["room2", "room3", "room4"])
      #expect(try store.thread(of: name).replyCount == 3 && store.thread(of: name).lastReply == "room4")
      #expect(try store.parent(of: name) == "room1")
    }
    try store.write { try $0.setParent("room4", of: "srv") }
    #expect(try store.parent(of: "draft") == "room4" && store.recordCount(of: Reply.recordType) == 4)
    try expectSound(store)
  }

  /// Only the delivery is known to be a reply.
  @Test func aMessageAnswersWhatItsDeliveryAnswers() throws {
    try store.write { try $0.send([.text("Yes")], to: "room", id: "draft") }
    try store.write { tx in
      try tx.receive([.text("Yes")], in: "room", from: "alice", id: "srv")
      try tx.setParent("room1", of: "srv")
    }
    try store.write { try $0.confirm("draft", as: "srv", position: 9) }
    #expect(try replies("room1") == ["draft"] && store.parent(of: "srv") == "room1")
    try expectSound(store)
  }

  @Test func wrongParentsAreRefused() throws {
    failure(.unknownMessage) { try store.write { try $0.setParent("room1", of: "none") } }
    failure(.unknownMessage) { try store.write { _ = try $0.reply(to: "none", with: [.text("x")]) } }
    failure(.invalidValue) { try store.write { try $0.setParent("room1", of: "room1") } }
    failure(.invalidValue) { try store.write { try $0.setParent("other1", of: "room1") } }
    failure(.invalidIdentifier) { try store.write { try $0.setParent("", of: "room1") } }
    failure(.identifierExists) {
      try store.write { _ = try $0.reply(to: "room1", with: [.text("x")], id: "room2") }
    }
    let record = Record(
      id: Record.ID(type: "_reply", name: "room1"), ["message": .reference(Message.ID("room2"))])
    failure(.invalidValue) { try store.write { _ = try $0.save(record) } }
    #expect(try store.recordCount(of: Reply.recordType) == 0)
  }

  @Test func whatIsOffIsNamed() throws {
    let store = try Scratch().store
    try store.enable(.reactions)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.receive([.text("1")], in: "room", from: "bob", id: "m")
    }
    let uses: [(MessageStore) throws -> Void] = [
      { try $0.write { _ = try $0.reply(to: "m", with: [.text("x")]) } },
      { try $0.write { try $0.setParent(nil, of: "m") } }, { _ = try $0.replies(to: "m") },
      { _ = try $0.thread(of: "m") }, { _ = try $0.parent(of: "m") },
      { _ = try $0.fetch(Message.all.including(\.replies)) },
    ]
    for use in uses {
      let error = failure(.unknownRecordType) { try use(store) }
      #expect(error?.context["call"] == "store.enable(.threads)")
    }
    #expect(try store.count(Message.all) == 1)
  }

  /// A conversation, its messages and what answers them, all in one write.
  @Test func aWriteSeesWhatItHasWritten() throws {
    try store.write { tx in
      try tx.createConversation(with: ["dave"], id: "new")
      let first = try tx.send([.text("1")], to: "new")
      let second = try tx.reply(to: first, with: [.text("2")])
      #expect(try tx.thread(of: first).lastReply == second && tx.thread(of: first).participants == ["alice"])
      #expect(
        try tx.fetch(Message.filter { $0.conversation == "new" }.including(\.replies)).map(
          \.threadSummary?.replyCount) == [1, 0])
      try tx.delete(first)
      #expect(try tx.parent(of: second) == first)
    }
    let left = try #require(try store.first(Message.filter { $0.conversation == "new" }))
    #expect(try store.parent(of: left.id) == nil)
  }
}
