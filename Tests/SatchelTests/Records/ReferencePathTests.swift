import Satchel
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading
import TestSupport
import Testing

/// Paths through references: how long they may be, and what is remembered of what they lead to.
@Suite struct ReferencePathTests {
  /// Records of a type may refer to others of it: only the number of names bounds a path.
  @Test func aPathHasAtMost64Names() throws {
    let store = try Scratch().store
    let node = RecordType("node") {
      $0.text("name")
      $0.reference("parent", to: "node")
    }
    try store.declare(node)
    try store.write { tx in
      let itself = Record.ID(type: "node", name: "a")
      try tx.save(Record(node, name: "a", ["name": "a", "parent": .reference(itself)]))
    }
    func path(_ names: Int) -> [String] { Array(repeating: "parent", count: names - 1) + ["name"] }
    func query(_ names: Int) -> Query<Record> {
      node.filter(QueryPredicate.comparison(.init(path(names), .equal, .constant(.text("a")))))
    }
    #expect(try store.fetch(query(64)).map(\.id.name) == ["a"])
    #expect(try store.count(query(64)) == 1)
    for count in [65, 100_000] {
      failure(.unqueryableProperty) { _ = try store.count(query(count)) }
      failure(.unqueryableProperty) { _ = try store.fetch(node.order([SortKey(path(count))])) }
    }
    var included = node.query.untyped
    included.inclusions = [QueryInclusion(Array(repeating: "parent", count: 65))]
    let including = try #require(Query<Record>(included))
    let long = failure(.unqueryableProperty) { _ = try store.fetch(including) }
    #expect(long?.context["found"] == "65 names")
  }

  /// What a test remembers of the objects that records refer to is of one state of the write.
  @Test func aTestThatIsKeptFollowsTheWrite() throws {
    let store = try Scratch().store
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") { $0.reference("list", to: list) }
    try store.declare(list, todo)
    try store.write { tx in
      let work = try tx.save(Record(list, name: "work", ["title": "Work"]))
      try tx.save(Record(todo, name: "a", ["list": .reference(work.id)]))
      let query = todo.filter { $0.list.title == "Work" }
      let (tester, row) = try tx.writer.read { snapshot -> (ResultTester, RowReference?) in
        let question = try Executor(snapshot).question(query.untyped)
        return (
          ResultTester(question.condition, of: .records, in: snapshot),
          try snapshot.locate("a", .records, ofType: question.recordType)
        )
      }
      let record = try #require(row)
      #expect(try tx.writer.read { _ in try tester.isResult(record) })
      try tx.update(work.id) { $0["title"] = "Job" }
      #expect(try !tx.writer.read { _ in try tester.isResult(record) })
      try tx.update(work.id) { $0["title"] = "Work" }
      #expect(try tx.writer.read { _ in try tester.isResult(record) })
    }
  }
}
