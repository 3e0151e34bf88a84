import Satchel
import SatchelScenes
import Testing

/// What queries read, in nodes, entries and records. Never how long that takes.
@Suite struct ReadNumbersTests {
  /// 60,000 messages: 20,000 in one conversation, the others in 40 more.
  static let store = Result { try generate() }

  private static func generate() throws -> Scratch {
    let scratch = try Scratch()
    for batch in 0..<6 {
      try scratch.store.write { tx in
        if batch == 0 {
          for number in 0...40 {
            try tx.createConversation(
              with: ["bob", Identity.ID("user \(number)")], id: Conversation.ID("c\(number)"),
              metadata: ["n": .text("\(number)")])
          }
        }
        for place in batch * 10_000..<(batch + 1) * 10_000 {
          let conversation = place % 3 == 0 ? 0 : 1 + place * 7 % 40
          try tx.receive(
            [.text("\(place)", mimeType: place % 50 == 0 ? "image/png" : "text/plain")],
            in: Conversation.ID("c\(conversation)"), from: place % 2 == 0 ? "bob" : "alice",
            id: Message.ID("\(place)"), position: Int64(place), sentAt: date(Double(place)),
            isUnread: place % 10 == 0)
        }
      }
    }
    return scratch
  }

  func run<Object: StoredObject>(_ query: Query<Object>, as type: ResultType = .objects) throws
    -> Explanation.Run
  {
    let scratch = try Self.store.get()
    let explanation = try scratch.store.explain(query, as: type, running: true)
    print(explanation.description.split(separator: "\n").suffix(1).joined(), "--", query, type)
    return try #require(explanation.run)
  }

  @Test func aPageOfAConversation() throws {
    let page = Message.filter { $0.conversation == "c0" }.order { $0.position.descending }.limit(20)
    for query in [page, page.offset(10_000), page.after("30000"), page.before("30000")] {
      let run = try run(query)
      #expect(run.returned == 20 && run.recordsRead <= 20 + 6 && run.nodesRead < 30, "\(query): \(run)")
      #expect(run.entriesRead < 300, "\(query): \(run)")
    }
    // The page itself reads its records, and the conversation's once: to find it, and for its identifier.
    let first = try run(page)
    #expect((20...22).contains(first.recordsRead))
  }

  /// Of many names, those of the few users that there are count.
  @Test func manyNamesOfFewUsers() throws {
    let names = (0..<10_000).map { Identity.ID("nobody \($0)") } + ["bob"]
    for query in [
      Message.filter { $0.sender.userID.in(names) }, Message.filter { $0.sender.userID.notIn(names) },
    ] {
      let run = try run(query, as: .count)
      #expect(run.returned == 30_000 && run.recordsRead == 0 && run.nodesRead < 3000, "\(run)")
    }
  }

  @Test func countsReadNoRecords() throws {
    for (query, count) in [
      (Message.all, 60_000), (Message.filter { $0.isUnread }, 6000),

      (Message.filter { $0.sender.userID == "bob" }, 30_000),
      (Message.filter { $0.sentAt >= date(10_000) && $0.sentAt < date(50_000) }, 40_000),
      (Message.filter { $0.parts.any { $0.mimeType == "image/png" } }, 1200),
      (Message.all.offset(1000).limit(500), 500),
    ] {
      let run = try run(query, as: .count)
      #expect(run.returned == count && run.nodesRead < 30 && run.recordsRead == 0, "\(query): \(run)")
    }
    let room = try run(Message.filter { $0.conversation == "c0" && $0.isUnread }, as: .count)
    #expect(room.returned == 2000 && room.nodesRead < 30 && room.recordsRead <= 2, "\(room)")
  }

  @Test func jumps() throws {
    for query in [
      Message.all, Message.order { $0.sentAt }, Message.order { $0.sentAt.descending },
      Message.filter { $0.conversation == "c0" }.order { $0.position },
      Message.filter { $0.sender.userID == "bob" }.order { $0.sentAt },
      Message.filter { $0.isUnread }.order { $0.sentAt },
    ] {
      let total = try Self.store.get().store.totalCount(query)
      for offset in [0, total / 2, total - 20] {
        let run = try run(query.offset(offset).limit(20))
        #expect(
          run.returned == 20 && run.nodesRead < 30 && run.recordsRead < 45, "\(query) \(offset): \(run)")
      }
      let far = try run(query.offset(total - 1))
      #expect(far.returned == 1 && far.nodesRead < 30 && far.recordsRead < 5, "\(query): \(far)")
    }
  }

  /// What a read gives, and what it costs, in nodes and records.
  private func reading<Value>(
    _ body: (StoreSnapshot) throws -> Value
  ) throws -> (value: Value, nodes: Int, records: Int) {
    try Self.store.get().store.read { snapshot in
      let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
      let value = try body(snapshot)
      return (
        value, snapshot.base.forest.metrics.nodesRead - nodes,
        snapshot.base.metrics.recordsRead - records
      )
    }
  }

  @Test func ranksOfRunsAreDescents() throws {
    let lists: [(Query<Message>, Int)] = [
      (Message.all, 30_000), (Message.order { $0.sentAt.descending }, 29_999),
      (Message.filter { $0.conversation == "c0" }.order { $0.position }, 10_000),
      (Message.filter { $0.sender.userID == "bob" }.order { $0.sentAt }, 15_000),
      (Message.filter { $0.isUnread }.order { $0.sentAt }, 3000),
      // Several runs that are merged.
      (Message.filter { $0.sender.userID.in(["bob", "alice"]) }.order { $0.sentAt }, 30_000),
    ]
    for (query, rank) in lists {
      let ranked = try reading { try $0.rank(of: "30000", in: query) }
      #expect(ranked.value == rank && ranked.nodes < 40 && ranked.records <= 8, "\(query): \(ranked)")
      let counted = try reading { try $0.count(query.before("30000")) }
      #expect(counted.value == rank && counted.nodes < 40 && counted.records <= 8, "\(query): \(counted)")
    }
    #expect(
      try Self.store.get().store.rank(of: "30001", in: Message.filter { $0.sender.userID == "bob" }) == nil)
  }

  @Test func whetherThereIsAnyReadsOneRow() throws {
    let pictures = Message.filter { $0.isUnread && $0.parts.any { $0.text.contains("0") } }
    for (query, hasAny) in [
      (Message.all, true), (Message.filter { $0.isUnread }.order { $0.identifier }, true),
      (Message.filter { $0.sender.userID == "carol" }, false), (pictures, true),
      (Message.all.offset(60_000), false), (Message.all.limit(0), false),
    ] {
      let read = try reading { try $0.hasAny(query) }
      #expect(read.value == hasAny && read.nodes < 30 && read.records <= 2, "\(query): \(read)")
    }
  }

  @Test func identifiersFindTheirObject() throws {
    let run = try run(Message.filter { $0.identifier == "31234" })
    #expect(run.returned == 1 && run.nodesRead < 30 && run.recordsRead <= 5, "\(run)")
    let date = try self.run(Message.order { $0.sentAt }.around(date(30_000), before: 10, after: 10))
    #expect(date.returned == 20 && date.nodesRead < 30, "\(date)")
  }

  @Test func explanationsSayWhatWasConsidered() throws {
    let store = try Self.store.get().store
    let query = Message.filter { $0.isUnread && $0.sender.userID == "bob" }
    let plan = try store.explain(query)
    #expect(plan.run == nil && plan.paths.count > 2)
    #expect(plan.paths[0].cardinality == 60_000, "the scan of all comes first")
    #expect(plan.paths.contains { $0.cardinality == 6000 && $0.isExact })
    #expect(plan.paths.contains { $0.cardinality == 30_000 && $0.isExact })
    #expect(plan.paths.allSatisfy { $0.cost >= plan.paths[plan.chosen].cost })
    #expect(plan.plan.contains(plan.paths[plan.chosen].index))
    let ran = try store.explain(query, as: .identifiers, running: true)
    #expect(ran.run?.returned == 6000)
    #expect(ran.description.hasPrefix(ran.plan) && ran.description != ran.plan)
    #expect(try store.explain(Conversation.all, as: .count, running: true).run?.returned == 41)
    #expect(try store.explain(MessagePart.all.limit(3), running: true).run?.returned == 3)
    #expect(try store.explain(Announcement.all, running: true).run?.returned == 0)
    #expect(try store.explain(Identity.all, running: true).run?.returned == 0)
  }
}
