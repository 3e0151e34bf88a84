import Foundation
import Satchel
import TestSupport
import Testing

/// How many rows lie before and after a window, wherever it lies.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct WindowPlaceTests {
  let chats: ChatStore

  init() throws {
    chats = try ChatStore()
    try chats.chat("a", messages: 30)
  }

  /// By an index, by values that are held, and parted by what no index has.
  static let queries: [Query<Message>] = [
    Message.filter { $0.conversation == "a" }.order { $0.position },
    Message.filter { $0.conversation == "a" }.order { $0.position.descending },
    Message.filter { $0.conversation == "a" && $0.isUnread }.order { $0.sentAt },
    Message.order { $0.sentAt },
    Message.filter { $0.conversation == "a" && $0.parts.any { $0.text.contains("1") } }.order { $0.position },
    Message.filter { $0.conversation == "a" }.order { $0.receivedAt.descending },
  ]

  private func expectExact(
    _ controller: QueryController<Message>, _ what: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let all = try synchronously { try chats.store.identifiers(controller.query) }
    #expect(controller.totalNumberOfObjects == all.count, "\(what)", sourceLocation: location)
    let sum = controller.rowsBefore + controller.count + controller.rowsAfter
    #expect(sum == all.count, "\(what)", sourceLocation: location)
    #expect(controller.hasMoreBefore == (controller.rowsBefore > 0), sourceLocation: location)
    #expect(controller.hasMoreAfter == (controller.rowsAfter > 0), sourceLocation: location)
    let shown = controller.objects.map(\.id)
    let place = all.dropFirst(controller.rowsBefore).prefix(shown.count)
    #expect(Array(place) == shown, "\(what)", sourceLocation: location)
    // Behind the window lies what comes next.
    if controller.hasMoreAfter {
      let next = try controller.object(at: IndexPath(indexes: [0, controller.count]))
      #expect(next?.id == all[controller.rowsBefore + controller.count], "\(what)", sourceLocation: location)
    }
  }

  @Test func afterAJumpIntoTheMiddle() async throws {
    let controller = chats.store.controller(for: Self.queries[0], window: .last(10))
    try await controller.execute()
    try await controller.loadAround("a-15", before: 4, after: 5)
    #expect((controller.rowsBefore, controller.count, controller.rowsAfter) == (10, 10, 10))
    #expect(controller.hasMoreBefore && controller.hasMoreAfter)
    while controller.hasMoreBefore { try await controller.loadPrevious(3) }
    while controller.hasMoreAfter { try await controller.loadNext(7) }
    #expect(controller.count == 30)
    try await controller.loadAround("a-1", before: 4, after: 5)
    #expect(!controller.hasMoreBefore && controller.rowsAfter == 24)
    try await controller.loadAround("a-30", before: 4, after: 5)
    #expect(!controller.hasMoreAfter && controller.rowsBefore == 25)
  }

  @Test(arguments: 0..<6)
  func afterRandomCommitsJumpsAndLoads(_ number: Int) async throws {
    var random = SeededGenerator(
      seed: TestEnvironment.seed(for: "windows of query \(number)") &+ UInt64(number))
    let query = Self.queries[number]
    let controller = chats.store.controller(for: query, window: .first(4))
    try await controller.execute()
    let observed = chats.store.controller(for: query, window: .first(4))
    let table = ModelTable<Message>()
    try await table.show(observed)
    var jumps = 0
    var ids = (1...30).map { Message.ID("a-\($0)") }
    for step in 0..<60 {
      switch random.below(10) {
      case 0, 1:
        let id = Message.ID("n\(step)")
        try chats.receive(
          "\(step)", in: "a", id: id, at: random.below(40), isUnread: random.percent(50))
        ids.append(id)
      case 2:
        let gone = ids.remove(at: random.below(ids.count))
        try chats.write { try $0.delete(gone) }
      case 3:
        // From before the window to behind it, or the other way: neither rows nor total need change.
        let moved = random.pick(ids)
        let date = ChatStore.date(random.below(45))
        let position = Int64(random.below(45))
        let isUnread = random.percent(50)
        try chats.write { tx in
          try tx.update(moved) {
            $0.position = position
            $0.sentAt = .some(date)
            $0.receivedAt = .some(date)
            $0.isUnread = isUnread
          }
        }
      case 4, 5:
        let (id, before, after) = (random.pick(ids), random.below(6), random.below(6))
        try await controller.loadAround(id, before: before, after: after)
        try await observed.loadAround(id, before: before, after: after)
        jumps += 1
      case 6 where query.untyped.sort.first?.path == ["sentAt"]:
        try await controller.loadAround(ChatStore.date(random.below(45)), before: 3, after: 2)
      case 6, 7:
        let rows = random.below(4)
        try await controller.loadNext(rows)
        try await observed.loadNext(rows)
      case 8:
        let rows = random.below(4)
        try await controller.loadPrevious(rows)
        try await observed.loadPrevious(rows)
      default: try await controller.setWindow(random.percent(50) ? .last(5) : .first(7))
      }
      try await chats.settled()
      try expectExact(controller, "query \(number) step \(step) \(controller.window)")
      // With a delegate the numbers are those of the list that it has been told of.
      try await observed.execute()
      try expectExact(observed, "observed, query \(number) step \(step) \(observed.window)")
    }
    #expect(jumps > 3)
  }
}
