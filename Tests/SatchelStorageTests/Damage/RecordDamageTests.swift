import LMDB
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelRecords
import SatchelStorage
import SatchelWriting
import Testing

/// Damage of records of applications and of their types: found and named, mended where it follows from the records, and saved
/// as far as it is whole.
@Suite struct RecordDamageTests {
  let directory: TemporaryDirectory
  let store: Store
  private let key = TypedRecordKey(type: 1, sequence: 3)

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path, journaled: false)
    try store.write { writer in
      let list = RecordType("list")
      try writer.declare([
        list,
        RecordType("todo") {
          $0.text("title"); $0.reference("list", to: list)
        },
      ])
      try writer.save(Record(list, name: "work"))
      for name in ["a", "b", "c"] {
        try writer.save(
          Record(
            id: Record.ID(type: "todo", name: name),
            ["title": .text(name), "list": .reference(Record.ID(type: "list", name: "work"))]))
      }
    }
    try expectSound(store)
  }

  private func faults() throws -> [VerificationReport.Fault] {
    try store.read { try Verifier.verify($0) }.faults
  }

  private func alter(_ key: ObjectKey, _ change: ([UInt8]) -> [UInt8]?) throws {
    let objects = try store.environment.database("objects")
    try store.environment.write { transaction in
      try key.bytes.withUnsafeBytes { key in
        let old = try [UInt8](#require(try transaction.get(objects, key)))
        if let new = change(old) {
          try new.withUnsafeBytes { try transaction.put(objects, key, $0) }
        } else {
          _ = try transaction.delete(objects, key)
        }
      }
    }
  }

  private func flipped(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[9] ^= 4
    return bytes
  }

  @Test func aFlippedBitIsFoundAndEndsAnyUse() throws {
    for (key, table, name) in [
      (ObjectKey.record(key), "records", "1/\(key.sequence)"), (.recordType(id: 1), "recordTypes", "1"),
    ] {
      try alter(key, flipped)
      let found = try faults()
      // As a dump of the table spells the key.
      #expect(found.contains { !$0.isDerived && $0.location == table && $0.key == name }, "\(found)")
      // An open store keeps the types that it has read.
      let opened = try openStore(directory.path, journaled: false)
      defer { opened.close() }
      #expect(throws: (any Error).self) {
        try opened.read { snapshot in
          _ = try snapshot.locateRecord(Record.ID(type: "todo", name: "b")).map {
            try snapshot.makeRecord($0)
          }
        }
      }
      try alter(key, flipped)
      try expectSound(store)
    }
  }

  @Test func whatIsMissingIsFound() throws {
    try alter(.record(key)) { _ in nil }
    let found = try faults()
    #expect(
      found.contains {
        $0.location == "records" && $0.key == "1/\(key.sequence)"
          && $0.finding.contains("record.created names it")
      },
      "\(found)")
    #expect(throws: (any Error).self) { try store.read { _ = try $0.findRecord(key) } }
  }

  @Test func recordsOfATypeThatIsMissingAreFound() throws {
    try alter(.recordType(id: 1)) { _ in nil }
    let found = try faults().filter { $0.finding.contains("the definition of its type is missing") }
    #expect(found.map(\.key).sorted() == ["1/2", "1/3", "1/4"])
    // No other type gets them.
    let refused = #expect(throws: SatchelError.self) {
      try store.write { try $0.declare([RecordType("other")]) }
    }
    #expect(refused?.code == .corrupted, "\(refused?.description ?? "")")
    #expect(try store.read { try $0.recordTypes().map(\.type.name) } == ["list"])
  }

  /// A record whose definition says otherwise, and one that has another's name, with checksums that fit.
  @Test func whatNoWriterWouldStoreIsFound() throws {
    let other = StoredRecord(
      identifier: Array("a".utf8), owner: 0, createdBy: 0, updatedBy: 0, createdAt: 0, updatedAt: 0,
      fields: ["title": 5])
    try alter(.record(key)) { _ in other.encode(key: key) }
    let found = try faults()
    #expect(
      found.contains { $0.finding.contains("another type than the field was declared with") }, "\(found)")
    #expect(found.contains { $0.finding.contains("record.identifier lacks its entry") }, "\(found)")
  }

  /// The type of a record was never in the store, as far as anything of it can be found. Another type may have the name that it would get.
  @Test(arguments: [false, true]) func aSalvageSavesRecordsWithoutTheirDefinition(_ isTaken: Bool) throws {
    if isTaken { try store.write { try $0.declare([RecordType("lost-type-7") { $0.text("n") }]) } }
    let name = isTaken ? "lost-type-7-" : "lost-type-7"
    let lost = TypedRecordKey(type: 7, sequence: 9)
    let record = StoredRecord(
      identifier: Array("x".utf8), owner: 0, createdBy: 0, updatedBy: 0, createdAt: 1, updatedAt: 2,
      fields: ["n": 5])
    let objects = try store.environment.database("objects")
    try store.environment.write { transaction in
      try lost.bytes.withUnsafeBytes { key in
        try record.encode(key: lost).withUnsafeBytes { try transaction.put(objects, key, $0) }
      }
    }
    store.close()
    let report = try Store.salvage(directory: directory.path, into: directory.path + "/new")
    #expect(report.saved.records == 5 && !report.isComplete, "\(report.losses)")
    #expect(report.losses.contains { $0.hasSuffix("of the type \(name) now") }, "\(report.losses)")
    let saved = try openStore(directory.path + "/new")
    defer { saved.close() }
    try expectSound(saved)
    let found = try saved.read { snapshot in
      try snapshot.locateRecord(Record.ID(type: name, name: "x")).map { try snapshot.makeRecord($0) }
    }
    #expect(found?.fields == ["n": 5] && found?.updatedTimestamp == Timestamp(microseconds: 2))
    let others = ["list", "todo"] + (isTaken ? ["lost-type-7"] : [])
    #expect(try saved.read { try $0.recordTypes().map(\.type.name) } == others + [name])
  }

  /// Two definitions have one name, and say otherwise of a field: the types are declared all the same, and no record is lost.
  @Test func aSalvageTellsTypesOfOneNameApart() throws {
    let other = TypedRecordKey(type: 5, sequence: 9)
    let record = StoredRecord(
      identifier: Array("a".utf8), owner: 0, createdBy: 0, updatedBy: 0, createdAt: 1, updatedAt: 2,
      fields: ["title": 5])
    let namesake = RecordTypeEntry(RecordType("todo") { $0.integer("title") })
    let objects = try store.environment.database("objects")
    try store.environment.write { transaction in
      for (key, bytes) in [
        (other.bytes, record.encode(key: other)), (ObjectKey.recordType(id: 5).bytes, namesake.encode(id: 5)),
      ] {
        try key.withUnsafeBytes { key in
          try bytes.withUnsafeBytes { try transaction.put(objects, key, $0) }
        }
      }
    }
    store.close()
    let report = try Store.salvage(directory: directory.path, into: directory.path + "/new")
    #expect(report.saved.records == 5, "\(report.losses)")
    #expect(report.losses.contains { $0.contains("another one has its name, todo") }, "\(report.losses)")
    let saved = try openStore(directory.path + "/new")
    defer { saved.close() }
    try expectSound(saved)
    #expect(try saved.read { try $0.recordTypes().map(\.type.name) } == ["list", "todo", "lost-type-5"])
    let found = try saved.read { snapshot in
      try snapshot.locateRecord(Record.ID(type: "lost-type-5", name: "a")).map { try snapshot.makeRecord($0) }
    }
    #expect(found?.fields == ["title": 5])
  }
}
