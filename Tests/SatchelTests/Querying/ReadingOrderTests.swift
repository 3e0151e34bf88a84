import Foundation
import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelReading
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// In which order records are read does not show.
@Suite struct ReadingOrderTests {
  @Test func placesAreAStableSortByConversation() {
    var random = SeededGenerator(for: "placesAreAStableSortByConversation")
    for round in 0..<60 {
      let most = [1, 2, 50, 5000, 1 << 22, Int(UInt32.max)][round % 6]
      let rows = (0..<random.below(600)).map {
        RowReference(sequence: UInt64($0), conversation: UInt32(random.below(most)))
      }
      let expected = rows.indices.sorted {
        (rows[$0].conversation, $0) < (rows[$1].conversation, $1)
      }
      if let places = RecordOrder.indices(of: rows) {
        #expect(places == expected && rows.count > 1)
      } else {
        #expect(rows.count < 100 || expected == Array(rows.indices))
      }
    }
  }

  private func sample(_ random: inout SeededGenerator) throws -> SampleStore {
    try SampleStore(&random, messages: 2500)
  }

  /// Every way of reading gives what the rows give one by one.
  @Test func blocksGiveTheRowsInOrder() throws {
    var random = SeededGenerator(for: "blocksGiveTheRowsInOrder")
    let store = try sample(&random).store
    for query in [
      Message.all, Message.order { $0.sentAt.descending }, Message.order { $0.position },
      Message.order { $0.receivedAt }.offset(17), Message.filter { $0.isUnread }.order { $0.sentAt },
      Message.order { ($0.sender.userID, $0.sentAt) }.limit(700),
    ] {
      try compare(query, store) { try $0.makeMessage(conversation: $1.conversation, sequence: $1.sequence) }
    }
    for query in [
      MessagePart.all, MessagePart.order { $0.size.descending }, MessagePart.order { $0.mimeType },
    ] {
      try compare(query, store) { snapshot, row in
        let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
        return try #require(try snapshot.makePart(view, index: Int(row.part)))
      }
    }
    try compare(Conversation.order { $0.lastMessage.sentAt }, store) {
      try $0.makeConversation(UInt32($1.sequence))
    }
  }

  private func compare<Object: StoredObject & Hashable>(
    _ query: Query<Object>, _ store: MessageStore, _ read: (Snapshot, RowReference) throws -> Object
  ) throws {
    try store.read { snapshot in
      var expected: [Object] = []
      try snapshot.executor.forEach(snapshot.executor.plan(snapshot.executor.question(query.untyped))) {
        row in
        expected.append(try read(snapshot.base, row))
        return true
      }
      #expect(try snapshot.fetch(query) == expected, "\(query)")
      var streamed: [Object] = []
      try snapshot.forEach(query) { streamed.append($0) }
      #expect(streamed == expected, "\(query)")
      #expect(try snapshot.identifiers(query) == expected.map(\.id), "\(query)")
      #expect(try snapshot.identifiers(query.untyped) == expected.map(\.id.identifier), "\(query)")
    }
  }

  @Test func aThrowEndsAStreamAndGivesBackWhatWasRead() throws {
    var random = SeededGenerator(for: "aThrowEndsAStreamAndGivesBackWhatWasRead")
    let store = try sample(&random).store
    for most in [0, 1, 63, 64, 65, 500, 1999] {
      var seen: [Message] = []
      #expect(throws: CancellationError.self) {
        try store.read {
          try $0.forEach(Message.order { $0.sentAt }) { message in
            if seen.count == most { throw CancellationError() }
            seen.append(message)
          }
        }
      }
      #expect(try seen == store.fetch(Message.order { $0.sentAt }.limit(most)))
    }
  }

  /// A record that is damaged is met in its turn, not with the block that it is read in.
  @Test func whatComesBeforeDamageIsGiven() throws {
    var random = SeededGenerator(for: "whatComesBeforeDamageIsGiven")
    let sample = try sample(&random)
    let store = sample.store
    let query = Message.order { $0.sentAt }
    let ids = try store.identifiers(query)
    let place = 300 + random.below(ids.count - 300)
    let key = try #require(try store.base.read { try $0.locateMessage(ids[place].rawValue) })
    try store.base.environment.write { transaction in
      let database = try store.base.environment.database("messages")
      try key.bytes.withUnsafeBytes { _ = try transaction.delete(database, $0) }
    }
    var seen: [Message.ID] = []
    failure(.corrupted) { try store.read { try $0.forEach(query) { seen.append($0.id) } } }
    #expect(seen == Array(ids.prefix(place)))
    // Where the search for results meets it, too.
    seen = []
    let searching = Message.filter { $0.metadata["never"] == nil }.order { $0.sentAt }
    failure(.corrupted) { try store.read { try $0.forEach(searching) { seen.append($0.id) } } }
    #expect(seen == Array(ids.prefix(place)))
    failure(.corrupted) { _ = try store.fetch(query) }
    failure(.corrupted) { _ = try store.identifiers(query) }
    failure(.corrupted) { try store.forEachRecord(of: query) { _ in } }
    failure(.corrupted) { try store.forEachRecord(of: query.unordered()) { _ in } }
  }
}
