import Foundation
import LMDB
import Satchel
import SatchelCare
import SatchelCoding
import SatchelExecution
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Declared indexes of records where they are declared, advised, verified and salvaged.
@Suite struct RecordIndexCareTests {
  private typealias Tasks = RecordIndexTests

  @Test func aSalvageDeclaresAgain() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("store")
    let store = try MessageStore(at: url, user: "alice")
    try Tasks.fill(store, 40)
    try store.declare(Tasks.open)
    try store.declare(
      Aggregate(named: "by list", counting: Tasks.todo.query, groupedBy: { $0.list.reference }))
    let (indexes, aggregates) = (try store.indexes(), try store.aggregates())
    store.close()
    var options = Store.Options()
    options.create = false
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let saved = directory.url.appendingPathComponent("saved")
    let report = try Store.salvage(directory: url.path, into: saved.path, options: options)
    #expect(report.isComplete && report.indexes == 1 && report.aggregates == 1, "\(report.losses)")
    let new = try MessageStore(at: saved, user: "alice")
    defer { new.close() }
    #expect(try new.indexes() == indexes && new.aggregates() == aggregates)
    try expectSound(new)
  }

  @Test func anIndexIsAdvisedWithItsType() throws {
    let store = try Tasks.store()
    let query = Tasks.todo.filter { $0.list == Tasks.work }.order { $0.order.descending }.limit(5)
    let advice = try #require(try store.explain(query, advising: true).advice)
    #expect(advice.index.recordType == "todo" && advice.index.kind == .records)
    #expect(advice.description.hasPrefix("advice: declare an index of todo by list, -order: "))
    try store.declare(advice.index)
    #expect(try store.indexes().map(\.entries) == [advice.entries])
    try expectSame(query, as: advice.index, store)
  }

  @Test func whatCannotBeDeclaredIsNamed() throws {
    let store = try Tasks.store(5)
    let unknown = failure(.unknownRecordType) {
      try store.declare(Index(named: "x", on: RecordType("tood")) { [$0.order] })
    }
    #expect(unknown?.context["declared"] == "list note todo" && unknown?.context["index"] == "x")
    let columns = [IndexColumn(["order"])]
    let untyped = failure(.invalidValue) {
      try store.declare(Index(named: "x", kind: .records, columns: columns))
    }
    #expect(untyped?.message.contains("names their type") == true)
    failure(.invalidValue) {
      try store.declare(Index(named: "x", kind: .identities, recordType: "todo", columns: columns))
    }
    failure(.unqueryableProperty) {
      try store.declare(
        Index(
          named: "x", kind: .records, recordType: "todo",
          columns: columns + [IndexColumn(["owner", "name"])]))
    }
    failure(.invalidValue) { try store.declare(Index(named: "x", on: Tasks.todo) { _ in [] }) }
    failure(.invalidValue) { try store.declare(Index(named: "x", on: Tasks.todo) { [$0.order, $0.order] }) }
    failure(.invalidValue) {
      try store.declare(Index(named: "x", on: Tasks.todo) { [$0.tags.list, $0.labels.list] })
    }
    #expect(try store.indexes().isEmpty)
    try store.declare(Tasks.open)
    let other = failure(.indexDiffers) {
      try store.declare(Index(named: "open", on: Tasks.note, where: { $0.done == false }) { [$0.order] })
    }
    #expect(other?.context["declaredKind"] == "todo")
    #expect("\(Tasks.open)" == "open: todo where done = FALSE by list, -order")
  }

  /// A type and what is of its records may be declared in one write.
  @Test func aTypeAndItsIndexAreDeclaredTogether() throws {
    let store = try Scratch().store
    try store.write { tx in
      try tx.declare(Tasks.list, Tasks.todo)
      try tx.declare(Tasks.open)
      try tx.save(Record(Tasks.todo, name: "t1", ["done": false, "order": 1]))
      try tx.save(Record(Tasks.todo, name: "t2", ["done": true]))
    }
    #expect(try store.indexes().map(\.entries) == [1])
    try expectSound(store)
    #expect(throws: CancellationError.self) {
      try store.write { tx in
        try tx.save(Record(Tasks.todo, name: "t3", ["done": false]))
        throw CancellationError()
      }
    }
    #expect(try store.indexes().map(\.entries) == [1])
    try expectSound(store)
  }
  /// Without the definition of its type an index has no objects; that is told, and nothing else of it is wrong.
  @Test func anIndexOfATypeThatIsMissingIsNamed() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("store")
    let store = try MessageStore(at: url, user: "alice")
    try Tasks.fill(store, 20)
    try store.declare(Tasks.open)
    try store.declare(Index(named: "titles", on: Tasks.list) { [$0.title] })
    store.close()
    var options = Store.Options()
    options.create = false
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let base = try Store.open(directory: url.path, user: nil, options: options)
    try base.environment.write { transaction in
      let database = try base.environment.database("objects")
      _ = try ObjectKey.recordType(id: 1).bytes.withUnsafeBytes { key in
        try transaction.delete(database, key)
      }
    }
    base.close()
    options.readOnly = true
    let damaged = try Store.open(directory: url.path, user: nil, options: options)
    defer { damaged.close() }
    let faults = try damaged.read { try Verifier.verify($0) }.faults.filter {
      $0.location == "declaredIndexes" || $0.location == "declared.entries"
    }
    #expect(faults.map(\.key) == ["open"], "\(faults)")
    #expect(faults.first?.finding.contains("record type is missing") == true, "\(faults)")
  }
}
