import Foundation
import Satchel
import SatchelReading
import SatchelResponses
import SatchelScenes
import Testing

/// Pages of messages with what others say to them, and lists of them that are kept up to date.
@Suite struct ResponsePageTests {
  static let page = Message.filter { $0.conversation == "room" }.order { $0.position.descending }.limit(20)
    .including(\.reactions).including(\.replies)

  /// A store of 60 messages `m0`, `m1`, … in one conversation.
  private static func chat() throws -> MessageStore {
    let store = try Scratch().store
    try store.enable(.reactions, .threads)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      for number in 0..<60 {
        try tx.receive(
          [.text("\(number)")], in: "room", from: "bob", id: Message.ID("m\(number)"),
          position: Int64(number))
      }
    }
    return store
  }

  private func expectAgreement(_ store: MessageStore, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let messages = try store.fetch(Self.page)
    #expect(messages.count == 20, sourceLocation: sourceLocation)
    for message in messages {
      let thread = try store.thread(of: message.id)
      #expect(
        try message.reactionSummary == store.reactionSummary(of: message.id), sourceLocation: sourceLocation)
      #expect(
        message.threadSummary?.replyCount == thread.replyCount
          && message.threadSummary?.lastReply == thread.lastReply, sourceLocation: sourceLocation)
    }
  }

  @Test func allComesInOneRead() throws {
    let store = try Self.chat()
    try store.write { tx in
      for number in 40..<60 where number % 3 != 0 {
        let message = Message.ID("m\(number)")
        for user in 0..<number % 7 { try tx.react(to: message, with: "👍", by: Identity.ID("\(user)")) }
        if number % 2 == 0 { try tx.react(to: message, with: "❤️") }
        if number % 5 == 0 { try tx.setParent(Message.ID("m\(number - 1)"), of: message) }
      }
    }
    try expectAgreement(store)
    let message = try #require(try store.fetch(Self.page).first { $0.id == "m44" })
    #expect(message.reactionSummary?.kinds.map(\.kind) == ["❤️", "👍"])
    #expect(message.reactionSummary?.mine == ["❤️"] && message.reactionSummary?["👍"] == 2)
    // What was not asked for has not come.
    let plain = try store.fetch(Message.all.limit(1))
    #expect(plain.first?.reactionSummary == nil && plain.first?.threadSummary == nil)
    let one = try #require(try store.fetch(Message.all.limit(1).including(\.replies)).first)
    #expect(one.reactionSummary == nil && one.threadSummary?.replyCount == 0)
    // Beside what else comes along; one by one; alone; in a write.
    let both = try store.fetch(Self.page.including(\.conversation))
    #expect(both.allSatisfy { $0.included(\.conversation)?.id == "room" && $0.reactionSummary != nil })
    var streamed: [Message] = []
    try store.forEach(Self.page) { streamed.append($0) }
    #expect(try streamed == store.fetch(Self.page) && store.first(Self.page) == streamed.first)
    try store.write { tx in
      let inside = try tx.fetch(Self.page)
      #expect(inside.map(\.reactionSummary) == streamed.map(\.reactionSummary))
      try tx.react(to: "m59", with: "🎉")
      #expect(try tx.fetch(Self.page).first?.reactionSummary?.mine == ["🎉"])
    }
    // A query with it is a value as any other.
    let copy = try JSONDecoder().decode(Query<Message>.self, from: JSONEncoder().encode(Self.page))
    #expect(copy == Self.page && Self.page.including(\.reactions) == Self.page)
    #expect(Self.page.description.hasSuffix("including reactions, replies"))
    #expect(try store.count(Self.page) == 20)
  }

  /// What a page costs does not depend on how many reactions and messages there are: a descent for the reactions of a message, one for
  /// its replies, and two for each kind of which there are many. No record of a reaction is read.
  @Test func aPageReadsIndexesAlone() throws {
    let store = try Self.chat()
    func read(_ query: Query<Message>) throws -> (nodes: Int, records: Int) {
      try store.read { snapshot in
        _ = try snapshot.fetch(query)
        let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
        _ = try snapshot.fetch(query)
        return (
          snapshot.base.forest.metrics.nodesRead - nodes, snapshot.base.metrics.recordsRead - records
        )
      }
    }
    let plain = Message.filter { $0.conversation == "room" }.order { $0.position.descending }.limit(20)
    let alone = try read(plain)
    let height = 4
    let none = try read(Self.page)
    #expect(none.records == alone.records && none.nodes <= alone.nodes + 20 * 2 * height, "\(none) \(alone)")
    try store.write { tx in
      for number in 0..<60 {
        for user in 0..<100 {
          let kind = user % 3 == 0 ? "👍" : "❤️"
          try tx.react(to: Message.ID("m\(number)"), with: kind, by: Identity.ID("u\(user)"))
        }
        try tx.react(to: Message.ID("m\(number)"), with: "🎉")
      }
    }
    try store.checkpoint()
    let many = try read(plain.including(\.reactions))
    print("a page of 20 messages with 2020 reactions of 3 kinds reads \(many), without them \(alone)")
    #expect(many.records == alone.records)
    // The leaves that hold up to 16 names of a kind, and the descents.
    #expect(many.nodes <= alone.nodes + 20 * 3 * 4 * height, "\(many) \(alone)")
    try expectAgreement(store)
  }

  /// The rows that a change set says are updates, by their messages.
  private func updates(_ set: ChangeSet<Message>) -> [Message.ID] {
    set.difference.updates.map { set.after[$0.after].id }
  }

  @Test func aListTellsOfWhatOthersSay() async throws {
    let store = try Self.chat()
    let query = Self.page.limit(nil)
    let controller = store.controller(for: query, window: .first(20))
    try await controller.execute()
    #expect(controller.list.allSatisfy { $0.reactionSummary?.isEmpty == true })
    var changes = controller.changes.makeAsyncIterator()
    let steps: [([Message.ID], @Sendable (WriteTransaction) throws -> Void)] = [
      (["m50"], { try $0.react(to: "m50", with: "👍", by: "bob") }),
      (["m50"], { try $0.react(to: "m50", with: "👍") }),
      (
        ["m58", "m50"],
        { tx in
          try tx.react(to: "m58", with: "❤️", by: "bob")
          _ = try tx.removeReaction(from: "m50", with: "👍")
        }
      ),
      (["m55"], { try $0.setParent("m55", of: "m3") }),
      (["m56", "m55"], { try $0.setParent("m56", of: "m3") }),
      (["m56"], { try $0.delete("m3") }),
      // Withdrawn: its own change, and its reactions have gone.
      (["m58"], { try $0.delete("m58", for: .everyone) }),
    ]
    for (expected, write) in steps {
      try await store.write { try write($0) }
      let set = try #require(await changes.next())
      #expect(updates(set) == expected)
      #expect(set.after.elementsEqual(try await store.fetch(query.limit(20))))
    }
    // What concerns none of the rows, or shows nothing, is not told; what follows is the next set.
    try await store.write { tx in
      try tx.react(to: "m1", with: "👍")
      try tx.confirmReaction(to: "m50", with: "👍", by: "bob", remoteID: "r")
    }
    try await store.write { try $0.react(to: "m59", with: "🎉") }
    let set = try #require(await changes.next())
    #expect(updates(set) == ["m59"])
    controller.close()
  }

  /// A list of ranks does not know its rows: it asks for those to which more is said, and is read again where something was taken back.
  @Test func aListOfRanksTellsOfWhatOthersSay() async throws {
    let store = try Self.chat()
    let list = try await store.virtualList(of: Self.page.limit(nil))
    var changes = list.changes.makeAsyncIterator()
    let steps: [(rows: [Int]?, @Sendable (WriteTransaction) throws -> Void)] = [
      ([9], { try $0.react(to: "m50", with: "👍") }),
      (
        [4, 9],
        {
          try $0.react(to: "m55", with: "👍", by: "bob"); try $0.react(to: "m50", with: "🎉")
        }
      ),
      ([56], { try $0.setParent("m3", of: "m4") }),
      (nil, { _ = try $0.removeReaction(from: "m50", with: "👍") }),
    ]
    for (rows, write) in steps {
      try await store.write { try write($0) }
      let change = try #require(await changes.next())
      #expect(change.isReset == (rows == nil))
      if let rows { #expect(change.difference.updates.map(\.after).sorted() == rows) }
    }
    #expect(try await list.object(at: 9)?.reactionSummary?.mine == ["🎉"])
  }

  /// Threads are lists as any others.
  @Test func aThreadIsFollowed() async throws {
    let store = try Self.chat()
    let replies = try await store.replies(to: "m1").including(\.message)
    let controller = store.controller(for: replies, window: .tail(3))
    try await controller.execute()
    var changes = controller.changes.makeAsyncIterator()
    for number in 2...5 {
      try await store.write { try $0.setParent("m1", of: Message.ID("m\(number)")) }
      let set = try #require(await changes.next())
      // A tail grows with what arrives.
      #expect(set.after.map(\.id.name) == (2...number).map { "m\($0)" })
      #expect(set.after.allSatisfy { $0.included("message", as: Message.self)?.id.rawValue == $0.id.name })
    }
    controller.close()
  }

  @Test func commitsTellOfThem() async throws {
    let store = try Self.chat()
    let start = try store.lastSequence()
    try await store.write { tx in
      try tx.react(to: "m1", with: "👍")
      try tx.setParent("m1", of: "m2")
    }
    try await store.write { try $0.delete("m1", for: .everyone) }
    let told = try await commits(of: store, after: start)
    try #require(told.count == 2)
    let reaction = ChangedObject.record(Record.ID(type: "_reaction", name: "m1/👍/alice"))
    let reply = ChangedObject.record(Record.ID(type: "_reply", name: "m2"))
    #expect(told[0].changes.map(\.object).contains(reaction) && told[0].changes.map(\.object).contains(reply))
    #expect(told[0].changes.allSatisfy { $0.action == .created })
    #expect(told[1].changes.contains { $0.action == .deleted && $0.object != .message("m1") })
  }
}
