import Satchel
import SatchelCare
import SatchelCoding
import SatchelExecution
import SatchelImport
import SatchelReading
import SatchelScenes
import SatchelStorage
import SatchelWriting
import Testing

/// What the engine does about aggregates: the format, the log, verification, programs that do not keep them.
@Suite struct AggregateStorageTests {
  private static let unread = Aggregate(
    named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation)

  private static func receive(_ id: Message.ID, _ store: MessageStore) throws {
    try store.write { tx in
      if try tx.read({ try $0.conversation("a") }) == nil {
        try tx.createConversation(with: ["bob"], id: "a")
      }
      try tx.receive([], in: "a", from: "bob", id: id)
    }
  }

  /// Those of the scratch store, of which this process may have other handles.
  private static func options(_ evaluator: (any AggregateEvaluator)?) -> Store.Options {
    var options = Store.Options()
    options.durability = .relaxed
    options.aggregateEvaluator = evaluator
    return options
  }

  private static func open(_ path: String, _ evaluator: (any AggregateEvaluator)?) throws -> Store {
    try Store.open(directory: path, user: "alice", options: options(evaluator))
  }

  @Test func verifyFindsAWrongTotal() throws {
    let scratch = try Scratch()
    try Self.receive("m1", scratch.store)
    try scratch.store.declare(Self.unread)
    scratch.store.close()
    let liar = try Self.open(scratch.store.path, OtherEvaluator(excess: 1))
    try liar.write { writer in
      _ = try writer.insertMessage(MessageDraft(identifier: "m2", sender: "bob", isUnread: true), in: "a")
    }
    liar.close()
    let store = try scratch.reopened()
    #expect(try store.value(of: Self.unread, for: "a") == 3)
    let report = try store.base.read { try Verifier.verify($0) }
    #expect(
      report.faults.map { "\($0.location) \($0.key): \($0.finding)" } == [
        "aggregate.totals unread/a: it says 3, and the objects come to 2"
      ])
    // Dropped and declared again it is right.
    try store.dropAggregate(named: "unread")
    try store.declare(Self.unread)
    #expect(try store.value(of: Self.unread, for: "a") == 2)
    try expectSound(store)
  }

  @Test func aProgramThatDoesNotKeepThemOnlyReads() throws {
    let scratch = try Scratch()
    try Self.receive("m1", scratch.store)
    try scratch.store.declare(Self.unread)
    scratch.store.close()
    let plain = try Self.open(scratch.store.path, nil)
    defer { plain.close() }
    #expect(try plain.read { try $0.aggregates().map(\.name) } == ["unread"])
    #expect(try plain.read { try Verifier.verify($0).isSound })
    failure(.notAvailable) {
      try plain.write { writer in
        _ = try writer.insertMessage(MessageDraft(identifier: "m2", sender: "bob", isUnread: true), in: "a")
      }
    }
    #expect(try plain.read { try $0.locateMessage("m2") } == nil)
  }

  @Test func theLogTellsOfDeclarations() throws {
    let store = try Scratch().store
    let start = try store.read { $0.sequence }
    try store.declare(Self.unread)
    try Self.receive("m1", store)
    try store.dropAggregate(named: "unread")
    let entries = try store.base.read { try $0.changes(after: start) }
    let ranges = try #require(entries).map { $0.entry.ranges }
    let definitions = RangeChange(.importNumber(0), [], sequences: 0...0, count: 0)
    #expect(ranges == [[definitions], [], [definitions]])
  }

  /// Another handle of the file, with another cache of everything.
  @Test func everyWriterKeepsWhatAnotherHasDeclared() throws {
    let scratch = try Scratch()
    let other = try Self.open(scratch.store.path, QueryAggregateEvaluator())
    defer { other.close() }
    try Self.receive("m1", scratch.store)
    try scratch.store.declare(Self.unread)
    try other.write { writer in
      _ = try writer.insertMessage(MessageDraft(identifier: "m2", sender: "bob", isUnread: true), in: "a")
    }
    #expect(try scratch.store.value(of: Self.unread, for: "a") == 2)
    try scratch.store.dropAggregate(named: "unread")
    try other.write { try $0.markRead(["m1"]) }
    try expectSound(scratch.store)
  }

  /// An import into a store with aggregates: all of it is counted, or none.
  /// Of an import whose objects the log lists, and of one whose conversations it names.
  @Test(arguments: [false, true], [20, 2500, 12_500]) func importsAreCounted(fails: Bool, last: UInt64) throws
  {
    struct Broken: Error {}
    let scratch = try Scratch()
    try Self.receive("m1", scratch.store)
    for check in AggregateCheck.all { try check.declare(scratch.store) }
    var line: UInt64 = 0
    func run() throws {
      _ = try ImportSession.run(
        into: scratch.store.path, user: "alice", options: Self.options(QueryAggregateEvaluator()),
        next: { session in
          line += 1
          switch line {
          case 1: try session.addIdentity(Identity(userID: "bob", displayName: "Bob"), line: line)
          case 2:
            try session.addConversation(
              ConversationDraft(identifier: "b", participants: ["alice", "bob"]), line: line)
          case 3...last:
            try session.addMessage(
              MessageDraft(
                identifier: Message.ID("i\(line)"), sender: "bob", position: Int64(line), isUnread: true,
                parts: [.text("@alice")]), in: line % 2 == 0 ? "a" : "b", line: line)
          case last + 1: try session.deferLine([], line: line)
          default:
            if fails { throw Broken() }
            return false
          }
          return true
        }, apply: { writer, _, _ in try writer.markRead(["i4"]) })
    }
    if fails {
      #expect(throws: Broken.self) { try run() }
    } else {
      try run()
    }
    try scratch.store.read { snapshot in
      for check in AggregateCheck.all { try check.compare(snapshot, "after the import") }
    }
    #expect(try scratch.store.value(of: Self.unread, for: "a") == (fails ? 1 : Int(last / 2 - 1)))
    try expectSound(scratch.store)
  }
}
