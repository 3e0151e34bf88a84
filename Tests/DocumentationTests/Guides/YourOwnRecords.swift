import Foundation
import Satchel
import Testing

/// The code of the article "Your own records".
@Suite struct YourOwnRecordsGuide {
  @Test func declaringSavingAndFinding() throws {
    let chats = try GuideStore()
    let store = chats.store
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.date("due")
      $0.texts("tags")
      $0.reference("list", to: list, onDelete: .cascade)
    }
    try store.declare(list, todo)
    let task = try store.write { transaction in
      let work = try transaction.save(Record(list, ["title": "Work"]))
      return try transaction.save(
        Record(todo, name: "write", ["title": "Write", "order": 1, "list": .reference(work.id)]))
    }
    try store.write { transaction in
      try transaction.update(task.id) { $0["estimate"] = 2.5 }
    }
    let found = try store.record(Record.ID(type: "todo", name: "write"))
    let title = found?["title"]?.textValue ?? ""
    let lists = try store.records([found?["list"]?.referenceValue].compactMap { $0 })
    print(title, lists.first?["title"] ?? "no list", try store.recordCount(of: todo))
    #expect(
      title == "Write" && found?["order"] == 1 && found?["estimate"] == 2.5
        && lists.map { $0["title"] } == ["Work"])
    let soon = todo.filter { $0.tags != "later" && $0.order < 5 && $0.list != nil }.order {
      ($0.due, $0.title)
    }
    let page = try store.page(soon.limit(20))
    print(page.totalCount, page.objects.map { $0["title"] ?? "no title" })
    #expect(page.totalCount == 1 && page.objects.map(\.id) == [task.id])
    let ofWork = todo.filter { $0.list.title == "Work" }.order { ($0.list.title, $0.order) }.including(\.list)
    for task in try store.fetch(ofWork) { print(task.included(\.list)?["title"] ?? "no list", task.id.name) }
    #expect(try store.fetch(ofWork).map { $0.included(\.list)?["title"] } == ["Work"])
    let now = Date.now
    let timed = ofWork.computing("isLate") { task in
      .boolean((task["due"]?.timestampValue?.date ?? .distantFuture) < now)
    }
    for task in try store.fetch(timed) {
      print(task.id.name, task.computed("isLate") == true ? "late" : "in time")
    }
    #expect(try store.fetch(timed).map { $0.computed("isLate") } == [false])
    try store.declare(Index(named: "tasks", on: todo, where: { $0.tags != "later" }) { [$0.list, $0.order] })
    let perList = Aggregate(named: "tasks of lists", counting: todo.query, groupedBy: { $0.list.reference })
    try store.declare(perList)
    for value in try store.values(of: perList) { print(value.group?.name ?? "no list", value.value) }
    #expect(try store.indexes().map(\.entries) == [1])
    #expect(try store.values(of: perList) == [AggregateValue(group: lists.first?.id, value: 1)])
    for declared in try store.types() { print(declared) }
    #expect(try store.types().map(\.type) == [list, todo] && store.recordCount(of: todo) == 1)
    #expect(
      try store.types().first?.description == "list (title: text), 1 records"
        && store.types().last?.description.hasSuffix(
          "1 records; index tasks (list, order); aggregate tasks of lists") == true
    )
    if let list = task["list"]?.referenceValue {
      try store.write { transaction in try transaction.delete(list) }
    }
    #expect(try store.recordCount(of: todo) == 0 && store.recordCount(of: list) == 0)
  }

  struct Place: StorableRecord {
    static let recordType = RecordType("place") {
      $0.text("name")
      $0.number("stars")
      $0.date("visited")
      $0.texts("tags")
    }
    var id = UUID()
    var name: String
    var stars: Double
    var visited: Date?
    var tags: [String] = []
  }

  @Test func valuesOfYourOwnTypes() throws {
    let chats = try GuideStore()
    let store = chats.store
    try store.declare(Place.recordType)
    let cafe = Place(name: "Café am Markt", stars: 4.5, tags: ["coffee"])
    try store.write { transaction in try transaction.save(cafe) }
    let good = Place.recordType.filter { $0.stars >= 4 && $0.tags == "coffee" }.order { $0.name }
    let places = try store.fetch(good.limit(20), as: Place.self)
    let known = try store.record(cafe.id, as: Place.self)
    print(places.map(\.name), known?.stars ?? 0)
    #expect(places.map(\.id) == [cafe.id] && known?.tags == ["coffee"] && known?.visited == nil)
    let saved = try store.record(Reference(cafe))
    #expect(try saved?.value(as: Place.self).name == "Café am Markt")
    #expect(try saved?.fields == Record(cafe).fields)
  }
}
