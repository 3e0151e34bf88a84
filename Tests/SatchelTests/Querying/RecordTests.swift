import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Messages as records are the messages as objects.
@Suite struct RecordTests {
  /// What a message or its record says of itself.
  private struct Values: Hashable {
    var id: Message.ID
    var conversation: Conversation.ID
    var sender: Identity.ID
    var position: Int64?
    var times: [Timestamp?]
    var dates: [Date?]
    var flags: [Bool]
    var parts: Int
    var metadata: Metadata
    var text: String?
    var textBytes: [UInt8]?

    init(_ message: Message) {
      id = message.id
      conversation = message.conversation
      sender = message.sender
      position = message.position
      times = [message.sentTimestamp, message.receivedTimestamp]
      dates = [message.sentAt, message.receivedAt]
      flags = [message.isSent, message.isUnread]
      parts = message.parts.count
      metadata = message.metadata
      text = message.text
      textBytes = message.text.map { Array($0.utf8) }
    }

    init(_ record: borrowing MessageRecord) throws {
      id = try record.id
      conversation = try record.conversation
      sender = try record.sender
      position = record.position
      times = [record.sentTimestamp, record.receivedTimestamp]
      dates = [record.sentAt, record.receivedAt]
      flags = [record.isSent, record.isUnread]
      parts = try record.partCount
      metadata = try record.metadata
      text = try record.text
      textBytes = try record.withTextBytes { bytes in (0..<bytes.byteCount).map { bytes.unsafeByte($0) } }
      #expect(try record.textSize == textBytes?.count)
    }
  }

  private static let queries: [Query<Message>] = [
    .init(), Message.order { $0.sentAt.descending }, Message.order { ($0.isUnread, $0.position) },
    Message.filter { $0.isUnread }, Message.filter { !$0.isUnread }, Message.filter { $0.position >= 0 },
    Message.filter { $0.conversation == "c/0" }, Message.filter { $0.conversation == "c/5" },
    Message.filter { $0.conversation != "c/0" }, Message.filter { $0.sender.userID == "bob" },
    Message.filter { $0.sender.userID != "bob" && $0.receivedAt > date(2) },
    Message.filter { $0.receivedAt > date(1) },
    Message.filter { $0.parts.any { $0.mimeType == "image/png" } },
    Message.filter { $0.metadata.tag != "a" },
    Message.filter { $0.conversation.metadata.theme.color == "red" },
    Message.filter { $0.identifier.in(["m1", "m2", "nobody"]) }, Message.filter(.false),
  ]

  private func records(_ query: Query<Message>, _ snapshot: StoreSnapshot) throws -> [Values] {
    var values: [Values] = []
    try snapshot.forEachRecord(of: query) { values.append(try Values($0)) }
    return values
  }

  private func compare(_ snapshot: StoreSnapshot) throws {
    for query in Self.queries {
      let expected = try snapshot.fetch(query).map(Values.init)
      #expect(Set(expected).count == expected.count)
      #expect(try records(query, snapshot) == expected, "\(query)")
      let unordered = query.unordered()
      let found = try records(unordered, snapshot)
      #expect(found.count == expected.count && Set(found) == Set(expected), "\(query)")
      #expect(Set(try snapshot.fetch(unordered).map(Values.init)) == Set(expected), "\(query)")
      let identifiers = try snapshot.identifiers(unordered)
      #expect(identifiers.sorted() == expected.map(\.id).sorted(), "\(query)")
      #expect(try snapshot.count(unordered) == expected.count)
      for (limit, offset) in [(0, 0), (1, 0), (7, 3), (.max, 5), (200, 100)] {
        let part = try records(unordered.limit(limit).offset(offset), snapshot)
        #expect(part.count == min(limit, max(0, expected.count - offset)), "\(query) \(limit) \(offset)")
        #expect(Set(part).count == part.count && Set(part).isSubset(of: expected), "\(query)")
      }
    }
  }

  @Test func recordsAreTheObjects() throws {
    var random = SeededGenerator(for: "recordsAreTheObjects")
    for _ in 0..<3 {
      let sample = try SampleStore(&random)
      try sample.store.read { try compare($0) }
      // As well with what a write has changed, with the records of a deleted conversation still there, and after it.
      try sample.store.write { tx in
        try tx.delete(SampleStore.conversation(2))
        try tx.addParticipants(["alice"], to: SampleStore.conversation(5))
        try tx.receive([.text("new")], in: SampleStore.conversation(11), from: "bob", id: "hidden")
        try tx.receive([.text("new")], in: SampleStore.conversation(0), from: "new", id: "visible")
        try tx.read { try compare($0) }
      }
      try sample.store.read { try compare($0) }
    }
  }

  @Test func anAnchorKeepsItsOrder() throws {
    var random = SeededGenerator(for: "anAnchorKeepsItsOrder")
    let store = try SampleStore(&random).store
    let all = try store.identifiers(Message.all)
    let middle = all[all.count / 2]
    for query in [
      Message.all.after(middle), Message.all.before(middle).limit(9),
      Message.all.around(middle, before: 3, after: 4),
    ] {
      #expect(try store.identifiers(query.unordered()) == store.identifiers(query))
      #expect(try store.fetch(query.unordered()) == store.fetch(query))
    }
  }

  @Test func theLastCallDecides() {
    #expect(Message.all.order { $0.sentAt }.unordered() == Message.all.unordered())
    #expect(Message.all.unordered().order { $0.sentAt } == Message.order { $0.sentAt })
    #expect(Message.all.unordered() != Message.all)
    #expect(Message.all.unordered().limit(3).description == "messages unordered limit 3")
  }

  @Test func objectsOfOtherKindsMayComeUnordered() throws {
    var random = SeededGenerator(for: "objectsOfOtherKindsMayComeUnordered")
    let store = try SampleStore(&random).store
    let parts = MessagePart.order { $0.size }
    #expect(Set(try store.fetch(parts.unordered())) == Set(try store.fetch(parts)))
    let conversations = Conversation.order { $0.metadata.title }
    #expect(
      try store.identifiers(conversations.unordered()).sorted() == store.identifiers(conversations).sorted())
    #expect(try store.fetch(Announcement.all.unordered()).count == store.count(Announcement.all))
    #expect(try store.fetch(Identity.all.unordered()).count == store.count(Identity.all))
  }

  /// A record that has been lent stays what it was when the closure changes the store, and no other follows.
  @Test func changesInTheClosureEndTheReading() throws {
    let scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<200 {
        try tx.receive([.text("text \(number)")], in: "c", from: "bob", id: Message.ID("m\(number)"))
      }
      for query in [Message.all, Message.all.unordered()] {
        var seen = 0
        failure(.closed) {
          try tx.read { snapshot in
            try snapshot.forEachRecord(of: query) { record in
              seen += 1
              let (id, text, isUnread) = (try record.id, try record.text, record.isUnread)
              if seen == 3 {
                for _ in 0..<200 { try tx.receive([.text("x")], in: "c", from: "bob") }
                try tx.update(id) { $0.isUnread = !isUnread }
                #expect(try tx.count(Message.all) >= 400)
              }
              #expect(try record.id == id && record.text == text && record.isUnread == isUnread)
            }
          }
        }
        #expect(seen == 3)
      }
    }
  }

  /// A text that lies outside of the record goes with its message: nothing is damaged.
  @Test func aTextThatTheClosureHasDeletedIsClosed() throws {
    let scratch = try Scratch()
    let long = String(repeating: "long ", count: 2000)
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for id: Message.ID in ["m1", "m2"] { try tx.receive([.text(long)], in: "c", from: "bob", id: id) }
      _ = try tx.read { snapshot in
        failure(.closed) {
          try snapshot.forEachRecord(of: Message.all) { record in
            #expect(try record.text == long)
            try tx.delete(record.id)
            _ = try record.text
          }
        }
      }
    }
    try expectSound(scratch.store)
  }

  @Test func anErrorOfTheClosurePasses() throws {
    var random = SeededGenerator(for: "anErrorOfTheClosurePasses")
    let store = try SampleStore(&random).store
    for query in [Message.all, Message.all.unordered()] {
      var seen = 0
      #expect(throws: CancellationError.self) {
        try store.forEachRecord(of: query) { _ in
          seen += 1
          if seen == 100 { throw CancellationError() }
        }
      }
      #expect(seen == 100)
    }
    let unknown = try Query<Message>(format: "nonsense = 1")
    failure(.unqueryableProperty) { try store.forEachRecord(of: unknown) { _ in } }
  }

  @Test func aRecordBecomesAnObject() throws {
    var random = SeededGenerator(for: "aRecordBecomesAnObject")
    let store = try SampleStore(&random).store
    var unread: [Message] = []
    try store.forEachRecord(of: Message.all.unordered()) {
      if $0.isUnread { unread.append(try $0.message()) }
    }
    #expect(
      unread.sorted { $0.id < $1.id }
        == (try store.fetch(Message.filter { $0.isUnread })).sorted { $0.id < $1.id })
  }
}

extension RawSpan {
  fileprivate func unsafeByte(_ offset: Int) -> UInt8 {
    unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
