import Foundation
import Satchel
import SatchelScenes
import Synchronization
import Testing

/// What a program computes of the records that it reads.
@Suite struct ComputedValueTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.integer("order")
    $0.reference("list", to: list)
  }

  private static func id(_ type: RecordType, _ name: String) -> Record.ID {
    Record.ID(type: type.name, name: name)
  }

  private static func makeStore() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(list, todo)
    try store.write { tx in
      let work = try tx.save(Record(list, name: "work", ["title": "Work"]))
      for number in 1...4 {
        let fields: Metadata = ["order": .integer(Int64(number)), "list": .reference(work.id)]
        try tx.save(Record(todo, name: "t\(number)", number == 4 ? [:] : fields))
      }
    }
    return store
  }

  private static let double: @Sendable (Record) -> MetadataValue? = { record in
    record["order"]?.integerValue.map { .integer($0 * 2) }
  }

  @Test func readsHaveWhatIsComputed() throws {
    let store = try Self.makeStore()
    let query = Self.todo.order { $0.order.descending }.computing("double", Self.double)
    let expected: [MetadataValue?] = [6, 4, 2, nil]
    let found = try store.fetch(query)
    #expect(found.map { $0.computed("double") } == expected)
    #expect(found.allSatisfy { $0.computed("other") == nil && $0["double"] == nil })
    let page = try store.page(query.offset(1).limit(2))
    #expect(page.totalCount == 4 && page.objects.map { $0.computed("double") } == [4, 2])
    #expect(try store.first(query)?.computed("double") == 6)
    var each: [MetadataValue?] = []
    try store.read { try $0.forEach(query) { each.append($0.computed("double")) } }
    #expect(each == expected)
    // In a write, of what it has changed.
    try store.write { tx in
      try tx.update(Self.id(Self.todo, "t3")) { $0["order"] = 10 }
      #expect(try tx.fetch(query).first?.computed("double") == 20)
    }
    #expect(try store.count(query) == 4)
  }

  @Test func awaitedReadsHaveItToo() async throws {
    let store = try Self.makeStore()
    let query = Self.todo.order { $0.order.descending }.computing("double", Self.double)
    #expect(try await store.fetch(query).map { $0.computed("double") } == [6, 4, 2, nil])
    #expect(try await store.first(query)?.computed("double") == 6)
  }

  @Test func theClosureSeesWhatComesAlong() throws {
    let store = try Self.makeStore()
    let query = Self.todo.query.including(\.list).computing("place") { record in
      record.included(\.list)?["title"]?.textValue.map { .text("at \($0)") }
    }.computing("double", Self.double).computing("seesOthers") { .boolean($0.computed("double") != nil) }
    let found = try store.fetch(query)
    #expect(found.map { $0.computed("place") } == ["at Work", "at Work", "at Work", nil])
    #expect(found.map { $0.computed("double") } == [2, 4, 6, nil])
    #expect(found.allSatisfy { $0.computed("seesOthers") == false })
    #expect(found.first?.included(\.list)?["title"] == "Work")
    // The last of a name counts.
    let replaced = query.computing("double") { _ in 0 }
    #expect(try store.fetch(replaced).map { $0.computed("double") } == [0, 0, 0, 0])
    // Each is called once a record that is returned.
    let calls = Counter()
    _ = try store.fetch(Self.todo.query.limit(3).computing("n") { _ in .integer(calls.next()) })
    #expect(calls.next() == 4)
  }

  @Test func itIsNoPartOfTheRecord() throws {
    let store = try Self.makeStore()
    var record = try #require(
      try store.first(Self.todo.order { $0.order.descending }.computing("double", Self.double)))
    let encoded = try JSONEncoder().encode(record)
    #expect(!String(decoding: encoded, as: UTF8.self).contains("double"))
    record["order"] = 7
    #expect(record.computed("double") == 6)
    let changed = record
    try store.write { _ = try $0.save(changed) }
    #expect(try store.record(record.id)?["order"] == 7)
    #expect(try store.record(record.id)?["double"] == nil)
    #expect(try store.record(record.id)?.computed("double") == nil)
  }

  @Test func aQueryThatComputesIsOfThisProcess() throws {
    let query = Self.todo.query.computing("double", Self.double)
    #expect(query == query.limit(5).limit(nil) && query != Self.todo.query)
    #expect(query != Self.todo.query.computing("double", Self.double))
    #expect(query.description == "todo computing double")
    do {
      _ = try JSONEncoder().encode(query.computing("isLate") { _ in nil })
      Issue.record("closures have no coded form")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.debugDescription.contains("(double, isLate)"))
    }
    // What it is without them is encoded.
    let kept = Self.todo.filter { $0.order > 1 }
    let decoded = try JSONDecoder().decode(Query<Record>.self, from: JSONEncoder().encode(kept))
    #expect(decoded == kept)
  }

  @Test func listsComputeAnewWhatHasChanged() async throws {
    let store = try Self.makeStore()
    let query = Self.todo.order { $0.order }.including(\.list).computing("shown") { record in
      let title = record.included(\.list)?["title"]?.textValue ?? "none"
      return .text("\(title) \(record["order"]?.integerValue ?? 0)")
    }
    let controller = store.controller(for: query)
    try await controller.execute()
    let list = try await store.virtualList(of: query)
    #expect(controller.list.map { $0.computed("shown") } == ["none 0", "Work 1", "Work 2", "Work 3"])
    #expect(try await list.object(at: 1)?.computed("shown") == "Work 1")
    var changes = controller.changes.makeAsyncIterator()
    try await store.write { _ = try $0.update(Self.id(Self.todo, "t3")) { $0["order"] = 9 } }
    var set = try #require(await changes.next())
    #expect(set.after.map { $0.computed("shown") } == ["none 0", "Work 1", "Work 2", "Work 9"])
    try await store.write { _ = try $0.update(Self.id(Self.list, "work")) { $0["title"] = "Job" } }
    set = try #require(await changes.next())
    #expect(set.after.map { $0.computed("shown") } == ["none 0", "Job 1", "Job 2", "Job 9"])
    #expect(set.difference.updates.map(\.before) == [1, 2, 3])
    controller.close()
  }
}

/// Counts calls, from whatever thread.
private final class Counter: Sendable {
  private let count = Mutex<Int64>(0)

  func next() -> Int64 {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
