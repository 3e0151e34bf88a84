import Satchel
import SatchelScenes
import Testing

/// Lists of records that are kept up to date.
@Suite struct LiveRecordTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.boolean("done")
    $0.reference("list", to: list)
  }

  /// The changes of a set in a few words: `-0 +1:name 2>0 ~3`.
  private func described(_ set: ChangeSet<Record>) -> String {
    let difference = set.difference
    var words = difference.deletes.map { "-\($0)" }
    words += difference.inserts.map { "+\($0):\(set.after[$0].id.name)" }
    words += difference.moves.map { "\($0.before)>\($0.after)" }
    words += difference.updates.map { "~\($0.before)" }
    return words.joined(separator: " ")
  }

  @Test func aListFollowsWhatIsSavedChangedAndDeleted() async throws {
    let store = try Scratch().store
    try await store.declare(Self.list, Self.todo)
    @Sendable func id(_ name: String) -> Record.ID { Record.ID(type: "todo", name: name) }
    try await store.write { tx in
      for (order, name) in ["a", "b", "c"].enumerated() {
        try tx.save(
          Record(
            Self.todo, name: name, ["title": .text(name), "order": .integer(Int64(order)), "done": false]))
      }
      try tx.save(Record(Self.list, name: "a", ["done": false]))
    }
    let open = Self.todo.filter { $0.done == false }.order { $0.order }
    let controller = store.controller(for: open)
    try await controller.execute()
    let count = try await store.liveCount(of: open)
    let observer = try await store.observe(id("b"))
    #expect(controller.list.map(\.id.name) == ["a", "b", "c"] && count.value == 3)
    #expect(observer.object?["title"] == "b")
    var changes = controller.changes.makeAsyncIterator()
    let steps: [(String, @Sendable (WriteTransaction) throws -> Void)] = [
      ("+1:x", { try $0.save(Record(Self.todo, name: "x", ["order": 0, "done": false])) }),
      ("~2", { _ = try $0.update(id("b")) { $0["title"] = "B" } }),
      ("-1 ", { _ = try $0.update(id("x")) { $0["done"] = true } }),
      ("0>2", { _ = try $0.update(id("a")) { $0["order"] = 9 } }),
      ("-0", { try $0.delete(id("b")) }),
      // Of another type: nothing is told.
      (
        "-0 -1 +0:new",
        { tx in
          try tx.save(Record(Self.list, name: "z", ["done": false, "order": 0]))
          try tx.delete(id("a"))
          try tx.delete(id("c"))
          try tx.save(Record(Self.todo, name: "new", ["done": false]))
        }
      ),
    ]
    for (expected, write) in steps {
      try await store.write { try write($0) }
      let set = try #require(await changes.next())
      #expect(described(set) == expected.trimmingCharacters(in: .whitespaces))
      #expect(set.after.map(\.id) == (try await store.fetch(open).map(\.id)))
      #expect(set.after.elementsEqual(try await store.fetch(open)))
    }
    #expect(observer.object == nil)
    // The count follows by itself.
    while try await store.count(open) != count.value { await Task.yield() }
    controller.close()
  }

  @Test func aWindowOfAllRecordsIsReadByRank() async throws {
    let store = try Scratch().store
    try await store.declare(Self.list, Self.todo)
    try await store.write { tx in
      for number in 0..<300 {
        try tx.save(Record(Self.todo, name: "t\(number)", ["order": .integer(Int64(number))]))
      }
    }
    let controller = store.controller(for: Self.todo.query, window: .first(5))
    try await controller.execute()
    var changes = controller.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.delete(Record.ID(type: "todo", name: "t2"))
      try tx.save(Record(Self.list, name: "other"))
    }
    let set = try #require(await changes.next())
    #expect(set.after.map(\.id.name) == ["t0", "t1", "t3", "t4", "t5"])
    #expect(set.after.totalNumberOfObjects == 299)
    controller.close()
  }

  /// Which properties count as updates is said by name, as of other objects.
  @Test func onlyNamedFieldsAreUpdates() async throws {
    let store = try Scratch().store
    try await store.declare(Self.todo, Self.list)
    try await store.write { try $0.save(Record(Self.todo, name: "a", ["title": "a", "plan": ["x": 1]])) }
    let controller = store.controller(for: Self.todo.query, updatableProperties: ["title", "plan.x"])
    try await controller.execute()
    var changes = controller.changes.makeAsyncIterator()
    let id = Record.ID(type: "todo", name: "a")
    try await store.write { _ = try $0.update(id) { $0["order"] = 5 } }
    try await store.write { _ = try $0.update(id) { $0["plan"] = ["x": 1, "y": 2] } }
    try await store.write { _ = try $0.update(id) { $0["plan"] = ["x": 2] } }
    let set = try #require(await changes.next())
    #expect(described(set) == "~0" && set.after[0]["plan"] == ["x": 2])
    await #expect(throws: SatchelError.self) {
      try await store.controller(for: Self.todo.query, updatableProperties: ["owner.name"]).execute()
    }
    controller.close()
  }
}
