import Foundation
import Satchel
import SatchelScenes
import Testing

/// Values of the program's own types in a store: saved, found, paged, and refused.
@Suite struct StoredValueTests {
  struct Todo: StorableRecord, Equatable {
    static let recordType = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.boolean("done")
      $0.date("due")
      $0.texts("tags")
      $0.reference("list", to: "list")
    }
    struct Plan: Codable, Equatable, Sendable {
      var steps: Int
      var who: String?
    }
    var id: String
    var title: String
    var order: Int
    var done = false
    var due: Date?
    var tags: [String] = []
    var list: Reference?
    var plan: Plan?
    var createdAt: Date?
  }

  static let list = RecordType("list") { $0.text("title") }
  static let work = Reference(type: "list", name: "work")

  private func todos() -> [Todo] {
    (0..<7).map { (index: Int) -> Todo in
      var todo = Todo(id: "t\(index)", title: "Task \(index)", order: 10 - index)
      todo.done = index % 2 == 0
      if index != 3 { todo.due = Date(timeIntervalSince1970: Double(index) * 86_400) }
      if index == 1 { todo.tags = ["a", "b"] }
      if index < 3 { todo.list = Self.work }
      if index == 2 { todo.plan = Todo.Plan(steps: 2, who: "bob") }
      return todo
    }
  }

  private func makeStore() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(Self.list, Todo.recordType)
    try store.write { tx in
      try tx.save(Record(Self.list, name: "work", ["title": "Work"]))
      for todo in todos() { try tx.save(todo) }
    }
    return store
  }

  /// The values as they were before the store has said when they were created.
  private func written(_ values: [Todo]) -> [Todo] {
    values.map { value in
      var value = value
      #expect(value.createdAt != nil)
      value.createdAt = nil
      return value
    }
  }

  @Test func valuesComeBackAsTheyWereSaved() throws {
    let store = try makeStore()
    let todo = Todo.recordType
    #expect(try written(store.fetch(todo.query, as: Todo.self)) == todos())
    let open = todo.filter { $0.done == false && $0.plan.steps == nil }.order { $0.order }
    #expect(try store.fetch(open, as: Todo.self).map(\.id) == ["t5", "t3", "t1"])
    #expect(
      try store.fetch(todo.filter { $0.list == Self.work }, as: Todo.self).map(\.id) == ["t0", "t1", "t2"])
    #expect(try store.fetch(todo.filter { $0.plan.who == "bob" }, as: Todo.self).map(\.id) == ["t2"])
    #expect(try store.fetch(todo.filter { $0.tags == "b" }, as: Todo.self).map(\.id) == ["t1"])
    #expect(try store.first(open, as: Todo.self)?.id == "t5")
    #expect(try store.first(todo.filter { $0.order == 99 }, as: Todo.self) == nil)
    let page = try store.page(todo.order { $0.order }.limit(2).offset(3), as: Todo.self)
    #expect(page.objects.map(\.order) == [7, 8] && page.totalCount == 7 && page.rowsBefore == 3)
    #expect(try store.record("t4", as: Todo.self)?.title == "Task 4")
    #expect(try store.record("none", as: Todo.self) == nil)
    #expect(try store.records(["t6", "none", "t0"], as: Todo.self).map(\.id) == ["t6", "t0"])
  }

  @Test func asynchronousFormsGiveTheSame() async throws {
    let store = try makeStore()
    let query = Todo.recordType.order { $0.order }.limit(3)
    #expect(try await store.fetch(query, as: Todo.self).map(\.id) == ["t6", "t5", "t4"])
    #expect(try await store.first(query, as: Todo.self)?.id == "t6")
    #expect(try await store.page(query, as: Todo.self).rowsAfter == 4)
    #expect(try await store.record("t4", as: Todo.self)?.order == 6)
    #expect(try await store.records(["t4", "t1"], as: Todo.self).map(\.order) == [6, 9])
  }

  @Test func aWriteReadsWhatItHasSaved() throws {
    let store = try makeStore()
    try store.write { tx in
      try tx.save(Todo(id: "new", title: "New", order: 0))
      let query = Todo.recordType.order { $0.order }.limit(2)
      let found = try tx.read { try $0.fetch(query, as: Todo.self) }
      #expect(found.map(\.id) == ["new", "t6"])
    }
  }

  @Test func savingReplacesAndKeepsWhoCreated() throws {
    let store = try makeStore()
    let before = try #require(try store.record(Reference(Todo.self, "t1")))
    try store.write { tx in try tx.update(before.id) { $0["extra"] = "kept by updates alone" } }
    var value = try #require(try store.record("t1", as: Todo.self))
    value.title = "Changed"
    value.due = nil
    let saved = try store.write { try $0.save(value) }
    #expect(
      saved.id == before.id && saved.createdTimestamp == before.createdTimestamp && saved.owner == "alice")
    #expect(saved["due"] == nil && saved["extra"] == nil && saved["title"] == "Changed")
    let sequence = try store.read { $0.sequence }
    try store.write { try $0.save(value) }
    #expect(try store.read { $0.sequence } == sequence || store.record(saved.id) == saved)
    try store.write { try $0.delete(Reference(value)) }
    #expect(try store.record("t1", as: Todo.self) == nil)
  }

  @Test func whatCannotBeSavedChangesNothing() throws {
    struct Wrong: StorableRecord {
      static let recordType = RecordType("todo")
      var id = "t0"
      var title = "New"
      var order = "first"
    }
    struct Bytes: StorableRecord {
      static let recordType = RecordType("todo")
      var id = "t0"
      var title = Data([1])
    }
    struct Unknown: StorableRecord {
      static let recordType = RecordType("unknown")
      var id = "x"
    }
    let store = try makeStore()
    let before = try store.record(Reference(Todo.self, "t0"))
    func expect(_ code: SatchelError.Code, _ context: [String: String], _ value: some StorableRecord) {
      do {
        try store.write { _ = try $0.save(value) }
        Issue.record("\(value) was saved")
      } catch {
        let error = error as? SatchelError
        #expect(error?.code == code)
        for (name, value) in context { #expect(error?.context[name] == value, "\(error.debugDescription)") }
      }
    }
    expect(
      .invalidValue, ["recordType": "todo", "field": "order", "expected": "integer", "found": "text"], Wrong()
    )
    expect(.invalidValue, ["recordType": "todo", "field": "title", "found": "1 bytes"], Bytes())
    expect(.unknownRecordType, [:], Unknown())
    #expect(try store.record(Reference(Todo.self, "t0")) == before)
  }

  @Test func recordsThatAreNoValuesAreNamed() throws {
    let store = try makeStore()
    let list = RecordType("list")
    #expect(throws: SatchelError.self) { try store.fetch(list.query, as: Todo.self) }
    do {
      _ = try store.fetch(list.query, as: Todo.self)
    } catch let error as SatchelError {
      #expect(error.code == .invalidValue)
      #expect(error.context == ["type": "Todo", "expected": "todo", "recordType": "list"])
    }
    try store.write { tx in try tx.save(Record(Todo.recordType, name: "bare", ["title": "No order"])) }
    do {
      _ = try store.fetch(Todo.recordType.query, as: Todo.self)
      Issue.record("a record without an order is no value")
    } catch let error as SatchelError {
      #expect(error.code == .invalidValue && error.context["record"] == "todo/bare")
      #expect(error.context["field"] == "order" && error.context["type"] == "Todo")
    }
    // Whoever asks for those that are whole is not disturbed.
    let whole = Todo.recordType.filter { $0.order != nil }
    #expect(try store.fetch(whole, as: Todo.self).count == 7)
  }
}
