import Foundation
import LMDB
import Satchel
import SatchelCare
import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Declared indexes where they are told apart, explained, verified and salvaged.
@Suite struct DeclaredIndexCareTests {
  private static func byDate(_ name: String) -> Index {
    Index(named: name, on: Message.self) { [$0.metadata.priority, $0.sentAt] }
  }

  private static let tickets = Index(
    named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }
  ) { [$0.metadata.priority.number.descending, $0.sentAt] }

  private static func fill(_ store: MessageStore, _ count: Int) throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<count {
        try tx.receive(
          [.text("\(number)")], in: "a", from: "bob", id: Message.ID("m\(number)"), position: Int64(number),
          metadata: ["kind": number % 2 == 0 ? "ticket" : "note", "priority": .integer(Int64(number % 5))])
      }
    }
  }

  /// Two texts that people and Swift take for one are two names.
  @Test func namesAreTheirBytes() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("store")
    let names = ["\u{e9}", "e\u{301}"]
    let store = try MessageStore(at: url, user: "alice")
    for name in names { try store.declare(Self.byDate(name)) }
    #expect(try store.indexes().map { Array($0.index.name.utf8) } == names.map { Array($0.utf8) })
    store.close()
    var options = MessageStore.Options()
    options.isReadOnly = true
    let reader = try MessageStore(at: url, user: "alice", options: options)
    for name in names { try reader.declare(Self.byDate(name)) }
    #expect(throws: SatchelError.self) { try reader.declare(Self.byDate("e")) }
    reader.close()
    let again = try MessageStore(at: url, user: "alice")
    defer { again.close() }
    try again.dropIndex(named: names[0])
    #expect(try again.indexes().map { Array($0.index.name.utf8) } == [Array(names[1].utf8)])
  }

  /// A path that no other can beat is found before the others are, and is one of them.
  @Test func theChosenPathIsExplainedOnce() throws {
    let store = try Scratch().store
    try Self.fill(store, 300)
    for index in [Self.tickets, Self.byDate("all")] { try store.declare(index) }
    let all = Message.filter { $0.metadata.kind == "ticket" }
    let ordered = all.order { ($0.metadata.priority.descending, $0.sentAt) }
    for query in [ordered, ordered.limit(5), all.order { ($0.metadata.priority, $0.sentAt.descending) }] {
      let explanation = try store.explain(query)
      #expect(explanation.paths[explanation.chosen].index == "tickets")
      #expect(explanation.paths.count { $0.index == "tickets" } == 1, "\(explanation.plan)")
      let indexes = explanation.paths.map(\.index)
      #expect(Set(indexes).count == indexes.count, "\(indexes)")
    }
  }

  /// Makes a closed store with two indexes and an aggregate.
  private static func makeStore(_ directory: TemporaryDirectory, _ count: Int) throws -> String {
    let url = directory.url.appendingPathComponent("store")
    let store = try MessageStore(at: url, user: "alice")
    defer { store.close() }
    try fill(store, count)
    for index in [byDate("dropped"), tickets, byDate("all")] { try store.declare(index) }
    try store.dropIndex(named: "dropped")
    try store.declare(
      Aggregate(named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation))
    return url.path
  }

  private static var options: Store.Options {
    var options = Store.Options()
    options.create = false
    options.aggregateEvaluator = QueryAggregateEvaluator()
    return options
  }

  /// Changes a byte of the record of the index with a number.
  private static func damage(_ path: String, _ id: UInt32) throws {
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    try store.environment.write { transaction in
      let database = try store.environment.database("objects")
      try ObjectKey.declaredIndex(id: id).bytes.withUnsafeBytes { key in
        var bytes = [UInt8](try #require(try transaction.get(database, key)))
        bytes[bytes.count - 10] ^= 1
        try bytes.withUnsafeBytes { try transaction.put(database, key, $0) }
      }
    }
  }

  @Test func aDamagedDefinitionIsOneFault() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.makeStore(directory, 20)
    try Self.damage(path, 1)
    var options = Self.options
    options.readOnly = true
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    let report = try store.read { try Verifier.verify($0) }
    let faults = report.faults.filter { $0.location != "aggregates" }
    #expect(faults.map { [$0.location, $0.key] } == [["declaredIndexes", "1"]], "\(report.faults)")
  }

  @Test(arguments: [20, 2500]) func aSalvageDeclaresAgain(count: Int) throws {
    let directory = try TemporaryDirectory()
    let path = try Self.makeStore(directory, count)
    let saved = directory.url.appendingPathComponent("saved")
    let report = try Store.salvage(directory: path, into: saved.path, options: Self.options)
    #expect(report.isComplete, "\(report.losses)")
    #expect(report.indexes == 2 && report.aggregates == 1)
    let old = try MessageStore(at: URL(fileURLWithPath: path), user: "alice")
    defer { old.close() }
    while try old.indexes().contains(where: { !$0.isComplete }) { Thread.sleep(forTimeInterval: 0.005) }
    let new = try MessageStore(at: saved, user: "alice")
    defer { new.close() }
    #expect(try new.indexes() == old.indexes())
    #expect(try new.aggregates() == old.aggregates())
    #expect(try new.base.read { try Verifier.verify($0) }.faults == [])
  }

  /// What cannot be declared is said, and so is what is damaged.
  @Test func whatASalvageDoesNotDeclareIsSaid() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.makeStore(directory, 20)
    var options = Self.options
    options.aggregateEvaluator = nil
    let without = try Store.salvage(
      directory: path, into: directory.url.appendingPathComponent("without").path, options: options)
    #expect(!without.isComplete && without.indexes == 0 && without.aggregates == 0)
    for name in ["index tickets", "index all", "aggregate unread"] {
      #expect(without.losses.contains { $0.hasPrefix(name + ": it is not declared") }, "\(without.losses)")
    }
    try Self.damage(path, 1)
    let saved = directory.url.appendingPathComponent("saved")
    let report = try Store.salvage(directory: path, into: saved.path, options: Self.options)
    #expect(!report.isComplete)
    #expect(report.losses.contains { $0.contains("declared index 1 is damaged") }, "\(report.losses)")
    let new = try MessageStore(at: saved, user: "alice")
    defer { new.close() }
    #expect(try new.indexes().contains { $0.index == Self.byDate("all") && $0.isComplete })
    #expect(try new.base.read { try Verifier.verify($0) }.faults == [])
  }
}
