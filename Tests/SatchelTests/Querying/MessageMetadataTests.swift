import Foundation
import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelScenes
import Testing

/// Messages and announcements are found by their metadata in an index, whatever becomes of them.
@Suite struct MessageMetadataTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      for conversation in ["few", "many"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(conversation))
      }
      for number in 0..<400 {
        try tx.receive(
          [.text("\(number)")], in: number % 10 == 0 ? "few" : "many", from: "bob",
          id: Message.ID("m\(number)"), position: Int64(number), metadata: Self.metadata(number))
      }
      for number in 0..<20 {
        try tx.announce(
          [.text("\(number)")], from: "bob", id: Announcement.ID("a\(number)"),
          metadata: Self.metadata(number))
      }
    }
  }

  /// Every third message has none.
  private static func metadata(_ number: Int) -> Metadata {
    guard number % 3 != 0 else { return [:] }
    return [
      "serverID": .text("s-\(1000 + number)"),
      "priority": number % 2 == 0 ? .integer(Int64(number % 7)) : .number(2.5),
      "due": .date(Timestamp(date(Double(number)))), "flags": ["done": .boolean(number % 5 == 0)],
    ]
  }

  private static let predicates = [
    "metadata.serverID = 's-1007'", "metadata.serverID IN {'s-1007', 's-1010', 's-0'}",
    "metadata.serverID BEGINSWITH 's-10'", "metadata.serverID != NULL", "metadata.serverID LIKE '*-1?1*'",
    "metadata.priority > 2", "metadata.priority BETWEEN {1, 2.5}", "metadata.priority = 2.5",
    "metadata.due >= 2025-01-01T00:01:00Z", "metadata.flags.done", "metadata.flags.done = FALSE",
    "metadata.priority = 2 AND metadata.flags.done = FALSE", "metadata.absent = 'a'",
    "metadata.serverID = 's-1007' OR metadata.priority = 6",
  ]

  /// Compares what the index gives with what a test of every object gives.
  /// - Returns: How many objects were found.
  @discardableResult
  private func check(
    _ store: MessageStore, indexed: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    try store.read { snapshot in
      var total = 0
      for kind in [ObjectKind.messages, .announcements] {
        for format in Self.predicates {
          for sort in [[], [try SortKey("metadata.priority")], [try SortKey("-metadata.serverID")]] {
            let query = QueryDescription(
              kind: kind, predicate: try QueryPredicate(format: format), sort: sort)
            let executor = snapshot.executor
            let question = try executor.question(query)
            let plan = try executor.plan(question, exhaustive: true)
            let all = try rows(executor, plan.choosing(0))
            #expect(try rows(executor, plan) == all, "\(query)", sourceLocation: sourceLocation)
            for (number, path) in plan.paths.enumerated() {
              let found = try rows(executor, plan.choosing(number))
              #expect(found == all, "\(query): path \(number)", sourceLocation: sourceLocation)
              guard path.residual.isAlways, path.isCounted, path.countsByRanges else { continue }
              #expect(
                path.cardinality == all.count, "\(query): path \(number)", sourceLocation: sourceLocation)
            }
            let access = plan.summaries.map(\.access)
            let name = kind == .messages ? "message.metadata" : "announcement.metadata"
            #expect(
              access.contains(name) == (indexed && !format.contains(" OR ")), "\(query): \(access)",
              sourceLocation: sourceLocation)
            let count = try snapshot.count(query)
            #expect(count == all.count, "\(query)", sourceLocation: sourceLocation)
            total += all.count
          }
        }
      }
      return total
    }
  }

  private func rows(_ executor: Executor, _ plan: Plan) throws -> [RowReference] {
    var rows: [RowReference] = []
    try executor.forEach(plan) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  @Test func allOperatorsAreAnsweredByTheIndex() throws {
    #expect(try check(store) > 2000)
    try expectSound(store)
    // Pages by rank, from either end.
    let sorted = Message.filter { $0.metadata.serverID != nil }.order { $0.metadata.serverID.descending }
    let all = try store.fetch(sorted).map(\.id)
    #expect(all.count == 266)
    for offset in [0, 1, 130, 260, 266, 300] {
      #expect(
        try store.fetch(sorted.offset(offset).limit(10)).map(\.id) == Array(all.dropFirst(offset).prefix(10)))
    }
    // Parts of messages, too.
    let parts = MessagePart.filter { $0.message.metadata.serverID == "s-1007" }
    #expect(try store.fetch(parts).map(\.text) == ["7"])
  }

  @Test func editsMoveEntries() throws {
    try store.write { tx in
      for number in stride(from: 0, to: 400, by: 4) {
        let owner = MetadataOwner.message(Message.ID("m\(number)"))
        switch number % 16 {
        case 0: try tx.setMetadata("s-1007", at: "serverID", of: owner)
        case 4: try tx.replaceMetadata(with: [:], of: owner)
        case 8: try tx.setMetadata(number, at: "priority", of: owner)
        default: try tx.removeMetadata(at: "serverID", of: owner)
        }
      }
      try tx.setMetadata("s-1007", at: "serverID", of: .announcement("a0"))
    }
    try check(store)
    try expectSound(store)
    // Another spelling of the same value is no change of the index.
    let before = try store.count(Message.filter { $0.metadata.priority.number == 2 })
    try store.write { try $0.setMetadata(2.0, at: "priority", of: .message("m2")) }
    #expect(try store.count(Message.filter { $0.metadata.priority.number == 2 }) == before)
    try expectSound(store)
  }

  /// What is written and changed again by one write.
  @Test func oneWriteSeesItsOwn() throws {
    try store.write { tx in
      try tx.receive(
        [.text("new")], in: "few", from: "bob", id: "new", position: 5000, metadata: ["serverID": "s-new"])
      #expect(try tx.fetch(Message.filter { $0.metadata.serverID == "s-new" }).map(\.id) == ["new"])
      try tx.setMetadata("s-newer", at: "serverID", of: .message("new"))
      #expect(try tx.count(Message.filter { $0.metadata.serverID == "s-new" }) == 0)
      #expect(try tx.count(Message.filter { $0.metadata.serverID == "s-newer" }) == 1)
      try tx.delete(Message.ID("new"))
      #expect(try tx.count(Message.filter { $0.metadata.serverID == "s-newer" }) == 0)
    }
    try expectSound(store)
  }

  @Test func onlyWhatIsVisibleIsFound() throws {
    let query = Message.filter { $0.metadata.serverID != nil }
    let count = try store.count(query)
    try store.write { try $0.removeParticipants(["alice"], from: "many") }
    let left = try store.count(query)
    #expect(left > 0 && left < count)
    try check(store)
    try expectSound(store)
    try store.write { try $0.setMetadata("hidden", at: "serverID", of: .message("m1")) }
    #expect(try store.count(Message.filter { $0.metadata.serverID == "hidden" }) == 0)
    try store.write { try $0.addParticipants(["alice"], to: "many") }
    #expect(try store.count(query) == count)
    #expect(try store.count(Message.filter { $0.metadata.serverID == "hidden" }) == 1)
    try check(store)
    try expectSound(store)
  }

  @Test func deletionsTakeEntriesAway() throws {
    try store.write { tx in
      try tx.delete(Message.ID("m7"))
      try tx.delete(Announcement.ID("a7"))
    }
    #expect(try store.count(Message.filter { $0.metadata.serverID == "s-1007" }) == 0)
    try check(store)
    try store.write { try $0.delete(Conversation.ID("few")) }
    try check(store)
    try expectSound(store)
    try store.compact()
    try check(store)
    try expectSound(store)
  }

  /// Conversations with a large part of all messages leave the indexes together.
  @Test func aLargePartOfTheStoreIsSweptOut() throws {
    let conversations = (0..<3).map { Conversation.ID("large \($0)") }
    try store.write { tx in
      for conversation in conversations {
        try tx.createConversation(with: ["bob"], id: conversation)
        for number in 0..<3000 {
          try tx.receive(
            [.text("")], in: conversation, from: "bob", position: Int64(number),
            metadata: Self.metadata(number))
        }
      }
    }
    let many = try check(store)
    try store.write { tx in
      for conversation in conversations { try tx.delete(conversation) }
      #expect(try tx.count(Message.filter { $0.metadata.serverID != nil }) == 266)
    }
    #expect(try check(store) < many)
    try expectSound(store)
  }

  /// A store that was made without the index answers in the same way, and stays without it.
  @Test func aStoreCanBeWithoutIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("without")
    var options = MessageStore.Options()
    options.indexesMessageMetadata = false
    let without = try MessageStore(at: path, user: "alice", options: options)
    try without.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<50 {
        try tx.receive(
          [.text("")], in: "c", from: "bob", position: Int64(number), metadata: Self.metadata(number))
      }
    }
    let found = try check(without, indexed: false)
    #expect(found > 0)
    try expectSound(without)
    without.close()
    let again = try MessageStore(at: path, user: "alice")
    #expect(try check(again, indexed: false) == found)
    try expectSound(again)
    again.close()
  }
}
