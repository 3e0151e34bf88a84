import TestSupport
import Testing

@Suite("Generated queries")
struct GeneratorTests {
  private static func snapshot(_ seed: UInt64) -> Snapshot {
    ReferenceModel(user: SampleData.user, lines: SampleData.generated(seed: seed)).snapshot
  }

  @Test func theSameSeedGivesTheSameDataAndQueries() throws {
    #expect(SampleData.generated(seed: 7) == SampleData.generated(seed: 7))
    #expect(SampleData.generated(seed: 7) != SampleData.generated(seed: 8))
    var first = QueryGenerator(Self.snapshot(7), seed: 1)
    var second = QueryGenerator(Self.snapshot(7), seed: 1)
    var third = QueryGenerator(Self.snapshot(7), seed: 2)
    let queries = try (0..<300).map { _ in try first.next() }
    #expect(try queries == (0..<300).map { _ in try second.next() })
    #expect(try queries != (0..<300).map { _ in try third.next() })
  }

  @Test func everyPropertyOperatorAndSortKeyIsAskedFor() throws {
    var generator = QueryGenerator(Self.snapshot(1), seed: 1)
    var paths = Set<String>()
    var operations = Set<Predicate.Operation>()
    var quantifiers = Set<Predicate.Quantifier>()
    var groups = Set<String>()
    var sorts = Set<String>()
    for _ in 0..<24_000 {
      let query = try generator.next()
      if let predicate = try query.predicate.map(PredicateParser.parse) {
        predicate.visitGroups { groups.insert("\(query.kind) \($0.rawValue)") }
        predicate.visitComparisons {
          paths.insert("\(query.kind) \($0.path.components.prefix(3).map(\.string).joined(separator: "."))")
          operations.insert($0.operation)
          if let quantifier = $0.quantifier { quantifiers.insert(quantifier) }
        }
      }
      for key in query.sort { sorts.insert(key) }
    }
    for name in ModelRecord.reservedNames.map(\.string) + Self.fieldNames {
      #expect(paths.contains("todo \(name)"), "\(name)")
    }
    #expect(operations == Set(Predicate.Operation.allCases))
    #expect(quantifiers == Set(Predicate.Quantifier.allCases))
    for quantifier in Predicate.Quantifier.allCases {
      for kind in ["messages", "parts", "announcements"] {
        #expect(groups.contains("\(kind) \(quantifier.rawValue)"))
      }
    }
    for name in Self.conversationNames {
      #expect(paths.contains("conversations \(name)"), "\(name)")
      #expect(paths.contains("messages conversation.\(name)") || name.contains("sender"), "\(name)")
    }
    for name in (Responses.flags + Responses.values).map(\.string) {
      #expect(paths.contains("conversations my.\(name)"), "\(name)")
      #expect(paths.contains("messages conversation.my.\(name)"), "\(name)")
    }
    #expect(sorts.contains("my.pinnedAt") && sorts.contains("-my.isMuted"))
    for name in Self.messageNames {
      #expect(paths.contains("messages \(name)"), "\(name)")
      #expect(paths.contains("parts message.\(name)"), "\(name)")
    }
    for key in [
      "position", "-position", "-sentAt", "lastMessage.position", "-lastMessage.receivedAt", "size",
    ] {
      #expect(sorts.contains(key), "\(key)")
    }
  }

  /// Every kind of object has its pairs, each type of property stands on both sides, and each operator and quantifier is used.
  @Test func pairsOfAllKindsAreAskedFor() throws {
    let snapshot = Self.snapshot(1)
    var generator = QueryGenerator(snapshot, seed: 2)
    var kinds = Set<String>()
    var types = Set<[ValueType]>()
    var operations = Set<Predicate.Operation>()
    var quantifiers = Set<Predicate.Quantifier?>()
    var relations = Set<String>()
    for _ in 0..<24_000 {
      let query = try generator.next()
      let kind = ObjectKind(rawValue: query.kind)
      guard let predicate = query.predicate else { continue }
      var pairs: [Predicate.Pair] = []
      try PredicateParser.parse(predicate).visitPairs { pair, isBeside in
        pairs.append(pair)
        kinds.insert("\(kind.rawValue) \(isBeside ? "beside" : "alone")")
      }
      for pair in pairs {
        types.insert(try [pair.left, pair.right].map { try snapshot.column(of: kind, $0).type })
        operations.insert(pair.operation)
        quantifiers.insert(pair.quantifier)
        for path in [pair.left, pair.right] { relations.insert(path.components.first?.string ?? "") }
      }
    }
    for kind in ObjectKind.allCases + snapshot.recordTypes.map({ .records($0) }) {
      #expect(
        kinds.contains("\(kind.rawValue) alone") && kinds.contains("\(kind.rawValue) beside"), "\(kind)")
    }
    let texts: [ValueType] = [.text, .exact, .users]
    let single: [ValueType] = [.number, .date, .boolean]
    var expected = Set(texts.flatMap { left in texts.map { [left, $0] } } + single.map { [$0, $0] })
    expected.formUnion((texts + single + [.custom]).flatMap { [[$0, .custom], [.custom, $0]] })
    expected.formUnion([[.status, .status], [.transfer, .transfer]])
    #expect(types == expected)
    #expect(
      operations == [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .notIn, .contains,
      ])
    #expect(quantifiers == Set(Predicate.Quantifier.allCases + [nil]))
    #expect(
      relations.isSuperset(of: ["sender", "lastMessage", "conversation", "message", "parts", "metadata"]))
  }

  private static let conversationNames = [
    "identifier", "remoteID", "participants", "participantCount", "createdAt", "isDistinct",
    "hasUnreadMessages",
    "unreadCount",
    "messageCount", "lastMessage", "lastMessage.sentAt", "lastMessage.receivedAt", "lastMessage.position",
    "lastMessage.isUnread", "lastMessage.sender.userID", "metadata", "metadata.title",
  ]

  private static let fieldNames = [
    "title", "order", "estimate", "done", "due", "tags", "list", "message", "about", "value", "user", "ref",
    "theme", "theme.color", "theme.to", "absent",
  ]

  private static let messageNames = [
    "identifier", "remoteID", "conversation", "position", "sender.userID", "sender.displayName", "sentAt",
    "receivedAt",
    "editedAt", "deletedAt", "isSent",
    "isUnread", "parts.mimeType", "parts.size", "parts.text", "metadata.title", "recipientStatus.alice",
  ]

  @Test func whatIsPrintedReadsBackTheSame() throws {
    let seed = TestEnvironment.seed(for: "printing")
    let snapshot = Self.snapshot(seed)
    var generator = QueryGenerator(snapshot, seed: seed)
    for kind in ObjectKind.allCases + snapshot.recordTypes.map({ .records($0) }) {
      for _ in 0..<400 {
        generator.start(kind)
        let predicate = try generator.predicate()
        #expect(try PredicateParser.parse(generator.text(of: predicate)) == predicate, "seed \(seed)")
        #expect(try PredicateParser.parse(PredicatePrinter.print(predicate)) == predicate, "seed \(seed)")
      }
    }
  }

  /// Laws that hold of any store: they would show a model that is wrong in itself.
  @Test func answersObeyTheLawsOfComplementReversalAndPaging() throws {
    let seed = TestEnvironment.seed(for: "laws of answers")
    let snapshot = Self.snapshot(seed)
    var generator = QueryGenerator(snapshot, seed: seed)
    for _ in 0..<600 {
      var query = try generator.next()
      let line = query.batchLine
      query.select = .identifiers
      query.limit = nil
      query.offset = nil
      let all = try snapshot.answer(query).identifiers
      var counted = query
      counted.select = .count
      #expect(try snapshot.answer(counted) == .count(all.count), "seed \(seed): \(line)")
      var paged = query
      paged.limit = 3
      paged.offset = 2
      #expect(
        try snapshot.answer(paged).identifiers == Array(all.dropFirst(2).prefix(3)), "seed \(seed): \(line)")
      if !query.sort.isEmpty {
        var reversed = query
        reversed.sort = query.sort.map { $0.hasPrefix("-") ? String($0.dropFirst()) : "-" + $0 }
        #expect(try snapshot.answer(reversed).identifiers == all.reversed(), "seed \(seed): \(line)")
      }
      if let predicate = query.predicate {
        var complement = query
        complement.predicate = "NOT (\(predicate))"
        var everything = query
        everything.predicate = nil
        let rest = try snapshot.answer(complement).identifiers
        let whole = try snapshot.answer(everything).identifiers.map { ByteString($0) }
        let chosen = Set(all.map { ByteString($0) })
        #expect(rest.map { ByteString($0) } == whole.filter { !chosen.contains($0) }, "seed \(seed): \(line)")
      }
    }
  }
}

extension EngineAnswer {
  fileprivate var identifiers: [String] {
    if case .identifiers(let identifiers) = self { identifiers } else { [] }
  }
}
