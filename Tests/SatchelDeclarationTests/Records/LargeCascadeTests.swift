import Satchel
import SatchelCare
import SatchelScenes
import Testing

/// Cascades over so many records that they leave each index together, and not one by one.
@Suite struct LargeCascadeTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.boolean("done")
    $0.texts("tags")
    $0.reference("list", to: list, onDelete: .cascade)
  }
  private static let comment = RecordType("comment") {
    $0.text("text")
    $0.reference("todo", to: todo, onDelete: .cascade)
  }
  /// What lies between the others, and has nothing to do with them.
  private static let note = RecordType("note") {
    $0.integer("order")
    $0.reference("about", to: todo, onDelete: .nullify)
  }

  private static let indexes = [
    Index(named: "open", on: todo, where: { $0.done == false }) { [$0.list, $0.order.descending] },
    Index(named: "tags", on: todo) { [$0.tags.list, $0.createdAt] },
    Index(named: "slots", on: todo, unique: true) { [$0.list, $0.order] },
    Index(named: "titles", on: todo, wordsOf: { $0.title }),
    Index(named: "texts", on: comment, wordsOf: { $0.text }),
    Index(named: "notes", on: note) { [$0.order] },
  ]
  private static let open = Aggregate(
    named: "open", counting: todo.filter { $0.done == false }, groupedBy: { $0.list.reference })

  private static let home = Record.ID(type: "list", name: "home")
  private static let work = Record.ID(type: "list", name: "work")
  private static func id(_ number: Int) -> Record.ID { Record.ID(type: "todo", name: "t\(number)") }
  /// Of twenty tasks one is at home.
  private static func isHome(_ number: Int) -> Bool { number % 20 == 7 }

  private static func save(_ number: Int, _ tx: WriteTransaction) throws {
    // A text of which nodes hold but a part.
    let end = number % 50 == 0 ? String(repeating: " and so on", count: 40) : ""
    try tx.save(
      Record(
        todo, name: "t\(number)", owner: number % 3 == 0 ? "bob" : nil,
        [
          "title": .text("Task \(number % 300)\(end)"), "order": .integer(Int64(number)),
          "done": .boolean(number % 5 == 0), "tags": .list(["t\(number % 4)", "all"]),
          "list": .reference(isHome(number) ? home : work),
        ]))
  }

  private static func fill(_ store: MessageStore, _ count: Int) throws {
    try store.declare(list, todo, comment, note)
    for index in indexes { try store.declare(index) }
    try store.declare(open)
    try store.write { tx in
      for id in [home, work] { try tx.save(Record(id: id, ["title": .text(id.name)])) }
    }
    for start in stride(from: 0, to: count, by: 3000) {
      try store.write { tx in
        for number in start..<min(start + 3000, count) {
          try save(number, tx)
          if number % 100 < 8 {
            let about = Metadata(dictionaryLiteral: ("text", "About it"), ("todo", .reference(id(number))))
            try tx.save(Record(comment, name: "c\(number)", about))
            try tx.save(Record(note, name: "n\(number)", ["order": .integer(Int64(number % 10))]))
          }
        }
      }
    }
    try store.write { tx in
      for number in [0, 7] {
        try tx.update(Record.ID(type: "note", name: "n\(number)")) { $0["about"] = .reference(id(number)) }
      }
    }
  }

  /// Checks that of the first tasks those are left that are at home, and what refers to them.
  private static func check(_ store: MessageStore, _ count: Int) throws {
    let left = (0..<count).filter(isHome)
    let names = left.map { id($0).name }
    let about = left.filter { $0 % 100 < 8 }
    #expect(try store.recordCount(of: list) == 1 && store.recordCount(of: todo) == left.count)
    #expect(try store.recordCount(of: comment) == about.count)
    #expect(try store.recordCount(of: note) == (0..<count).count { $0 % 100 < 8 })
    #expect(try store.fetch(todo.query).map(\.id.name) == names)
    #expect(try store.fetch(todo.query.order { $0.createdAt.descending }).map(\.id.name) == names.reversed())
    #expect(
      try store.fetch(todo.query.order { $0.order.descending }.limit(9)).map(\.id.name)
        == names.suffix(9).reversed())
    #expect(try store.count(todo.filter { $0.list == work }) == 0)
    #expect(try store.count(todo.filter { $0.list == home }) == left.count)
    #expect(try store.count(todo.filter { $0.tags.contains("t3") }) == left.count)
    #expect(try store.count(todo.filter { $0.title.matches("task") }) == left.count)
    #expect(try store.count(comment.filter { $0.text.matches("about it") }) == about.count)
    let undone = todo.filter { $0.done == false && $0.list == home }.order { $0.order.descending }
    #expect(
      try store.fetch(undone).map(\.id.name) == left.filter { $0 % 5 != 0 }.reversed().map { id($0).name })
    #expect(try store.value(of: open, for: work) == 0)
    #expect(try store.value(of: open, for: home) == Int64(left.count { $0 % 5 != 0 }))
    #expect(try store.record(id(0)) == nil && store.record(id(7)) != nil)
    #expect(try store.record(Record.ID(type: "note", name: "n0"))?["about"] == nil)
    #expect(try store.record(Record.ID(type: "note", name: "n7"))?["about"] == .reference(id(7)))
    // Each index has what is left, and no other entry.
    for declared in try store.indexes() {
      let name = declared.index.name
      let expected = try expectedEntries(store, left.count, of: name)
      #expect(declared.isComplete && declared.entries == expected ?? declared.entries, "\(name): \(declared)")
    }
    try expectSound(store)
  }

  /// The names are free again, and values that nobody else may have as well.
  private static func saveAgain(_ store: MessageStore) throws {
    try store.write { tx in
      try tx.save(Record(id: work))
      for number in 0..<7 { try save(number, tx) }
    }
    #expect(try store.record(id(3))?["title"] == "Task 3")
    #expect(try store.count(todo.filter { $0.list == work }) == 7)
    try expectSound(store)
  }

  /// How many entries an index has; nil of one of words, which has more than one for each word.
  private static func expectedEntries(_ store: MessageStore, _ left: Int, of name: String) throws -> Int? {
    switch name {
    case "open": try store.count(todo.filter { $0.done == false })
    // One for each of two elements, and one of the list as a whole.
    case "tags": 3 * left
    case "slots": left
    case "notes": try store.recordCount(of: note)
    default: nil
    }
  }

  /// Up to 20,000 deletions the log names each; of more, none.
  @Test(arguments: [10_000, 22_500]) func whatGoesLeavesEveryIndexAndList(count: Int) async throws {
    let scratch = try Scratch()
    let store = scratch.store
    try Self.fill(store, count)
    let all = Self.todo.query.order { $0.order }
    let controller = store.controller(for: all, window: .first(20))
    try await controller.execute()
    #expect(controller.list.first?.id == Self.id(0) && controller.list.totalNumberOfObjects == count)
    let live = try await store.liveCount(of: Self.todo.filter { $0.done == false })
    var changes = controller.changes.makeAsyncIterator()
    let sequence = try await store.read { $0.sequence }
    try await store.write { try $0.delete(Self.work) }
    #expect(try await store.read { $0.sequence } == sequence + 1)
    try Self.check(store, count)
    let set = try #require(await changes.next())
    #expect(set.after.map(\.id) == (0..<count).filter(Self.isHome).prefix(20).map(Self.id))
    #expect(set.after.totalNumberOfObjects == count / 20)
    while try await store.count(Self.todo.filter { $0.done == false }) != live.value { await Task.yield() }
    controller.close()
    var told: [ObjectChange] = []
    for try await commit in store.commits(after: sequence) {
      #expect(commit.isComplete == (count <= 20_000))
      told += commit.changes
      if commit.sequence > sequence { break }
    }
    if count <= 20_000 {
      let gone = (0..<count).filter { !Self.isHome($0) }
      // The list, the note that loses its reference, the tasks, and the comments on these.
      #expect(told.count == 2 + gone.count + gone.count { $0 % 100 < 8 })
    }
    store.close()
    let again = try scratch.reopened()
    try Self.check(again, count)
    try Self.saveAgain(again)
    again.close()
  }

  /// What the same write has saved goes as well, and what it saves after the deletion stays.
  @Test func whatTheSameWriteHasSavedGoes() throws {
    let store = try Scratch().store
    try Self.fill(store, 6000)
    try store.write { tx in
      for number in 6000..<6100 { try Self.save(number, tx) }
      try tx.delete(Self.work)
      try tx.delete(Self.id(7))
      #expect(try tx.recordCount(of: Self.todo) == 6099)
      try tx.save(Record(Self.note, name: "after"))
    }
    let left = (0..<6100).filter { Self.isHome($0) && $0 != 7 }
    #expect(try store.fetch(Self.todo.query).map(\.id) == left.map(Self.id))
    #expect(try store.record(Record.ID(type: "note", name: "after")) != nil)
    try expectSound(store)
  }

  /// That two objects have what a unique index allows once is found when the indexes have been swept.
  @Test func aWriteThatFailsAfterItLeavesAll() throws {
    let store = try Scratch().store
    try Self.fill(store, 6000)
    failure(.valueExists) {
      try store.write { tx in
        try tx.delete(Self.work)
        for name in ["a", "b"] {
          try tx.save(Record(Self.todo, name: name, ["order": 1, "list": .reference(Self.home)]))
        }
      }
    }
    #expect(try store.recordCount(of: Self.todo) == 6000 && store.record(Self.work) != nil)
    #expect(try store.count(Self.todo.filter { $0.list == Self.work }) == 5700)
    try expectSound(store)
    try store.write { try $0.delete(Self.work) }
    try Self.check(store, 6000)
  }

  /// A record that restricts the deletion of one of many is found before anything changes.
  @Test func aRestrictionKeepsAll() throws {
    let store = try Scratch().store
    try Self.fill(store, 6000)
    try store.declare(RecordType("lock") { $0.reference("todo", to: Self.todo, onDelete: .restrict) })
    try store.write {
      try $0.save(Record(id: Record.ID(type: "lock", name: "l"), ["todo": .reference(Self.id(5000))]))
    }
    let error = failure(.referenced) { try store.write { try $0.delete(Self.work) } }
    #expect(error?.context["object"] == "todo/t5000" && error?.context["record"] == "l")
    #expect(try store.recordCount(of: Self.todo) == 6000)
    try expectSound(store)
  }
}
