import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Stores, snapshots and writes answer the same questions under the same names, and alike.
@Suite struct ReadingAlikeTests {
  /// What a program learns by every question, written once for whatever it reads from.
  private struct Answers: Equatable {
    var messages: [Message] = []
    var conversations: [Conversation] = []
    var parts: [MessagePart] = []
    var announcements: [Announcement] = []
    var identities: [Identity] = []
    var groups: [AggregateValue<Conversation.ID, Int>] = []
    var aggregates: [AggregateDescription] = []
    var numbers: [Int] = []
    var contents: [[UInt8]] = []
    var plan = ""
  }

  private static let inbox = Message.filter { $0.isUnread }.order { $0.position.descending }.limit(20)
  private static let busy = Aggregate(named: "busy", counting: Message.all, groupedBy: \.conversation)
  private static let all = Aggregate(named: "all", counting: Message.all)

  private func answers(of reading: some StoreReading, _ ids: [Message.ID]) throws -> Answers {
    var answers = Answers()
    for id in ids {
      guard let message = try reading.message(id) else { continue }
      answers.messages.append(message)
      answers.conversations += try reading.conversation(message.conversation).map { [$0] } ?? []
      answers.identities += try reading.identity(message.sender).map { [$0] } ?? []
      answers.parts += try reading.part(MessagePart.ID("\(id)/parts/0")).map { [$0] } ?? []
    }
    answers.messages += try reading.messages(ids)
    answers.conversations += try reading.conversations(["c/0", "nobody", "c/1"])
    answers.identities += try reading.identities(SampleStore.users)
    answers.parts += try reading.parts(ids.map { MessagePart.ID("\($0)/parts/0") })
    let notices = try reading.identifiers(Announcement.all)
    answers.announcements = try reading.announcements(notices)
    answers.announcements += try reading.announcement(notices[0]).map { [$0] } ?? []

    let query = Self.inbox
    let page = try reading.page(query)
    answers.messages += try reading.fetch(query) + page.objects
    answers.messages += try reading.first(query).map { [$0] } ?? []
    try reading.forEach(query) { answers.messages.append($0) }
    try reading.forEachRecord(of: query) { answers.numbers.append(try $0.partCount) }
    answers.numbers += [page.rowsBefore, page.totalCount, try reading.hasAny(query) ? 1 : 0]
    answers.numbers += [try reading.count(query), try reading.totalCount(query)]
    answers.numbers += try ids.map { try reading.rank(of: $0, in: Message.all) ?? -1 }
    answers.plan = try reading.explain(query).plan

    answers.groups = try reading.values(of: Self.busy)
    answers.aggregates = try reading.aggregates()
    answers.numbers += [try reading.value(of: Self.busy, for: "c/0"), try reading.value(of: Self.all)]

    for part in try reading.fetch(MessagePart.filter { $0.mimeType == "text/html" }.limit(5)) {
      answers.contents += [try reading.content(of: part.id), try reading.content(of: part.id, in: 1..<4)]
      answers.contents += [Array(try reading.data(of: part.id)), Array(try reading.text(of: part.id).utf8)]
    }
    return answers
  }

  @Test func storesSnapshotsAndWritesAnswerAlike() throws {
    var random = SeededGenerator()
    let sample = try SampleStore(&random)
    let store = sample.store
    try store.declare(Self.busy)
    try store.declare(Self.all)
    let ids = (0..<12).map { _ in Message.ID("m\(random.below(320))") }
    let of = (
      store: try answers(of: store, ids), snapshot: try store.read { try answers(of: $0, ids) },
      write: try store.write { try answers(of: $0, ids) }
    )
    #expect(of.store == of.snapshot)
    #expect(of.write == of.snapshot)
    // A write sees what it has changed so far, and the store the same once it is committed.
    let gone = random.pick(try store.identifiers(Message.all))
    let inside = try store.write { transaction in
      try transaction.receive([.text("New")], in: "c/0", from: "bob", id: "new", position: 70)
      try transaction.delete(gone)
      try transaction.setMetadata("blue", at: "theme.color", of: .conversation("c/1"))
      return try answers(of: transaction, ids + ["new"])
    }
    #expect(try inside == answers(of: store, ids + ["new"]))
    #expect(inside != of.write)
  }

  /// Many by their identifiers: in the order of these, again for each that is named again, and without those that are not
  /// there or that the user cannot see.
  @Test func manyByTheirIdentifiers() throws {
    var random = SeededGenerator()
    let sample = try SampleStore(&random)
    let store = sample.store
    for count in [0, 1, 2, 40, 900] {
      let messages = (0..<count).map { _ in Message.ID("m\(random.below(330))") }
      let conversations = (0..<count).map { _ in SampleStore.conversation(random.below(33)) }
      let users = (0..<count).map { _ in SampleStore.users[random.below(SampleStore.users.count)] }
      func check(_ reading: some StoreReading) throws {
        #expect(try reading.messages(messages) == messages.compactMap { try reading.message($0) })
        let parts = messages.map { MessagePart.ID("\($0)/parts/\(random.below(3))") }
        #expect(try reading.parts(parts) == parts.compactMap { try reading.part($0) })
        #expect(
          try reading.conversations(conversations)
            == conversations.compactMap { try reading.conversation($0) })
        #expect(try reading.identities(users) == users.compactMap { try reading.identity($0) })
      }
      try store.read(check)
      let late = Message.ID("late-\(count)")
      try store.write { transaction in
        try transaction.receive([.text("late")], in: "c/0", from: "bob", id: late, position: 3)
        try check(transaction)
        #expect(try transaction.messages(["nobody", late, late]).map(\.id) == [late, late])
      }
      try check(store)
    }
    let visible = try store.identifiers(Message.all)
    #expect(try store.messages(visible.reversed()).map(\.id) == visible.reversed())
    // All of them are of one state.
    #expect(try store.messages([]).isEmpty)
  }

  @Test func aSnapshotThatIsOverAnswersNothing() throws {
    let scratch = try Scratch()
    let snapshot = try scratch.store.read { $0 }
    failure(.closed) { _ = try snapshot.messages(["m1"]) }
    failure(.closed) { _ = try snapshot.part("m1/parts/0") }
    let transaction = try scratch.store.write { $0 }
    failure(.closed) { _ = try transaction.message("m1") }
    failure(.closed) { _ = try transaction.first(Message.all) }
    scratch.store.close()
    failure(.closed) { _ = try scratch.store.messages(["m1"]) }
  }

  @Test func manyWithoutBlocking() async throws {
    let scratch = try Scratch()
    let store = scratch.store
    try await store.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "lunch")
      try transaction.receive([.text("1")], in: "lunch", from: "bob", id: "m1")
      try transaction.announce([.text("Hear")], from: "operator", id: "notice")
      try transaction.put(Identity(userID: "bob", displayName: "Bob"))
    }
    #expect(try await store.messages(["m2", "m1"]).map(\.text) == ["1"])
    #expect(try await store.parts(["m1/parts/0", "m1/parts/1"]).map(\.text) == ["1"])
    #expect(try await store.part("m1/parts/0")?.text == "1")
    #expect(try await store.conversations(["lunch"]).map(\.messageCount) == [1])
    #expect(try await store.announcements(["notice", "m1"]).map(\.text) == ["Hear"])
    #expect(try await store.identities(["carol", "bob"]).map(\.displayName) == ["Bob"])
  }
}
