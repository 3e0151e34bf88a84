import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Whatever follows from sound records is made anew from them.
@Suite struct RepairTests {
  /// Each node of every index damaged, one after the other and then all of them: what follows is the same as before.
  @Test func everyIndex() throws {
    let planted = try PlantedStore()
    var numbers: [UInt64] = []
    try planted.store.read { try $0.forest.forEachNode { numbers.append($0.number) } }
    let before = try counts(planted.store)
    for stride in [numbers.count / 3, 1] {
      for index in Swift.stride(from: 0, to: numbers.count, by: stride) {
        let key = (0..<8).map { UInt8(truncatingIfNeeded: numbers[index] >> (56 - 8 * $0)) }
        if var bytes = try planted.bytes("nodes", key) {
          bytes[bytes.count / 2] ^= 1
          try planted.put("nodes", key, bytes)
        }
      }
      try planted.expectRepair()
      #expect(try counts(planted.store) == before)
      numbers = []
      try planted.store.read { try $0.forest.forEachNode { numbers.append($0.number) } }
    }
    #expect(try planted.store.read { try $0.locateMessage("m7") }?.sequence == 8)
    try planted.store.write { _ = try $0.send([.text("on")], to: "c") }
    try expectSound(planted.store)
  }

  private func counts(_ store: Store) throws -> [Int] {
    try store.read { snapshot in
      // Identifiers may lie in either of two indexes.
      let numeric = IndexCatalog.numeric.filter {
        $0 !== IndexCatalog.messageIdentifier && $0 !== IndexCatalog.messageIdentifierRecent
      }
      return try numeric.map { try snapshot.forest.count($0.tree) }
        + IndexCatalog.text.map { try snapshot.forest.count($0.tree) }
    }
  }

  @Test func nothingToDo() throws {
    let planted = try PlantedStore()
    let sequence = try planted.store.sequence()
    let report = try Store.repair(directory: planted.directory.path, options: PlantedStore.options)
    #expect(report.before.isSound && report.actions.isEmpty && !report.isRefused)
    #expect(try planted.store.sequence() == sequence)
  }

  @Test func whatConversationsKnowOfTheirMessages() throws {
    let planted = try PlantedStore()
    let old = try #require(try planted.bytes("objects", ObjectKey.conversation(row: 0).bytes.array))
    var fields = try old.withUnsafeBytes { try ConversationView($0, row: 0).fields() }
    let right = fields
    fields.messageCount = 3
    fields.unreadCount = 0
    fields.last = nil
    fields.isVisible = false
    try planted.plant(.conversations, .conversation(row: 0), fields.encode(row: 0))
    try planted.expectRepair()
    #expect(try planted.store.read { try $0.fields(conversation: 0) } == right)
  }

  @Test func theSeal() throws {
    for change in [
      { $0[.messages].digest &+= 1 }, { $0.nextSequence = 3 }, { $0.nextConversation = 0 },
      { $0[nextID: .users] = 1 }, { $0.log.count = 9 }, { $0[.bodies].count += 1 },
    ] as [(inout Seal) -> Void] {
      let planted = try PlantedStore()
      try planted.changeSeal(change)
      try planted.expectRepair()
      try planted.store.write { _ = try $0.send([.text("on")], to: "c") }
      try expectSound(planted.store)
    }
  }

  @Test func aSealThatIsNone() throws {
    let planted = try PlantedStore()
    let sequence = try planted.store.sequence()
    let key = ObjectKey.seal.bytes.array
    var bytes = try #require(try planted.bytes("objects", key))
    bytes[20] ^= 1
    try planted.put("objects", key, bytes)
    try planted.expectRepair()
    #expect(try planted.store.sequence() > sequence)
    try planted.put("objects", key, nil)
    try planted.expectRepair()
  }

  @Test func entriesOfDictionariesThatTheIndexStillHas() throws {
    let planted = try PlantedStore()
    for (kind, id) in [(DictionaryKind.users, 1), (.typeSets, 0), (.participantSets, 0)]
      as [(DictionaryKind, UInt32)]
    {
      try planted.plant(.dictionaries, .dictionary(kind, id: id), nil)
    }
    #expect(try !planted.report.isSound)
    try planted.expectRepair()
    #expect(try planted.store.read { try $0.makeMessage(conversation: 0, sequence: 7) }.sender == "bob")
  }

  @Test func damagedEntriesOfDictionariesThatTheIndexStillHas() throws {
    for kind in [DictionaryKind.users, .mimeTypes, .typeSets, .participantSets] {
      let planted = try PlantedStore()
      let export = try planted.store.read { try $0.makeMessage(conversation: 0, sequence: 7) }
      let key = ObjectKey.dictionary(kind, id: 0).bytes.array
      var bytes = try #require(try planted.bytes("objects", key))
      bytes[bytes.count - 9] ^= 1
      try planted.put("objects", key, bytes)
      try planted.expectRepair()
      #expect(try planted.store.read { try $0.makeMessage(conversation: 0, sequence: 7) } == export)
    }
  }

  @Test func damagedRecordsAreLeftAsTheyAre() throws {
    let keys: [(String, KeyBytes)] = [
      ("messages", MessageKey(conversation: 0, sequence: 7).bytes),
      ("objects", ObjectKey.conversation(row: 0).bytes), ("objects", ObjectKey.identity(row: 0).bytes),
      ("objects", MessageKey(announcement: 51).bytes),
      ("bodies", BodyKey(message: MessageKey(conversation: 0, sequence: 7), part: 1, piece: 1).bytes),
    ]
    for (database, key) in keys {
      for isMissing in [false, true] {
        let planted = try PlantedStore()
        var bytes = try #require(try planted.bytes(database, key.array))
        bytes[5] ^= 4
        try planted.put(database, key.array, isMissing ? nil : bytes)
        let before = try planted.report
        let report = try Store.repair(directory: planted.directory.path, options: PlantedStore.options)
        #expect(report.isRefused && report.actions.isEmpty, "\(database) \(key.array)")
        #expect(try planted.report.faultCount == before.faultCount)
      }
    }
  }

  @Test func theLogBeginsAnew() throws {
    let planted = try PlantedStore()
    try planted.store.write { _ = try $0.registerConsumer("search") }
    let since = try planted.store.sequence()
    try planted.store.write { _ = try $0.send([.text("lost")], to: "c") }
    let key = ObjectKey.changeLog(commit: try planted.store.sequence())
    try planted.plant(.changeLog, key, nil)
    try planted.expectRepair()
    // Its readers hear of it.
    #expect(try planted.store.read { try $0.changes(after: since) } == nil)
    #expect(try planted.store.read { try $0.consumer(named: "search") }?.isBehind == true)
  }

  @Test func aStoreOfAnOlderSetOfIndexes() throws {
    let planted = try PlantedStore()
    var header = planted.store.header
    header.versions = StoreHeader.Versions(
      format: 3, minimumReader: 3, indexSet: 1, unicode: header.versions.unicode)
    try planted.put("objects", ObjectKey.header.bytes.array, header.encode())
    try planted.changeSeal { $0[.messages].digest &+= 1 }
    let report = try Store.repair(directory: planted.directory.path, options: PlantedStore.options)
    #expect(!report.isRefused, "\(report.refusal)")
    #expect(try planted.report.isSound)
  }

  @Test func contentsOfNothing() throws {
    let planted = try PlantedStore()
    let orphan = BodyKey(message: MessageKey(conversation: 0, sequence: 44), part: 9, piece: 0)
    let surplus = BodyKey(message: MessageKey(conversation: 0, sequence: 7), part: 1, piece: 9)
    let gone = BodyKey(message: MessageKey(conversation: 0, sequence: 5), part: 0, piece: 0)
    for key in [orphan, surplus, gone] {
      let content = [UInt8](repeating: 1, count: 50)
      try planted.plant(.bodies, "bodies", key.bytes, BodyLayout.encode(content.span.bytes, key: key))
    }
    try planted.expectFault("bodies", "no message has it")
    try planted.expectRepair()
    for _ in 0..<2 { try planted.store.write { _ = try $0.send([], to: "c") } }
    try expectSound(planted.store)
    #expect(try planted.bytes("bodies", gone.bytes.array) == nil)
  }

  /// Random stores, with random nodes, seals and derived values damaged.
  @Test func randomStores() throws {
    let seed = TestEnvironment.seed(for: "randomStores")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(6) {
      let directory = try TemporaryDirectory()
      let store = try openStore(directory.path)
      defer { store.close() }
      var operations = RandomOperations(seed: generator.next())
      for _ in 0..<20 {
        try store.write { writer in for _ in 0..<8 { try operations.step(writer) } }
      }
      var nodes: [UInt64] = []
      try store.read { try $0.forest.forEachNode { nodes.append($0.number) } }
      try store.environment.write { transaction in
        let database = try store.environment.database("nodes")
        for _ in 0..<1 + generator.draw(below: 4) {
          let number = generator.draw(from: nodes)
          guard var bytes = try transaction.get(database, number: number).map({ [UInt8]($0) }) else {
            continue
          }
          bytes[generator.draw(below: bytes.count)] ^= 1 << UInt8(generator.draw(below: 8))
          try bytes.withUnsafeBytes { try transaction.put(database, number: number, $0) }
        }
      }
      let report = try Store.repair(directory: directory.path, options: PlantedStore.options)
      #expect(!report.isRefused && !report.actions.isEmpty, "round \(round), seed \(seed): \(report.refusal)")
      try expectSound(store)
      let difference = try store.read { try operations.model.difference($0) }
      #expect(difference == nil, "round \(round), seed \(seed)")
      for _ in 0..<10 { try store.write { try operations.step($0) } }
      try expectSound(store)
    }
  }
}
