import Foundation
import Satchel
import TestSupport
import Testing

/// How many rows lie before and after a window or a page, wherever it lies.
@MainActor
@Suite(.timeLimit(.minutes(10)))
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

  /// Pages of the same list: each lies where it says, and there is nothing beside it but what it says.
  private func expectExactPages(
    _ query: Query<Message>, _ id: Message.ID, _ random: inout SeededGenerator
  ) throws {
    let (before, after) = (random.below(6), random.below(6))
    var pages = [
      query.limit(before).offset(random.below(50)), query.limit(before).after(id),
      query.limit(after).before(id),
    ]
    try synchronously {
      let all = try chats.store.identifiers(query)
      if all.contains(id) { pages.append(query.around(id, before: before, after: after)) }
      if query.untyped.sort.first?.path != ["receivedAt"] {
        pages.append(query.around(ChatStore.date(random.below(45)), before: before, after: after))
      }
      for query in pages {
        let page = try chats.store.page(query)
        #expect(page.rowsBefore + page.objects.count + page.rowsAfter == all.count, "\(query)")
        #expect(page.totalCount == all.count && page.rowsBefore >= 0 && page.rowsAfter >= 0, "\(query)")
        let place = all.dropFirst(page.rowsBefore).prefix(page.objects.count)
        #expect(Array(place) == page.objects.map(\.id), "\(query)")
      }
    }
  }

  /// `SATCHEL_WINDOW_STEPS`: how many commits, jumps and loads there are, for all queries together. Few are always the
  /// same ones.
  private static let steps = (TestEnvironment.count("SATCHEL_WINDOW_STEPS", usual: 360) + 5) / queries.count

  @Test(arguments: 0..<6)
  func afterRandomCommitsJumpsAndLoads(_ number: Int) async throws {
    var random = SeededGenerator(
      seed: TestEnvironment.seed(for: "windows of query \(number)", usual: Self.steps < 100 ? 7 : nil)
        &+ UInt64(number))
    let query = Self.queries[number]
    try chats.chat("other", messages: 3)
    let controller = chats.store.controller(for: query, window: .tail(4))
    try await controller.execute()
    let observed = chats.store.controller(for: query, window: .tail(4))
    let table = ModelTable<Message>()
    try await table.show(observed)
    var (jumps, refused, grown, fallen) = (0, 0, 0, 0)
    var ids = (1...30).map { Message.ID("a-\($0)") }
    for step in 0..<Self.steps {
      let (shown, window) = (controller.objects.map(\.id), controller.window)
      var hasOnlyArrived = false
      switch random.below(14) {
      case 0, 1, 2:
        let id = Message.ID("n\(step)")
        try chats.receive("\(step)", in: "a", id: id, at: random.below(40), isUnread: random.percent(50))
        ids.append(id)
        hasOnlyArrived = true
      case 3, 4:
        // Now and then most of them: then a tail is empty and begins anew.
        let kept = random.percent(5) ? 3 : ids.count - 1
        while ids.count > max(kept, 2) {
          let gone = ids.remove(at: random.below(ids.count))
          try chats.write { try $0.delete(gone) }
        }
      case 5:
        // From before the window to behind it, or the other way: neither rows nor total need change.
        let moved = random.pick(ids)
        let date = ChatStore.date(random.below(45))
        let position = random.percent(10) ? nil : Int64(random.below(45))
        let isUnread = random.percent(50)
        try chats.write { tx in
          try tx.update(moved) {
            if let position { $0.position = position }
            $0.sentAt = .some(date)
            $0.receivedAt = .some(date)
            $0.isUnread = isUnread
          }
        }
      case 6, 7:
        let (id, before, after) = (
          random.percent(10) ? "other-2" : random.pick(ids), random.below(6), random.below(6)
        )
        if try synchronously({ try chats.store.identifiers(query).contains(id) }) {
          try await controller.loadAround(id, before: before, after: after)
          try await observed.loadAround(id, before: before, after: after)
          #expect(controller.objects.contains { $0.id == id })
          jumps += 1
        } else {
          await #expect(throws: SatchelError.self) {
            try await controller.loadAround(id, before: before, after: after)
          }
          #expect(controller.objects.map(\.id) == shown && controller.window == window)
          refused += 1
        }
      case 8 where query.untyped.sort.first?.path != ["receivedAt"]:
        try await controller.loadAround(ChatStore.date(random.below(45)), before: 3, after: 2)
      case 8, 9:
        let rows = random.below(4)
        try await controller.loadNext(rows)
        try await observed.loadNext(rows)
      case 10:
        let rows = random.below(4)
        try await controller.loadPrevious(rows)
        try await observed.loadPrevious(rows)
        let now = controller.objects.map(\.id)
        #expect(Array(now.suffix(shown.count)) == shown && now.count <= shown.count + rows)
      case 11: try await controller.setWindow(random.pick([.last(5), .first(7)]))
      default:
        let rows = 1 + random.below(6)
        try await controller.setWindow(.tail(rows))
        try await observed.setWindow(.tail(rows))
        #expect(controller.count == min(rows, controller.totalNumberOfObjects))
      }
      try await chats.settled()
      if hasOnlyArrived {
        let now = Set(controller.objects.map(\.id))
        switch window {
        case .tail:
          #expect(now.isSuperset(of: shown), "query \(number) step \(step)")
          if now.count > shown.count { grown += 1 }
        case .last: if !now.isSuperset(of: shown) { fallen += 1 }
        default: break
        }
      }
      try expectExact(controller, "query \(number) step \(step) \(controller.window)")
      // With a delegate the numbers are those of the list that it has been told of.
      try await observed.execute()
      try expectExact(observed, "observed, query \(number) step \(step) \(observed.window)")
      try expectExactPages(query, random.pick(ids), &random)
    }
    // Few steps need not have a jump by every seed: one is certain.
    if let id = try synchronously({ try chats.store.identifiers(query) }).first {
      try await controller.loadAround(id, before: 1, after: 1)
      try expectExact(controller, "query \(number) at the end")
      jumps += 1
    }
    // The fourth list holds every message.
    if Self.steps > 300 { #expect(jumps > 1 && (refused > 0 || number == 3) && grown > 0 && fallen > 0) }
    print(
      "windows of query \(number): \(Self.steps) steps, \(jumps) jumps, tails grew \(grown) times, last rows fell out \(fallen) times"
    )
  }
}
