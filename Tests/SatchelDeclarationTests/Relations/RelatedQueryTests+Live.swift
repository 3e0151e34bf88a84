import Foundation
import Satchel
import SatchelRelations
import SatchelScenes
import Testing

/// What follows from edges that change: lists, and what cannot depend on them.
extension RelatedQueryTests {
  /// What is kept with an object cannot depend on edges, which change without it.
  @Test func indexesAndAggregatesRefuseRelations() throws {
    let query = Message.filter { $0.sender.isRelated(.following) }
    failure(.unsupportedPredicate) {
      try store.declare(
        Index(named: "theirs", on: Message.self, where: { $0.sender.isRelated(.following) }) { [$0.position] }
      )
    }
    failure(.unsupportedPredicate) { try store.declare(Aggregate(named: "theirs", counting: query)) }
    // What is counted at once is counted.
    #expect(try store.counts(of: query, by: { $0.sender.userID }).count == 2)
  }

  @Test func listsChangeWithEdges() async throws {
    let messages = Message.filter { $0.sender.isRelated(.following) }.order { $0.identifier }
    let conversations = Conversation.filter { !$0.participants.isRelated(.blocked) }
    let todos = Self.todo.filter { $0.list.owner.isRelated(.friend) }
    let first = store.controller(for: messages, window: .first(10))
    let second = store.controller(for: conversations, window: .first(10))
    let third = store.controller(for: todos, window: .first(10))
    try await first.execute()
    try await second.execute()
    try await third.execute()
    #expect(
      first.list.map(\.id) == ["of-bob", "of-carol"] && second.list.count == 3 && third.list.count == 1)
    var (one, two, three) = (
      first.changes.makeAsyncIterator(), second.changes.makeAsyncIterator(), third.changes.makeAsyncIterator()
    )
    try await store.write { tx in
      try tx.relate(.following, to: "dave")
      _ = try tx.unrelate(.following, to: "bob")
      try tx.relate(.blocked, to: "bob")
      _ = try tx.unrelate(.friend, from: "dave", to: "alice")
      // An object that comes in the same commit.
      try tx.receive([.text("more")], in: "with-dave", from: "dave", id: "of-dave-2")
    }
    #expect(try #require(await one.next()).after.map(\.id) == ["of-carol", "of-dave", "of-dave-2"])
    #expect(try #require(await two.next()).after.elementsEqual(try await store.fetch(conversations)))
    #expect(try #require(await three.next()).after.isEmpty)
    #expect(second.list.count == 2)
    let now = try await store.identifiers(messages)
    #expect(first.list.map(\.id) == now)
    first.close()
    second.close()
    third.close()
  }
}
