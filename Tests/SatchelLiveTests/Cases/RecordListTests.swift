import Satchel
import TestSupport
import Testing

/// Lists of records in the order of a declared index, which comes and goes beneath them.
@Suite struct RecordListTests {
  private static let todo = RecordType("todo") { $0.boolean("done") }
  /// A type whose records have the same fields: nothing of them is told.
  private static let note = RecordType("note") { $0.boolean("done") }
  private static let open = todo.filter { $0.done == false }.order { ($0.order.descending, $0.title) }
  private static let index = Index(named: "open", on: todo, where: { $0.done == false }) {
    [$0.order.descending, $0.title]
  }

  @Test @MainActor func aListGoesOnWhileItsIndexComesAndGoes() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var random = SeededGenerator(for: #function)
    try await store.declare(Self.todo, Self.note)
    try await store.declare(Self.index)
    let first = store.controller(for: Self.open, window: .first(10))
    let last = store.controller(for: Self.open, window: .last(5))
    try await first.execute()
    try await last.execute()
    for step in 0..<120 {
      if step % 20 == 10 { try await store.dropIndex(named: "open") }
      if step % 20 == 15 { try await store.declare(Self.index) }
      let (deed, number) = (random.below(6), random.below(40))
      let (order, done) = (Int64(random.below(9)), random.oneIn(4))
      let type = random.oneIn(4) ? Self.note : Self.todo
      let id = Record.ID(type: type.name, name: "t\(number)")
      try await store.write { tx in
        switch deed {
        case 0: try? tx.delete(id)
        case 1: _ = try? tx.update(id) { $0["order"] = .list(["\(order)"]) }
        case 2: _ = try? tx.update(id) { $0["about"] = .reference(id) }
        default:
          try tx.save(
            Record(
              id: id,
              ["done": .boolean(done), "order": .integer(order), "title": .text("title \(number % 7)")]
            ))
        }
      }
      try await first.execute()
      try await last.execute()
      let all = try await store.fetch(Self.open).map(\.id)
      #expect(first.objects.map(\.id) == Array(all.prefix(10)))
      #expect(last.objects.map(\.id) == Array(all.suffix(5)))
      #expect(first.totalNumberOfObjects == all.count)
    }
    #expect(try await store.count(Self.open) > 5)
  }
}
