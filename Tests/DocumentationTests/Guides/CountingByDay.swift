import Foundation
import Satchel
import Testing

/// The code of CountingByDay.md.
@Suite struct CountingByDay {
  private let chats: GuideStore
  private var store: MessageStore { chats.store }

  init() throws { chats = try GuideStore() }

  @Test func counts() throws {
    try chats.chat("lunch", messages: 3)
    let perSender = try store.counts(of: Message.filter { $0.isUnread }, by: \.sender.userID)
    for sender in perSender { print(sender.group ?? "nobody", sender.count) }
    let perTeam = try store.counts(of: Message.all, by: { $0.conversation.metadata.team })
    let perType = try store.counts(of: MessagePart.all, by: \.mimeType)
    #expect(perSender.reduce(0) { $0 + $1.count } == (try store.count(Message.filter { $0.isUnread })))
    #expect(perTeam == [GroupCount(group: nil, count: 3)])
    #expect(perType == [GroupCount(group: "text/plain", count: 3)])
  }

  @Test func aCalendar() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let start = Date(timeIntervalSince1970: 1_711_839_600)  // 2024-03-31, a day of 23 hours
    let end = start.addingTimeInterval(30 * 86_400)
    try chats.chat("lunch", messages: 1)
    try store.write { transaction in
      for hour in [0, 5, 22, 23, 24, 200] {
        try transaction.receive(
          [.text("\(hour)")], in: "lunch", from: "bob", sentAt: start.addingTimeInterval(Double(hour) * 3600))
      }
    }
    let month = Message.filter { $0.sentAt >= start && $0.sentAt < end }
    let days = try store.counts(of: month, by: { $0.sentAt.day(in: zone) })
    for day in days {
      guard let beginning = day.group else { continue }
      print(beginning.date, day.count)
    }
    #expect(days.map(\.count) == [3, 2, 1])
    #expect(days.first?.group?.date == start)
    #expect(days.dropFirst().first?.group?.date == start.addingTimeInterval(23 * 3600))
    for day in try store.firsts(of: month, by: { $0.sentAt.day(in: zone) }) {
      print(day.period?.date ?? .distantPast, day.object.text ?? "")
    }
    let weeks = try store.counts(of: month, by: { $0.sentAt.week(in: zone, beginningOn: .sunday) })
    #expect(
      try store.firsts(of: month, by: { $0.sentAt.day(in: zone) }).map(\.object.text) == ["0", "23", "200"])
    #expect(weeks.map(\.count) == [5, 1])
  }
}
