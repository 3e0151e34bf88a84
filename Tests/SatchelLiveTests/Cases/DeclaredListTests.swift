import Satchel
import TestSupport
import Testing

/// Lists in the order of a declared index, which comes and goes beneath them.
@Suite struct DeclaredListTests {
  private static let tickets = Message.filter { $0.metadata.kind == "ticket" }
    .order { ($0.metadata.priority.descending, $0.sentAt) }
  private static let index = Index(
    named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }
  ) { [$0.metadata.priority.number.descending, $0.sentAt] }

  @Test @MainActor func aListGoesOnWhileItsIndexComesAndGoes() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var random = SeededGenerator(for: #function)
    let lunch = try await store.write { try $0.conversation(with: ["bob"]).id }
    try await store.declare(Self.index)
    let first = store.controller(for: Self.tickets, window: .first(10))
    let last = store.controller(for: Self.tickets, window: .last(5))
    try await first.execute()
    try await last.execute()
    var next = 0
    for step in 0..<120 {
      if step % 20 == 10 { try await store.dropIndex(named: "tickets") }
      if step % 20 == 15 { try await store.declare(Self.index) }
      let deed = random.below(5)
      let (kind, priority) = (random.oneIn(3) ? "note" : "ticket", Int64(random.below(9)))
      let id = Message.ID("m\(random.below(max(next, 1)))")
      let new = Message.ID("m\(next)")
      try await store.write { tx in
        switch deed {
        case 0: try? tx.delete(id)
        case 1: try? tx.setMetadata(kind, at: "kind", of: .message(id))
        case 2: try? tx.setMetadata(.list(["\(priority)"]), at: "priority", of: .message(id))
        default:
          try tx.receive(
            [.text("x")], in: lunch, from: "bob", id: new,
            metadata: ["kind": .text(kind), "priority": .integer(priority)])
        }
      }
      if deed > 2 { next += 1 }
      try await first.execute()
      try await last.execute()
      let all = try await store.fetch(Self.tickets).map(\.id)
      #expect(first.objects.map(\.id) == Array(all.prefix(10)))
      #expect(last.objects.map(\.id) == Array(all.suffix(5)))
      #expect(first.totalNumberOfObjects == all.count)
    }
    #expect(next > 10)
  }
}
