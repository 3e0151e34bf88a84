import Foundation
import Satchel
import SatchelScenes
import Testing

/// What the feed says of single commits.
@Suite struct FeedTests {
  let scratch: Scratch
  let store: MessageStore
  let start: UInt64

  init() throws {
    scratch = try Scratch()
    store = scratch.store
    try store.writing { tx in
      try tx.createConversation(with: ["bob"], id: "c", metadata: ["title": "old"])
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m1", position: 1)
    }
    start = try store.lastSequence()
  }

  private func commits() async throws -> [StoreCommit] {
    try await SatchelScenes.commits(of: store, after: start)
  }

  @Test func aValueAfterIsTheNextValueBefore() async throws {
    for position in [5, 7, 9] as [Int64] {
      try store.writing { tx in try tx.update(Message.ID("m1")) { $0.position = position } }
    }
    try store.writing { tx in try tx.markAsRead(Message.ID("m1")) }
    let commits = try await commits()
    let changes = commits.map { $0.changes.first { $0.object == .message("m1") }?["position"] }
    #expect(changes.map { $0?.before } == [.number(1), .number(5), .number(7), nil])
    #expect(changes.map { $0?.after } == [.number(5), .number(7), .number(9), nil])
    let read = try #require(commits.last)
    #expect(read.changes.map(\.object) == [.message("m1"), .conversation("c")])
    #expect(read.changes.map(\.action) == [.updated, .updated])
    #expect(read.changes.first?.properties.map(\.property) == ["isUnread"])
    #expect(read.changes.first?["isUnread"]?.before == .boolean(true))
    #expect(read.changes.first?["isUnread"]?.after == .boolean(false))
    #expect(read.changes.last?["unreadCount"]?.after == .number(0))
    #expect(read.changes.last?["lastMessage.isUnread"]?.before == .boolean(true))
    #expect(read.isComplete)
  }

  @Test func presenceIsToldByName() async throws {
    let noon = Timestamp(microseconds: 1_800_000_000_000_000)
    var bob = Identity(userID: "bob", publicKey: "old")
    try store.writing { tx in try tx.put(bob) }
    bob.presenceStatus = .busy
    bob.lastSeenTimestamp = noon
    bob.publicKey = nil
    try store.writing { tx in try tx.put(bob) }
    bob.presenceStatus = .offline
    try store.writing { tx in try tx.put(bob) }
    let changes = try await commits().compactMap { $0.changes.first { $0.object == .identity("bob") } }
    try #require(changes.count == 3)
    #expect(changes[1]["presenceStatus"]?.before == .missing)
    #expect(changes[1]["presenceStatus"]?.after == .text("busy"))
    #expect(changes[1]["lastSeenAt"]?.after == .date(noon))
    #expect(changes[1]["publicKey"]?.before == .text("old"))
    #expect(changes[1]["publicKey"]?.after == .missing)
    #expect(changes[2].properties.map(\.property) == ["presenceStatus"])
    #expect(changes[2]["presenceStatus"]?.after == .text("offline"))
  }

  @Test func deletedObjectsKeepTheirNames() async throws {
    let long = Message.ID(String(repeating: "🧺", count: 300))
    try store.writing { tx in _ = try tx.receive([], in: "c", from: "bob", id: long, position: 2) }
    try store.writing { tx in
      try tx.update(long) { $0.position = 3 }
      try tx.setMetadata("red", at: "theme.color", of: .message(long))
    }
    try store.writing { tx in try tx.delete(long) }
    try store.writing { tx in try tx.delete(Conversation.ID("c")) }
    let commits = try await commits()
    #expect(
      commits.map { $0.changes.first?.object } == [
        .message(long), .message(long), .message(long), .message("m1"),
      ])
    #expect(commits[0].changes.map(\.action) == [.created, .updated])
    #expect(commits[0].changes[1]["lastMessage"]?.before == .text("m1"))
    #expect(commits[0].changes[1]["lastMessage"]?.after == .text(long.rawValue))
    #expect(commits[1].changes[0]["position"]?.after == .number(3))
    #expect(commits[1].changes[0]["metadata.theme.color"]?.before == .missing)
    #expect(commits[1].changes[0]["metadata.theme.color"]?.after == .text("red"))
    #expect(commits[2].changes[0].action == .deleted)
    #expect(commits[2].changes[0]["metadata.theme.color"]?.before == .text("red"))
    #expect(commits[2].changes[0]["sender.userID"]?.before == .text("bob"))
    let conversation = try #require(commits[3].changes.first { $0.object == .conversation("c") })
    #expect(conversation.action == .deleted)
    #expect(conversation["participants"]?.before == .list(["alice", "bob"]))
    #expect(conversation["participants"]?.after == .missing)
    #expect(conversation["metadata.title"]?.before == .text("old"))
  }

  @Test func longTextsAreNotKept() async throws {
    let long = String(repeating: "é", count: 200)
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: "Bob")) }
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: long)) }
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: "Bob")) }
    let commits = try await commits()
    #expect(commits[0].changes.map(\.object) == [.identity("bob")])
    #expect(commits[1].changes[0]["displayName"]?.before == .text("Bob"))
    #expect(commits[1].changes[0]["displayName"]?.after == .unknown)
    #expect(commits[2].changes[0]["displayName"]?.before == .unknown)
    #expect(commits[2].changes[0]["displayName"]?.after == .text("Bob"))
    // The last one is in the record.
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: long)) }
    #expect(try await self.commits()[3].changes[0]["displayName"]?.after == .text(long))
  }

  @Test func spellingsAndStatusesAreChanges() async throws {
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: "\u{E9}")) }
    try store.writing { tx in try tx.put(Identity(userID: "bob", displayName: "e\u{301}")) }
    try store.writing { tx in
      try tx.update(Message.ID("m1")) { $0.recipientStatus.updateValue(.read, forKey: "bob") }
    }
    let commits = try await commits()
    #expect(commits[1].changes[0]["displayName"]?.after == .text("e\u{301}"))
    #expect(commits[1].changes[0]["displayName"]?.before != commits[1].changes[0]["displayName"]?.after)
    #expect(commits[2].changes[0].properties.map(\.property) == ["recipientStatus"])
    #expect(commits[2].changes[0]["recipientStatus"]?.before == .statuses([:]))
    #expect(commits[2].changes[0]["recipientStatus"]?.after == .statuses(["bob": .read]))
  }

  @Test func whatIsChangedBackIsNoChange() async throws {
    try store.writing { tx in
      try tx.update(Message.ID("m1")) { $0.isUnread = false }
      _ = try tx.count(Query<Message>())
      try tx.update(Message.ID("m1")) { $0.isUnread = true }
      try tx.announce([.text("x")], from: "bob", id: "a")
    }
    let commits = try await commits()
    #expect(commits.map { $0.changes.map(\.object) } == [[.announcement("a")]])
  }

  @Test func manyObjectsAreABulkChange() async throws {
    try store.writing { tx in try tx.update(Message.ID("m1")) { $0.position = 2 } }
    try store.writing { tx in
      for _ in 0..<1001 { try tx.send([], to: "c") }
    }
    try store.writing { tx in try tx.update(Message.ID("m1")) { $0.position = 3 } }
    // More than a thousand messages, the first among them: nobody knows what they were.
    try store.writing { tx in try tx.delete(Conversation.ID("c")) }
    try store.writing { tx in try tx.put(Identity(userID: "bob")) }
    let commits = try await commits()
    #expect(commits.map(\.sequence) == Array(start + 1...start + 5))
    // Only the deleted conversation can still be named.
    #expect(commits[0].changes.map(\.object) == [.conversation("c")])
    expectBulkChange(commits[1], [.created], 1001)
    #expect(commits[1].isComplete == false)
    #expect(commits[1].changes.map(\.object) == [.conversation("c")])
    expectBulkChange(commits[3], [.deleted], 1002)
    #expect(commits[4].changes.map(\.object) == [.identity("bob")])
  }

  private func expectBulkChange(
    _ commit: StoreCommit, _ actions: Set<ObjectChange.Action>, _ count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(commit.bulkChanges.map(\.scope) == [.conversation("c")], sourceLocation: sourceLocation)
    #expect(commit.bulkChanges.map(\.actions) == [actions], sourceLocation: sourceLocation)
    #expect(commit.bulkChanges.map(\.count) == [count], sourceLocation: sourceLocation)
    let words =
      actions.isEmpty
      ? "changed"
      : ObjectChange.Action.allCases.filter(actions.contains).map { "\($0)" }
        .joined(separator: " or ")
    #expect(
      "\(commit.bulkChanges)" == "[\(count) \(words) in conversation c]", sourceLocation: sourceLocation)
  }

  @Test func aBulkChangeHidesValuesAfterEarlierOnes() async throws {
    try store.writing { tx in try tx.update(Message.ID("m1")) { $0.position = 2 } }
    let ids = try store.writing { tx in
      try (0..<1500).map { _ in try tx.receive([], in: "c", from: "bob") }
    }
    try store.writing { tx in try tx.update(ids[0]) { $0.position = 4 } }
    try store.writing { tx in _ = try tx.markAsRead(Conversation.ID("c")) }
    let commits = try await commits()
    // Whether "read" was the only thing that the last commit did to them is not in the log.
    #expect(commits[0].changes[0]["position"]?.after == .unknown)
    #expect(commits[2].changes[0]["position"]?.before == .missing)
    #expect(commits[2].changes[0]["position"]?.after == .unknown)
    expectBulkChange(commits[3], [.updated], 1501)
  }

  @Test func leavingHidesAConversation() async throws {
    try store.writing { tx in try tx.removeParticipants(["alice"], from: "c") }
    try store.writing { tx in try tx.addParticipants(["alice"], to: "c") }
    let commits = try await commits()
    #expect(commits.map { $0.changes.first?["isVisible"]?.after } == [.boolean(false), .boolean(true)])
    #expect(commits.allSatisfy { $0.bulkChanges.map(\.scope) == [.conversation("c")] })
    #expect(commits[1].changes.first?["participants"]?.before == .list(["bob"]))
  }
}
