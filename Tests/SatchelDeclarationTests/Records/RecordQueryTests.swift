import Foundation
import Satchel
import SatchelScenes
import Testing

/// Queries for the records of a type.
@Suite struct RecordQueryTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.date("due")
    $0.boolean("done")
    $0.texts("tags")
    $0.reference("list", to: list)
  }
  static let home = Reference(type: "list", name: "home")
  static let work = Reference(type: "list", name: "work")
  static let day = Timestamp(microseconds: 86_400_000_000)

  /// Six records of one type, and one of another with the same names and values.
  private func makeStore() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(Self.list, Self.todo)
    try store.write { tx in
      for name in ["home", "work"] { try tx.save(Record(Self.list, name: name, ["title": .text(name)])) }
      try tx.save(Record(Self.list, name: "t1", ["title": "Write", "order": 1]))
      let rows: [(String, Metadata)] = [
        (
          "t1",
          ["title": "Write", "order": 3, "done": false, "list": .reference(Self.work), "tags": ["a", "b"]]
        ),
        (
          "t2",
          [
            "title": "Éclair", "order": 1, "done": true, "list": .reference(Self.home),
            "due": .date(Self.day),
          ]
        ),
        ("t3", ["title": "write more", "order": 2, "done": false, "list": .reference(Self.work)]),
        ("t4", ["title": "Rest", "done": false, "list": .reference(Reference(type: "list", name: "gone"))]),
        ("t5", ["order": 2, "plan": ["step": 2, "who": "bob"], "tags": ["b"]]),
        (
          "t6",
          [
            "title": "Write", "order": 7, "done": true,
            "extra": .reference(Reference(type: "messages", name: "m")),
          ]
        ),
      ]
      for (name, fields) in rows {
        try tx.save(Record(Self.todo, name: name, owner: name == "t3" ? "bob" : nil, fields))
      }
    }
    return store
  }

  private func names(_ query: Query<Record>, in store: MessageStore) throws -> [String] {
    let found = try store.fetch(query)
    #expect(try store.identifiers(query) == found.map(\.id))
    #expect(try store.count(query) == found.count)
    #expect(found.allSatisfy { $0.id.type == query.untyped.recordType })
    return found.map(\.id.name)
  }

  @Test func recordsAreFoundByTheirFields() throws {
    let store = try makeStore()
    func expect(_ expected: [String], _ query: Query<Record>, line: Int = #line) throws {
      #expect(try names(query, in: store) == expected, "line \(line): \(query)")
    }
    let todo = Self.todo
    try expect(["t1", "t2", "t3", "t4", "t5", "t6"], todo.query)
    try expect(["home", "work", "t1"], Self.list.query)
    try expect(["t1", "t6"], todo.filter { $0.title == "Write" })
    try expect(["t2", "t3", "t4", "t5"], todo.filter { $0.title != "Write" })
    try expect(["t1", "t3", "t6"], todo.filter { $0.title.beginsWith("write", .caseInsensitive) })
    try expect(["t3", "t5"], todo.filter { $0.order == 2 })
    try expect(["t1", "t6"], todo.filter { $0.order > 2 })
    try expect(["t2", "t3", "t5"], todo.filter { $0.order.between(1, 2) })
    try expect(["t4"], todo.filter { $0.order == nil })
    try expect(["t2", "t6"], todo.filter { $0.done })
    try expect(["t1", "t3", "t4"], todo.filter { $0.done == false })
    try expect(["t1", "t3"], todo.filter { $0.done == false && $0.list == Self.work })
    try expect(["t2", "t4", "t5", "t6"], todo.filter { $0.list != Self.work })
    try expect(["t1", "t2", "t3"], todo.filter { $0.list.in([Self.work, Self.home]) })
    try expect(["t1", "t2", "t3", "t4"], todo.filter { $0.list != nil })
    try expect(["t6"], todo.filter { $0.extra == Reference(type: "messages", name: "m") })
    try expect(["t1", "t5"], todo.filter { $0.tags.list.contains("b") })
    try expect(["t5"], todo.filter { $0.plan.step == 2 })
    try expect(["t5"], todo.filter { $0.plan == ["step": 2, "who": "bob"] })
    try expect(["t2"], todo.filter { $0.due == Self.day })
    try expect(["t3"], todo.filter { $0.owner == "bob" })
    try expect(["t3", "t5"], todo.filter { $0.identifier.in(["t5", "t3", "none"]) })
    try expect(["t4", "t5", "t6"], todo.filter { $0.identifier >= "t4" })
    try expect([], todo.filter { $0.neverSeen == 1 })
    try expect(["t1", "t2", "t3", "t4", "t5", "t6"], todo.filter { $0.neverSeen == nil })
    try expect(["t2", "t4"], todo.filter { $0.title == "Éclair" || $0.title == "Rest" })
    try expect(["t1", "t3"], todo.filter(try QueryPredicate(format: "list = REFERENCE('list', 'work')")))
    try expect(["t3"], todo.filter { $0.createdBy == "alice" && $0.owner == "bob" })
  }

  @Test func recordsAreSortedPagedAndRanked() throws {
    let store = try makeStore()
    let todo = Self.todo
    #expect(try names(todo.order { $0.order }, in: store) == ["t4", "t2", "t3", "t5", "t1", "t6"])
    #expect(try names(todo.order { $0.order.descending }, in: store) == ["t6", "t1", "t5", "t3", "t2", "t4"])
    #expect(try names(todo.order { $0.title }, in: store) == ["t5", "t4", "t1", "t6", "t3", "t2"])
    #expect(try names(todo.order { $0.list }, in: store) == ["t5", "t6", "t4", "t2", "t1", "t3"])
    #expect(
      try names(todo.order { ($0.done.descending, $0.order) }, in: store) == [
        "t2", "t6", "t4", "t3", "t1", "t5",
      ])
    #expect(
      try names(todo.order { $0.identifier.descending }, in: store) == ["t6", "t5", "t4", "t3", "t2", "t1"])
    #expect(try names(todo.query.unordered().limit(2), in: store).count == 2)
    let query = todo.order { $0.order }
    let all = try names(query, in: store)
    for start in 0...6 {
      let page = try store.page(query.offset(start).limit(2))
      #expect(page.objects.map(\.id.name) == Array(all.dropFirst(start).prefix(2)))
      #expect(page.totalCount == 6 && page.rowsBefore == start)
    }
    for (rank, name) in all.enumerated() {
      let id = Record.ID(type: "todo", name: name)
      #expect(try store.rank(of: id, in: query) == rank)
      #expect(try names(query.after(id), in: store) == Array(all[(rank + 1)...]))
      #expect(try names(query.before(id), in: store) == Array(all[..<rank]))
      #expect(
        try names(query.around(id, before: 1, after: 1), in: store)
          == Array(all[max(0, rank - 1)...min(5, rank + 1)]))
    }
    #expect(try store.rank(of: Record.ID(type: "list", name: "home"), in: query) == nil)
    let list = try store.virtualList(of: query)
    #expect(try (0..<list.total).map { try list.object(at: $0)?.id.name } == all)
  }

  @Test func recordsAreCountedByGroups() throws {
    let store = try makeStore()
    let byList = try store.counts(of: Self.todo.query) { $0.list.reference }
    #expect(
      byList.map { ($0.group?.name ?? "none") + " \($0.count)" }.sorted()
        == ["gone 1", "home 1", "none 2", "work 2"])
    let byOrder = try store.counts(of: Self.todo.filter { $0.done == false }) { $0.order.number }
    #expect(byOrder.map { "\($0.group ?? -1) \($0.count)" } == ["-1.0 1", "2.0 1", "3.0 1"])
    let byDay = try store.counts(of: Self.todo.filter { $0.due != nil }) { $0.due.date.day(in: .gmt) }
    #expect(byDay.map(\.count) == [1])
  }

  @Test func everyValueIsFoundByItsIndex() throws {
    let store = try makeStore()
    func plan(_ query: Query<Record>, as type: ResultType = .objects) throws -> String {
      try store.explain(query, as: type).plan
    }
    #expect(try plan(Self.todo.filter { $0.title == "Write" }).contains("record.fields"))
    #expect(try plan(Self.todo.filter { $0.list == Self.work }, as: .count).contains("record.fields"))
    #expect(try plan(Self.todo.order { $0.order }).contains("record.fields"))
    #expect(try plan(Self.todo.filter { $0.identifier.beginsWith("t") }).contains("record.identifier"))
    #expect(try plan(Self.todo.query).contains("record.created"))
    let run = try #require(
      try store.explain(Self.todo.filter { $0.order >= 2 }, as: .count, running: true).run)
    #expect(run.recordsRead == 0 && run.returned == 4)
  }

  @Test func whatCannotBeAskedIsNamed() throws {
    let store = try makeStore()
    func error(_ query: Query<Record>) -> String { describedError { _ = try store.fetch(query) } }
    #expect(error(Record.all).contains("A query for records names their type"))
    #expect(error(Record.all).contains("list todo"))
    let unknown = error(RecordType("tood").query)
    #expect(unknown.contains("No record type of that name is declared") && unknown.contains("list todo"))
    #expect(error(Self.todo.filter { $0.list > "x" && $0.list < Self.work }).contains("= != IN NOT IN"))
    let owner = error(Self.todo.filter(try! QueryPredicate(format: "owner.name = 'x'")))
    #expect(owner.contains("There is no such queryable property") && owner.contains("owner.name"))
    var messages = Message.all.untyped
    messages.recordType = "todo"
    #expect(
      describedError { _ = try store.read { try $0.count(messages) } }.contains(
        "Only a query for records names a record type"))
    #expect(
      error(Self.todo.query.after(Record.ID(type: "todo", name: "none"))).contains("does not exist"))
  }

  @Test func aWriteSeesTheRecordsThatItHasChanged() throws {
    let store = try makeStore()
    try store.write { tx in
      try tx.save(Record(Self.todo, name: "t7", ["title": "Write", "order": 2]))
      try tx.delete(Record.ID(type: "todo", name: "t6"))
      #expect(try tx.fetch(Self.todo.filter { $0.title == "Write" }).map(\.id.name) == ["t1", "t7"])
      #expect(try tx.count(Self.todo.query) == 6)
      #expect(try tx.fetch(Self.todo.order { $0.order.descending }.limit(1)).map(\.id.name) == ["t1"])
    }
    try expectSound(store)
  }

  /// The text of the error that a body throws; empty if it throws none.
  private func describedError(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
  }
}
