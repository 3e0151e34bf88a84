import Foundation
import Satchel
import SatchelModel
import SatchelScenes
import Testing

/// What cannot be counted by, and days of unusual lengths.
@Suite struct GroupedCountErrorTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  static let refused: [(kind: ObjectKind, path: [String], error: String)] = [
    (
      .messages, ["parts", "mimeType"],
      "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of (property: parts.mimeType)"
    ),
    (
      .messages, ["recipientStatus", "bob"],
      "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of (property: recipientStatus.bob)"
    ),
    (
      .conversations, ["participants"],
      "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of (property: participants)"
    ),
    (
      .identities, ["metadata"],
      "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of (property: metadata)"
    ),
  ]

  @Test func propertiesThatAnObjectHasSeveralOf() throws {
    for (kind, path, text) in Self.refused {
      let error = failure(.unsupportedSort) {
        _ = try store.read {
          try $0.counts(of: QueryDescription(kind: kind), by: GroupingDescription(property: path))
        }
      }
      #expect(error?.description == text)
    }
  }

  @Test func periodsOfWhatIsNoDate() throws {
    let periods = CalendarPeriods(.day) { _ in 0 }
    for path in [["sender", "userID"], ["position"], ["isUnread"]] {
      let error = failure(.unsupportedSort) {
        _ = try store.read {
          try $0.counts(
            of: QueryDescription(kind: .messages), by: GroupingDescription(property: path, periods: periods))
        }
      }
      #expect(
        error?.description
          == "Only dates are counted by hour, day, week, month or year (period: day, property: \(path.joined(separator: ".")))"
      )
    }
  }

  @Test func propertiesThatDoNotExist() throws {
    failure(.unqueryableProperty) {
      _ = try store.read {
        try $0.counts(of: QueryDescription(kind: .messages), by: GroupingDescription(property: ["color"]))
      }
    }
    failure(.unqueryableProperty) {
      _ = try store.counts(of: try Query<Message>(format: "color = 1"), by: \.sender.userID)
    }
    failure(.invalidValue) { _ = try store.counts(of: Message.all.limit(-1), by: \.sender.userID) }
    failure(.invalidValue) {
      _ = try store.counts(of: Message.all.around("none", before: 1, after: 1), by: \.sender.userID)
    }
  }

  @Test func valuesOfSeveralTypes() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a", metadata: ["kind": "x"])
      try tx.createConversation(with: ["bob"], id: "b", metadata: ["kind": 5])
      for id in ["a", "b"] { try tx.receive([.text("x")], in: Conversation.ID(id), from: "bob") }
    }
    let error = failure(.invalidValue) {
      _ = try store.counts(of: Conversation.all, by: { $0.metadata.kind })
    }
    #expect(
      error?.description
        == "Some objects have a value of another type: count them without types (property: metadata.kind, value: 5)"
    )
    let numbers = Conversation.filter { $0.metadata.kind.number == 5 }
    #expect(
      try store.counts(of: numbers, by: { $0.metadata.kind.number }) == [GroupCount(group: 5, count: 1)])
  }

  // MARK: Clocks that change

  /// A zone, the dates of messages, and how many each day has, by when it begins.
  static let days: [(zone: String, dates: [String], days: [String])] = [
    // 23 hours, then 25.
    (
      "Europe/Berlin",
      [
        "2024-03-30T22:59:59.999999Z", "2024-03-30T23:00:00Z", "2024-03-31T21:59:59.999999Z",
        "2024-03-31T22:00:00Z",
      ],
      ["2024-03-29T23:00:00Z 1", "2024-03-30T23:00:00Z 2", "2024-03-31T22:00:00Z 1"]
    ),
    (
      "Europe/Berlin",
      [
        "2024-10-26T21:59:59Z", "2024-10-26T22:00:00Z", "2024-10-27T00:30:00Z", "2024-10-27T22:59:59Z",
        "2024-10-27T23:00:00Z",
      ],
      ["2024-10-25T22:00:00Z 1", "2024-10-26T22:00:00Z 3", "2024-10-27T23:00:00Z 1"]
    ),
    // The clock goes from midnight to one o'clock: the day begins then.
    (
      "America/Sao_Paulo",
      ["2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z", "2018-11-05T02:00:00Z"],
      ["2018-11-03T03:00:00Z 1", "2018-11-04T03:00:00Z 2", "2018-11-05T02:00:00Z 1"]
    ),
    // There was no 30 December 2011.
    (
      "Pacific/Apia",
      ["2011-12-30T09:59:59Z", "2011-12-30T10:00:00Z", "2011-12-31T09:59:59Z", "2011-12-31T10:00:00Z"],
      ["2011-12-29T10:00:00Z 1", "2011-12-30T10:00:00Z 2", "2011-12-31T10:00:00Z 1"]
    ),
    // At one minute past midnight back to 23:01: the hour belongs to the day that the clock showed.
    (
      "America/St_Johns",
      [
        "2006-10-29T02:29:59Z", "2006-10-29T02:30:30Z", "2006-10-29T02:31:00Z", "2006-10-29T03:29:59Z",
        "2006-10-29T03:30:00Z",
      ],
      ["2006-10-28T02:30:00Z 3", "2006-10-29T02:30:00Z 2"]
    ),
  ]

  @Test func daysOfUnusualLengths() throws {
    for (number, (name, dates, days)) in Self.days.enumerated() {
      let zone = try #require(TimeZone(identifier: name))
      let id = Conversation.ID("c\(number)")
      try store.write { tx in
        try tx.createConversation(with: ["bob"], id: id)
        for date in dates {
          let timestamp = Timestamp(microseconds: try RFC3339.parse(date))
          try tx.receive([.text(date)], in: id, from: Identity.ID("bob \(number)"), sentAt: timestamp.date)
        }
      }
      // From runs of an index, and in one pass.
      for query in [
        Message.filter { $0.sender.userID == Identity.ID("bob \(number)") },
        Message.filter { $0.conversation == id },
      ] {
        let found = try store.counts(of: query, by: { $0.sentAt.day(in: zone) })
        #expect(found.map { "\($0.group.map { "\($0)" } ?? "none") \($0.count)" } == days, "\(name)")
      }
    }
  }

  /// An hour that the clock shows twice is two hours; Lord Howe goes back by half an hour.
  @Test func hours() throws {
    let id: Conversation.ID = "hours"
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: id)
      for minute in stride(from: 0, to: 240, by: 30) {
        let start: Double = 1_729_983_600  // 2024-10-27, one o'clock in Berlin
        try tx.receive(
          [.text("")], in: id, from: "bob", sentAt: Date(timeIntervalSince1970: start + Double(minute * 60)))
        let other: Double = 1_712_412_000  // 2024-04-07, 01:00 on Lord Howe Island
        try tx.receive(
          [.text("")], in: id, from: "carol", sentAt: Date(timeIntervalSince1970: other + Double(minute * 60))
        )
      }
    }
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let lordHowe = try #require(TimeZone(identifier: "Australia/Lord_Howe"))
    let bob = Message.filter { $0.sender.userID == "bob" }
    #expect(try store.counts(of: bob, by: { $0.sentAt.hour(in: berlin) }).map(\.count) == [2, 2, 2, 2])
    let carol = Message.filter { $0.sender.userID == "carol" }
    #expect(
      try store.counts(of: carol, by: { $0.sentAt.hour(in: lordHowe) }).map(\.count) == [2, 1, 2, 2, 1])
    #expect(
      try store.counts(of: carol, by: { $0.sentAt.week(in: lordHowe, beginningOn: .sunday) }).map(\.count)
        == [8])
  }
}
