import Foundation
import Satchel
import SatchelExecution
import SatchelScenes
import Testing

/// What counts by groups read, in nodes and records. Never how long that takes.
@Suite struct GroupedCountCostTests {
  /// 100,000 messages: one each ten minutes, for nearly two years, but none on every tenth day, in 60 conversations.
  private static let store = Result { try generate() }
  private static let first = Date(timeIntervalSince1970: 1_704_067_200)

  private static func sent(_ place: Int) -> Date {
    let day = place / 144 + place / 144 / 9
    return first.addingTimeInterval(Double(day * 86_400 + place % 144 * 600))
  }

  /// What is counted a day, in a zone that is so many seconds ahead of UTC.
  private func expected(
    _ range: Range<Date>, _ seconds: Double, _ isCounted: (Int) -> Bool
  ) -> [GroupCount<Timestamp>] {
    var counts: [Date: Int] = [:]
    for place in 0..<100_000 where isCounted(place) && range.contains(Self.sent(place)) {
      let local = Self.sent(place).addingTimeInterval(seconds).timeIntervalSince1970
      counts[Date(timeIntervalSince1970: (local / 86_400).rounded(.down) * 86_400 - seconds), default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { GroupCount(group: Timestamp($0.key), count: $0.value) }
  }

  private static func generate() throws -> MessageStore {
    let scratch = try Scratch()
    for batch in 0..<10 {
      try scratch.store.write { tx in
        if batch == 0 {
          for number in 0..<60 {
            try tx.createConversation(
              with: ["bob"], id: Conversation.ID("c\(number)"),
              metadata: ["team": .text("team \(number % 5)")])
          }
        }
        for place in batch * 10_000..<(batch + 1) * 10_000 {
          let sent = sent(place)
          try tx.receive(
            [.text("\(place)", mimeType: place % 50 == 0 ? "image/png" : "text/plain")],
            in: Conversation.ID("c\(place * 7 % 60)"), from: ["bob", "carol", "alice"][place % 3],
            id: Message.ID("\(place)"), position: Int64(place), sentAt: sent, receivedAt: sent,
            isUnread: place % 10 == 0)
        }
      }
    }
    return try scratch.reopened()
  }

  private func reading<Value>(
    _ body: (StoreSnapshot) throws -> Value
  ) throws -> (value: Value, nodes: Int, records: Int) {
    try Self.store.get().read { snapshot in
      let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
      let value = try body(snapshot)
      return (
        value, snapshot.base.forest.metrics.nodesRead - nodes, snapshot.base.metrics.recordsRead - records
      )
    }
  }

  /// The days of a month that have messages: a descent for each of them, none for an empty day, and no record.
  @Test func aCalendar() throws {
    let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
    let seconds: Double = 20_700
    let range =
      Self.first.addingTimeInterval(
        91 * 86_400 - seconds)..<Self.first.addingTimeInterval(121 * 86_400 - seconds)
    let april = Message.filter { $0.sentAt >= range.lowerBound && $0.sentAt < range.upperBound }
    let queries: [(Query<Message>, (Int) -> Bool)] = [
      (april, { _ in true }), (april.filter { $0.sender.userID == "bob" }, { $0 % 3 == 0 }),
      (april.filter { $0.isUnread }, { $0 % 10 == 0 }),
      (april.filter { $0.parts.any { $0.mimeType == "image/png" } }, { $0 % 50 == 0 }),
    ]
    for (query, isCounted) in queries {
      let read = try reading { try $0.counts(of: query, by: { $0.sentAt.day(in: zone) }) }
      let wanted = expected(range, seconds, isCounted)
      #expect(read.value == wanted && (27...30).contains(wanted.count), "\(query)")
      print(
        "\(wanted.count) days of 100,000 messages: \(read.nodes) nodes, \(read.records) records -- \(query)")
      // Two nodes a descent, now and then a third one.
      #expect(read.nodes <= 3 * wanted.count + 12 && read.records == 0, "\(query): \(read.nodes) nodes")
    }
    // All of the store: as many descents as there are days, months and years.
    let all = try reading { try $0.counts(of: Message.all, by: { $0.sentAt.day(in: zone) }) }
    #expect(all.value == expected(.distantPast..<Date.distantFuture, seconds) { _ in true })
    let months = try reading { try $0.counts(of: Message.all, by: { $0.sentAt.month(in: zone) }) }
    let years = try reading { try $0.counts(of: Message.all, by: { $0.sentAt.year(in: zone) }) }
    #expect(years.value.count == 3 && months.value.count == 26, "\(years.value) \(months.value)")
    for read in [all, months, years] {
      #expect(read.value.reduce(0) { $0 + $1.count } == 100_000)
      #expect(read.nodes <= 3 * read.value.count + 12 && read.records == 0, "\(read.nodes) nodes")
    }
  }

  @Test func firstMessages() throws {
    let zone = try #require(TimeZone(identifier: "UTC"))
    let (start, end) = (
      Self.first.addingTimeInterval(90 * 86_400), Self.first.addingTimeInterval(120 * 86_400)
    )
    let month = Message.filter { $0.sentAt >= start && $0.sentAt < end }
    let read = try reading { try $0.firsts(of: month, by: { $0.sentAt.day(in: zone) }) }
    #expect(read.value.count == 27)
    #expect(read.value.allSatisfy { $0.period?.date == $0.object.sentAt })
    print("the first messages of 27 days: \(read.nodes) nodes, \(read.records) records")
    #expect(read.nodes <= 3 * 27 + 12, "\(read.nodes)")
    // A message has a record, and its conversation's identifier is read from another.
    #expect(read.records <= 2 * 27, "\(read.records)")
  }

  /// What index runs give without a look at what is in a group.
  @Test func otherGroups() throws {
    func check<Object: StoredObject, Groups: Grouping>(
      _ query: Query<Object>, _ groups: (Object.Fields) -> Groups, _ count: Int, nodes: Int, records: Int
    ) throws {
      let read = try reading { try $0.counts(of: query, by: groups) }
      let total = try Self.store.get().count(query)
      #expect(read.value.count == count && read.value.reduce(0) { $0 + $1.count } == total, "\(query)")
      #expect(read.nodes <= nodes && read.records <= records, "\(query): \(read.nodes), \(read.records)")
    }
    try check(Message.all, \.sender.userID, 3, nodes: 20, records: 0)
    try check(Message.filter { $0.isUnread }, \.sender.userID, 3, nodes: 20, records: 0)
    try check(Message.filter { $0.conversation == "c7" }, \.sender.userID, 1, nodes: 20, records: 2)
    try check(Message.all, \.sender.displayName, 1, nodes: 30, records: 6)
    try check(Message.all, \.conversation, 60, nodes: 3 * 60 + 12, records: 3 * 60)
    // Every tenth message is unread.
    try check(Message.filter { $0.isUnread }, \.conversation, 6, nodes: 3 * 6 + 12, records: 3 * 6)
    try check(Message.all, { $0.conversation.metadata.team }, 5, nodes: 3 * 60 + 12, records: 3 * 60)
    try check(MessagePart.all, \.mimeType, 2, nodes: 20, records: 0)
    try check(Conversation.all, { $0.metadata.team }, 5, nodes: 20, records: 0)
    let zone = try #require(TimeZone(identifier: "UTC"))
    try check(Conversation.all, { $0.lastMessage.receivedAt.day(in: zone) }, 1, nodes: 20, records: 0)
  }

  /// Where no index has the groups together, the rows that the condition leaves are read, and no others.
  @Test func onePass() throws {
    let zone = try #require(TimeZone(identifier: "UTC"))
    let read = try reading {
      try $0.counts(of: Message.filter { $0.conversation == "c7" }, by: { $0.sentAt.month(in: zone) })
    }
    let count = try Self.store.get().count(Message.filter { $0.conversation == "c7" })
    #expect(read.value.count >= 24 && read.value.reduce(0) { $0 + $1.count } == count)
    #expect(read.records <= count + 4, "\(read.records) of \(count)")
  }

  /// Which way is taken is what the plan says, and what it reads what the count reads.
  @Test func explanations() throws {
    let store = try Self.store.get()
    let zone = try #require(TimeZone(identifier: "UTC"))
    let days = try store.explain(
      Message.filter { $0.isUnread }, countedBy: { $0.sentAt.day(in: zone) }, running: true)
    #expect(
      days.plan.split(separator: "\n").prefix(2) == [
        "count by sentAt by day: messages where isUnread = TRUE",
        "plan: count groups of message.unread all, O(log n) each",
      ], "\(days.plan)")
    #expect(days.paths.map(\.cardinality) == [10_000] && days.run?.returned == 695, "\(days)")
    #expect(days.run?.recordsRead == 0 && days.placing == nil)
    let senders = try store.explain(Message.all, countedBy: \.sender.userID)
    #expect(senders.plan.contains("plan: count groups of message.sender all, O(log n) each"), "\(senders)")
    let teams = try store.explain(Conversation.all, countedBy: { $0.metadata.team })
    #expect(teams.plan.contains("plan: count groups of conversation.metadata"), "\(teams)")
    let pass = try store.explain(
      Message.filter { $0.conversation == "c7" }, countedBy: { $0.sentAt.day(in: zone) }, running: true)
    #expect(pass.plan.contains("plan: message.place [7] → count rows by group"), "\(pass)")
    #expect(pass.paths.count > 1 && pass.run?.recordsRead ?? 0 >= 1000)
    let limited = try store.explain(
      Message.order { $0.sentAt }.limit(20), countedBy: \.sender.userID, running: true)
    #expect(
      limited.plan.contains("plan: message.when all → limit 20 → count rows by group"), "\(limited)")
  }
}
