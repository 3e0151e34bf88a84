import Foundation
import Satchel
import SatchelModel
import SatchelScenes
import TestSupport
import Testing

/// Counts by groups, compared with the objects themselves, grouped by Foundation's calendar.
@Suite struct GroupedCountTests {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "America/St_Johns", "Australia/Lord_Howe",
    "Asia/Kathmandu", "America/Los_Angeles", "Africa/Casablanca",
  ].compactMap { TimeZone(identifier: $0) }

  /// Where the clocks of some zone change.
  private static let moments: [Double] = [
    // Berlin, in spring and in autumn; São Paulo, whose midnight is skipped; Apia, without 30 December; St John's, at one past midnight;
    // Lord Howe, by half an hour.
    1_711_846_800, 1_729_990_800, 1_541_300_400, 1_325_239_200, 1_162_089_060, 1_712_415_600,
  ]

  private struct Sample {
    let scratch: Scratch
    var random: SeededGenerator
    var number = 0

    init(_ random: inout SeededGenerator) throws {
      scratch = try Scratch()
      self.random = random.fork()
      try scratch.store.write { tx in
        for name in ["a", "b", "c", "gone"] {
          try tx.createConversation(
            with: ["bob", "carol"], id: Conversation.ID(name),
            metadata: name == "b" ? [:] : ["team": .text(name)])
        }
        try tx.put(Identity(userID: "bob", displayName: "Bob"))
        try tx.put(Identity(userID: "carol", displayName: "Bo\u{62}"))
      }
    }

    /// A date near a change of clocks, or some days or hours from it.
    private mutating func date() -> Date {
      let moment = random.pick(GroupedCountTests.moments)
      let distance = random.pick([600, 7200, 90_000, 40 * 86_400])
      let seconds = moment + Double(random.below(2 * distance) - distance)
      return Date(timeIntervalSince1970: seconds + Double(random.below(4)) / 4)
    }

    private mutating func metadata() -> Metadata {
      var values: [String: MetadataValue] = [:]
      switch random.below(8) {
      case 0: values["kind"] = .text("ticket")
      case 1: values["kind"] = .text("cafe\u{301}")
      case 2: values["kind"] = .text("café")
      case 3: values["kind"] = .integer(Int64(random.below(3)))
      case 4: values["kind"] = .number(2)
      case 5: values["due"] = .date(Timestamp(date()))
      case 6: values["kind"] = .boolean(true)
      default: break
      }
      if random.oneIn(40) { values["tags"] = .list(["x", "y"]) }
      if random.oneIn(3) { values["tags"] = .text("x") }
      return Metadata(values)
    }

    mutating func change(_ tx: WriteTransaction) throws {
      let conversation = Conversation.ID(random.pick(["a", "a", "a", "b", "c", "gone"]))
      number += 1
      switch random.below(12) {
      case 0: _ = try tx.markAsRead(conversation)
      case 1:
        if let message = try tx.first(
          Message.filter { $0.identifier == Message.ID("m\(random.below(number))") })
        {
          try tx.delete(message.id)
        }
      case 2:
        try tx.setMetadata(random.pick(["team 1", "team 2"]), at: "team", of: .conversation(conversation))
      case 3 where random.oneIn(8):
        try tx.put(Identity(userID: "bob", displayName: random.pick(["Bob", "Robert"])))
      default:
        for place in 0..<(1 + random.below(random.oneIn(10) ? 60 : 4)) {
          try tx.receive(
            [.text("\(number)", mimeType: random.pick(["text/plain", "text/html"]))], in: conversation,
            from: Identity.ID(random.pick(["bob", "carol", "alice"])),
            id: Message.ID(place == 0 ? "m\(number)" : "m\(number)-\(place)"),
            sentAt: date(), receivedAt: date(), isUnread: random.oneIn(2), metadata: metadata())
          guard random.oneIn(6) else { continue }
          try tx.update(Message.ID(place == 0 ? "m\(number)" : "m\(number)-\(place)")) {
            $0.sentAt = .some(nil)
          }
        }
      }
    }
  }

  private static let queries: [Query<Message>] = [
    Message.all, Message.filter { $0.isUnread }, Message.filter { $0.sender.userID == "bob" },
    Message.filter { $0.sender.userID != "bob" },
    Message.filter { $0.sender.userID.in(["bob", "alice"]) && $0.isUnread },
    Message.filter { $0.conversation == "a" },
    Message.filter { $0.conversation.in(["a", "b"]) && $0.isUnread },
    Message.filter { $0.sentAt >= Date(timeIntervalSince1970: 1_711_846_800) },
    Message.filter {
      $0.sentAt >= Date(timeIntervalSince1970: 1_711_846_801)
        && $0.sentAt < Date(timeIntervalSince1970: 1_712_415_600) && $0.sender.userID == "carol"
    },
    Message.filter { $0.sentAt == nil }, Message.filter { $0.metadata.kind == "ticket" },
    Message.filter { $0.metadata.kind.number >= 1 }, Message.filter { $0.metadata.kind != nil },
    Message.filter { $0.metadata.tags == "x" }, Message.filter { $0.conversation.metadata.team == "team 1" },
    Message.filter { $0.parts.any { $0.mimeType == "text/html" } },
    Message.filter { $0.parts.any { $0.text.contains("1") } },
    Message.all.limit(7), Message.order { $0.sentAt.descending }.limit(20).offset(3), Message.all.limit(0),
    Message.filter { $0.sender.userID == "nobody" },
    Message.filter { $0.isUnread && $0.sender.userID == "bob" || $0.conversation == "b" },
  ]

  /// What the objects themselves give.
  private func expected<Value: Comparable & Hashable>(
    _ objects: [Message], _ value: (Message) -> Value?
  ) -> [(Value?, Int)] {
    let groups = Dictionary(grouping: objects, by: value)
    return groups.sorted { left, right in
      guard let first = left.key else { return right.key != nil }
      return right.key.map { first < $0 } ?? false
    }.map { ($0.key, $0.value.count) }
  }

  /// Returns what says when the day, week, month or year of a date begins.
  private func start(_ component: Calendar.Component, _ zone: TimeZone) -> (Date?) -> Timestamp? {
    var calendar = Calendar(identifier: component == .weekOfYear ? .iso8601 : .gregorian)
    calendar.timeZone = zone
    return { date in
      date.flatMap { calendar.dateInterval(of: component, for: $0)?.start }.map { Timestamp($0) }
    }
  }

  private func check(_ source: some StoreReading, _ zone: TimeZone, _ when: String) throws {
    let (day, week) = (start(.day, zone), start(.weekOfYear, zone))
    let (month, year) = (start(.month, zone), start(.year, zone))
    for query in Self.queries {
      let objects = try source.fetch(query)
      let note: Comment = "\(when): \(query) in \(zone.identifier)"
      func compare<Groups: Grouping>(
        _ groups: (MessageFields) -> Groups, _ wanted: [(Groups.GroupValue?, Int)]
      ) throws {
        let counts = try source.counts(of: query, by: groups)
        #expect(counts.map(\.group) == wanted.map(\.0), note)
        #expect(counts.map(\.count) == wanted.map(\.1), note)
      }
      try compare({ $0.sentAt.day(in: zone) }, expected(objects) { day($0.sentAt) })
      try compare({ $0.sentAt.month(in: zone) }, expected(objects) { month($0.sentAt) })
      try compare({ $0.sentAt.year(in: zone) }, expected(objects) { year($0.sentAt) })
      try compare({ $0.sentAt.week(in: zone) }, expected(objects) { week($0.sentAt) })
      try compare({ $0.receivedAt.day(in: zone) }, expected(objects) { day($0.receivedAt) })
      try compare(
        { $0.metadata.due.date.day(in: zone) },
        expected(objects) {
          day(
            $0.metadata.value(at: "due").flatMap { if case .date(let date) = $0 { date.date } else { nil } })
        })
      try compare(\.sender.userID, expected(objects) { $0.sender })
      try compare(\.conversation, expected(objects) { $0.conversation })
      try compare(\.isUnread, expected(objects) { Flag($0.isUnread) }.map { ($0.0?.value, $0.1) })
      let names = Dictionary(
        uniqueKeysWithValues: try source.fetch(Identity.all).map { ($0.userID, $0.displayName) })
      try compare(\.sender.displayName, expected(objects) { names[$0.sender] ?? nil })
      let teams = Dictionary(
        uniqueKeysWithValues: try source.fetch(Conversation.all).map { ($0.id, $0.metadata["team"]) })
      try compare({ $0.conversation.metadata.team }, expected(objects) { teams[$0.conversation] ?? nil })
      let kinds = Dictionary(grouping: objects) { $0.metadata.value(at: "kind").map { kind($0) } }
      let counts = try source.read {
        try $0.counts(of: query.untyped, by: GroupingDescription(property: ["metadata", "kind"]))
      }
      #expect(
        Dictionary(uniqueKeysWithValues: counts.map { ("\($0.group)", $0.count) })
          == Dictionary(uniqueKeysWithValues: kinds.map { ($0.key ?? "nil", $0.value.count) }), note)
      let tags = try source.counts(of: query, by: { $0.metadata.tags })
      let tagged = objects.count { $0.metadata.value(at: "tags") == .text("x") }
      #expect(tags.first { $0.group == "x" }?.count ?? 0 == tagged && tags.count <= 2, note)
      try firsts(source, query, objects, zone, note)
    }
  }

  private struct Flag: Comparable, Hashable {
    let value: Bool
    init(_ value: Bool) { self.value = value }
    static func < (left: Flag, right: Flag) -> Bool { !left.value && right.value }
  }

  private func kind(_ value: MetadataValue) -> String {
    switch value {
    case .text(let text): "'" + text.precomposedStringWithCanonicalMapping + "'"
    case .integer(let number): "\(number)"
    case .number(let number): "\(Int(number))"
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    default: "\(value)"
    }
  }

  private func firsts(
    _ source: some StoreReading, _ query: Query<Message>, _ objects: [Message], _ zone: TimeZone,
    _ note: Comment
  ) throws {
    let order = try source.identifiers(Message.all)
    let place = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
    let day = start(.day, zone)
    let groups = Dictionary(grouping: objects) { day($0.sentAt) }
    let wanted = groups.mapValues { messages in
      messages.min {
        ($0.sentAt ?? .distantPast, place[$0.id] ?? 0) < ($1.sentAt ?? .distantPast, place[$1.id] ?? 0)
      }?.id
    }
    let found = try source.firsts(of: query, by: { $0.sentAt.day(in: zone) })
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.period, $0.object.id) }) == wanted, note)
    let periods = found.compactMap(\.period)
    #expect(periods == periods.sorted() && found.dropFirst().allSatisfy { $0.period != nil }, note)
  }

  @Test(.timeLimit(.minutes(5))) func countsAreWhatTheObjectsGive() throws {
    #expect(Self.zones.count == 9)
    var random = SeededGenerator(for: "grouped counts")
    for round in 0..<TestEnvironment.rounds(4) {
      var sample = try Sample(&random)
      var store = sample.scratch.store
      for step in 0..<5 {
        try store.write { tx in
          for _ in 0..<30 { try sample.change(tx) }
          if random.oneIn(3) { try check(tx, random.pick(Self.zones), "inside write \(round).\(step)") }
        }
        try check(store, random.pick(Self.zones), "after write \(round).\(step)")
        if random.oneIn(3) {
          try store.write { try $0.leave("gone") }
          try check(store, random.pick(Self.zones), "without a conversation \(round).\(step)")
          try store.write { try $0.addParticipants(["alice"], to: "gone") }
        }
        if random.oneIn(3) {
          store.close()
          store = try sample.scratch.reopened()
        }
      }
      try expectSound(store)
    }
  }
}
