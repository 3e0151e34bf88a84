import SatchelModel
import SatchelRecords
import SatchelStorage
import SatchelWriting
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
            if operations.generator.chance(20) { try operations.changeResponses(writer) }
            // A query in between flushes: what follows starts from the tables.
            if operations.generator.chance(8) {
              let difference = try writer.read { try operations.model.difference($0) }
              if let difference { throw Failure(description: difference) }
            }
          }
          if fails { throw CancellationError() }
          // What refers to deleted messages and conversations goes when the write ends.
          operations.model.settle()
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

  /// The comparison sees each way in which a record can be another one than the model's.
  @Test func differencesOfRecordsAreFound() throws {
    let seed = TestEnvironment.seed(for: "differencesOfRecordsAreFound")
    let store = try openStore(try TemporaryDirectory().path)
    defer { store.close() }
    var operations = RandomOperations(seed: seed)
    try store.write { writer in
      try operations.declareType(writer, named: "own")
      try operations.saveRecords(writer, 3, ofType: "own")
      try operations.declareFields(writer, ofType: "own")
    }
    let model = operations.model
    let ids = model.records.sorted { $0.value.order < $1.value.order }.map(\.key)
    try store.read { snapshot in
      #expect(try model.difference(snapshot) == nil)
      func expectFound(_ what: String, _ change: (inout ReferenceStore) -> Void) throws {
        var other = model
        change(&other)
        #expect(try other.difference(snapshot) != nil, "\(what), seed \(seed)")
      }
      try expectFound("one more") { $0.save(Record.ID(type: "own", name: "more"), owner: nil, [:]) }
      try expectFound("one less") { $0.records[ids[1]] = nil }
      try expectFound("another one") {
        $0.records[ids[2]] = nil
        $0.save(Record.ID(type: "own", name: "other"), owner: nil, [:])
      }
      try expectFound("a field more") { $0.records[ids[0]]?.fields.set("x", forKey: "more") }
      try expectFound("another owner") { $0.records[ids[0]]?.owner = "bob" }
      try expectFound("another creator") { $0.records[ids[0]]?.createdBy = "bob" }
      try expectFound("another editor") { $0.records[ids[0]]?.updatedBy = "bob" }
      try expectFound("another date of creation") {
        $0.records[ids[0]]?.createdAt = Timestamp(microseconds: 1)
      }
      try expectFound("another date of change") { $0.records[ids[0]]?.updatedAt = Timestamp(microseconds: 1) }
      try expectFound("another type") { $0.declare([RecordType("other")]) }
      try expectFound("a declared field more") { $0.declare([RecordType("own") { $0.text("more") }]) }
    }
    let changed = ids[1]
    try store.write { _ = try $0.update(record: changed, as: "bob", at: Timestamp(microseconds: 5)) { _ in } }
    #expect(try store.read { try model.difference($0) } != nil)
    var updated = model
    updated.save(
      changed, owner: nil, try #require(model.records[changed]).fields, as: "bob",
      at: Timestamp(microseconds: 5))
    #expect(try store.read { try updated.difference($0) } == nil)
  }
}
