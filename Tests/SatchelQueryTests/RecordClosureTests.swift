import SatchelModel
import SatchelQuery
import SatchelRecords
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What queries for records look like in Swift, and which texts they are.
@Suite struct RecordClosureTests {
  private let todo = RecordType("todo")
  private let work = Record(RecordType("list"), name: "work")

  /// Whether a predicate is that of a text, and whether the store has a meaning for it.
  private func expect(_ query: Query<Record>, _ text: String, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let predicate = query.untyped.predicate
    #expect(predicate.description == text, sourceLocation: location)
    #expect(try QueryPredicate(format: text) == predicate, sourceLocation: location)
    _ = try Normalizer(kind: .records, user: "alice").condition(for: predicate)
    #expect(query.untyped.kind == .records && query.untyped.recordType == "todo", sourceLocation: location)
  }

  @Test func values() throws {
    let day = Timestamp(microseconds: 1_000_000)
    let title = "Write"
    let number: Int64 = 5
    try expect(todo.filter { $0.title == "Write" }, "title = 'Write'")
    try expect(todo.filter { $0.title == title }, "title = 'Write'")
    try expect(todo.filter { $0.title != title.dropFirst() }, "title != 'rite'")
    try expect(todo.filter { $0.title < "b" && $0.title >= "a" }, "title < 'b' AND title >= 'a'")
    try expect(todo.filter { $0.order > 7 }, "order > 7")
    try expect(todo.filter { $0.order <= number || $0.order == 2.5 }, "order <= 5 OR order = 2.5")
    try expect(todo.filter { $0.order == -1 }, "order = -1")
    try expect(todo.filter { $0.done == false }, "done = FALSE")
    try expect(todo.filter { $0.done != true }, "done != TRUE")
    try expect(todo.filter { $0.done }, "done = TRUE")
    try expect(todo.filter { !$0.done && $0.order > 1 }, "NOT done = TRUE AND order > 1")
    try expect(todo.filter { $0.done || $0.shown.today }, "done = TRUE OR shown.today = TRUE")
    try expect(todo.filter { $0.due < day }, "due < 1970-01-01T00:00:01Z")
    try expect(todo.filter { $0.due >= Date(timeIntervalSince1970: 1) }, "due >= 1970-01-01T00:00:01Z")
    try expect(todo.filter { $0.due == nil }, "due = nil")
    try expect(todo.filter { $0.due != nil && $0.order != 3 }, "due != nil AND order != 3")
    try expect(
      todo.filter { $0.due.between(day, Timestamp(microseconds: 2_000_000)) },
      "due BETWEEN {1970-01-01T00:00:01Z, 1970-01-01T00:00:02Z}")
    try expect(todo.filter { $0.order.between(1, 5) }, "order BETWEEN {1, 5}")
    try expect(todo.filter { $0.title.between("a", "b") }, "title BETWEEN {'a', 'b'}")
    try expect(todo.filter { $0.order.in([1, 2, 3]) }, "order IN {1, 2, 3}")
    try expect(todo.filter { $0.order.notIn(1...2) }, "order NOT IN {1, 2}")
    try expect(todo.filter { $0.title.in(["a", "b"]) }, "title IN {'a', 'b'}")
    try expect(todo.filter { $0.done.in([true, false]) }, "done IN {TRUE, FALSE}")
    try expect(todo.filter { $0.order == QueryPredicate.Constant.integer(1) }, "order = 1")
    guard case .comparison(let comparison) = todo.filter({ $0.due < .now }).untyped.predicate.form,
      case .constant(.date) = comparison.operand
    else {
      Issue.record("no comparison with a date")
      return
    }
  }

  @Test func references() throws {
    let lunch = Message.ID("lunch")
    try expect(todo.filter { $0.list == work.id }, "list = REFERENCE('list', 'work')")
    try expect(todo.filter { $0.list != work.id }, "list != REFERENCE('list', 'work')")
    try expect(
      todo.filter { $0.done == false && $0.order > 7 && $0.list == work.id },
      "done = FALSE AND order > 7 AND list = REFERENCE('list', 'work')")
    try expect(
      todo.filter { $0.list.in([work.id, Reference(lunch)]) },
      "list IN {REFERENCE('list', 'work'), REFERENCE('messages', 'lunch')}")
    try expect(todo.filter { $0.list.notIn([work.id]) }, "list NOT IN {REFERENCE('list', 'work')}")
    try expect(
      todo.filter { $0.about == Reference(lunch) || $0.list == nil },
      "about = REFERENCE('messages', 'lunch') OR list = nil")
    try expect(todo.filter { $0.list.reference == work.id }, "list = REFERENCE('list', 'work')")
    try expect(todo.filter { $0.about == lunch.rawValue }, "about = 'lunch'")
    try expect(
      todo.filter { $0.place == ["list": .reference(work.id)] },
      "place = {'list': REFERENCE('list', 'work')}")
  }

  @Test func textsAndPatterns() throws {
    try expect(todo.filter { $0.title.like("W%") }, "title LIKE 'W%'")
    try expect(
      todo.filter { $0.title.beginsWith("W", .caseInsensitive) && $0.title.endsWith("e") },
      "title BEGINSWITH[c] 'W' AND title ENDSWITH 'e'")
    try expect(todo.filter { $0.title.contains("rit") }, "title CONTAINS 'rit'")
    try expect(todo.filter { $0.title.autocomplete("wr") }, "title AUTOCOMPLETE 'wr'")
    try expect(todo.filter { $0.title.matches("wr*") }, "title MATCHES-TEXT 'wr*'")
    try expect(todo.filter { $0.tags == "urgent" }, "tags = 'urgent'")
    try expect(todo.filter { $0.tags.list.contains("urgent") }, "'urgent' IN tags")
    try expect(todo.filter { $0.tags.list == ["a", "b"] }, "tags = {'a', 'b'}")
    try expect(todo.filter { $0.tags.list.any { $0 != "late" } }, "ANY tags != 'late'")
    try expect(todo.filter { $0.tags.list.all { $0.beginsWith("x") } }, "ALL tags BEGINSWITH 'x'")
    try expect(todo.filter { $0.tags.list.contains($0.title) }, "title IN tags")
  }

  @Test func typedViews() throws {
    let day = Timestamp(microseconds: 1_000_000)
    try expect(todo.filter { $0.order.number > 2 && $0.order.number == nil }, "order > 2 AND order = nil")
    try expect(todo.filter { $0.due.date < day }, "due < 1970-01-01T00:00:01Z")
    try expect(todo.filter { $0.done.boolean }, "done = TRUE")
    try expect(todo.filter { $0.shown["date"] == "x" && $0.date == 1 }, "shown.date = 'x' AND date = 1")
  }

  @Test func paths() throws {
    try expect(todo.filter { $0.place.city.name == "Bern" }, "place.city.name = 'Bern'")
    try expect(todo.filter { $0.place["city.name"] == "Bern" }, "place.city.name = 'Bern'")
    try expect(todo.filter { $0.place[["a.b", "c"]] == 1 }, "place.'a.b'.c = 1")
    try expect(todo.filter { $0["due in"] == 3 }, "#'due in' = 3")
    try expect(todo.filter { $0.reference == 3 && $0["in"] }, "#reference = 3 AND #in = TRUE")
    try expect(
      todo.filter { $0.place == ["city": "Bern", "zip": 3000] }, "place = {'city': 'Bern', 'zip': 3000}")
    try expect(todo.filter { $0.place != ["city": "Bern"] }, "place != {'city': 'Bern'}")
  }

  @Test func propertiesOfEveryRecord() throws {
    let day = Timestamp(microseconds: 1_000_000)
    try expect(
      todo.filter { $0.identifier == "write" && $0.owner != "bob" }, "identifier = 'write' AND owner != 'bob'"
    )
    try expect(
      todo.filter { $0.owner == Identity.ID("bob") || $0.createdBy == "bob" },
      "owner = 'bob' OR createdBy = 'bob'")
    try expect(
      todo.filter { $0.createdAt > day && $0.updatedBy.in(["a"]) },
      "createdAt > 1970-01-01T00:00:01Z AND updatedBy IN {'a'}")
  }

  @Test func twoProperties() throws {
    try expect(todo.filter { $0.due > $0.start }, "due > start")
    try expect(todo.filter { $0.list == $0.other && $0.a != $0.b.c }, "list = other AND a != b.c")
    try expect(todo.filter { $0.assignee == $0.owner }, "assignee = owner")
    try expect(todo.filter { $0.owner != $0.assignee }, "owner != assignee")
    try expect(todo.filter { $0.createdAt < $0.due }, "createdAt < due")
    try expect(todo.filter { $0.due >= $0.createdAt }, "due >= createdAt")
    try expect(todo.filter { $0.order.number > $0.least }, "order > least")
    try expect(todo.filter { $0.least <= $0.order.number }, "least <= order")
    try expect(todo.filter { $0.updatedAt > $0.createdAt }, "updatedAt > createdAt")
  }

  @Test func orders() throws {
    let query = todo.filter { $0.done == false && $0.list == work.id }.order { ($0.order, $0.due.descending) }
    #expect(
      query.description
        == "todo where done = FALSE AND list = REFERENCE('list', 'work') order order, -due")
    #expect(todo.order { $0.title }.untyped.sort == [SortKey(["title"])])
    #expect(
      todo.order { ($0.list.reference, $0.order.number.descending, $0.createdAt) }.untyped.sort
        == [SortKey(["list"]), SortKey(["order"], descending: true), SortKey(["createdAt"])])
    let columns: [any IndexColumnConvertible] = [
      Record.fields.title, Record.fields.due.descending, Record.fields.tags.list, Record.fields.place.city,
    ]
    #expect(
      columns.map { $0.indexColumn.description } == ["title", "-due", "each tags", "place.city"])
    let normalizer = Normalizer(kind: .records, user: "alice")
    #expect(
      try normalizer.sort(for: query.untyped.sort).map(\.property.path) == [["order"], ["due"]])
  }

  @Test func coding() throws {
    let query = todo.filter { $0.list == work.id && $0.place == ["list": .reference(work.id)] }.limit(5)
    let data = try JSONEncoder().encode(query)
    #expect(try JSONDecoder().decode(Query<Record>.self, from: data) == query)
  }

  @Test func manyClauses() {
    let query = todo.filter {
      $0.order > 1 && $0.done && $0.owner != "alice" && $0.due != nil && $0.order < 900
        && $0.title == "x" && $0.list == work.id && !$0.hidden && $0.order.in([1, 2, 3])
        && $0.due > Date(timeIntervalSince1970: 7)
    }
    guard case .and(let clauses) = query.untyped.predicate.form else {
      Issue.record("not a conjunction: \(query)")
      return
    }
    #expect(clauses.count == 10)
  }
}
