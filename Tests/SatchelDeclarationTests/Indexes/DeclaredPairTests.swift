import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Declared indexes of objects for which two properties compare.
@Suite struct DeclaredPairTests {
  private static let late = Index(named: "late", on: Message.self, where: { $0.receivedAt > $0.sentAt }) {
    [$0.position]
  }

  /// Every second message of thirty was received later than it was sent, every tenth at the same time.
  private static func store() throws -> MessageStore {
    let store = try Scratch().store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<30 {
        let delay = number % 2 == 0 ? 5.0 : number % 5 == 0 ? 0 : -5
        try tx.receive(
          [.text("\(number)")], in: "c", from: number % 3 == 0 ? "alice" : "bob",
          id: Message.ID("m\(number)"),
          position: Int64(number), sentAt: date(Double(number)), receivedAt: date(Double(number) + delay))
      }
    }
    return store
  }

  private static func usesLate(_ query: Query<Message>, _ store: MessageStore) throws -> Bool {
    let explanation = try store.explain(query)
    return explanation.paths[explanation.chosen].index == "late"
  }

  @Test func anIndexHasTheObjectsOfThoseWhoAskForThem() throws {
    let store = try Self.store()
    try store.declare(Self.late)
    #expect(try store.indexes().map(\.entries) == [15])
    let wanted = stride(from: 0, to: 30, by: 2).map { Message.ID("m\($0)") }
    // Either property may stand on the left; and what is asked beside it is tested, or bounds the columns.
    for same in [
      Message.filter { $0.receivedAt > $0.sentAt }, Message.filter { $0.sentAt < $0.receivedAt },
      Message.filter { !($0.sentAt >= $0.receivedAt) && $0.sentAt < $0.receivedAt },
    ] {
      let query = same.order { $0.position.descending }
      #expect(try Self.usesLate(query, store))
      #expect(try store.fetch(query).map(\.id) == wanted.reversed())
      #expect(try store.count(same) == 15)
    }
    let some = Message.filter { $0.receivedAt > $0.sentAt && $0.position >= 20 && $0.sender.userID == "bob" }
    #expect(try store.explain(some).paths.contains { $0.index == "late" })
    #expect(try store.fetch(some.order { $0.position }).map(\.id) == ["m20", "m22", "m26", "m28"])
    for (other, number) in [
      (Message.filter { $0.receivedAt >= $0.sentAt }, 18), (Message.filter { $0.receivedAt < $0.sentAt }, 12),
      (Message.filter { !($0.receivedAt > $0.sentAt) }, 15),
      (Message.filter { $0.receivedAt > $0.sentAt || $0.position == 1 }, 16),
      (Message.filter { $0.receivedAt > $0.conversation.createdAt }, 0),
    ] {
      #expect(try !store.explain(other).paths.contains { $0.index == "late" })
      #expect(try store.count(other) == number)
    }
    try expectSound(store)
  }

  @Test func aChangeOfEitherPropertyChangesTheEntries() throws {
    let store = try Self.store()
    try store.declare(Self.late)
    try store.write { tx in
      try tx.update("m0") { $0.sentAt = date(100) }
      try tx.update("m2") { $0.receivedAt = date(0) }
      try tx.update("m4") { $0.sentAt = .some(nil) }
      try tx.update("m1") { $0.receivedAt = date(100) }
      try tx.delete("m6" as Message.ID)
    }
    #expect(try store.indexes().map(\.entries) == [12])
    #expect(try store.count(Message.filter { $0.receivedAt > $0.sentAt }) == 12)
    try expectSound(store)
  }

  /// What an index asks for must be of the object itself, on both sides.
  @Test func aPropertyOfAnotherObjectIsRefused() throws {
    let store = try Self.store()
    for (predicate, property) in [
      (Message.filter { $0.sentAt > $0.conversation.createdAt }, "conversation.createdAt"),
      (
        Message.filter { $0.conversation.participants.contains($0.sender.userID) },
        "conversation.participants"
      ),
      (Message.filter { $0.sender.displayName == $0.metadata.owner }, "sender.displayName"),
    ] {
      let index = Index(
        named: "other", kind: .messages, where: predicate.untyped.predicate,
        columns: [IndexColumn(["sentAt"])])
      let error = #expect(throws: SatchelError.self) { try store.declare(index) }
      #expect(error?.code == .unsupportedPredicate && error?.context["property"] == property)
    }
    #expect(try store.indexes().isEmpty)
  }

  private struct Check: Sendable {
    let index: Index
    let expected: @Sendable (StoreSnapshot) throws -> Int
  }

  private static func texts(_ metadata: Metadata) -> [String] {
    switch metadata.value(at: "owner") {
    case .text(let text)?: [text]
    case .list(let texts)?: texts
    default: []
    }
  }

  private static func isOne(_ user: Identity.ID, of texts: [String]) -> Bool {
    texts.contains { $0.utf8.elementsEqual(user.rawValue.utf8) }
  }

  private static let checks: [Check] = [
    Check(index: late) { snapshot in
      try snapshot.fetch(Message.all).count { message in
        guard let sent = message.sentTimestamp, let received = message.receivedTimestamp else { return false }
        return sent.microseconds < received.microseconds
      }
    },
    Check(
      index: Index(named: "own", on: Message.self, where: { $0.metadata.owner == $0.sender.userID }) {
        [$0.sentAt]
      }
    ) { snapshot in
      try snapshot.fetch(Message.all).count { isOne($0.sender, of: texts($0.metadata)) }
    },
    Check(
      index: Index(named: "sent or read", on: Message.self, where: { $0.isSent != $0.isUnread }) {
        [$0.position.descending]
      }
    ) { snapshot in try snapshot.fetch(Message.all).count { $0.isSent != $0.isUnread } },
    Check(
      index: Index(
        named: "unread as a whole", on: Conversation.self, where: { $0.unreadCount == $0.messageCount }
      ) { [$0.createdAt] }
    ) { snapshot in try snapshot.fetch(Conversation.all).count { $0.unreadCount == $0.messageCount } },
    Check(
      index: Index(
        named: "owners take part", on: Conversation.self,
        where: { $0.participants.contains($0.metadata.owner) }
      ) { [$0.participantCount] }
    ) { snapshot in
      try snapshot.fetch(Conversation.all).count { room in
        room.participants.contains { isOne($0, of: texts(room.metadata)) }
      }
    },
  ]

  /// Whatever is written, an index has those for which the properties compare; and a query by it counts them.
  @Test(.timeLimit(.minutes(5))) func entriesFollowRandomWrites() throws {
    let store = try Scratch().store
    var writes = AggregateWrites(SeededGenerator(for: "indexes of pairs"))
    try store.write { tx in for _ in 0..<60 { try writes.change(tx) } }
    for check in Self.checks { try store.declare(check.index) }
    for round in 0..<TestEnvironment.rounds(120) {
      try store.write { tx in for _ in 0..<(1 + writes.random.below(6)) { try writes.change(tx) } }
      try store.read { snapshot in
        for check in Self.checks {
          let query = QueryDescription(kind: check.index.kind, predicate: check.index.predicate)
          let (found, expected) = (try snapshot.count(query), try check.expected(snapshot))
          #expect(found == expected, "\(check.index.name) after write \(round)")
        }
      }
      if round % 20 == 0 { try expectSound(store) }
    }
    try expectSound(store)
  }
}
