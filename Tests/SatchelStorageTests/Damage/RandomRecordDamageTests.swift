import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Single bits of the records of applications, of their types, and of their trees: a verification tells of each, or it changes no answer;
/// and no answer is wrong.
@Suite struct RandomRecordDamageTests {
  /// A value in the file.
  private struct Place {
    let database: String
    let key: [UInt8]
    let name: String
  }

  private static let types = ["first", "second"]
  private let directory: TemporaryDirectory
  private let model: ReferenceStore
  /// The places, by what they belong to.
  private let places: [String: [Place]]

  private let seed: UInt64
  private var random: SeededGenerator

  init() throws {
    seed = TestEnvironment.seed(for: "aFlippedBitIsFoundOrChangesNoAnswer")
    random = SeededGenerator(seed: seed)
    directory = try TemporaryDirectory()
    let store = try openStore(directory.path, journaled: false)
    defer { store.close() }
    var operations = RandomOperations(seed: random.next())
    try store.write { writer in
      for type in Self.types {
        try operations.declareType(writer, named: type)
        try operations.saveRecords(writer, 60, ofType: type)
        try operations.declareFields(writer, ofType: type)
      }
    }
    model = operations.model
    #expect(try store.read { try operations.model.difference($0) } == nil)
    try expectSound(store)
    places = try store.read { try Self.places($0) }
  }

  private static func places(_ snapshot: Snapshot) throws -> [String: [Place]] {
    var places: [String: [Place]] = [:]
    func add(_ place: Place) { places[place.name, default: []].append(place) }
    try snapshot.scanObjects { key, _ in
      switch key {
      case .recordType: add(Place(database: "objects", key: key.bytes.array, name: "types"))
      case .record: add(Place(database: "objects", key: key.bytes.array, name: "records"))
      default: break
      }
      return true
    }
    let trees = [
      IndexCatalog.recordCreated.tree.id: "record.created",
      IndexCatalog.recordIdentifier.tree.id: "record.identifier",
      IndexCatalog.recordFields.tree.id: "record.fields",
    ]
    try snapshot.forest.forEachNode { node in
      guard let tree = trees[node.tree] else { return }
      let key = (0..<8).map { UInt8(truncatingIfNeeded: node.number >> (56 - 8 * $0)) }
      add(Place(database: "nodes", key: key, name: tree))
    }
    return places
  }

  @Test mutating func aFlippedBitIsFoundOrChangesNoAnswer() throws {
    #expect(places.count == 5, "\(places.keys)")
    for (name, places) in places.sorted(by: { $0.key < $1.key }) {
      var reported = 0
      for _ in 0..<TestEnvironment.rounds(8) {
        let place = random.pick(places)
        let bit = random.next()
        let found = try onOpened { store in
          let old = try Self.bytes(store, place)
          var new = old
          let offset = Int(bit / 8 % UInt64(new.count))
          new[offset] ^= 1 << UInt8(bit % 8)
          try Self.put(store, place, new)
          let what = "seed \(seed), \(name) \(place.key), bit \(bit % 8) of byte \(offset)"
          let found = try store.read { try judge($0, what) }
          try Self.put(store, place, old)
          return found
        }
        if found { reported += 1 }
      }
      #expect(reported > 0, "seed \(seed), \(name)")
    }
    // All of them were taken back.
    try onOpened { store in
      #expect(try store.read { try model.difference($0) } == nil)
      try expectSound(store)
    }
  }

  /// Asks for everything, and returns whether a verification finds something.
  private func judge(_ snapshot: Snapshot, _ what: String) throws -> Bool {
    var isRefused = false
    func ask(_ question: String, _ isRight: () throws -> Bool) {
      do { if try !isRight() { Issue.record("\(what): \(question) is answered wrongly") } } catch {
        isRefused = true
      }
    }
    ask("types") { try snapshot.recordTypes().map(\.type) == model.recordTypes }
    for (id, expected) in model.records.sorted(by: { $0.key < $1.key }) {
      ask("\(id)") {
        guard let key = try snapshot.locateRecord(id) else { return false }
        return try expected.difference(snapshot.makeRecord(key)) == nil
      }
    }
    for (number, type) in Self.types.enumerated() {
      ask("\(type)/none") { try snapshot.locateRecord(Record.ID(type: type, name: "none")) == nil }
      let expected = model.records.keys.count { $0.type == type }
      ask("the count of \(type)") { try snapshot.recordCount(ofType: UInt32(number)) == expected }
      ask("all of \(type)") {
        let found = try snapshot.records(ofType: UInt32(number), after: nil, limit: .max)
        return found.count == expected
          && found.allSatisfy { model.records[$0.record.id]?.difference($0.record) == nil }
      }
    }
    // A verification that cannot go on has found something, too.
    let isReported = (try? Verifier.verify(snapshot).isSound) != true
    #expect(isReported || !isRefused, "\(what): verify finds nothing, and an answer is refused")
    return isReported
  }

  /// Opens the store anew: of nodes that were read once nothing is checked again.
  private func onOpened<R>(_ body: (Store) throws -> R) throws -> R {
    let store = try openStore(directory.path, journaled: false)
    defer { store.close() }
    return try body(store)
  }

  private static func bytes(_ store: Store, _ place: Place) throws -> [UInt8] {
    try store.environment.read { transaction in
      let database = try store.environment.database(place.database)
      return try place.key.withUnsafeBytes { key in
        try [UInt8](#require(try transaction.get(database, key)))
      }
    }
  }

  private static func put(_ store: Store, _ place: Place, _ bytes: [UInt8]) throws {
    try store.environment.write { transaction in
      let database = try store.environment.database(place.database)
      try place.key.withUnsafeBytes { key in
        try bytes.withUnsafeBytes { try transaction.put(database, key, $0) }
      }
    }
  }
}
