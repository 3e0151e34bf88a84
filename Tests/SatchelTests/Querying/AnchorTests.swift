import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Limits, offsets, pages and anchors against lists that are sorted and cut in plain Swift.
@Suite struct AnchorTests {
  private static let rounds = TestEnvironment.rounds(250)

  @Test func messages() throws {
    var random = SeededGenerator(for: "anchors of messages")
    let sample = try SampleStore(&random)
    let names = Dictionary(
      uniqueKeysWithValues: try sample.store.fetch(Identity.all).compactMap { identity in
        identity.displayName.map { (identity.userID, $0) }
      })
    let conversations = Dictionary(
      uniqueKeysWithValues: try sample.store.fetch(Conversation.all).map { ($0.id, $0) })
    try check(
      sample.store, SortModel.messages(names: names, conversations: conversations),
      [
        (.true, { _ in true }),
        (Message.filter { $0.conversation == "c/0" }.untyped.predicate, { $0.conversation == "c/0" }),
        (Message.filter { $0.isUnread }.untyped.predicate, { $0.isUnread }),
        (
          Message.filter { $0.sender.userID.in(["bob", "carol"]) }.untyped.predicate,
          { $0.sender == "bob" || $0.sender == "carol" }
        ),
        (
          Message.filter { $0.conversation.in(["c/0", "c/1", "c/2", "c/3"]) }.untyped.predicate,
          { ["c/0", "c/1", "c/2", "c/3"].contains($0.conversation) }
        ),
        (
          Message.filter { $0.conversation == "c/0" && $0.position > 20 }.untyped.predicate,
          { $0.conversation == "c/0" && ($0.position ?? .min) > 20 }
        ),
        (
          Message.filter { $0.parts.any { $0.mimeType == "image/png" } }.untyped.predicate,
          { $0.parts.contains { $0.mimeType == "image/png" } }
        ),
        (
          Message.filter { $0.sentAt == nil || $0.sentAt > date(20) }.untyped.predicate,
          { message in message.sentAt.map { $0 > date(20) } ?? true }
        ),
      ], &random)
  }

  @Test func otherKinds() throws {
    var random = SeededGenerator(for: "anchors of other kinds")
    let sample = try SampleStore(&random, messages: 150)
    try check(
      sample.store, SortModel.conversations,
      [
        (.true, { _ in true }),
        (Conversation.filter { $0.hasUnreadMessages }.untyped.predicate, { $0.hasUnreadMessages }),
        (
          Conversation.filter { $0.metadata.title != nil }.untyped.predicate,
          { $0.metadata["title"] != nil }
        ),
      ], &random)
    try check(
      sample.store, SortModel.parts,
      [
        (.true, { _ in true }),
        (MessagePart.filter { $0.mimeType == "image/png" }.untyped.predicate, { $0.mimeType == "image/png" }),
        (MessagePart.filter { $0.index > 0 }.untyped.predicate, { $0.index > 0 }),
      ], &random)
    try check(
      sample.store, SortModel.announcements,
      [
        (.true, { _ in true }),
        (Announcement.filter { $0.isUnread }.untyped.predicate, { $0.isUnread }),
      ], &random)
    try check(
      sample.store, SortModel.identities,
      [(.true, { _ in true }), (Identity.filter { $0.followed }.untyped.predicate, { $0.followed })], &random)
  }

  private func check<Object: StoredObject & Equatable>(
    _ store: MessageStore, _ keys: [SortModel.Key<Object>],
    _ filters: [(QueryPredicate, (Object) -> Bool)],
    _ random: inout SeededGenerator
  ) throws {
    let all = try store.fetch(Query<Object>())
    try #require(all.count > 3)
    for round in 0..<Self.rounds {
      var sort: [SortModel.Key<Object>] = []
      for _ in 0..<[0, 1, 1, 1, 2, 3][random.below(6)] {
        var key = keys[random.below(keys.count)]
        // The first rounds go through every key by itself.
        if sort.isEmpty, round < 2 * keys.count { key = keys[round / 2] }
        key.descending = random.percent(50)
        if !sort.contains(where: { $0.path == key.path }) { sort.append(key) }
      }
      let (predicate, matches) = filters[random.below(filters.count)]
      let sorted = SortModel.order(all, by: sort)
      let anchor = random.below(all.count)
      let place = try #require(sorted.firstIndex(of: anchor))
      let earlier = sorted[..<place].filter { matches(all[$0]) }
      let later = sorted[(place + 1)...].filter { matches(all[$0]) }
      let itself = matches(all[anchor]) ? [anchor] : []
      let plain = Query<Object>().filter(predicate).order(sort.map(\.sortKey))
      let limit = random.percent(30) ? nil : random.below(8)
      let offset = random.percent(50) ? 0 : random.below(10)
      let query = plain.limit(limit).offset(offset)
      func stretch(_ rows: [Int]) -> [Int] { Array(rows.dropFirst(offset).prefix(limit ?? .max)) }
      let list = earlier + itself + later
      try expect(query, stretch(list), of: all, in: list, store)
      let id = all[anchor].id
      try expect(query.after(id), stretch(later), of: all, in: list, store)
      try expect(
        query.before(id), Array(earlier.dropLast(offset).suffix(limit ?? .max)), of: all, in: list, store)
      let (before, after) = (random.below(6), random.below(6))
      let around = query.around(id, before: before, after: after)
      if itself.isEmpty {
        failure(.invalidValue) { _ = try store.fetch(around) }
        failure(.invalidValue) { _ = try store.page(around) }
      } else {
        try expect(
          around, stretch(earlier.suffix(before) + itself + later.prefix(after)), of: all, in: list, store)
      }
      guard let first = sort.first, first.path.hasSuffix("At") else { continue }
      let moment = Timestamp(date(Double(random.below(9)) / 2))
      let value = SortModel.Value.time(moment)
      let split = sorted.filter { matches(all[$0]) }
      let early = split.filter { row in
        first.descending ? value < first.value(all[row]) : first.value(all[row]) < value
      }
      try expect(
        query.around(moment, before: before, after: after),
        stretch(early.suffix(before) + split.dropFirst(early.count).prefix(after)), of: all, in: list, store)
    }
  }

  private func expect<Object: StoredObject & Equatable>(
    _ query: Query<Object>, _ rows: [Int], of all: [Object], in list: [Int], _ store: MessageStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = rows.map { all[$0] }
    try store.read { snapshot in
      let identifiers = try snapshot.identifiers(query)
      #expect(identifiers == expected.map(\.id), "\(query)", sourceLocation: sourceLocation)
      #expect(try snapshot.fetch(query) == expected, "\(query)", sourceLocation: sourceLocation)
      #expect(try snapshot.count(query) == expected.count, "\(query)", sourceLocation: sourceLocation)
      #expect(try snapshot.first(query) == expected.first, "\(query)", sourceLocation: sourceLocation)
      #expect(try snapshot.hasAny(query) == !expected.isEmpty, "\(query)", sourceLocation: sourceLocation)
      // Which rows these objects are, and that the ones before and after the list are none of its rows.
      for row in Set(rows.prefix(1) + rows.suffix(1) + [all.count / 2]) {
        #expect(
          try snapshot.rank(of: all[row].id, in: query) == rows.firstIndex(of: row),
          "\(all[row].id): \(query)",
          sourceLocation: sourceLocation)
      }
      let page = try snapshot.page(query)
      #expect(page.objects == expected, "\(query)", sourceLocation: sourceLocation)
      #expect(page.totalCount == list.count, "\(query)", sourceLocation: sourceLocation)
      #expect(try snapshot.totalCount(query) == list.count, "\(query)", sourceLocation: sourceLocation)
      #expect(page.rowsBefore >= 0 && page.rowsAfter >= 0, "\(query)", sourceLocation: sourceLocation)
      #expect(page.rowsBefore + expected.count + page.rowsAfter == list.count, sourceLocation: sourceLocation)
      #expect(page.hasMoreBefore == (page.rowsBefore > 0) && page.hasMoreAfter == (page.rowsAfter > 0))
      if let first = rows.first {
        #expect(page.rowsBefore == list.firstIndex(of: first), "\(query)", sourceLocation: sourceLocation)
      }
    }
  }
}
