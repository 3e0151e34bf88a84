import Satchel
import SatchelScenes
import Testing

/// Queries for records by properties of what they refer to.
@Suite struct ReferenceQueryTests {
  static let area = RecordType("area") { $0.text("name") }
  static let list = RecordType("list") {
    $0.text("title")
    $0.reference("area", to: area)
  }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.reference("list", to: list)
    $0.reference("who", to: Reference.identities)
    $0.reference("room", to: Reference.conversations)
    $0.reference("about", to: Reference.messages)
    $0.reference("thing")
  }

  func id(_ type: RecordType, _ name: String) -> Record.ID { Record.ID(type: type.name, name: name) }

  func makeStore() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(Self.area, Self.list, Self.todo)
    try store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
      for room in ["lunch", "team"] {
        try tx.createConversation(
          with: room == "team" ? ["bob", "carol"] : ["bob"], id: Conversation.ID(room))
        _ = try tx.send([.text("in \(room)")], to: Conversation.ID(room), id: Message.ID("m-\(room)"))
      }
      try tx.save(Record(Self.area, name: "home", ["name": "At home"]))
      try tx.save(
        Record(Self.list, name: "chores", ["title": "Chores", "area": .reference(id(Self.area, "home"))]))
      try tx.save(Record(Self.list, name: "work", ["title": "Work"]))
      let rows: [(String, Metadata)] = [
        (
          "t1",
          [
            "order": 1, "list": .reference(id(Self.list, "work")),
            "who": .reference(Reference("bob" as Identity.ID)),
          ]
        ),
        (
          "t2",
          [
            "order": 2, "list": .reference(id(Self.list, "chores")),
            "room": .reference(Reference("team" as Conversation.ID)),
          ]
        ),
        (
          "t3",
          [
            "order": 3, "list": .reference(id(Self.list, "gone")),
            "room": .reference(Reference("lunch" as Conversation.ID)),
          ]
        ),
        ("t4", ["order": 4, "about": .reference(Reference("m-team" as Message.ID))]),
        ("t5", ["order": 5, "list": .reference(id(Self.list, "work")), "title": "Work"]),
      ]
      for (name, fields) in rows { try tx.save(Record(Self.todo, name: name, fields)) }
    }
    return store
  }

  private func names(_ query: Query<Record>, in store: MessageStore) throws -> [String] {
    let found = try store.fetch(query).map(\.id.name)
    #expect(try store.count(query) == found.count)
    return found
  }

  @Test func pathsLeadThroughReferences() throws {
    let store = try makeStore()
    func expect(_ expected: [String], _ query: Query<Record>, line: Int = #line) throws {
      #expect(try names(query, in: store) == expected, "line \(line): \(query)")
      #expect(
        try names(Query(format: query.untyped.predicate.description, of: Self.todo), in: store)
          == expected.sorted())
    }
    let todo = Self.todo
    try expect(["t1", "t5"], todo.filter { $0.list.title == "Work" })
    try expect(["t2", "t3", "t4"], todo.filter { $0.list.title != "Work" })
    try expect(["t3", "t4"], todo.filter { $0.list.title == nil })
    try expect(["t1", "t2", "t5"], todo.filter { $0.list.title.in(["Chores", "Work"]) })
    try expect(["t5"], todo.filter { $0.list.title == "Work" && $0.order > 1 })
    try expect(["t2"], todo.filter { $0.list.area.name == "At home" })
    try expect(["t1", "t3", "t4", "t5"], todo.filter { $0.list.area.name != "At home" })
    try expect(["t1"], todo.filter { $0.who.displayName == "Bob" })
    try expect(["t2"], todo.filter { $0.room.participantCount == 3 })
    try expect(["t2", "t3"], todo.filter { $0.room.messageCount == 1 })
    try expect(["t2"], todo.filter(try QueryPredicate(format: "room.participants CONTAINS 'carol'")))
    try expect(
      ["t1", "t3", "t4", "t5"],
      todo.filter(try QueryPredicate(format: "NOT room.participants CONTAINS 'carol'")))
    try expect(
      ["t4"], todo.filter(try QueryPredicate(format: "about.conversation.participants CONTAINS 'carol'")))
    try expect(["t4"], todo.filter(try QueryPredicate(format: "ANY about.parts.mimeType = 'text/plain'")))
    try expect(["t5"], todo.filter { $0.list.title == $0.title })
    try expect(["t1", "t5"], todo.filter { $0.list.identifier == "work" })
    try expect(["t1", "t2", "t5"], todo.filter { $0.list.owner == "alice" })
  }

  /// What is no one value is missing exactly where the reference leads to nothing.
  @Test func participantsAndMetadataAreMissingWithTheirObject() throws {
    let store = try makeStore()
    for (predicate, expected) in [
      ("room.participants = nil", ["t1", "t4", "t5"]), ("room.participants != nil", ["t2", "t3"]),
      ("NOT room.participants = nil", ["t2", "t3"]), ("who.metadata = nil", ["t2", "t3", "t4", "t5"]),
      ("who.metadata != nil", ["t1"]), ("who.metadata = {}", ["t1"]),
      ("about.conversation.participants != nil AND order > 1", ["t4"]),
      ("about.conversation.metadata != nil OR about.metadata = {}", ["t4"]),
    ] {
      let query = Self.todo.filter(try QueryPredicate(format: predicate))
      #expect(try names(query, in: store) == expected, "\(predicate)")
    }
  }

  @Test func recordsSortAndGroupByWhatTheyReferTo() throws {
    let store = try makeStore()
    #expect(try names(Self.todo.order { $0.list.title }, in: store) == ["t3", "t4", "t2", "t1", "t5"])
    #expect(
      try names(Self.todo.order { ($0.list.title.descending, $0.order.descending) }, in: store)
        == ["t5", "t1", "t2", "t4", "t3"])
    let groups = try store.counts(of: Self.todo.query) { $0.list.title }
    #expect(groups.map { "\($0.group ?? "none") \($0.count)" } == ["none 2", "Chores 1", "Work 2"])
    let page = try store.page(
      Self.todo.filter { $0.list.title != nil }.order { $0.list.title }.offset(1).limit(1))
    #expect(page.totalCount == 3 && page.objects.map(\.id.name) == ["t1"])
  }

  /// As of the messages themselves, whatever has no position comes behind what has one.
  @Test func missingPositionsComeLast() throws {
    let store = try makeStore()
    try store.write { tx in
      for position in [7, 3] as [Int64] {
        let message = Message.ID("p\(position)")
        try tx.receive([.text("x")], in: "lunch", from: "bob", id: message, position: position)
        try tx.save(
          Record(Self.todo, name: "a\(position)", ["order": 0, "about": .reference(Reference(message))]))
      }
    }
    let unsent = ["t1", "t2", "t3", "t4", "t5"]
    #expect(try names(Self.todo.order { $0.about.position }, in: store) == ["a3", "a7"] + unsent)
    #expect(
      try names(Self.todo.order { $0.about.position.descending }, in: store)
        == unsent.reversed() + ["a7", "a3"])
    #expect(try names(Self.todo.order { $0.about.sentAt }.limit(1), in: store) == ["t1"])
  }

  /// The objects that meet the condition are found first, and then what refers to them, by its index.
  @Test func theFewerAreFoundFirst() throws {
    let store = try makeStore()
    let query = Self.todo.filter { $0.list.title == "Work" }
    let count = try #require(try store.explain(query, as: .count, running: true).run)
    #expect(count.returned == 2 && count.recordsRead == 0)
    #expect(try store.explain(query).plan.contains("record.fields"))
  }

  /// Several conditions on the parts of a message that is referred to are on its parts, also together.
  @Test func partsOfWhatIsReferredToAreItsOwn() throws {
    let store = try makeStore()
    for (predicate, expected) in [
      ("about.parts.text CONTAINS 'team' AND about.parts.size > 1", ["t4"]),
      ("NONE about.parts.mimeType CONTAINS 'image' AND about.parts.size > 1", ["t4"]),
      ("NONE about.parts.text = 'x' AND NONE about.parts.size = 1 AND order >= 4", ["t4", "t5"]),
      (
        "about.parts.text = 'in team' OR about.parts.size = 1",
        ["t4"]
      ),
    ] {
      let query = Self.todo.filter(try QueryPredicate(format: predicate))
      #expect(try names(query, in: store) == expected, "\(predicate)")
      #expect(try store.count(query) == expected.count, "\(predicate)")
    }
  }

  /// However many records there are, each object that they refer to is looked up once.
  @Test func eachObjectIsLookedUpOnce() throws {
    let store = try makeStore()
    try store.write { tx in
      for number in 0..<200 {
        try tx.save(
          Record(
            Self.todo, name: "n\(number)",
            ["list": .reference(id(Self.list, number % 2 == 0 ? "work" : "chores"))]))
      }
    }
    let run = try #require(
      try store.explain(Self.todo.filter { $0.list.title != "Work" }, as: .count, running: true).run)
    #expect(run.returned == 103)
    // Those of the type, and two lists.
    #expect(run.recordsRead <= 205 + 2)
  }

  /// Which objects meet a condition is found once, as long as no record changes.
  @Test func whatIsReferredToIsFoundOnce() throws {
    let store = try makeStore()
    let query = Self.todo.filter { $0.list.title == "Work" }.order { $0.order }
    func readToPlan() throws -> Int {
      try #require(try store.explain(query, running: true).run).recordsReadPlanning
    }
    let first = try readToPlan()
    let again = try readToPlan()
    #expect(first > 0 && again == 0)
    _ = try store.write { try $0.send([.text("later")], to: "lunch") }
    let later = try readToPlan()
    #expect(later == again)
    #expect(try names(query, in: store) == ["t1", "t5"])
    try store.write { tx in
      #expect(try tx.count(query) == 2)
      try tx.update(id(Self.list, "chores")) { $0["title"] = "Work" }
      #expect(try tx.count(query) == 3)
    }
    #expect(try names(query, in: store) == ["t1", "t2", "t5"])
    try store.write { try $0.update(id(Self.list, "work")) { $0["title"] = "Play" } }
    #expect(try readToPlan() > 0)
    #expect(try names(query, in: store) == ["t2"])
    // What a path of two steps finds depends on the objects in its middle as well.
    let atHome = Self.todo.filter { $0.list.area.name == "At home" }
    #expect(try names(atHome, in: store) == ["t2"])
    try store.write { tx in
      try tx.update(id(Self.list, "work")) { $0["area"] = .reference(id(Self.area, "home")) }
    }
    #expect(try Set(names(atHome, in: store)) == ["t1", "t2", "t5"])
    try store.write { try $0.update(id(Self.area, "home")) { $0["name"] = "Home" } }
    #expect(try names(atHome, in: store).isEmpty)
  }

  @Test func whatRecordsReferToComesAlong() throws {
    let store = try makeStore()
    let query = Self.todo.order { $0.order }.including(\.list.area, as: "place").including(\.who).including(
      \.room
    )
    .including(\.about)
    let found = try store.fetch(query)
    #expect(found.map { $0.included(\.list)?["title"] } == ["Work", "Chores", nil, nil, "Work"])
    #expect(found.map { $0.included(\.list.area)?["name"] } == [nil, "At home", nil, nil, nil])
    #expect(found[1].included("place", as: Record.self)?["name"] == "At home")
    #expect(found[0].included("who", as: Identity.self)?.displayName == "Bob")
    #expect(found[1].included("room", as: Conversation.self)?.id == "team")
    #expect(found[3].included("about", as: Message.self)?.text == "in team")
    #expect(found[0].included("who", as: Record.self) == nil && found[0].included(\.who) == nil)
    // Without it, nothing comes.
    #expect(try store.fetch(Self.todo.query).allSatisfy { $0.included(\.list) == nil })
    // What has come is not saved.
    try store.write { try $0.save(found[0]) }
    try expectSound(store)
    for (query, hint) in [
      (Self.todo.query.including(\.title), "about, list, room, who"),
      (Self.todo.query.including(\.list.title), "area"),
      (Self.todo.query.including(\.list, as: "who").including(\.who), "stands for one path"),
    ] {
      let error = #expect(throws: SatchelError.self) { try store.fetch(query) }
      #expect("\(error as Any)".contains(hint), "\(error as Any)")
    }
  }

  /// A thousand records that refer to fifty: fifty are looked up.
  @Test func eachObjectComesAlongOnce() throws {
    let store = try makeStore()
    try store.write { tx in
      for number in 0..<50 {
        try tx.save(Record(Self.list, name: "l\(number)", ["title": .text("\(number)")]))
      }
      for number in 0..<1000 {
        try tx.save(
          Record(Self.todo, name: "n\(number)", ["list": .reference(id(Self.list, "l\(number % 50)"))]))
      }
    }
    try store.read { snapshot in
      let before = snapshot.base.metrics.inclusionsRead
      let found = try snapshot.fetch(
        Self.todo.filter { $0.identifier.beginsWith("n") }.including(\.list))
      #expect(found.count == 1000 && found.allSatisfy { $0.included(\.list) != nil })
      #expect(snapshot.base.metrics.inclusionsRead - before == 50)
    }
  }

  @Test func aChangeOfWhatComesAlongIsAnUpdate() async throws {
    let store = try makeStore()
    let query = Self.todo.order { $0.order }.including(\.list.area)
    let controller = store.controller(for: query)
    try await controller.execute()
    let list = try await store.virtualList(of: query)
    var changes = controller.changes.makeAsyncIterator()
    var virtual = list.changes.makeAsyncIterator()
    let (home, work) = (id(Self.area, "home"), id(Self.list, "work"))
    for (record, rows) in [(home, [1]), (work, [0, 4])] {
      try await store.write { _ = try $0.update(record) { $0["note"] = "new" } }
      let set = try #require(await changes.next())
      #expect(set.difference.updates.map(\.before) == rows && set.difference.inserts.isEmpty)
      #expect(set.after.elementsEqual(try await store.fetch(query)))
      let change = try #require(await virtual.next())
      #expect(change.difference.updates.map(\.before) == rows)
    }
    controller.close()
  }

  @Test func whatLeadsNowhereIsNamed() throws {
    let store = try makeStore()
    func error(_ predicate: String) -> String {
      do {
        _ = try store.count(Self.todo.filter(try QueryPredicate(format: predicate)))
        return ""
      } catch { return "\(error)" }
    }
    #expect(error("thing.title = 'x'").contains("any type"))
    #expect(error("room.title = 'x'").contains("room.title"))
    #expect(error("room.participants = about.conversation.participants").contains("is compared with a value"))
    #expect(error("list.owner.x = 'x'").contains("There is no such queryable property"))
  }

  @Test func listsFollowWhatTheirRecordsReferTo() async throws {
    let store = try makeStore()
    let query = Self.todo.filter { $0.list.title == "Work" }.order { $0.order }
    let controller = store.controller(for: query)
    try await controller.execute()
    let sorted = store.controller(for: Self.todo.order { ($0.list.area.name, $0.order) })
    try await sorted.execute()
    #expect(controller.list.map(\.id.name) == ["t1", "t5"])
    let list = Self.list
    let (home, chores) = (id(Self.area, "home"), id(Self.list, "chores"))
    let steps: [@Sendable (WriteTransaction) throws -> Void] = [
      { _ = try $0.update(chores) { $0["title"] = "Work" } },
      { try $0.save(Record(list, name: "gone", ["title": "Work", "area": .reference(home)])) },
      { _ = try $0.update(chores) { $0["title"] = "Chores" } },
      { _ = try $0.update(home) { $0["name"] = "Away" } },
      { _ = try $0.update(home) { $0["name"] = nil } },
      { _ = try $0.update(Record.ID(type: "todo", name: "t1")) { $0["list"] = nil } },
    ]
    for (number, step) in steps.enumerated() {
      try await store.write { try step($0) }
      let expected = try await store.fetch(query).map(\.id)
      let order = try await store.fetch(Self.todo.order { ($0.list.area.name, $0.order) }).map(\.id)
      // What has not changed gives no set: the lists are asked until they show it.
      while controller.list.map(\.id) != expected || sorted.list.map(\.id) != order { await Task.yield() }
      #expect(controller.list.totalNumberOfObjects == expected.count, "step \(number)")
    }
    controller.close()
    sorted.close()
  }
}

extension Query<Record> {
  /// The query of a text for the records of a type.
  fileprivate init(format: String, of type: RecordType) throws {
    self = type.filter(try QueryPredicate(format: format, arguments: []))
  }
}
