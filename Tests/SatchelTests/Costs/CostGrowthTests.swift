import RankedIndex
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// How the cost of a question grows with what a stranger can make large, counted in what is read.
@Suite struct CostGrowthTests {
  private func reads(_ store: MessageStore, _ body: (StoreSnapshot) throws -> Void) throws -> (
    nodes: Int, records: Int
  ) {
    try store.read { snapshot in
      try body(snapshot)
      return (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
    }
  }

  /// So many names and so many sets of participants: a name is looked up once, not once a set.
  @Test(arguments: [false, true]) func namesOfParticipants(areKnown: Bool) throws {
    // Fewer are found by another plan.
    let steps = try [600, 1200, 2400].map { count in
      let scratch = try Scratch()
      try scratch.store.write { tx in
        for number in 0..<count {
          let id = Conversation.ID("c\(number)")
          try tx.createConversation(with: [Identity.ID("u\(number)")], id: id)
          try tx.receive([.text("x")], in: id, from: Identity.ID("u\(number)"))
        }
      }
      let store = try scratch.reopened()
      defer { store.close() }
      let users = (0..<count).map { Identity.ID(areKnown ? "u\($0)" : "v\($0)") }
      let queries: [Query<Conversation>] = [
        Conversation.filter { $0.participants.in(users) }, Conversation.filter { !$0.participants.in(users) },
        Conversation.filter { $0.participants.containsAll(users) },
        Conversation.filter { $0.participants == Set(users) },
      ]
      let expected = areKnown ? [count, 0, 0, 0] : [0, count, 0, 0]
      return try reads(store) { snapshot in
        let found = try queries.map { try snapshot.count($0) }
        #expect(found == expected)
      }.nodes
    }
    print("nodes read for names of participants: \(steps)")
    #expect(Double(steps[2]) <= 4.5 * Double(steps[0]), "\(steps)")
  }

  /// The record of a message of many parts is read once for all of them, whatever is asked of each.
  @Test func partsOfOneMessage() throws {
    let records = try [500, 1000, 2000].map { count in
      let scratch = try Scratch()
      try scratch.store.write { tx in
        try tx.createConversation(with: ["bob"], id: "c")
        try tx.receive(
          (0..<count).map { .data([UInt8($0 % 200)], mimeType: $0 % 2 == 0 ? "a/b" : "c/d") }, in: "c",
          from: "bob", id: "m")
      }
      return try reads(scratch.store) { snapshot in
        let small = try snapshot.count(MessagePart.filter { $0.size == 1 && $0.mimeType == "a/b" })
        let parts = try snapshot.fetch(MessagePart.filter { $0.message == "m" }.order { $0.index.descending })
        #expect(parts.map(\.index) == (0..<count).reversed())
        #expect(small == count / 2)
      }.records
    }
    print("records read for parts of one message: \(records)")
    #expect(records[2] <= records[0] + 2, "\(records)")
  }

  /// A predicate of very many conditions that no index answers is planned and answered.
  @Test func manyConditions() throws {
    let scratch = try Scratch()
    try scratch.store.write { tx in
      for number in 0..<20 {
        try tx.put(Identity(userID: Identity.ID("u\(number)"), displayName: "name \(number)"))
      }
    }
    let parts = (0..<4000).map { "displayName LIKE '%\($0)%'" }
    let all = try Query<Identity>(format: parts.joined(separator: " AND "))
    let any = try Query<Identity>(format: parts.joined(separator: " OR "))
    let none = try Query<Identity>(format: parts.map { "NOT " + $0 }.joined(separator: " AND "))
    #expect(try scratch.store.count(all) == 0)
    #expect(try scratch.store.count(any) == 20)
    #expect(try scratch.store.count(none) == 0)
    let paths = try scratch.store.explain(all).paths.count
    #expect(paths < 200, "\(paths)")
    let long = try Query<Identity>(format: "displayName LIKE %@", String(repeating: "a", count: 16_385))
    let error = failure(.invalidValue) { _ = try scratch.store.count(long) }
    #expect(error?.context["expected"] == "a text of at most 16384 UTF-8 bytes")
    let longest = try Query<Identity>(format: "displayName LIKE %@", String(repeating: "a", count: 16_384))
    #expect(try scratch.store.count(longest) == 0)
  }
}
