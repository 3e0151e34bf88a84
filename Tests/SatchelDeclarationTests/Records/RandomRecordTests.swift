import Foundation
import Satchel
import SatchelCare
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Random writes of records, beside a model of them in memory: what the store has afterwards, after it was opened again, after its
/// indexes were built anew, and after a salvage.
@Suite struct RandomRecordTests {
  /// What the store is to have, by type and name.
  private struct Model {
    var records: [Record.ID: Metadata] = [:]
    /// What the write has deleted.
    var removed: Set<Record.ID> = []

    /// The end of a write: references to what has gone are taken out.
    mutating func settle() {
      for (id, fields) in records where id.type == "a" {
        var record = Record(id: id, fields)
        guard case .reference(let next)? = record["next"], removed.contains(next), records[next] == nil else {
          continue
        }
        record["next"] = nil
        records[id] = record.fields
      }
      removed = []
    }

    /// The values are the store's, and so are their names, byte by byte.
    func expectSame(_ store: MessageStore, _ place: String) throws {
      for (id, fields) in records {
        let found = try #require(try store.record(id), "\(place): \(id)")
        #expect(found.fields.hasSameBytes(as: fields), "\(place): \(id)")
      }
      for type in RandomRecordTests.types {
        let count = records.keys.count { $0.type == type.name }
        #expect(try store.recordCount(of: type) == count, "\(place): \(type.name)")
      }
      let ids = Array(records.keys)
      #expect(try store.records(ids).map(\.id) == ids, "\(place)")
    }
  }

  fileprivate static let types = [
    RecordType("a") {
      $0.text("title"); $0.reference("next", to: "b", onDelete: .nullify)
    },
    RecordType("b") {
      $0.number("share"); $0.texts("tags")
    },
    RecordType("c"),
  ]

  private static func id(_ random: inout SeededGenerator) -> Record.ID {
    let names = [
      "x", "y", "\u{e9}", "e\u{301}", "a/b", String(repeating: "long ", count: 100), "1", "2", "3",
    ]
    return Record.ID(
      type: types.randomElement(using: &random)!.name, name: names.randomElement(using: &random)!)
  }

  private static func fields(of type: String, _ random: inout SeededGenerator) -> Metadata {
    var fields = Metadata()
    func set(_ name: String, _ value: MetadataValue) {
      if Bool.random(using: &random) { record[name] = value }
    }
    var record = Record(id: Record.ID(type: type, name: "x"))
    switch type {
    case "a":
      set(
        "title", .text(["", "x", "y z", String(repeating: "t", count: 2048)].randomElement(using: &random)!))
      set("next", .reference(Record.ID(type: "b", name: id(&random).name)))
    case "b":
      set("share", [.number(0.5), .integer(5), .number(5)].randomElement(using: &random)!)
      set("tags", .list(["u", "v", "u"].filter { _ in Bool.random(using: &random) }))
    default: break
    }
    set(
      "free",
      [.text("x"), .boolean(true), .integer(.min), .dictionary(["k": 1])].randomElement(using: &random)!)
    set("about", .reference(Message.ID(id(&random).name)))
    fields = record.fields
    return fields
  }

  private static func step(_ tx: WriteTransaction, _ model: inout Model, _ random: inout SeededGenerator)
    throws
  {
    let id = id(&random)
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1, 2:
      let fields = fields(of: id.type, &random)
      #expect(try tx.save(Record(id: id, fields)).fields.hasSameBytes(as: fields))
      model.records[id] = fields
    case 3:
      guard model.records[id] != nil else { return }
      let value = MetadataValue.integer(Int64.random(in: 0...3, using: &random))
      let record = try tx.update(id) { $0["number"] = Bool.random(using: &random) ? value : nil }
      model.records[id] = record.fields
    default:
      if model.records.removeValue(forKey: id) == nil {
        failure(.unknownRecord) { try tx.delete(id) }
      } else {
        try tx.delete(id)
        model.removed.insert(id)
      }
    }
  }

  @Test func theStoreHasWhatTheModelHas() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(6) {
      let place = "seed \(seed), round \(round)"
      let scratch = try Scratch()
      var store = scratch.store
      var model = Model()
      try store.declare(Self.types[0], Self.types[1], Self.types[2])
      for _ in 0..<40 {
        var next = model
        do {
          try store.write { tx in
            for _ in 0..<Int.random(in: 1...6, using: &random) { try Self.step(tx, &next, &random) }
            // What a write that fails has done is undone.
            if Int.random(in: 0..<6, using: &random) == 0 { throw CancellationError() }
          }
          next.settle()
          model = next
        } catch is CancellationError {}
        if Int.random(in: 0..<10, using: &random) == 0 {
          store.close()
          store = try scratch.reopened()
        }
      }
      try model.expectSame(store, place)
      try expectSound(store)
      let path = URL(fileURLWithPath: store.path)
      store.close()
      let saved = path.deletingLastPathComponent().appendingPathComponent("saved")
      let report = try Store.salvage(directory: path.path, into: saved.path)
      #expect(
        report.isComplete && report.saved.records == UInt64(model.records.count), "\(place): \(report.losses)"
      )
      let salvaged = try MessageStore(at: saved, user: "alice")
      try model.expectSame(salvaged, "\(place), salvaged")
      #expect(try salvaged.types().map(\.type) == Self.types, "\(place)")
      try expectSound(salvaged)
      salvaged.close()
      try StoreToIndex.repair(path)
      let repaired = try scratch.reopened()
      try model.expectSame(repaired, "\(place), repaired")
      try expectSound(repaired)
      repaired.close()
    }
  }
}
