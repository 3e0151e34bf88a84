import Satchel
import Testing

// Which changes of what records refer to are updates of them.
extension ReferenceQueryTests {
  /// A change of what records refer to is an update where it is named, although the records have not changed.
  @Test func namedPropertiesOfWhatRecordsReferToAreUpdates() async throws {
    let store = try makeStore()
    // Otherwise what is referred to could not be deleted.
    try await store.declare(
      RecordType("todo") { $0.reference("list", to: Self.list, onDelete: .nullify) },
      RecordType("list") { $0.reference("area", to: Self.area, onDelete: .nullify) })
    let query = Self.todo.order { $0.order }
    let controller = store.controller(for: query, updatableProperties: ["list.area.name", "who.displayName"])
    try await controller.execute()
    var changes = controller.changes.makeAsyncIterator()
    let (home, work, gone) = (id(Self.area, "home"), id(Self.list, "work"), id(Self.list, "gone"))
    let list = Self.list
    let steps: [([Int], @Sendable (WriteTransaction) throws -> Void)] = [
      ([1], { _ = try $0.update(home) { $0["name"] = "Away" } }),
      ([0], { try $0.put(Identity(userID: "bob", displayName: "Robert")) }),
      ([0, 4], { _ = try $0.update(work) { $0["area"] = .reference(home) } }),
      // What is not named is no update, and a list that comes into being is one.
      (
        [2],
        { tx in
          _ = try tx.update(work) { $0["title"] = "Job" }
          try tx.save(Record(list, name: "gone", ["area": .reference(home)]))
        }
      ),
      ([2], { try $0.delete(gone) }),
      ([0, 1, 4], { try $0.delete(home) }),
    ]
    for (rows, write) in steps {
      try await store.write { try write($0) }
      let set = try #require(await changes.next())
      #expect(set.difference.updates.map(\.before) == rows && set.difference.inserts.isEmpty)
    }
    for name in ["room.participants", "thing.x", "room.title"] {
      let wrong = store.controller(for: query, updatableProperties: [name])
      let error = await #expect(throws: SatchelError.self) { try await wrong.execute() }
      #expect(error?.code == .unqueryableProperty && error?.context["property"] == name)
    }
    controller.close()
  }
}
