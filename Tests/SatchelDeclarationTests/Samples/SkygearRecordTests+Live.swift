import Satchel
import Testing

/// The samples of the headings "Cached Queries" and "Subscribe to Query Change".
extension SkygearRecordTests {
  /// `performCachedQuery`: what is answered comes from the file, and any query is, not only one that was asked before.
  @Test func queriesWithoutAServer() throws {
    let again = try scratch.reopened()
    try again.answers([todo.filter { $0.tags == "later" }], [Self.id("todo", "rest")])
    again.close()
  }

  /// `SKYSubscription` to the notes. What the notification says, which is "not implemented", is the change set. A record that no
  /// longer meets the condition is told of, too.
  @Test func subscription() async throws {
    let note = Self.note
    let controller = store.controller(for: note.filter { $0.done != true })
    try await controller.execute()
    var notifications = controller.changes.makeAsyncIterator()
    try await store.write { _ = try $0.save(Record(note, name: "a", ["title": "A"])) }
    let created = try #require(await notifications.next())
    #expect(created.difference.inserts == [0] && created.after.map(\.id.name) == ["a"])
    try await store.write { _ = try $0.update(Self.id("note", "a")) { $0["title"] = "B" } }
    let updated = try #require(await notifications.next())
    #expect(updated.difference.updates.map(\.before) == [0] && updated.after[0]["title"] == "B")
    try await store.write { _ = try $0.update(Self.id("note", "a")) { $0["done"] = true } }
    let left = try #require(await notifications.next())
    #expect(left.difference.deletes == [0] && left.after.isEmpty)
    controller.close()
  }

  /// `subscriptionID:@"my notes"`: a subscription that is kept while nothing runs is a consumer of commits.
  @Test func namedSubscription() async throws {
    _ = try await store.consumer(named: "my notes")
    let note = Self.note
    try await store.write { _ = try $0.save(Record(note, name: "a", ["title": "A"])) }
    // As after a restart.
    let again = try scratch.reopened()
    let consumer = try await again.consumer(named: "my notes")
    var events = consumer.makeAsyncIterator()
    guard case .commit(let commit)? = try await events.next() else {
      Issue.record("no commit")
      return
    }
    #expect(commit.changes.map(\.object) == [.record(Self.id("note", "a"))])
    #expect(commit.changes.map(\.action) == [.created])
    try await consumer.acknowledge(commit.sequence)
    again.close()
  }
}
