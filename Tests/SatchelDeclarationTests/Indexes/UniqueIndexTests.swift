import Foundation
import Satchel
import SatchelCare
import SatchelModel
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Indexes in which no two objects have the same values.
@Suite struct UniqueIndexTests {
  static let orders = Index(named: "orders", on: Message.self, unique: true) { [$0.metadata.order] }

  static func store() throws -> MessageStore {
    let store = try Scratch().store
    try store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
    }
    return store
  }

  private static func receive(
    _ id: String, _ order: MetadataValue?, in conversation: Conversation.ID = "a", _ tx: WriteTransaction
  ) throws {
    try tx.receive(
      [.text(id)], in: conversation, from: "bob", id: Message.ID(id),
      metadata: order.map { ["order": $0] } ?? [:])
  }

  /// The error of a write that has to fail, of which nothing is left.
  @discardableResult
  private static func refused(
    _ store: MessageStore, _ body: (WriteTransaction) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SatchelError {
    let before = (try store.read { $0.sequence }, try store.count(Message.all))
    let error = #expect(throws: SatchelError.self, sourceLocation: sourceLocation) { try store.write(body) }
    let after = (try store.read { $0.sequence }, try store.count(Message.all))
    #expect(before == after, sourceLocation: sourceLocation)
    #expect(error?.code == .valueExists, "\(error as Any)", sourceLocation: sourceLocation)
    return try #require(error)
  }

  @Test func aWriteThatBreaksItNamesBothAndChangesNothing() throws {
    let store = try Self.store()
    try store.declare(Self.orders)
    try store.write { try Self.receive("m1", "A-1", $0) }
    try store.write { try Self.receive("m2", 17, in: "b", $0) }
    let error = try Self.refused(store) { try Self.receive("m3", "A-1", in: "b", $0) }
    #expect(
      error.context["object"] == "m3" && error.context["other"] == "m1" && error.context["index"] == "orders")
    #expect(error.context["columns"] == "metadata.order")
    // Numbers are equal whatever type they have; a text is none.
    try Self.refused(store) { try Self.receive("m4", 17.0, $0) }
    try store.write { try Self.receive("m5", "17", $0) }
    try Self.refused(store) { try $0.setMetadata("A-1", at: "order", of: .message("m5")) }
    try Self.refused(store) { tx in
      try Self.receive("m6", "B", tx)
      try Self.receive("m7", "B", tx)
    }
    try store.write { try $0.delete("m1") }
    try store.write { try Self.receive("m8", "A-1", $0) }
    try expectSound(store)
  }

  @Test func objectsMayChangePlacesInOneWrite() throws {
    let store = try Self.store()
    try store.declare(Self.orders)
    try store.write { tx in
      for number in 0..<10 { try Self.receive("m\(number)", .integer(Int64(number)), tx) }
    }
    try store.write { tx in
      for number in 0..<10 {
        try tx.setMetadata(.integer(Int64(9 - number)), at: "order", of: .message(Message.ID("m\(number)")))
        // What a query sees in between may be shared.
        _ = try tx.count(Message.all)
      }
    }
    #expect(try store.first(Message.filter { $0.metadata.order.number == 0 })?.id == "m9")
    // One that was shared for a while and is deleted in the end is shared with nobody.
    try store.write { tx in
      try Self.receive("gone", 3, tx)
      _ = try tx.count(Message.all)
      try tx.delete("gone")
    }
    try expectSound(store)
  }

  @Test func whoLacksAValueOrIsNotInTheIndexSharesIt() throws {
    let store = try Self.store()
    let index = Index(
      named: "open", on: Message.self, unique: true, where: { $0.metadata.isOpen.boolean == true }
    ) { [$0.metadata.order, $0.conversation] }
    try store.declare(index)
    func receive(_ id: String, _ metadata: Metadata, in conversation: Conversation.ID = "a") throws {
      try store.write {
        try $0.receive([.text(id)], in: conversation, from: "bob", id: Message.ID(id), metadata: metadata)
      }
    }
    for number in 0..<3 {
      try receive("missing \(number)", ["isOpen": true])
      try receive("closed \(number)", ["isOpen": false, "order": 1])
      try receive("lists \(number)", ["isOpen": true, "order": ["a", "b"]])
    }
    try receive("one", ["isOpen": true, "order": 1])
    try receive("elsewhere", ["isOpen": true, "order": 1], in: "b")
    let error = #expect(throws: SatchelError.self) {
      try receive("again", ["isOpen": true, "order": 1], in: "b")
    }
    #expect(error?.context["other"] == "elsewhere")
    try Self.refused(store) { try $0.setMetadata(true, at: "isOpen", of: .message("closed 1")) }
    try expectSound(store)
  }

  @Test func eachElementIsAValueOfItsOwn() throws {
    let store = try Self.store()
    try store.declare(Index(named: "tags", on: Message.self, unique: true) { [$0.metadata.order.list] })
    try store.write { tx in
      try Self.receive("m1", ["a", "b"], tx)
      try Self.receive("m2", ["c"], tx)
      try Self.receive("m3", [], tx)
      try Self.receive("m4", [], tx)
    }
    let error = try Self.refused(store) { try Self.receive("m5", ["x", "b"], $0) }
    #expect(error.context["other"] == "m1")
    try Self.refused(store) { try Self.receive("m6", "c", $0) }
    try store.write { try Self.receive("m7", ["x", "y"], $0) }
    try expectSound(store)
  }

  @Test func conversationsAndIdentitiesAreNamedAsWell() throws {
    let store = try Self.store()
    try store.declare(Index(named: "rooms", on: Conversation.self, unique: true) { [$0.metadata.room] })
    try store.declare(Index(named: "mails", on: Identity.self, unique: true) { [$0.emailAddress] })
    try store.write { tx in
      // A conversation without messages is in no list.
      for id: Conversation.ID in ["a", "b"] { try Self.receive("in \(id)", nil, in: id, tx) }
      try tx.setMetadata("blue", at: "room", of: .conversation("a"))
      for name in ["bob", "carol"] {
        try tx.put(Identity(userID: Identity.ID(name), emailAddress: name + "@example.org"))
      }
    }
    let error = try Self.refused(store) { try $0.setMetadata("blue", at: "room", of: .conversation("b")) }
    #expect(error.context["object"] == "b" && error.context["other"] == "a")
    let other = try Self.refused(store) {
      try $0.put(Identity(userID: "dora", emailAddress: "carol@example.org"))
    }
    #expect(other.context["object"] == "dora" && other.context["other"] == "carol")
    try expectSound(store)
  }

  /// Messages of a conversation that the user leaves have no entries; they claim what they have when the user comes back.
  @Test func aConversationThatBecomesVisibleBringsItsValues() throws {
    let store = try Self.store()
    try store.declare(Self.orders)
    try store.write { try Self.receive("m1", "A-1", $0) }
    try store.write { try $0.removeParticipants(["alice"], from: "a") }
    try store.write { try Self.receive("m2", "A-1", in: "b", $0) }
    let error = try Self.refused(store) { try $0.addParticipants(["alice"], to: "a") }
    #expect(error.context["other"] == "m2" && error.context["object"] == "m1")
    try store.write { try $0.delete("m2") }
    try store.write { try $0.addParticipants(["alice"], to: "a") }
    try expectSound(store)
  }

  @Test func aDeclarationOverDoublesListsTheFirstTen() throws {
    let store = try Self.store()
    try store.write { tx in
      for number in 0..<60 { try Self.receive("m\(number)", .integer(Int64(number % 30)), tx) }
    }
    let error = #expect(throws: SatchelError.self) { try store.declare(Self.orders) }
    #expect(error?.code == .valueExists && error?.context["index"] == "orders")
    #expect(error?.context["doubles"] == (0..<10).map { "m\($0) = m\($0 + 30)" }.joined(separator: ", "))
    #expect(try store.indexes().isEmpty)
    try expectSound(store)
    // What is in use stays, if another was to replace it.
    let others = Index(named: "orders", on: Message.self) { [$0.metadata.order] }
    try store.declare(others)
    #expect(throws: SatchelError.self) { try store.declare(Self.orders, replacing: true) }
    #expect(try store.indexes().map(\.index) == [others])
    // A write that goes on after the error has changed nothing by it.
    try store.write { tx in
      #expect(throws: SatchelError.self) { try tx.declare(Self.orders, replacing: true) }
      for number in 30..<60 { try tx.delete(Message.ID("m\(number)")) }
      try tx.declare(Self.orders, replacing: true)
    }
    #expect(try store.indexes().map(\.index) == [Self.orders])
    #expect(try store.indexes().map(\.entries) == [30])
    try expectSound(store)
  }

  /// An index of many objects is refused when its build has found what they share.
  @Test(arguments: [3, 40]) func aBuildOverDoublesIsRefusedAndSaysWhy(_ doubles: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("store")
    var store = try StoreToIndex.open(path)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<3000 {
        try Self.receive("m\(number)", .integer(Int64(number % (3000 - doubles))), tx)
      }
    }
    try store.declare(Self.orders)
    #expect(try store.indexes().map(\.isRefused) == [false])
    var steps = 0
    while try store.indexes().last?.isRefused == false {
      steps += 1
      try #require(steps < 1000)
      try StoreToIndex.step(store, 100)
      try expectSound(store)
    }
    store.close()
    store = try StoreToIndex.open(path)
    let status = try #require(try store.indexes().last)
    let expected = (0..<min(doubles, 10)).map { "m\($0) = m\(3000 - doubles + $0)" }
    #expect(status.doubles.map { "\($0.first) = \($0.second)" } == expected)
    #expect(!status.isComplete && status.entries == 0)
    #expect(status.description.contains("refused, because objects have the same values: m0 = m"))
    for _ in 0..<60 { try StoreToIndex.step(store, 100) }
    #expect(try store.base.read { try $0.declaredIndexes().count } == 1)
    // It is nobody's, also for writes.
    try store.write { try Self.receive("another", 1, $0) }
    #expect(
      try store.explain(Message.filter { $0.metadata.order.number == 1 }).paths.allSatisfy {
        $0.index != "orders"
      })
    try expectSound(store)
    store.close()
    try StoreToIndex.repair(path)
    store = try StoreToIndex.open(path)
    #expect(try store.indexes().map(\.isRefused) == [true])
    try store.write { tx in
      try tx.delete("another")
      for number in 0..<doubles { try tx.delete(Message.ID("m\(3000 - doubles + number)")) }
    }
    try store.declare(Self.orders)
    try store.base.completeIndexes {}
    #expect(try store.indexes().map(\.isComplete) == [true])
    #expect(try store.indexes().map(\.entries) == [3000 - doubles])
    #expect(try store.base.read { try $0.declaredIndexes().count } == 1)
    try Self.refused(store) { try $0.setMetadata(1, at: "order", of: .message("m2")) }
    try expectSound(store)
    store.close()
  }

  /// What a refused index was to replace stays in use, is exported, and can be declared once more, which forgets the refusal.
  @Test func theIndexThatWasToBeReplacedStays() throws {
    let directory = try TemporaryDirectory()
    let store = try StoreToIndex.open(directory.url.appendingPathComponent("store"))
    let former = Index(named: "orders", on: Message.self) { [$0.metadata.order] }
    try store.declare(former)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<1500 { try Self.receive("m\(number)", .integer(Int64(number / 2)), tx) }
    }
    try store.declare(Self.orders, replacing: true)
    try store.base.completeIndexes {}
    #expect(try store.indexes().map(\.index) == [former, Self.orders])
    #expect(try store.indexes().map(\.isRefused) == [false, true])
    #expect(
      try store.explain(Message.filter { $0.metadata.order.number == 7 }).paths.contains {
        $0.index == "orders"
      })
    try store.write { try Self.receive("another", 7, $0) }
    #expect(try store.indexes().map(\.entries) == [1501, 0])
    try store.declare(former)
    #expect(try store.indexes().map(\.index) == [former])
    #expect(try store.indexes().map(\.entries) == [1501])
    try expectSound(store)
    store.close()
  }

  /// Each of the writes that share a commit is checked by itself.
  @Test func oneOfAGroupFailsAlone() async throws {
    let directory = try TemporaryDirectory()
    let store = try MessageStore(at: directory.url.appendingPathComponent("store"), user: "alice")
    try await store.write { try $0.createConversation(with: ["bob"], id: "a") }
    try await store.declare(Self.orders)
    let outcomes = await withTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<80 {
        group.addTask {
          do {
            try await store.write { try Self.receive("m\(number)", .integer(Int64(number % 20)), $0) }
            return (number % 20, nil)
          } catch { return (number % 20, (error as? SatchelError)?.code.rawValue) }
        }
      }
      return await group.reduce(into: [:] as [Int: [String?]]) { $0[$1.0, default: []].append($1.1) }
    }
    for (order, codes) in outcomes {
      #expect(codes.count { $0 == nil } == 1, "\(order): \(codes)")
      #expect(codes.count { $0 == "valueExists" } == 3, "\(order): \(codes)")
    }
    #expect(try await store.count(Message.all) == 20)
    try expectSound(store)
    store.close()
  }

  /// Random writes, of which a model says whether they may be.
  @Test func aModelSaysWhichWritesMayBe() throws {
    let seed = TestEnvironment.seed(for: "aModelSaysWhichWritesMayBe")
    var random = SeededGenerator(seed: seed)
    let store = try Self.store()
    try store.declare(Self.orders)
    var model: [String: Int?] = [:]
    var (refusals, next) = (0, 0)
    for round in 0..<300 {
      var after = model
      var steps: [(String, Int?, Bool)] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let order = random.oneIn(4) ? nil : Int.random(in: 0..<60, using: &random)
        if random.oneIn(2) || after.isEmpty {
          steps.append(("m\(next)", order, true))
          after["m\(next)"] = .some(order)
          next += 1
        } else {
          let id = after.keys.sorted()[Int.random(in: 0..<after.count, using: &random)]
          steps.append((id, order, false))
          if random.oneIn(3) { after[id] = nil } else { after[id] = .some(order) }
        }
      }
      let final = after
      let orders = after.values.compactMap { $0 }
      let mayBe = Set(orders).count == orders.count
      do {
        try store.write { tx in
          for (id, order, isNew) in steps {
            if isNew {
              try Self.receive(id, order.map { .integer(Int64($0)) }, tx)
            } else if final[id] == nil {
              if try tx.message(Message.ID(id)) != nil { try tx.delete(Message.ID(id)) }
            } else if let order {
              try tx.setMetadata(.integer(Int64(order)), at: "order", of: .message(Message.ID(id)))
            } else {
              try tx.removeMetadata(at: "order", of: .message(Message.ID(id)))
            }
            if random.oneIn(3) { _ = try tx.count(Message.all) }
          }
        }
        #expect(mayBe, "round \(round), seed \(seed)")
        model = after
      } catch let error as SatchelError where error.code == .valueExists {
        refusals += 1
        #expect(!mayBe, "round \(round), seed \(seed): \(error)")
      }
    }
    #expect(refusals > 0)
    #expect(try store.count(Message.all) == model.count)
    try expectSound(store)
  }
}
