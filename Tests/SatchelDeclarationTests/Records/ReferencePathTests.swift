import Satchel
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading
import SatchelScenes
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

  /// Behind the users that a record has stand their identities.
  @Test func usersOfARecordLeadToTheirIdentities() async throws {
    let store = try Scratch().store
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") { $0.reference("list", to: list) }
    try await store.declare(list, todo)
    try await store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob Müller"))
      try tx.put(Identity(userID: "carol", displayName: "Carol"))
      for (name, owner) in [("a", "bob"), ("b", "carol"), ("c", "dave")] as [(String, Identity.ID)] {
        let list = try tx.save(Record(list, name: name, owner: owner, ["title": .text(name)]))
        try tx.save(
          Record(todo, name: name, owner: name == "a" ? "carol" : "bob", ["list": .reference(list.id)]))
      }
    }
    func names(_ format: String, sort: String? = nil) async throws -> [String] {
      var query = todo.filter(try QueryPredicate(format: format))
      if let sort { query = query.order([try SortKey(sort)]) }
      let found = try await store.fetch(query).map(\.id.name)
      #expect(try await store.count(query) == found.count)
      return found
    }
    #expect(try await names("list.owner.displayName = 'Carol'") == ["b"])
    #expect(try await names("owner.displayName = 'Carol'") == ["a"])
    #expect(try await names("owner.displayName BEGINSWITH 'Bob'") == ["b", "c"])
    #expect(try await names("list.owner.displayName = nil") == ["c"])
    #expect(try await names("NOT list.owner.displayName = 'Carol'") == ["a", "c"])
    #expect(try await names("createdBy.displayName = 'Carol'") == [])
    #expect(try await names("TRUEPREDICATE", sort: "-owner.displayName") == ["a", "c", "b"])
    #expect(try await names("TRUEPREDICATE", sort: "list.owner.displayName") == ["c", "a", "b"])
    let error = failure(.unqueryableProperty) {
      _ = try store.count(todo.filter(try QueryPredicate(format: "list.owner.name = 'x'")))
    }
    #expect(error?.context["property"]?.contains("owner.name") == true)
    // A list follows the names.
    let controller = store.controller(
      for: todo.filter(try QueryPredicate(format: "list.owner.displayName = 'Carol'")))
    try await controller.execute()
    #expect(controller.objects.map(\.id.name) == ["b"])
    var changes = controller.changes.makeAsyncIterator()
    try await store.write { try $0.put(Identity(userID: "bob", displayName: "Carol")) }
    let change = await changes.next()
    #expect(change?.after.objects.map(\.id.name) == ["a", "b"])
    try await store.write { tx in
      try tx.update(Record.ID(type: "list", name: "c")) { $0.owner = "carol" }
    }
    let next = await changes.next()
    #expect(next?.after.objects.map(\.id.name) == ["a", "b", "c"])
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
