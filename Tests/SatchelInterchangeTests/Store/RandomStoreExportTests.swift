import SatchelInterchange
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Exports of random stores, with everything that the random operations of the tests make, come back as they were.
@Suite struct RandomStoreExportTests {
  @Test func anExportIsImportedAsItWas() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    var options = Store.Options()
    options.durability = .temporaryImport
    for round in 0..<TestEnvironment.rounds(3) {
      let place = "seed \(seed), round \(round)"
      var operations = RandomOperations(seed: random.next())
      let source = try TemporaryStore()
      let store = try Store.open(directory: source.path, user: "me", options: options)
      for _ in 0..<30 {
        try store.write { writer in for _ in 0..<6 { try operations.step(writer) } }
      }
      store.close()
      let bytes = try source.exportedBytes()
      for isNew in [true, false] {
        let copy = try TemporaryStore()
        if !isNew { try Store.open(directory: copy.path, user: "me", options: options).close() }
        let summary = try Importer(.bytes(bytes)).run(into: copy.path, user: isNew ? "me" : nil)
        #expect(summary.records == operations.model.records.count, "\(place)")
        #expect(try copy.exportedBytes() == bytes, "\(place), a new store: \(isNew)")
        #expect(try copy.read { try operations.model.differenceOfRecords($0) } == nil, "\(place)")
        #expect(try copy.verify() == 0, "\(place)")
      }
    }
  }
}
