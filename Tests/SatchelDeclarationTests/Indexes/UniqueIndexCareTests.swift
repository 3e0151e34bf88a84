import Foundation
import Satchel
import SatchelCare
import SatchelScenes
import SatchelStorage
import SatchelWriting
import Testing

/// Unique indexes of stores that another program has written.
@Suite struct UniqueIndexCareTests {
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
    options.aggregateEvaluator = OtherEvaluator(claimsNothing: true)
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
