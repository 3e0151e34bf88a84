import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import Testing

/// What conversations are to their participants: written, read, and gone with them.
@Suite struct ParticipationTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.participations)
    try scratch.store.write { tx in
      for room in ["a", "b/c%"] {
        try tx.createConversation(with: ["bob", "carol"], id: Conversation.ID(room))
        for position in 1...5 {
          try tx.receive(
            [.text("\(position)")], in: Conversation.ID(room), from: position == 3 ? "alice" : "bob",
            id: Message.ID("\(room)-\(position)"), position: Int64(position * 10))
        }
      }
    }
  }

  @Test func whatIsSaidIsStored() throws {
    #expect(try store.participation(in: "a") == nil && store.participation(in: "none") == nil)
    try store.write { tx in
      try tx.pin("a", at: date(1))
      try tx.mute("a", until: date(9))
      try tx.archive("a", at: date(2))
      try tx.hide("a")
      try tx.setRole("owner", in: "a")
      try tx.join("a", at: date(3))
      try tx.markRead("a", upTo: 20)
      try tx.pin("a", for: "bob")
    }
    let own = try #require(try store.participation(in: "a"))
    #expect(own.conversation == "a" && own.user == "alice" && own.id == "a/alice")
    #expect(own.isPinned && own.isMuted && own.isArchived && own.isHidden && own.role == "owner")
    #expect(own.pinnedAt == date(1) && own.archivedAt == date(2) && own.joinedAt == date(3))
    #expect(own.isMuted(at: date(8)) && !own.isMuted(at: date(9)) && own.lastReadPosition == 20)
    #expect(try store.participation(of: "bob", in: "a")?.isPinned == true)
    #expect(try store.participation(of: "bob", in: "a")?.pinnedAt != nil)
    #expect(try store.participation(of: "carol", in: "a") == nil && store.participation(in: "b/c%") == nil)
    try store.write { tx in
      try tx.pin("a", false)
      try tx.unmute("a")
      try tx.archive("a", false)
      try tx.hide("a", false)
      try tx.setRole(nil, in: "a")
    }
    let later = try #require(try store.participation(in: "a"))
    #expect(!later.isPinned && later.pinnedAt == nil && !later.isMuted && later.mutedUntil == nil)
    #expect(!later.isArchived && later.archivedAt == nil && !later.isHidden && later.role == nil)
    #expect(later.joinedAt == date(3) && later.lastReadPosition == 20)
    try expectSound(store)
  }

  @Test func whatChangesNothingWritesNothing() throws {
    try store.write { tx in
      try tx.pin("a")
      try tx.mute("a")
      try tx.markRead("a", upTo: 30)
    }
    let own = try store.participation(in: "a")
    let commits = try store.lastSequence()
    try store.write { tx in
      try tx.pin("a")
      try tx.mute("a")
      // A position never goes back by itself.
      try tx.markRead("a", upTo: 10)
      try tx.unmute("b/c%")
      try tx.setParticipation(of: "bob", in: "b/c%") { $0.isPinned = false }
    }
    #expect(try store.participation(in: "a") == own && store.lastSequence() == commits)
    #expect(try store.participation(in: "b/c%") == nil && store.participation(of: "bob", in: "b/c%") == nil)
    try store.write { try $0.setParticipation(in: "a") { $0.lastReadPosition = 10 } }
    #expect(try store.participation(in: "a")?.lastReadPosition == 10)
  }

  @Test func anyNameOfAConversationWill() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "new")
      try tx.pin("new", at: date(1))
      try tx.confirm(Conversation.ID("b/c%"), as: Conversation.ID("srv"))
      try tx.mute("srv")
    }
    #expect(try store.participation(in: "new")?.isPinned == true)
    #expect(try store.participation(in: "srv")?.conversation == "b/c%")
    #expect(try store.participation(in: "b/c%")?.isMuted == true)
    #expect(try store.count(store.participations(in: "srv")) == 1)
    #expect(try store.record(Record.ID(type: "_participation", name: "b%2Fc%25/alice")) != nil)
  }

  @Test func unreadIsACountByRank() throws {
    // The third is the user's own.
    #expect(try store.unreadCountSinceLastRead(in: "a") == 4)
    for (position, unread) in [(0, 4), (10, 3), (15, 3), (20, 2), (30, 2), (40, 1), (50, 0), (99, 0)] {
      try store.write { tx in
        try tx.setParticipation(in: "a") { $0.lastReadPosition = Int64(position) }
        // What another one has read is his.
        try tx.markRead("a", upTo: 50, for: "bob")
      }
      #expect(try store.unreadCountSinceLastRead(in: "a") == unread, "\(position)")
    }
    #expect(try store.unreadCountSinceLastRead(in: "none") == 0)
    try store.write { tx in
      // Not sent yet: it has no position.
      try tx.send([.text("mine")], to: "a")
      try tx.receive([.text("6")], in: "a", from: "bob", id: "a-6", position: 120)
    }
    #expect(try store.unreadCountSinceLastRead(in: "a") == 1)
    let conversation = try #require(
      try store.first(Conversation.filter { $0.identifier == "a" }.including(\.participation)))
    #expect(conversation.unreadSinceLastRead == 1 && conversation.participation?.lastReadPosition == 99)
    let other = try #require(
      try store.first(Conversation.filter { $0.identifier == "b/c%" }.including(\.participation)))
    #expect(other.unreadSinceLastRead == 4 && other.participation == nil)
    let plain = try #require(try store.first(Conversation.all))
    #expect(plain.unreadSinceLastRead == nil && plain.participation == nil)
  }

  @Test func whatIsUnreadIsNotReadToBeCounted() throws {
    try store.write { tx in
      for number in 0..<3000 {
        try tx.receive(
          [.text("\(number)")], in: "a", from: number % 7 == 0 ? "alice" : "bob",
          position: Int64(1000 + number))
      }
      try tx.markRead("a", upTo: 1499)
    }
    try store.checkpoint()
    try store.read { snapshot in
      _ = try snapshot.participation(in: "a")
      let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
      #expect(try snapshot.unreadCountSinceLastRead(in: "a") == (500..<3000).count { $0 % 7 != 0 })
      #expect(snapshot.base.metrics.recordsRead - records <= 4)
      #expect(snapshot.base.forest.metrics.nodesRead - nodes <= 40)
    }
  }

  @Test func whoeverLeavesIsForgotten() throws {
    try store.write { tx in
      for user in ["alice", "bob", "carol", "dave"] {
        try tx.setRole("admin", of: Identity.ID(user), in: "a")
        try tx.setRole("admin", of: Identity.ID(user), in: "b/c%")
      }
      try tx.removeParticipants(["bob", "nobody", "bob"], from: "a")
    }
    #expect(try store.participation(of: "bob", in: "a") == nil)
    #expect(
      try store.count(store.participations(in: "a")) == 3
        && store.count(store.participations(in: "b/c%")) == 4)
    try store.write { tx in try tx.setParticipants(["alice", "carol", "erin"], of: "b/c%") }
    // Bob was a participant; Dave was invited, and still is.
    func states() throws -> [Identity.ID] {
      try store.fetch(store.participations(in: "b/c%"), as: Participation.self).map(\.user)
    }
    #expect(try states() == ["alice", "carol", "dave"])
    try store.write { tx in try tx.setParticipants(["alice", "carol", "erin"], of: "b/c%") }
    #expect(try states() == ["alice", "carol", "dave"])
    try store.write { tx in
      try tx.setParticipants(["alice", "carol", "dave"], of: "b/c%")
      try tx.setParticipants(["alice", "carol"], of: "b/c%")
    }
    #expect(try states() == ["alice", "carol"])
    try store.write { tx in
      try tx.join("a", as: "guest", for: "frank")
      try tx.leave("a")
    }
    #expect(
      try store.participation(in: "a") == nil && store.participation(of: "frank", in: "a")?.role == "guest")
    try store.write { tx in
      try tx.addParticipants(["alice"], to: "a")
      try tx.delete(Conversation.ID("b/c%"))
    }
    #expect(try store.participation(in: "a") == nil && store.count(store.participations(in: "b/c%")) == 0)
    #expect(try store.types().map(\.records) == [3])
    #expect(try store.conversation("a")?.participants == ["alice", "carol", "frank"])
    try expectSound(store)
  }

  @Test func membersAreCountedByRole() async throws {
    try await store.write { tx in
      for number in 0..<40 {
        let user = Identity.ID("u\(number)")
        try tx.join("a", as: number % 10 == 0 ? "admin" : "member", for: user)
      }
      try tx.setRole("admin", in: "b/c%")
    }
    let admins = try await store.participations(in: "a").filter { $0.role == "admin" }
    #expect(try await store.count(admins) == 4)
    let controller = store.controller(for: admins)
    try await controller.execute()
    var changes = controller.changes.makeAsyncIterator()
    let steps: [(Int, @Sendable (WriteTransaction) throws -> Void)] = [
      (5, { try $0.setRole("admin", of: "u5", in: "a") }),
      (4, { try $0.removeParticipants(["u10"], from: "a") }),
      (3, { try $0.setRole(nil, of: "u20", in: "a") }),
    ]
    for (expected, write) in steps {
      try await store.write { try write($0) }
      let set = try #require(await changes.next())
      #expect(set.after.count == expected && controller.totalNumberOfObjects == expected)
      #expect(try await store.count(admins) == expected)
    }
    controller.close()
  }

  @Test func whatIsNoParticipationIsRefused() throws {
    failure(.unknownConversation) { try store.write { try $0.pin("none") } }
    failure(.invalidIdentifier) { try store.write { try $0.pin("a", for: "") } }
    failure(.invalidValue) {
      try store.write {
        _ = try $0.setParticipation(in: "a") { $0 = Participation(conversation: "a", user: "bob") }
      }
    }
    let own = Reference(Identity.ID("alice"))
    for fields in [
      ["conversation": .reference(Reference(Conversation.ID("a")))], ["user": .reference(own)],
      [
        "conversation": .reference(Reference(Conversation.ID("a"))), "user": .reference(own),
        "isPinned": true,
      ],
      [
        "conversation": .reference(Reference(Conversation.ID("b"))), "user": .reference(own),
      ],
    ] as [Metadata] {
      let record = Record(id: Record.ID(type: "_participation", name: "a/alice"), fields)
      failure(.invalidValue) { try store.write { _ = try $0.save(record) } }
    }
    #expect(try store.participation(in: "a") == nil)
  }

  @Test func whatIsOffIsNamed() throws {
    let store = try Scratch().store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      try tx.receive([.text("1")], in: "a", from: "bob", id: "m")
      try tx.removeParticipants(["bob"], from: "a")
    }
    let uses: [(MessageStore) throws -> Void] = [
      { try $0.write { try $0.pin("a") } }, { _ = try $0.participation(in: "a") },
      { _ = try $0.unreadCountSinceLastRead(in: "a") }, { _ = try $0.participations(in: "a") },
      { _ = try $0.fetch(Conversation.all.including(\.participation)) },
      { _ = try $0.fetch(Conversation.filter { $0.my.isPinned }) },
      { _ = try $0.fetch(Conversation.order { $0.my.pinnedAt }) },
      { _ = try $0.count(Message.filter { $0.conversation.my.isMuted == false }) },
      { try $0.controller(for: Conversation.filter { !$0.my.isHidden }).execute() },
      { _ = try $0.count(Conversation.filter { $0.my.isMuted && !$0.my.isMuted }) },
      { _ = try $0.fetch(Participation.recordType.query) },
      { try $0.write { _ = try $0.save(Record(Participation.recordType, name: "a/alice")) } },
    ]
    for use in uses {
      let error = failure(.unknownRecordType) { try use(store) }
      #expect(error?.context["call"] == "store.enable(.participations)")
    }
  }

  @Test func exportsHaveThem() throws {
    try store.write { tx in
      try tx.pin("a", at: date(1))
      try tx.setRole("admin", of: "bob", in: "b/c%")
      try tx.markRead("b/c%", upTo: 20)
    }
    let file = scratch.directory.url.appendingPathComponent("chat.jsonl")
    try store.export(to: .file(file))
    let copy = try Scratch().store
    try copy.importLines(from: .file(file))
    for room in ["a", "b/c%"] as [Conversation.ID] {
      for user in ["alice", "bob"] as [Identity.ID] {
        #expect(try copy.participation(of: user, in: room) == store.participation(of: user, in: room))
      }
      #expect(try copy.unreadCountSinceLastRead(in: room) == store.unreadCountSinceLastRead(in: room))
    }
    #expect(try copy.fetch(Conversation.filter { $0.my.isPinned }).map(\.id) == ["a"])
    try expectSound(copy)
  }
}
