import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Pages around a date in lists that are ordered by position.
@Suite struct DateJumpTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.createConversation(with: ["bob"], id: "other")
      try tx.receive([], in: "other", from: "bob", position: 1, sentAt: date(7))
    }
  }

  /// What an index has in order, what is merged or sorted, and what has no position.
  static let lists: [Query<Message>] = [
    Message.filter { $0.conversation == "c" }.order { $0.position },
    Message.filter { $0.conversation == "c" }.order { $0.position.descending },
    Message.filter { $0.conversation == "c" && $0.isUnread }.order { $0.position },
    Message.filter { $0.conversation == "c" && !$0.isUnread }.order { $0.position.descending },
    Message.filter { $0.conversation == "c" && $0.parts.any { $0.text.contains("1") } }
      .order { $0.position },
    Message.filter { $0.conversation.in(["c"]) }.order { ($0.position, $0.identifier) },
  ]

  private func add(_ number: Int, at position: Int64?, sentAt: Date?, receivedAt: Date? = nil) throws {
    try store.write { tx in
      try tx.receive(
        [.text("\(number)")], in: "c", from: "bob", id: Message.ID("m\(number)"), position: position,
        isUnread: number % 3 != 0)
      // A message that is received has both dates.
      try tx.update(Message.ID("m\(number)")) {
        $0.sentAt = .some(sentAt)
        $0.receivedAt = .some(receivedAt)
      }
    }
  }

  @Test(arguments: 0..<6) func theFirstRowAtOrAfterADate(_ number: Int) throws {
    var random = SeededGenerator(for: "dates among positions \(number)")
    var minute = 0
    for number in 0..<70 {
      minute += random.below(3)
      // Some have only been received, some have no date at all, and the last ones no position.
      let hasDate = random.percent(80)
      let isSent = random.percent(80)
      try add(
        number, at: number < 66 ? Int64(number * 2) : nil,
        sentAt: hasDate && isSent ? date(Double(minute)) : nil,
        receivedAt: hasDate && !isSent ? date(Double(minute)) : nil)
    }
    let list = Self.lists[number]
    let isDescending = list.untyped.sort[0].descending
    let rows = try store.fetch(list)
    for wanted in stride(from: -1, through: minute + 2, by: 1) {
      let moment = date(Double(wanted))
      // A row without a date goes with the row after it.
      let last = rows.lastIndex { row in
        guard let found = row.sentAt ?? row.receivedAt else { return false }
        return isDescending ? found > moment : found < moment
      }
      let place = last.map { $0 + 1 } ?? 0
      let (before, after) = (random.below(5), random.below(5))
      let page = try store.page(list.around(moment, before: before, after: after))
      let start = max(0, place - before)
      #expect(page.objects == Array(rows[start..<min(rows.count, place + after)]), "\(list) \(moment)")
      #expect(page.rowsBefore == start && page.totalCount == rows.count, "\(list) \(moment)")
      #expect(page.rowsBefore + page.objects.count + page.rowsAfter == rows.count)
    }
  }

  @Test func whereDatesAndPositionsDisagreeTheRowBeforeIsEarlier() throws {
    var random = SeededGenerator(for: "dates against positions")
    for number in 0..<50 {
      try add(number, at: Int64(random.below(1000)), sentAt: date(Double(random.below(40))))
    }
    for list in Self.lists.prefix(2) {
      let isDescending = list.untyped.sort[0].descending
      for minute in 0..<40 {
        let moment = date(Double(minute))
        let rows = try store.fetch(list.around(moment, before: 1, after: 1))
        let page = try store.page(list.around(moment, before: 1, after: 1))
        #expect(page.objects == rows)
        func isEarlier(_ row: Message) -> Bool {
          guard let sentAt = row.sentAt else { return false }
          return isDescending ? sentAt > moment : sentAt < moment
        }
        if rows.count == 2 { #expect(isEarlier(rows[0]) && !isEarlier(rows[1]), "\(list) \(minute)") }
      }
    }
  }

  @Test func anEmptyListHasNoRowAtAnyDate() throws {
    for list in Self.lists {
      let page = try store.page(list.around(date(1), before: 3, after: 3))
      #expect(page.objects.isEmpty && page.totalCount == 0 && page.rowsBefore == 0 && page.rowsAfter == 0)
    }
  }

  @Test func seekingADateReadsFewRows() throws {
    try store.write { tx in
      for number in 0..<4000 {
        try tx.receive(
          [], in: "c", from: "bob", id: Message.ID("m\(number)"), position: Int64(number),
          sentAt: date(Double(number)))
      }
    }
    let list = Self.lists[0].around(date(1234), before: 1, after: 1)
    #expect(try store.identifiers(list) == ["m1233", "m1234"])
    let run = try #require(try store.explain(list, as: .identifiers, running: true).run)
    #expect(run.recordsRead < 40, "\(run)")
    #expect(run.entriesRead < 400, "\(run)")
    #expect(try store.explain(list).placing == .byRank)
  }
}
