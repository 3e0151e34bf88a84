import Satchel
import SatchelScenes
import Testing

/// What becomes of records when records are deleted to which they refer.
@Suite struct ReferenceActionTests {
  private static let list = RecordType("list") {
    $0.text("title")
    $0.reference("parent", to: "list", onDelete: .cascade)
  }

  private static func todo(_ action: ReferenceAction?) -> RecordType {
    RecordType("todo") {
      $0.text("title")
      $0.reference("list", to: list, onDelete: action)
      $0.reference("other", to: list, onDelete: action)
    }
  }

  private static func list(_ name: String) -> Record.ID { Record.ID(type: "list", name: name) }
  private static func todo(_ name: String) -> Record.ID { Record.ID(type: "todo", name: name) }
  private static let work = list("work")

  /// A store with a list and tasks that refer to it.
  private static func scratch(_ action: ReferenceAction?, tasks: [String] = ["a", "b"]) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.store.declare(list, todo(action))
    try scratch.store.write { tx in
      try tx.save(Record(id: work, ["title": "Work"]))
      for name in tasks {
        try tx.save(Record(id: todo(name), owner: "bob", ["title": .text(name), "list": .reference(work)]))
      }
    }
    return scratch
  }

  /// The changes that the commits after a sequence tell of.
  private static func changes(_ store: MessageStore, after sequence: UInt64) async throws -> [ObjectChange] {
    let last = try await store.read { $0.sequence }
    var changes: [ObjectChange] = []
    for try await commit in store.commits(after: sequence) {
      #expect(commit.isComplete)
      changes += commit.changes
      if commit.sequence >= last { break }
    }
    return changes
  }

  @Test func aDeletionIsRestrictedAndNamesWhoRefers() throws {
    for action in [nil, ReferenceAction.restrict] {
      let scratch = try Self.scratch(action)
      let store = scratch.store
      let sequence = try store.read { $0.sequence }
      let error = failure(.referenced) {
        try store.write { tx in
          try tx.save(Record(id: Self.list("new")))
          try tx.delete(Self.work)
        }
      }
      for (key, value) in [
        "object": "list/work", "recordType": "todo", "field": "list", "record": "a", "records": "2",
      ] {
        #expect(error?.context[key] == value, "\(error?.context ?? [:])")
      }
      #expect(try store.read { $0.sequence } == sequence)
      #expect(try store.record(Self.work) != nil && store.record(Self.list("new")) == nil)
      // What else of the record refers to another one is of no account.
      try store.write { try $0.update(Self.todo("a")) { $0["list"] = nil } }
      #expect(failure(.referenced) { try store.write { try $0.delete(Self.work) } }?.context["record"] == "b")
      try store.write { try $0.delete(Self.todo("b")) }
      try store.write { try $0.delete(Self.work) }
      #expect(try store.recordCount(of: Self.list) == 0 && store.recordCount(of: Self.todo(action)) == 1)
      try expectSound(store)
    }
  }

  @Test func theOrderWithinAWriteDoesNotMatter() throws {
    let steps: [(WriteTransaction) throws -> Void] = [
      { try $0.delete(Self.work) }, { try $0.delete(Self.todo("a")) },
      { try $0.update(Self.todo("b")) { $0["list"] = nil } },
    ]
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]] {
      let store = try Self.scratch(nil).store
      try store.write { tx in for step in order { try steps[step](tx) } }
      #expect(try store.recordCount(of: Self.list) == 0)
      #expect(try store.record(Self.todo("b"))?.fields == ["title": "b"])
      try expectSound(store)
    }
  }

  @Test func whatTheSameWriteSavesCounts() throws {
    let store = try Self.scratch(nil, tasks: []).store
    let refers = Record(id: Self.todo("c"), ["other": .reference(Self.work)])
    for isFirst in [true, false] {
      let error = failure(.referenced) {
        try store.write { tx in
          if isFirst { try tx.save(refers) }
          try tx.delete(Self.work)
          if !isFirst { try tx.save(refers) }
        }
      }
      #expect(error?.context["record"] == "c" && error?.context["field"] == "other")
    }
    // What is there again is not gone.
    try store.write { tx in
      try tx.save(refers)
      try tx.delete(Self.work)
      try tx.save(Record(id: Self.work, ["title": "Again"]))
    }
    #expect(try store.record(Self.work)?["title"] == "Again")
    #expect(try store.record(refers.id)?["other"] == .reference(Self.work))
    // What was never there restricts nothing, and is missing.
    try store.write { tx in
      try tx.save(Record(id: Self.list("x")))
      try tx.save(Record(id: Self.todo("d"), ["list": .reference(Self.list("never"))]))
      try tx.delete(Self.list("x"))
    }
    #expect(try store.record(Self.todo("d"))?["list"] == .reference(Self.list("never")))
    try expectSound(store)
  }

  @Test func aFieldIsTakenOut() async throws {
    let store = try Self.scratch(.nullify).store
    try await store.write { tx in
      try tx.update(Self.todo("a")) { $0["other"] = .reference(Self.work) }
      try tx.save(Record(id: Self.todo("c"), ["list": .reference(Self.list("stays"))]))
      try tx.update(Self.todo("b")) { $0["free"] = .reference(Self.work) }
    }
    let before = try #require(try await store.record(Self.todo("a")))
    let sequence = try await store.read { $0.sequence }
    try await store.write { try $0.delete(Self.work) }
    let after = try #require(try await store.record(Self.todo("a")))
    #expect(after.fields == ["title": "a"])
    #expect(after.owner == "bob" && after.updatedBy == "alice")
    #expect(after.createdTimestamp == before.createdTimestamp)
    #expect(try #require(after.updatedTimestamp) >= #require(before.updatedTimestamp))
    // A field that is not declared has no action.
    #expect(try await store.record(Self.todo("b"))?.fields == ["title": "b", "free": .reference(Self.work)])
    #expect(try await store.record(Self.todo("c"))?["list"] != nil)
    let changes = try await Self.changes(store, after: sequence)
    #expect(
      changes.map(\.object) == [.record(Self.work), .record(Self.todo("a")), .record(Self.todo("b"))])
    #expect(changes.map(\.action) == [.deleted, .updated, .updated])
    #expect(changes[1]["list"]?.before == .reference(Self.work) && changes[1]["list"]?.after == .missing)
    #expect(changes[1]["other"]?.after == .missing && changes[1]["title"] == nil)
    try expectSound(store)
  }

  @Test func aRecordGoesWithWhatItRefersTo() async throws {
    let scratch = try Self.scratch(.cascade)
    let store = try scratch.reopened()
    let sequence = try await store.read { $0.sequence }
    try await store.write { tx in
      try tx.save(Record(id: Self.todo("c"), ["list": .reference(Self.list("stays"))]))
      try tx.delete(Self.work)
      // It goes when the write ends.
      #expect(try tx.record(Self.todo("a")) != nil)
    }
    #expect(try await store.recordCount(of: Self.todo(.cascade)) == 1)
    let changes = try await Self.changes(store, after: sequence)
    #expect(
      Set(changes.filter { $0.action == .deleted }.map(\.object)) == [
        .record(Self.work), .record(Self.todo("a")), .record(Self.todo("b")),
      ])
    #expect(changes.count == 4)
    try expectSound(store)
  }

  @Test(arguments: [false, true]) func aChainGoesAsAWhole(isCycle: Bool) async throws {
    let store = try Scratch().store
    try await store.declare(Self.list)
    let count = 2000
    try await store.write { tx in
      for number in 0..<count where number > 0 || isCycle {
        let parent = Self.list("\(number == 0 ? count - 1 : number - 1)")
        try tx.save(Record(id: Self.list("\(number)"), ["parent": .reference(parent)]))
      }
      if !isCycle { try tx.save(Record(id: Self.list("0"))) }
      let own = Self.list("own")
      try tx.save(Record(id: own, ["parent": .reference(own)]))
    }
    let sequence = try await store.read { $0.sequence }
    try await store.write { try $0.delete(Self.list("0")) }
    #expect(try await store.recordCount(of: Self.list) == 1)
    let changes = try await Self.changes(store, after: sequence)
    #expect(changes.count == count && changes.allSatisfy { $0.action == .deleted })
    #expect(try await store.read { $0.sequence } == sequence + 1)
    try await store.write { try $0.delete(Self.list("own")) }
    #expect(try await store.recordCount(of: Self.list) == 0)
    try expectSound(store)
  }

  /// Many objects of one level are looked up one by one, or the references to them are gone through, whichever are fewer.
  @Test(arguments: [(100, 100), (100, 3), (3, 100), (20, 0)])
  func manyGoTogether(lists: Int, tasks: Int) throws {
    let store = try Self.scratch(.cascade, tasks: []).store
    try store.write { tx in
      for number in 0..<lists { try tx.save(Record(id: Self.list("l\(number)"))) }
      for number in 0..<tasks {
        try tx.save(
          Record(id: Self.todo("t\(number)"), ["list": .reference(Self.list("l\(number % lists)"))]))
      }
      try tx.save(Record(id: Self.todo("stays"), ["list": .reference(Self.work)]))
      try tx.save(Record(id: Self.todo("stays too"), ["list": .reference(Self.list("l"))]))
    }
    try store.write { tx in
      for number in 0..<lists { try tx.delete(Self.list("l\(number)")) }
    }
    #expect(try store.recordCount(of: Self.todo(.cascade)) == 2)
    #expect(try store.record(Self.todo("stays")) != nil && store.record(Self.work) != nil)
    try expectSound(store)
  }

  /// Two ways lead to one record; one of them alone would have restricted the deletion.
  @Test func aRecordThatGoesRestrictsNothing() throws {
    let store = try Scratch().store
    let todo = RecordType("todo") {
      $0.reference("list", to: Self.list, onDelete: .cascade)
      $0.reference("other", to: Self.list)
      $0.reference("third", to: Self.list, onDelete: .nullify)
    }
    try store.declare(Self.list, todo)
    func save(_ fields: Metadata) throws {
      try store.write { tx in
        try tx.save(Record(id: Self.list("top")))
        for name in ["left", "right"] {
          try tx.save(Record(id: Self.list(name), ["parent": .reference(Self.list("top"))]))
        }
        try tx.save(Record(id: Self.todo("t"), fields))
      }
    }
    try save([
      "list": .reference(Self.list("left")), "other": .reference(Self.list("right")),
      "third": .reference(Self.list("top")),
    ])
    try store.write { try $0.delete(Self.list("top")) }
    #expect(try store.recordCount(of: Self.list) == 0 && store.recordCount(of: todo) == 0)
    try expectSound(store)

    try save(["other": .reference(Self.list("right")), "third": .reference(Self.list("left"))])
    let error = failure(.referenced) { try store.write { try $0.delete(Self.list("top")) } }
    #expect(error?.context["object"] == "list/right" && error?.context["records"] == "1")
    #expect(try store.recordCount(of: Self.list) == 3)
    #expect(try store.record(Self.todo("t"))?.fields.isEmpty == false)
    try expectSound(store)
  }

  @Test func anActionThatIsDeclaredAgainHoldsFromThenOn() throws {
    let scratch = try Self.scratch(nil)
    let store = scratch.store
    var sequence = try store.read { $0.sequence }
    try store.declare(Self.todo(.restrict))
    #expect(try store.read { $0.sequence } == sequence)
    #expect(Self.todo(nil) == Self.todo(.restrict))
    try store.declare(Self.todo(.cascade))
    #expect(try store.read { $0.sequence } == sequence + 1)
    sequence += 1
    // What a declaration does not name stays as it is.
    try store.declare(RecordType("todo") { $0.text("title") })
    #expect(try store.read { $0.sequence } == sequence)
    failure(.recordTypeDiffers) {
      try store.declare(RecordType("todo") { $0.reference("list", to: "todo", onDelete: .cascade) })
    }
    let reopened = try scratch.reopened()
    #expect(try reopened.types().map(\.type) == [Self.list, Self.todo(.cascade)])
    #expect(try reopened.types().last?.type.field(named: "list")?.onDelete == .cascade)
    try reopened.write { try $0.delete(Self.work) }
    #expect(try store.recordCount(of: Self.todo(nil)) == 0)
    // Within the write that declares it.
    try store.write { tx in
      try tx.save(Record(id: Self.work))
      try tx.save(Record(id: Self.todo("a"), ["list": .reference(Self.work)]))
      try tx.delete(Self.work)
      try tx.declare(Self.todo(.nullify))
    }
    #expect(try store.record(Self.todo("a"))?.fields.isEmpty == true)
    try expectSound(store)
  }
}
