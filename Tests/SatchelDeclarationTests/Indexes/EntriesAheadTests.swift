import Foundation
import Satchel
import SatchelCoding
import SatchelExecution
import SatchelReading
import SatchelScenes
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// Entries of a declared index that are made ahead of the write that puts them in, and what changes between.
@Suite struct EntriesAheadTests {
  static let indexes = [
    Index(named: "unread", on: Message.self, where: { $0.isUnread }) { [$0.metadata.priority, $0.sentAt] },
    Index(named: "tags", on: Message.self) {
      [$0.conversation, $0.metadata.tags.list, $0.position.descending]
    },
    Index(named: "counts", on: Conversation.self) {
      [$0.metadata.priority, $0.metadata.kind, $0.unreadCount, $0.messageCount.descending]
    },
    Index(named: "names", on: Identity.self) { [$0.displayName, $0.metadata.team] },
    Index(named: "news", on: Announcement.self) { [$0.metadata.priority, $0.sentAt.descending] },
    Index(named: "texts", on: Message.self, where: { $0.isUnread }, wordsOf: { $0.parts.each { $0.text } }),
    Index(named: "tag words", on: Message.self, wordsOf: { $0.metadata.tags }),
    Index(named: "kind words", on: Conversation.self, wordsOf: { $0.metadata.kind }),
  ]

  let directory: TemporaryDirectory
  let store: MessageStore
  let other: MessageStore
  /// More objects of each kind than a declaration looks at.
  private static let count = 1300

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("store")
    store = try StoreToIndex.open(path)
    other = try StoreToIndex.open(path)
    try store.write { tx in
      for name in ["a", "b", "left", "many"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(name))
      }
      for number in 0..<Self.count {
        let metadata = Self.metadata(number)
        let conversation = Conversation.ID("c\(number)")
        try tx.createConversation(with: ["bob"], id: conversation, metadata: metadata)
        try Self.receive(number, in: conversation, tx)
        try tx.put(
          Identity(userID: Identity.ID("u\(number)"), displayName: "\(number % 7)", metadata: metadata))
        try tx.announce([.text("x")], from: "bob", id: Announcement.ID("a\(number)"), metadata: metadata)
      }
      for number in Self.count..<Self.count + 600 {
        try Self.receive(number, in: ["a", "b", "left"][number % 3], tx)
      }
      // More than the log lists of a commit.
      for number in Self.count + 600..<Self.count + 1700 { try Self.receive(number, in: "many", tx) }
    }
  }

  static func metadata(_ number: Int) -> Metadata {
    [
      "priority": .integer(Int64(number % 5)), "kind": number % 2 == 0 ? "ticket" : "note",
      "team": number % 3 == 0 ? "red" : "blue", "tags": .list(["t\(number % 4)", "all"]),
    ]
  }

  static func receive(_ number: Int, in conversation: Conversation.ID, _ tx: WriteTransaction) throws {
    try tx.receive(
      [.text("\(number)")], in: conversation, from: "bob", id: Message.ID("m\(number)"),
      position: Int64(number), sentAt: date(Double(number % 100)), metadata: metadata(number))
  }

  static func ahead(_ store: MessageStore, _ objects: Int) throws -> EntriesAhead? {
    let bounds = EntriesAhead.Bounds(objects: objects, bytes: 1 << 20)
    return try store.base.read {
      try EntriesAhead(in: $0, atMost: bounds, by: QueryAggregateEvaluator())
    }
  }

  /// A write that has been given `ahead`; without it, or if it is of no use, so many objects are built.
  static func step(_ store: MessageStore, _ ahead: EntriesAhead?, or room: Int) throws {
    try store.base.write { writer in
      writer.entriesAhead = ahead
      writer.isChanged = true
      writer.turn.grows = true
      writer.turn.indexingRoom = room
    }
  }

  /// The number that the build has got to; nil if none is at work.
  static func next(_ store: MessageStore) throws -> UInt64? {
    for record in try store.base.read({ try $0.declaredIndexes() }) {
      if case .building(let next) = record.entry.state { return next }
    }
    return nil
  }

  /// Changes something of objects of all kinds.
  static func change(_ store: MessageStore, _ random: inout SeededGenerator, _ number: inout Int) throws {
    let kind = random.below(16)
    let some = random.below(count + 1700)
    try store.write { tx in
      let message = Message.ID("m\(some)")
      let isThere = try tx.message(message) != nil
      let conversation = Conversation.ID(
        random.oneIn(3) ? "a" : random.oneIn(9) ? "many" : "c\(random.below(count))")
      let hasConversation = try tx.conversation(conversation) != nil
      switch kind {
      case 0, 1, 2: if isThere { try tx.setMetadata(random.below(9), at: "priority", of: .message(message)) }
      case 3, 4: if isThere { try tx.delete(message) }
      case 5: if isThere { try tx.setMetadata(["t3", "new"], at: "tags", of: .message(message)) }
      case 6: if isThere { try tx.markAsRead([message]) }
      case 7: if hasConversation { try tx.markAsRead(conversation) }
      case 8: try tx.put(Identity(userID: Identity.ID("u\(some)"), displayName: "new \(some % 3)"))
      case 9: try? tx.delete(Announcement.ID("a\(random.below(count))"))
      case 10:
        if hasConversation { try tx.setMetadata("other", at: "kind", of: .conversation(conversation)) }
      case 11: try tx.removeParticipants(["alice"], from: "left")
      case 12: try tx.addParticipants(["alice"], to: "left")
      case 13: if hasConversation, conversation != "a" { try tx.delete(conversation) }
      default: break
      }
      // What makes the store larger builds some itself.
      guard random.oneIn(4) else { return }
      number += 1
      try receive(number + 10_000, in: random.oneIn(2) ? "a" : "left", tx)
    }
  }

  /// Between making entries and putting them in, this handle and another change what they are of, or build some of them themselves.
  @Test(arguments: indexes.indices) func whatChangesMeanwhileIsFollowed(place: Int) throws {
    let index = Self.indexes[place]
    var random = SeededGenerator(for: "\(#function) \(place)")
    var (number, taken, refused, rounds) = (0, 0, 0, 0)
    for round in 0..<3 {
      try store.declare(index)
      #expect(try store.indexes().map(\.isComplete) == [false])
      while let before = try Self.next(store) {
        rounds += 1
        try #require(rounds < 2000)
        // Whatever is drawn, a conversation disappears: the log names none of its messages, which more than two rounds in a row are about.
        let disappears = rounds % 2 == 0
        if disappears { try store.write { try $0.addParticipants(["alice"], to: "left") } }
        var ahead = try #require(try Self.ahead(store, 30 + random.below(60)))
        let end = ahead.end
        if disappears { try store.write { try $0.removeParticipants(["alice"], from: "left") } }
        for _ in 0..<random.below(4) {
          try Self.change(random.oneIn(2) ? store : other, &random, &number)
          if random.oneIn(5) { try Self.step(other, nil, or: 1 + random.below(20)) }
          if random.oneIn(4) {
            let reader = random.oneIn(2) ? store : other
            let isOfUse = try reader.base.read { try ahead.follow(to: $0, by: QueryAggregateEvaluator()) }
            if !isOfUse { break }
          }
        }
        guard let made = try Self.next(store) else { break }
        try Self.step(random.oneIn(2) ? store : other, ahead, or: 3)
        guard let after = try Self.next(store) else { break }
        #expect(after > before)
        if after < end { refused += 1 } else if made + 20 < end { taken += 1 }
        if rounds % 12 == 0 { try expectSound(store) }
      }
      try expectSound(store)
      #expect(try store.indexes().map(\.isComplete) == [true])
      if round < 2 { try store.dropIndex(named: index.name) }
      while try store.base.read({ try $0.isBuildingIndexes() }) { try Self.step(store, nil, or: 500) }
    }
    #expect(taken > (place < 2 ? 10 : 2), "\(taken) were of use, \(refused) were not")
    // Of other objects the log names all.
    if place < 2 { #expect(refused > 0) }
    try expectAnswers(place)
    other.close()
    store.close()
  }

  /// What the index finds is what a scan finds.
  private func expectAnswers(_ place: Int) throws {
    func expect<Object: StoredObject>(_ query: Query<Object>) throws {
      let explanation = try store.explain(query)
      #expect(explanation.paths[explanation.chosen].index == Self.indexes[place].name)
      let found = try store.identifiers(query)
      try store.dropIndex(named: Self.indexes[place].name)
      #expect(try store.identifiers(query) == found)
      #expect(!found.isEmpty)
    }
    switch place {
    case 0:
      try expect(Message.filter { $0.isUnread && $0.metadata.priority.number == 3 }.order { $0.sentAt })
    case 1:
      try expect(
        Message.filter { $0.conversation == "a" && $0.metadata.tags.list.contains("t3") }
          .order { $0.position })
    case 2:
      try expect(
        Conversation.filter { $0.metadata.priority.number == 3 && $0.metadata.kind == "note" }
          .order { $0.unreadCount })
    case 3: try expect(Identity.filter { $0.displayName == "3" }.order { $0.metadata.team })
    case 4: try expect(Announcement.filter { $0.metadata.priority.number == 3 }.order { $0.sentAt })
    // Of words, a verification has looked at every entry.
    default: #expect(try !wordEntries(store, Self.indexes[place]).isEmpty)
    }
  }
}

extension EntriesAheadTests {
  /// Each of these leaves entries that were made ahead of no use, and the write builds some itself.
  @Test(arguments: 0..<6) func whatTheLogDoesNotNameIsNotFollowed(kind: Int) throws {
    let index = Self.indexes[0]
    try store.declare(index)
    var ahead = try #require(try Self.ahead(store, 1500))
    switch kind {
    case 0:
      // More commits than the log keeps, none of which is about messages, or builds anything.
      for number in 0..<Self.count { try store.write { try $0.delete(Announcement.ID("a\(number)")) } }
    case 1: try store.write { try $0.removeParticipants(["alice"], from: "left") }
    case 2: try store.write { try $0.delete("many" as Conversation.ID) }
    case 3: _ = try store.write { try $0.markAsRead("many" as Conversation.ID) }
    case 4:
      // Another one, of the same name.
      let other = Index(named: index.name, on: Message.self) { [$0.sentAt] }
      try store.declare(other, replacing: true)
    default:
      while let next = try Self.next(store), next <= ahead.end { try Self.step(other, nil, or: 100) }
    }
    #expect(try !other.base.read { try ahead.follow(to: $0, by: QueryAggregateEvaluator()) })
    let before = try #require(try Self.next(store))
    try Self.step(store, ahead, or: 5)
    let after = try #require(try Self.next(store))
    #expect(after > before && after <= before + 10)
    try expectSound(store)
    while try store.base.read({ try $0.isBuildingIndexes() }) {
      try Self.step(store, try Self.ahead(store, 400), or: 50)
    }
    try expectSound(store)
    other.close()
    store.close()
  }

  /// Of texts that are long, few are made at once; an object with more than there is room for is made alone.
  @Test func theirBytesAreBounded() throws {
    try store.write { tx in
      for number in 0..<900 {
        let many = number == 700 ? 400 : 2
        let texts = (0..<many).map { "\(number) \($0) " + String(repeating: "x", count: 100) }
        try tx.receive(
          [.text("x")], in: "b", from: "bob", metadata: ["tags": .list(texts)])
      }
    }
    try store.declare(Index(named: "tags", on: Message.self) { [$0.metadata.tags.list] })
    var (steps, alone) = (0, 0)
    while let before = try Self.next(store) {
      steps += 1
      try #require(steps < 1000)
      let bounds = EntriesAhead.Bounds(objects: 10_000, bytes: 20_000)
      let ahead = try #require(
        try store.base.read { try EntriesAhead(in: $0, atMost: bounds, by: QueryAggregateEvaluator()) })
      let entries = try store.indexes()[0].entries
      try Self.step(store, ahead, or: 1)
      let added = try store.indexes()[0].entries - entries
      if ahead.end - before == 1 { alone += 1 } else { #expect(added <= 20_000 / 20) }
    }
    #expect(steps > 10 && alone >= 1)
    try expectSound(store)
    other.close()
    store.close()
  }
}
