import Satchel
import Testing

/// The code and the table of the article "Coming from Skygear".
@Suite struct ComingFromSkygearGuide {
  let chats: GuideStore
  let store: MessageStore
  let todo: RecordType

  init() throws {
    chats = try GuideStore()
    store = chats.store
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.texts("tags")
      $0.reference("list", to: list, onDelete: .cascade)
    }
    try store.declare(list, todo)
    try store.write { transaction in
      let work = try transaction.save(Record(list, name: "work", ["title": "Work"]))
      try transaction.save(
        Record(todo, name: "write", ["title": "Write", "order": 1, "list": .reference(work.id)]))
      try transaction.save(Record(todo, name: "rest", ["title": "Rest", "order": 2, "tags": ["later"]]))
    }
    try store.enable(.relations)
    self.todo = todo
  }

  @Test func queries() throws {
    let inWork = todo.filter { $0.list.title == "Work" && $0.tags != "later" }
    let asText = todo.filter(try QueryPredicate(format: "list.title = 'Work' AND tags != 'later'"))
    #expect(inWork == asText)
    #expect(try store.identifiers(inWork).map(\.name) == ["write"])
    let page = try store.page(todo.order { $0.order }.limit(10).offset(0).including(\.list))
    for task in page.objects { print(task["title"] ?? "", task.included(\.list)?["title"] ?? "no list") }
    print(page.objects.count, "of", page.totalCount)
    #expect(page.objects.map { $0.included(\.list)?["title"] } == ["Work", nil] && page.totalCount == 2)
    let tasks = store.controller(for: todo.order { ($0.list.title, $0.order) }, window: .first(20))
    try tasks.execute()
    print(tasks.objects.count, "of", tasks.totalNumberOfObjects)
    #expect(tasks.objects.map(\.id.name) == ["rest", "write"] && tasks.totalNumberOfObjects == 2)
    tasks.close()
  }

  @Test func actions() throws {
    try store.write { try $0.delete(Record.ID(type: "list", name: "work")) }
    #expect(try store.identifiers(todo.query).map(\.name) == ["rest"])
    // What the article says of types that are not declared.
    let error = #expect(throws: SatchelError.self) { try store.count(RecordType("toDo").query) }
    #expect(error?.code == .unknownRecordType)
  }

  @Test func conditionsOfTheTableAreAnswered() throws {
    let rows = try Repository.table("Conditions", of: "ComingFromSkygear")
    var answers: [String] = []
    for row in rows {
      let text = try #require(row[1].first)
      let predicate = try QueryPredicate(format: text)
      let found = try store.identifiers(todo.filter(predicate)).map(\.name)
      let complement = try QueryPredicate(format: "NOT (\(text))")
      #expect(try found.count + store.count(todo.filter(complement)) == 2, "\(text)")
      answers.append(found.joined(separator: " "))
    }
    #expect(
      answers == ["rest", "write", "write", "write", "rest", "write", "write", "", "", "write rest", "write"])
  }

  @Test func propertiesOfEveryRecordHaveTheNamesOfTheTable() throws {
    let names = try Repository.table("Records", of: "ComingFromSkygear")
      .filter { $0[0].first?.hasPrefix("_") == true }.flatMap { $0[1] }
    #expect(names == ["identifier", "owner", "createdAt", "createdBy", "updatedAt", "updatedBy"])
    for name in names {
      var record = Record(todo, name: "other")
      record[name] = "x"
      let saved = record
      let error = #expect(throws: SatchelError.self) { try store.write { _ = try $0.save(saved) } }
      #expect(error?.code == .invalidKey, "\(name)")
    }
  }
}
