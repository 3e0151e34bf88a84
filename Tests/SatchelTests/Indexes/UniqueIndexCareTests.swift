import Foundation
import RankedIndex
import Satchel
import SatchelCare
import SatchelCoding
import SatchelExecution
import SatchelReading
import SatchelStorage
import SatchelWriting
import Testing

/// Unique indexes of stores that another program has written.
@Suite struct UniqueIndexCareTests {
  /// Keeps entries, and claims nothing.
  private struct Careless: AggregateEvaluator {
    let honest = QueryAggregateEvaluator()

    private final class Entries: IndexEntries {
      let honest: any IndexEntries

      init(_ honest: any IndexEntries) { self.honest = honest }

      func texts(of object: ObjectRow) throws -> [[UInt8]] { try honest.texts(of: object) }

      func add(_ objects: [ObjectRow], of index: UInt32, to batch: inout TextBatch) throws {
        try honest.add(objects, of: index, to: &batch)
      }

      func claims(of object: ObjectRow) throws -> [[UInt8]] { [] }
    }

    func check(_ aggregate: AggregateEntry, user: String) throws { try honest.check(aggregate, user: user) }

    func check(_ index: DeclaredIndexEntry.Definition, user: String) throws {
      try honest.check(index, user: user)
    }

    func dependsOnReading(_ index: DeclaredIndexEntry.Definition, user: String) throws -> Bool {
      try honest.dependsOnReading(index, user: user)
    }

    func entries(
      of index: DeclaredIndexEntry.Definition, in snapshot: Snapshot
    ) throws -> any IndexEntries {
      Entries(try honest.entries(of: index, in: snapshot))
    }

    func totals(of aggregate: AggregateEntry, in snapshot: Snapshot) throws -> AggregateTotals {
      try honest.totals(of: aggregate, in: snapshot)
    }

    func changes(
      of aggregate: AggregateEntry, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot
    ) throws -> AggregateTotals? {
      try honest.changes(of: aggregate, by: entry, from: before, to: after)
    }
  }

  @Test func verifyNamesObjectsThatShareAValueAndARepairRefusesTheIndex() throws {
    let scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      try tx.receive([], in: "a", from: "bob", id: "m1", metadata: ["order": 1])
    }
    try scratch.store.declare(UniqueIndexTests.orders)
    scratch.store.close()
    var options = Store.Options()
    options.durability = .relaxed
    options.aggregateEvaluator = Careless()
    let careless = try Store.open(directory: scratch.store.path, user: "alice", options: options)
    try careless.write { writer in
      for id in ["m2", "m3"] {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID(id), sender: "bob", metadata: ["order": 1]), in: "a")
      }
    }
    careless.close()
    let store = try scratch.reopened()
    let faults = try store.base.read { try Verifier.verify($0) }.faults
    #expect(faults.count == 2, "\(faults)")
    #expect(
      faults.allSatisfy {
        $0.location == "declaredIndexes" && $0.key == "orders" && $0.finding.contains("other: m1")
      }, "\(faults)")
    store.close()
    try StoreToIndex.repair(URL(fileURLWithPath: scratch.store.path))
    let repaired = try scratch.reopened()
    let status = try #require(try repaired.indexes().last)
    #expect(status.isRefused && status.entries == 0)
    #expect(status.doubles.map { [$0.first, $0.second] } == [["m1", "m2"], ["m1", "m3"]])
    try expectSound(repaired)
  }
}
