import Foundation
import Satchel
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelScenes
import SatchelStorage
import Testing

/// Record types and records: declared, saved, changed, deleted and found.
@Suite struct ApplicationRecordTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.texts("tags")
    $0.reference("list", to: list)
  }

  @Test func recordsAreSavedFoundChangedAndDeleted() throws {
    let scratch = try Scratch()
    let store = scratch.store
    try store.declare(Self.list, Self.todo)
    let (work, task) = try store.write { tx in
      let work = try tx.save(Record(Self.list, name: "work", ["title": "Work"]))
      let task = try tx.save(
        Record(
          Self.todo, name: "write", ["title": "Write", "order": 1, "list": .reference(work.id), "extra": 2.5])
      )
      // A write sees what it has changed.
      #expect(try tx.record(task.id) == task && tx.recordCount(of: Self.todo) == 1)
      return (work, task)
    }
    #expect(task.owner == "alice" && task.createdBy == "alice" && task.updatedBy == "alice")
    #expect(task.createdTimestamp != nil && task.createdTimestamp == task.updatedTimestamp)
    #expect(try store.record(task.id) == task)
    #expect(try store.record(task.id)?["list"] == .reference(work.id))
    #expect(try store.records([task.id, Record.ID(type: "todo", name: "none"), work.id]) == [task, work])
    #expect(try store.record(Record.ID(type: "unknown", name: "x")) == nil)
    #expect(try store.types().map(\.type) == [Self.list, Self.todo])
    let changed = try store.write {
      try $0.update(task.id) {
        $0["order"] = 2; $0["extra"] = nil
      }
    }
    #expect(changed["order"] == 2 && changed["extra"] == nil && changed["title"] == "Write")
    #expect(changed.createdTimestamp == task.createdTimestamp)
    #expect(try scratch.reopened().record(task.id) == changed)
    try expectSound(store)
    try store.write { try $0.delete(task.id) }
    #expect(try store.record(task.id) == nil && store.recordCount(of: Self.todo) == 0)
    #expect(try store.recordCount(of: Self.list) == 1)
    try expectSound(store)
    // The same name may come again, as another record.
    try store.write { try $0.save(Record(Self.todo, name: "write")) }
    #expect(try store.record(task.id)?.fields.isEmpty == true)
    try expectSound(store)
  }

  @Test func savingInPlaceKeepsWhatTheRecordDoesNotSay() throws {
    let store = try Scratch().store
    try store.declare(Self.todo, Self.list)
    let first = try store.write {
      try $0.save(Record(Self.todo, name: "a", owner: "bob", ["title": "x", "order": 1]))
    }
    let second = try store.write { try $0.save(Record(Self.todo, name: "a", ["title": "y"])) }
    #expect(second.owner == "bob" && second.createdTimestamp == first.createdTimestamp)
    #expect(second.fields == ["title": "y"])
    let third = try store.write { try $0.save(Record(Self.todo, name: "a", owner: "carol", ["title": "y"])) }
    #expect(third.owner == "carol")
    // What is equal changes nothing: no commit.
    let sequence = try store.read { $0.sequence }
    #expect(try store.write { try $0.save(third) } == third)
    #expect(try store.read { $0.sequence } == sequence)
    // Of a new one, too, the store says when and by whom it was made.
    try store.write { try $0.delete(third.id) }
    var claimed = third
    claimed.createdTimestamp = Timestamp(microseconds: 1)
    claimed.updatedTimestamp = Timestamp(microseconds: 2)
    claimed.createdBy = "mallory"
    claimed.updatedBy = "mallory"
    let fourth = try store.write { try $0.save(claimed) }
    #expect(fourth.createdBy == "alice" && fourth.updatedBy == "alice" && fourth.owner == "carol")
    let created = try #require(fourth.createdTimestamp)
    #expect(created > Timestamp(microseconds: 2) && created == fourth.updatedTimestamp)
    // The same text in another spelling is another record.
    try store.write {
      try $0.save(Record(Self.todo, name: "\u{e9}"))
      try $0.save(Record(Self.todo, name: "e\u{301}"))
    }
    #expect(try store.recordCount(of: Self.todo) == 3)
    try expectSound(store)
  }

  @Test func whatCannotBeIsRefusedByNameAndChangesNothing() throws {
    let store = try Scratch().store
    try store.declare(Self.todo, Self.list)
    try store.write { try $0.save(Record(Self.todo, name: "a", ["title": "x"])) }
    let before = try store.read { $0.sequence }
    func refused(_ code: SatchelError.Code, _ body: (WriteTransaction) throws -> Void) -> [String: String] {
      failure(code) { try store.write { try body($0) } }?.context ?? [:]
    }
    #expect(
      refused(.unknownRecordType) { try $0.save(Record(id: Record.ID(type: "note", name: "a"))) }["declared"]
        == "list todo")
    let wrong = refused(.invalidValue) { try $0.save(Record(Self.todo, name: "b", ["order": "one"])) }
    #expect(wrong["field"] == "order" && wrong["expected"] == "integer" && wrong["found"] == "text")
    #expect(refused(.invalidKey) { try $0.save(Record(Self.todo, ["owner": "x"])) }["field"] == "owner")
    #expect(refused(.invalidIdentifier) { try $0.save(Record(Self.todo, name: "")) }["record"] == "")
    _ = refused(.invalidIdentifier) { try $0.save(Record(Self.todo, name: "b", owner: "")) }
    #expect(
      refused(.invalidValue) { try $0.save(Record(Self.todo, ["list": .reference(Message.ID("m"))])) }[
        "found"]
        == "reference to messages")
    #expect(
      refused(.unknownRecord) { try $0.delete(Record.ID(type: "todo", name: "b")) }["record"] == "b")
    _ = refused(.unknownRecord) { try $0.update(Record.ID(type: "todo", name: "b")) { $0["x"] = 1 } }
    _ = refused(.invalidValue) {
      try $0.update(Record.ID(type: "todo", name: "a")) { $0 = Record(Self.todo, name: "other") }
    }
    // Metadata of other objects has no references.
    _ = refused(.invalidValue) {
      try $0.put(Identity(userID: "bob", metadata: ["x": .reference(Message.ID("m"))]))
    }
    #expect(try store.read { $0.sequence } == before)
    try expectSound(store)
  }

  @Test func declaringAgainAddsFieldsAndRefusesOtherTypes() throws {
    let scratch = try Scratch()
    let store = scratch.store
    let missing = failure(.unknownRecordType) { try store.declare(Self.todo) }
    #expect(missing?.context["target"] == "list" && missing?.context["field"] == "list")
    try store.declare(Self.list, Self.todo)
    let sequence = try store.read { $0.sequence }
    try store.declare(Self.todo, Self.list)
    #expect(try store.read { $0.sequence } == sequence)
    let differs = failure(.recordTypeDiffers) { try store.declare(RecordType("todo") { $0.text("order") }) }
    #expect(differs?.context["field"] == "order" && differs?.context["declared"] == "integer")
    try store.write {
      try $0.save(Record(Self.todo, name: "a", ["note": "text"]))
      try $0.save(Record(Self.todo, name: "b", ["note": 5, "due": .date(Timestamp(microseconds: 1))]))
    }
    let taken = failure(.recordTypeDiffers) { try store.declare(RecordType("todo") { $0.text("note") }) }
    #expect(taken?.context["record"] == "b" && taken?.context["found"] == "integer")
    try store.declare(RecordType("todo") { $0.date("due") })
    let type = try #require(try store.types().last?.type)
    #expect(type.fields.map(\.name) == ["due", "list", "order", "tags", "title"])
    try store.write { try $0.delete(Record.ID(type: "todo", name: "b")) }
    try store.declare(RecordType("todo") { $0.text("note") })
    #expect(try scratch.reopened().types().last?.type.field(named: "note")?.type == .text)
    // Within the write that declares it.
    try store.write { tx in
      let note = RecordType("note") { $0.text("text") }
      try tx.declare(note)
      try tx.save(Record(note, name: "n", ["text": "x"]))
      #expect(try tx.types().count == 3)
    }
    try expectSound(store)
  }

  @Test func typesAreShownWithFieldsAndCounts() throws {
    let store = try Scratch().store
    #expect(try store.types().isEmpty)
    try store.declare(Self.list, Self.todo)
    let note = RecordType("note")
    try store.write { tx in
      for name in ["a", "b", "c"] { try tx.save(Record(Self.todo, name: name)) }
      try tx.save(Record(Self.list, name: "work", ["title": "Work"]))
      try tx.delete(Record.ID(type: "todo", name: "b"))
      try tx.declare(note)
      #expect(try tx.types().map(\.records) == [1, 2, 0])
    }
    let types = try store.types()
    #expect(types.map(\.type) == [Self.list, Self.todo, note] && types.map(\.records) == [1, 2, 0])
    #expect(
      types.map(\.description) == [
        "list (title: text), 1 records",
        "todo (list: reference to list, order: integer, tags: texts, title: text), 2 records",
        "note, 0 records",
      ])
    // A field that comes later: the order stays that of the first declarations.
    try store.declare(RecordType("list") { $0.date("due") })
    try store.write { try $0.save(Record(note)) }
    #expect(
      try store.types().map(\.description) == [
        "list (due: date, title: text), 1 records",
        "todo (list: reference to list, order: integer, tags: texts, title: text), 2 records",
        "note, 1 records",
      ])
  }

  @Test func typesAreShownWithWhatIsDeclaredOfTheirRecords() throws {
    let store = try Scratch().store
    let note = RecordType("note")
    try store.declare(Self.list, Self.todo, note)
    let tasks = Index(named: "tasks", on: Self.todo, where: { $0.order > 1 }) {
      [$0.list, $0.order.descending, $0.tags.list]
    }
    let titles = Index(named: "titles", on: Self.list, unique: true) { [$0.title] }
    let open = Aggregate(named: "open", counting: Self.todo.query, groupedBy: { $0.list.reference })
    try store.declare(tasks)
    try store.declare(titles)
    try store.declare(Index(named: "messages", on: Message.self) { [$0.sentAt] })
    try store.declare(open)
    try store.declare(Aggregate(named: "sent", counting: Message.all))
    for name in ["a", "b"] {
      try store.write { _ = try $0.save(Record(Self.todo, name: name, ["order": 2])) }
    }
    let types = try store.types()
    #expect(types.map { $0.indexes.map(\.index) } == [[titles], [tasks], []])
    #expect(types.map { $0.indexes.map(\.entries) } == [[0], [2], []])
    #expect(types.map { $0.aggregates.map(\.name) } == [[], ["open"], []])
    let indexes = try store.indexes()
    #expect(types.map(\.indexes) == [[indexes[1]], [indexes[0]], []])
    #expect(
      types.map(\.description) == [
        "list (title: text), 0 records; index titles (title)",
        "todo (list: reference to list, order: integer, tags: texts, title: text), 2 records; "
          + "index tasks (list, -order, each tags); aggregate open",
        "note, 0 records",
      ])
    try store.dropIndex(named: "tasks")
    #expect(try store.types().map(\.indexes.count) == [1, 0, 0])
  }

  @Test func typesAreShownAwaited() async throws {
    let store = try Scratch().store
    try await store.declare(Self.list)
    try await store.write { tx in _ = try tx.save(Record(Self.list, name: "work")) }
    let types = try await store.types()
    #expect(types.map(\.type) == [Self.list] && types.map(\.records) == [1])
  }

  /// The index that later queries stand on has each value once, and no other.
  @Test func everyValueOfAFieldIsInTheIndex() throws {
    let store = try Scratch().store
    try store.declare(Self.todo, Self.list)
    func entries() throws -> Int {
      try store.base.read { try $0.forest.count(IndexCatalog.recordFields.tree) }
    }
    try store.write {
      try $0.save(
        Record(Self.todo, name: "a", ["title": "x", "tags": ["u", "v"], "n": ["m": 1, "e": [:]]]))
    }
    // A text, a list and its two texts, a number.
    #expect(try entries() == 5)
    try store.write {
      try $0.update(Record.ID(type: "todo", name: "a")) {
        $0["tags"] = ["v"]; $0["list"] = .reference(Record.ID(type: "list", name: "gone"))
      }
    }
    #expect(try entries() == 5)
    try store.write { try $0.delete(Record.ID(type: "todo", name: "a")) }
    #expect(try entries() == 0)
    try expectSound(store)
  }

  @Test func commitsTellHowRecordsChange() async throws {
    let store = try Scratch().store
    try await store.declare(Self.todo, Self.list)
    let start = try await store.read { $0.sequence }
    let id = Record.ID(type: "todo", name: "a")
    try await store.write {
      try $0.save(Record(id: id, ["title": "x", "list": .reference(Record.ID(type: "list", name: "w"))]))
    }
    try await store.write {
      try $0.update(id) {
        $0["title"] = "y"; $0["list"] = nil; $0.owner = "bob"
      }
    }
    // A dictionary without a value has no key path of its own.
    try await store.write { try $0.update(id) { $0["empty"] = [:] } }
    try await store.write { try $0.delete(id) }
    var iterator = store.commits(after: start).makeAsyncIterator()
    var changes: [ObjectChange] = []
    for _ in 0..<4 { changes += try #require(try await iterator.next()).changes }
    #expect(changes.map(\.object) == Array(repeating: .record(id), count: 4))
    #expect(changes.map(\.action) == [.created, .updated, .updated, .deleted])
    #expect(changes[1]["title"]?.before == .text("x") && changes[1]["title"]?.after == .text("y"))
    #expect(changes[1]["list"]?.before == .reference(Record.ID(type: "list", name: "w")))
    #expect(changes[1]["list"]?.after == .missing)
    #expect(changes[1]["owner"]?.before == .text("alice") && changes[1]["owner"]?.after == .text("bob"))
    #expect(changes[2]["fields"]?.after == .unknown && changes[2]["metadata"] == nil)
    #expect(changes[3]["title"]?.before == .text("y"))
  }
}
