import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Indexes in which no two records of a type have the same values.
@Suite struct UniqueRecordTests {
  private typealias Tasks = RecordIndexTests
  private static let slots = Index(named: "slots", on: RecordIndexTests.todo, unique: true) {
    [$0.list, $0.order]
  }

  private static func save(
    _ name: String, _ list: String?, _ order: MetadataValue?, of type: RecordType = RecordIndexTests.todo,
    _ tx: WriteTransaction
  ) throws {
    var record = Record(type, name: name)
    record["list"] = list.map { .reference(Reference(type: "list", name: $0)) }
    record["order"] = order
    try tx.save(record)
  }

  private static func store() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(Tasks.list, Tasks.todo, Tasks.note)
    try store.write { tx in
      for name in ["home", "work"] { try tx.save(Record(Tasks.list, name: name)) }
      for (number, name) in ["a", "b", "c"].enumerated() {
        try save(name, "work", .integer(Int64(number)), tx)
      }
    }
    return store
  }

  /// The error of a write that has to fail, of which nothing is left.
  @discardableResult
  private static func refused(
    _ store: MessageStore, _ body: (WriteTransaction) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SatchelError {
    let before = (try store.read { $0.sequence }, try store.count(Tasks.todo.query))
    let error = failure(.valueExists, sourceLocation: sourceLocation) { try store.write(body) }
    let after = (try store.read { $0.sequence }, try store.count(Tasks.todo.query))
    #expect(before == after, sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
  }

  @Test func aWriteThatBreaksItNamesBothAndChangesNothing() throws {
    let store = try Self.store()
    try store.declare(Self.slots)
    let error = try Self.refused(store) { try Self.save("d", "work", 1, $0) }
    #expect(error.context["object"] == "d" && error.context["other"] == "b")
    #expect(error.context["index"] == "slots" && error.context["kind"] == "todo")
    #expect(error.context["columns"] == "list, order")
    try Self.refused(store) { tx in
      try tx.update(Record.ID(type: "todo", name: "a")) { $0["order"] = 2 }
    }
    try Self.refused(store) { tx in
      try Self.save("d", "home", 1, tx)
      try Self.save("e", "home", 1, tx)
    }
    // In another list, without a value, and of another type it is no other's.
    try store.write { tx in
      try Self.save("d", "home", 1, tx)
      for name in ["e", "f"] { try Self.save(name, "work", nil, tx) }
      try Self.save("a", "work", 1, of: Tasks.note, tx)
    }
    try expectSound(store)
  }

  @Test func recordsMayChangePlacesInOneWrite() throws {
    let store = try Self.store()
    try store.declare(Self.slots)
    try store.write { tx in
      for (number, name) in ["c", "a", "b"].enumerated() {
        try tx.update(Record.ID(type: "todo", name: name)) { $0["order"] = .integer(Int64(number)) }
        _ = try tx.count(Tasks.todo.query)
      }
    }
    #expect(try store.fetch(Tasks.todo.order { $0.order }).map(\.id.name) == ["c", "a", "b"])
    // One that goes with its list in the end is shared with nobody.
    try store.write { tx in
      try tx.save(Record(Tasks.list, name: "other"))
      try Self.save("x", "other", 7, tx)
    }
    try store.write { tx in
      try tx.update(Record.ID(type: "todo", name: "x")) { $0["order"] = 8 }
      try Self.save("y", "other", 8, tx)
      try tx.delete(Record.ID(type: "list", name: "other"))
    }
    #expect(try store.count(Tasks.todo.query) == 3)
    try expectSound(store)
  }

  @Test func anActionThatMakesThemAlikeFails() throws {
    let store = try Self.store()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m")
      try tx.update(Record.ID(type: "todo", name: "a")) { $0["about"] = .reference(Message.ID("m")) }
    }
    try store.declare(
      Index(named: "titles", on: Tasks.todo, unique: true, where: { $0.about == nil }) { [$0.title] })
    try store.write { tx in
      for name in ["a", "b"] {
        try tx.update(Record.ID(type: "todo", name: name)) { $0["title"] = "same" }
      }
    }
    // Only one of the two had an entry; with the message, the other one's reference would be gone.
    try Self.refused(store) { try $0.delete("m" as Message.ID) }
    try store.write { tx in try tx.update(Record.ID(type: "todo", name: "b")) { $0["title"] = "other" } }
    try store.write { try $0.delete("m" as Message.ID) }
    try expectSound(store)
  }

  @Test func anIndexOverDoublesIsRefused() throws {
    let store = try Self.store()
    try store.write { tx in for name in ["d", "e"] { try Self.save(name, "work", 2, tx) } }
    let error = failure(.valueExists) { try store.declare(Self.slots) }
    #expect(error?.context["doubles"] == "c = d, c = e")
    #expect(try store.indexes().isEmpty)
    // Of many records the build finds them.
    try store.write { tx in
      for number in 10..<1500 { try Self.save("n\(number)", "home", .integer(Int64(number)), tx) }
    }
    try store.declare(Self.slots)
    try store.base.completeIndexes {}
    let status = try #require(try store.indexes().last)
    #expect(status.isRefused && status.entries == 0)
    #expect(status.doubles.map { [$0.first, $0.second] } == [["c", "d"], ["c", "e"]])
    try store.write { tx in for name in ["d", "e"] { try tx.delete(Record.ID(type: "todo", name: name)) } }
    try store.declare(Self.slots)
    try store.base.completeIndexes {}
    #expect(try store.indexes().map(\.isComplete) == [true])
    #expect(try store.indexes().map(\.entries) == [1493])
    try Self.refused(store) { try Self.save("z", "home", 1400, $0) }
    try expectSound(store)
  }
}
