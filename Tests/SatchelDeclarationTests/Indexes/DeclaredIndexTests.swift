import Foundation
import Satchel
import SatchelModel
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Indexes that an application declares: what they find, how they are kept, and how they come and go.
@Suite struct DeclaredIndexTests {
  static let tickets = Index(
    named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }
  ) { [$0.metadata.priority.number.descending, $0.sentAt] }

  static func store(tickets count: Int = 300) throws -> MessageStore {
    let store = try Scratch().store
    try store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<count { try receive(number, tx) }
    }
    return store
  }

  static func receive(_ number: Int, _ tx: WriteTransaction) throws {
    try tx.receive(
      [.text("\(number)")], in: number % 3 == 0 ? "a" : "b", from: "bob", id: Message.ID("m\(number)"),
      position: Int64(number), sentAt: Date(timeIntervalSince1970: Double(number * 7 % 100)),
      metadata: [
        "kind": number % 2 == 0 ? "ticket" : "note", "priority": .integer(Int64(number % 5)),
        "tags": .list(["t\(number % 4)", "all"]),
      ])
  }

  @Test func anIndexFindsWhatItsColumnsSayInItsOrder() throws {
    let store = try Self.store()
    try store.declare(Self.tickets)
    #expect(try store.indexes().map(\.isComplete) == [true])
    #expect(try store.indexes().map(\.entries) == [150])
    let all = Message.filter { $0.metadata.kind == "ticket" }
    let ordered = all.order { ($0.metadata.priority.descending, $0.sentAt) }
    try expectSame(ordered, as: Self.tickets, store)
    try expectSame(ordered.limit(20), as: Self.tickets, store)
    try expectSame(ordered.limit(20).offset(100), as: Self.tickets, store)
    try expectSame(
      all.order { ($0.metadata.priority, $0.sentAt.descending) }.limit(9), as: Self.tickets, store)
    let urgent = Message.filter { $0.metadata.kind == "ticket" && $0.metadata.priority.number == 4 }
    try expectSame(urgent.order { $0.sentAt }, as: Self.tickets, store)
    try expectSame(
      Message.filter { $0.metadata.kind == "ticket" && $0.metadata.priority.number > 2 }, as: Self.tickets,
      store)
    #expect(try store.count(urgent) == 30)
    try expectSound(store)
  }

  @Test func aPageReadsItsOwnRecordsAndACountNone() throws {
    let store = try Self.store()
    try store.declare(Self.tickets)
    let page = Message.filter { $0.metadata.kind == "ticket" }
      .order { ($0.metadata.priority.descending, $0.sentAt) }.limit(20).offset(90)
    let (found, read, counted) = try store.read { snapshot in
      let found = try snapshot.fetch(page).count
      let read = snapshot.base.metrics.recordsRead
      _ = try snapshot.count(page)
      return (found, read, snapshot.base.metrics.recordsRead - read)
    }
    #expect(found == 20)
    // And those of the two conversations that they are in.
    #expect(read == 22)
    #expect(counted == 0)
  }

  @Test func aListIsFoundByEachOfItsTexts() throws {
    let store = try Self.store()
    let tags = Index(named: "tags", on: Message.self) { [$0.metadata.tags.list, $0.sentAt] }
    try store.declare(tags)
    #expect(try store.indexes().map(\.entries) == [900])
    try expectSame(
      Message.filter { $0.metadata.tags.list.contains("t1") }.order { $0.sentAt.descending }.limit(10),
      as: tags,
      store)
    try expectSame(
      Message.filter { $0.metadata.tags.list.contains("all") }.order { $0.sentAt }, as: tags, store)
    try expectSound(store)
  }

  @Test func elementsAreFoundByTheirIndex() throws {
    let store = try Self.store()
    let tags = Index(named: "tags", on: Message.self) { [$0.metadata.tags.list, $0.sentAt] }
    try store.declare(tags)
    try expectSame(
      Query<Message>(format: "ANY metadata.tags = 't1'").order { $0.sentAt.descending }.limit(10), as: tags,
      store)
    try store.dropIndex(named: "tags")
    let kinds = Index(named: "kinds", on: Message.self) { [$0.metadata.kind, $0.sentAt] }
    try store.declare(kinds)
    try expectSame(
      Query<Message>(format: "ANY metadata.kind = 'ticket'").order { $0.sentAt }.limit(7), as: kinds, store)
    #expect(try store.count(Query<Message>(format: "ALL metadata.kind = 'ticket'")) == 150)
    #expect(try store.count(Query<Message>(format: "NONE metadata.kind BEGINSWITH 't'")) == 150)
    try store.dropIndex(named: "kinds")
    let lists = Index(named: "lists", on: Message.self) { [$0.metadata.tags] }
    try store.declare(lists)
    for (text, count) in [
      ("ALL metadata.tags = 'all'", 0), ("ALL metadata.tags IN {'all', 't1'}", 75),
      ("ANY metadata.tags != 'all'", 300),
      ("ANY metadata.tags < 'b'", 300), ("NONE metadata.tags = 't1'", 225),
      ("ALL metadata.tags LIKE '%l%'", 0),
      ("ALL metadata.tags CONTAINS 'l' OR NOT ANY metadata.tags LIKE 't1'", 225),
    ] {
      #expect(try store.count(Query<Message>(format: text)) == count, "\(text)")
    }
  }

  @Test func aConversationIsAColumn() throws {
    let store = try Self.store()
    let index = Index(named: "by priority", on: Message.self) { [$0.conversation, $0.metadata.priority] }
    try store.declare(index)
    try expectSame(
      Message.filter { $0.conversation == "b" }.order { $0.metadata.priority.descending }.limit(5), as: index,
      store)
    try expectSame(
      Message.filter { $0.conversation == "b" && $0.metadata.priority.number == 3 }, as: index, store)
  }

  @Test func changesOfObjectsChangeTheirEntries() throws {
    let store = try Self.store()
    try store.declare(Self.tickets)
    let unread = Index(named: "unread", on: Message.self, where: { $0.isUnread }) { [$0.metadata.priority] }
    try store.declare(unread)
    let status = Index(named: "read by bob", on: Message.self) { [$0.recipientStatus["bob"], $0.sentAt] }
    try store.declare(status)
    let sizes = Index(named: "sizes", on: Message.self) { [$0.parts.each { $0.size }] }
    try store.declare(sizes)
    let counts = Index(named: "counts", on: Conversation.self) { [$0.unreadCount, $0.messageCount] }
    try store.declare(counts)
    let names = Index(named: "names", on: Identity.self) { [$0.displayName, $0.metadata.team] }
    try store.declare(names)
    try expectSound(store)
    try store.write { tx in
      try tx.setMetadata("note", at: "kind", of: .message("m2"))
      try tx.setMetadata("ticket", at: "kind", of: .message("m1"))
      try tx.delete("m4" as Message.ID)
      try tx.markAsRead(["m6"] as [Message.ID])
      for number in 300..<340 { try Self.receive(number, tx) }
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
    }
    try expectSound(store)
    #expect(try store.count(Message.filter { $0.metadata.kind == "ticket" }) == 169)
    _ = try store.write { try $0.markAsRead("b" as Conversation.ID) }
    try expectSound(store)
    #expect(
      try store.indexes().first { $0.index == unread }?.entries == store.count(Message.filter { $0.isUnread })
    )
    try store.write { try $0.removeParticipants(["alice"], from: "a") }
    try expectSound(store)
    try store.write { try $0.addParticipants(["alice"], to: "a") }
    try expectSound(store)
    try store.write { try $0.delete("a" as Conversation.ID) }
    try expectSound(store)
  }

  /// With more objects than a declaration looks at, an index is built in many steps, between which others write; a process may end at any.
  @Test func aLargeIndexIsBuiltInSteps() throws {
    var random = SeededGenerator(for: #function)
    let directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("store")
    var store = try StoreToIndex.open(path)
    try store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<2500 { try Self.receive(number, tx) }
    }
    try store.declare(Self.tickets)
    let query = Message.filter { $0.metadata.kind == "ticket" }.order {
      ($0.metadata.priority.descending, $0.sentAt)
    }
    var next = 2500
    var steps = 0
    while try store.indexes().contains(where: { !$0.isComplete }) {
      steps += 1
      try #require(steps < 1000)
      let explanation = try store.explain(query)
      #expect(explanation.paths.allSatisfy { $0.index != "tickets" })
      // All may have been looked at where the last ones were deleted: the next step says so.
      #expect(try (0...1).contains(store.indexes()[0].progress))
      try store.write { tx in
        for _ in 0..<3 {
          let id = Message.ID("m\(random.below(next))")
          switch random.below(4) {
          case 0:
            try Self.receive(next, tx)
            next += 1
          case 1: try? tx.delete(id)
          case 2: try? tx.setMetadata(random.oneIn(2) ? "ticket" : "note", at: "kind", of: .message(id))
          default: try? tx.setMetadata(random.below(9), at: "priority", of: .message(id))
          }
        }
      }
      try StoreToIndex.step(store, 60)
      if steps % 8 == 0 { try expectSound(store) }
      if steps % 5 == 0 {
        store.close()
        store = try StoreToIndex.open(path)
      }
    }
    #expect(steps > 5)
    try expectSound(store)
    let found = try store.fetch(query).map(\.id)
    store.close()
    try StoreToIndex.repair(path)
    store = try StoreToIndex.open(path)
    #expect(try store.indexes().map(\.entries) == [found.count])
    #expect(try store.fetch(query).map(\.id) == found)
    try expectSound(store)
    try expectSame(query, as: Self.tickets, store, isLarge: true)
    store.close()
  }

  /// Nobody writes: the thread that builds beside others goes on by itself.
  @Test func aLargeIndexIsBuiltWithoutOtherWrites() async throws {
    let directory = try TemporaryDirectory()
    let store = try StoreToIndex.open(directory.url.appendingPathComponent("store"), pause: 0.001)
    try await store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<6000 { try Self.receive(number, tx) }
    }
    try await store.declare(Self.tickets)
    while try await !store.indexes()[0].isComplete { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await store.indexes().map(\.entries) == [3000])
    try expectSound(store)
    store.close()
  }

  /// A message without parts has an entry as one whose part has no size; only the other is asked for.
  @Test func partsWithoutAValueAreNotThoseOfMessagesWithoutParts() throws {
    let store = try Self.store(tickets: 3)
    try store.write { tx in
      try tx.receive([], in: "a", from: "bob", id: "no parts")
      try tx.receive([.url("https://example.org", mimeType: "text/html")], in: "a", from: "bob", id: "a link")
    }
    let questions = ["ANY parts.size != 1", "parts.size = nil", "parts.size = 1", "NOT (parts.size = 1)"]
      .map { text in Result { Message.all.filter(try QueryPredicate(format: text)) } }
    let queries = try questions.map { try $0.get() }
    let before = try queries.map { try store.fetch($0).map(\.id) }
    try store.declare(Index(named: "sizes", on: Message.self) { [$0.parts.each { $0.size }] })
    let after = try queries.map { try store.fetch($0).map(\.id) }
    #expect(after == before)
    #expect(try queries.map { try store.count($0) } == before.map(\.count))
  }

  /// An index that is to replace another is given up: the other, which stayed in use, is declared once more.
  /// An index of messages of which one part meets several conditions has those of questions that ask for them, in whichever order, or for
  /// more of that part.
  @Test func anIndexOfWhatOnePartMeets() throws {
    let store = try Self.store(tickets: 40)
    try store.write { tx in
      for number in 0..<20 {
        try tx.receive(
          [
            .text("a picture, as it is described"),
            .data(
              Data(repeating: 1, count: number),
              mimeType: number.isMultiple(of: 2) ? "image/png" : "image/gif"),
          ], in: "a", from: "bob", id: Message.ID("p\(number)"), position: Int64(1000 + number))
      }
    }
    let pictures = Index(
      named: "pictures", on: Message.self,
      where: { $0.parts.any { $0.mimeType == "image/png" && $0.size > 5 } }
    ) { [$0.position] }
    try store.declare(pictures)
    #expect(try store.indexes().map(\.entries) == [7])
    for same in [
      Message.filter { $0.parts.any { $0.mimeType == "image/png" && $0.size > 5 } },
      Message.filter { $0.parts.any { $0.size > 5 && $0.mimeType == "image/png" } },
    ] {
      try expectSame(same.order { $0.position }, as: pictures, store)
    }
    let larger = Message.filter { $0.parts.any { $0.mimeType == "image/png" && $0.size > 9 } }
    #expect(try store.explain(larger).paths.contains { $0.index == "pictures" })
    #expect(try store.fetch(larger.order { $0.position }).map(\.id) == ["p10", "p12", "p14", "p16", "p18"])
    // Each text is longer, but no text is a picture; and what asks for less, or for no such part, is not in the index.
    for (other, number) in [
      (Message.filter { $0.parts.any { $0.mimeType == "image/png" && $0.size > 1 } }, 9),
      (Message.filter { $0.parts.any { $0.mimeType == "image/png" } && $0.parts.any { $0.size > 5 } }, 10),
      (Message.filter { $0.parts.none { $0.mimeType == "image/png" && $0.size > 5 } }, 53),
    ] {
      #expect(try !store.explain(other).paths.contains { $0.index == "pictures" })
      #expect(try store.count(other) == number)
    }
    try store.write { tx in try tx.delete("p18" as Message.ID) }
    #expect(try store.indexes().map(\.entries) == [6])
    try expectSound(store)
  }

  @Test func aReplacementThatIsNotCompleteIsGivenUp() throws {
    let directory = try TemporaryDirectory()
    let store = try StoreToIndex.open(directory.url.appendingPathComponent("store"))
    try store.declare(Self.tickets)
    try store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<2500 { try Self.receive(number, tx) }
    }
    let other = Index(named: "tickets", on: Message.self) { [$0.sentAt] }
    try store.declare(other, replacing: true)
    #expect(try store.indexes().map(\.index) == [Self.tickets, other])
    #expect(try store.indexes().map(\.isComplete) == [true, false])
    try store.declare(Self.tickets, replacing: true)
    #expect(try store.indexes().map(\.index) == [Self.tickets])
    try expectSound(store)
    for _ in 0..<40 { try StoreToIndex.step(store, 100) }
    #expect(try store.base.read { try $0.declaredIndexes().count } == 1)
    #expect(try store.indexes().map(\.entries) == [1250])
    try expectSound(store)
    store.close()
  }

  @Test func declaringAgainChangesNothingAndOtherwiseIsRefused() throws {
    let store = try Self.store(tickets: 10)
    try store.declare(Self.tickets)
    let sequence = try store.read { $0.sequence }
    try store.declare(Self.tickets)
    let after = try store.read { $0.sequence }
    #expect(after == sequence)
    let other = Index(named: "tickets", on: Message.self) { [$0.sentAt] }
    let error = #expect(throws: SatchelError.self) { try store.declare(other) }
    #expect(error?.code == .indexDiffers)
    #expect(error?.context["declaredColumns"] == "-metadata.priority, sentAt")
    try store.declare(other, replacing: true)
    #expect(try store.indexes().map(\.index) == [other])
    #expect(try store.indexes().map(\.entries) == [10])
    try expectSound(store)
    try store.dropIndex(named: "tickets")
    #expect(try store.indexes().isEmpty)
    #expect(throws: SatchelError.self) { try store.dropIndex(named: "tickets") }
    try expectSound(store)
  }
}
