import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

@Suite struct RandomOperationsTests {
  /// Random transactions, some of them thrown away, against a model; every index against the records.
  @Test func storeAgreesWithItsModel() throws {
    let seed = TestEnvironment.seed(for: "storeAgreesWithItsModel")
    let transactions = TestEnvironment.rounds(120)
    let directory = try TemporaryDirectory()
    var store = try openStore(directory.path)
    var operations = RandomOperations(seed: seed)
    for transaction in 0..<transactions {
      let before = operations.model
      let steps = 1 + operations.generator.draw(below: operations.generator.chance(20) ? 60 : 8)
      let fails = operations.generator.chance(15)
      do {
        try store.write { writer in
          for _ in 0..<steps {
            try operations.step(writer)
            // A query in between flushes: what follows starts from the tables.
            if operations.generator.chance(8) {
              let difference = try writer.read { try operations.model.difference($0) }
              if let difference { throw Failure(description: difference) }
            }
          }
          if fails { throw CancellationError() }
        }
      } catch is CancellationError { operations.model = before }
      let difference = try store.read { try operations.model.difference($0) }
      #expect(difference == nil, "transaction \(transaction), seed \(seed)")
      try store.read { try expectScanAsIndexed($0) }
      if transaction % 10 == 0 || difference != nil { try expectSound(store) }
      if difference != nil { break }
      if operations.generator.chance(4) {
        store.close()
        store = try openStore(directory.path)
      }
    }
    try expectSound(store)
    // The purge queue empties, a commit at a time.
    for _ in 0..<20 { try store.write { try operations.step($0) } }
    try expectSound(store)
  }
}
