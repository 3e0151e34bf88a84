import LMDB
import LMDBPages
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Pages of the file in which nodes of indexes lie, and those in which LMDB says where: they have no checksum of their own. What was on
/// them is made anew from the records.
@Suite struct DamagedIndexPageTests {
  /// A closed store whose nodes fill pages of their own.
  private struct Scene {
    let directory: TemporaryDirectory
    /// How many entries all indexes have.
    let entries: Int
    let pageSize: Int
    /// The pages of the file on which leaves of indexes lie.
    let leaves: [Int]
    let bytes: [UInt8]

    init(journaled: Bool = false) throws {
      directory = try TemporaryDirectory()
      let store = try openStore(directory.path, journaled: journaled)
      try Self.fill(store, 0..<3000)
      entries = try Self.entries(store)
      let size = try store.environment.info.pageSize
      var values: [[UInt8]] = []
      try store.read { snapshot in
        try snapshot.forest.forEachNode { node in
          if node.level == 0, node.bytes.count > size / 2 { values.append(node.bytes) }
        }
      }
      store.close()
      let bytes = try JournaledStore.readFile(directory.path + "/data.mdb")
      // The flags of a page whose value begins behind its header; the beginning of a node has its checksum.
      var pages: [[UInt8]: Int] = [:]
      for page in 2..<bytes.count / size where bytes[page * size + 10] == 4 {
        pages[Array(bytes[page * size + 16..<page * size + 80])] = page
      }
      leaves = values.compactMap { pages[Array($0.prefix(64))] }.sorted()
      pageSize = size
      self.bytes = bytes
      try #require(leaves.count > 10, "\(values.count) leaves")
    }

    static func fill(_ store: Store, _ numbers: Range<Int>) throws {
      for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 300) {
        try store.write { writer in
          if start == 0 {
            _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
            // Names of which the nodes do not hold all.
            for number in 0..<200 {
              let name = String(repeating: "of the \(number) ", count: 80)
              try writer.putIdentity(Identity(userID: Identity.ID("user\(number)"), displayName: name))
            }
          }
          for number in start..<min(start + 300, numbers.upperBound) {
            _ = try writer.insertMessage(
              MessageDraft(
                identifier: Message.ID("a message of this long name \(number)"), sender: "bob",
                position: Int64(number),
                isUnread: number % 3 == 0, parts: [.text("text \(number)")]), in: "c")
          }
        }
      }
    }

    static func entries(_ store: Store) throws -> Int {
      try store.read { snapshot in
        try IndexCatalog.numeric.reduce(0) { try $0 + snapshot.forest.count($1.tree) }
          + IndexCatalog.text.reduce(0) { try $0 + snapshot.forest.count($1.tree) }
      }
    }

    func place(_ bytes: [UInt8]) throws {
      try JournaledStore.write(bytes[...], to: directory.path + "/data.mdb", at: 0)
    }

    /// The file as it is now.
    func read() throws -> [UInt8] { try JournaledStore.readFile(directory.path + "/data.mdb") }

    /// The pages of one of LMDB's databases, without those of large values, level by level from the root.
    func levels(_ name: String, in bytes: [UInt8]) throws -> [[Int]] {
      let roots = try [0, pageSize].map { start in
        let meta = Array(bytes[start..<start + MetaPage.length])
        return try SnapshotRoots(meta.span.bytes)
      }
      let last = roots[roots[0].transaction > roots[1].transaction ? 0 : 1]
      return try bytes.withUnsafeBytes { bytes in
        let map = PageMap(
          base: try #require(bytes.baseAddress), pageSize: pageSize, limit: UInt64(bytes.count / pageSize))
        let tree = try #require(try map.record(named: name, in: last.mainTree))
        var levels = [[tree.root]]
        while levels.count < tree.depth {
          levels.append(
            try levels[levels.count - 1].flatMap { number in
              let page = try map.page(number)
              return try (0..<page.count).map { try page.child(try page.node($0)) }
            })
        }
        return levels.map { $0.map { Int($0) } }
      }
    }
  }

  /// What may happen to a page: its bytes are others, or its header alone is.
  private static let damages: [(String, @Sendable (inout ArraySlice<UInt8>) -> Void)] = [
    ("zeros", { for place in $0.indices { $0[place] = 0 } }),
    ("noise", { for place in $0.indices { $0[place] = UInt8(truncatingIfNeeded: place &* 167 + 3) } }),
    ("a wrong number", { $0[$0.startIndex] ^= 9 }),
    ("wrong flags", { $0[$0.startIndex + 10] = 2 }),
    ("no length", { $0[$0.startIndex + 12] = 0 }),
    ("a length too great", { $0[$0.startIndex + 12] = 3 }),
    ("the value", { $0[$0.startIndex + 900] ^= 1 }),
  ]

  @Test(arguments: DamagedIndexPageTests.damages.indices) func aRepairMakesThemAnew(number: Int) throws {
    let (what, damage) = Self.damages[number]
    let scene = try Scene(journaled: number % 2 == 1)
    var bytes = scene.bytes
    for page in [scene.leaves[1], scene.leaves[scene.leaves.count / 2], scene.leaves[scene.leaves.count - 1]]
    {
      damage(&bytes[page * scene.pageSize..<(page + 1) * scene.pageSize])
    }
    try scene.place(bytes)
    let report = try Store.repair(directory: scene.directory.path, options: PlantedStore.options)
    #expect(
      report.before.faultCount > 0 && report.before.recordFaultCount == 0, "\(what): \(report.before.faults)")
    #expect(
      report.actions.contains { $0.contains("were given up") } == (what != "the value"),
      "\(what): \(report.actions)")
    try expectRepaired(scene, report, journaled: number % 2 == 1, what)
  }

  /// A store that was repaired has all that it had, and takes more.
  private func expectRepaired(
    _ scene: Scene, _ report: RepairReport, journaled: Bool, _ what: String
  ) throws {
    #expect(!report.isRefused && !report.actions.isEmpty, "\(what): \(report.refusal.prefix(5))")
    let store = try openStore(scene.directory.path, journaled: journaled)
    defer { store.close() }
    try expectSound(store)
    #expect(try Scene.entries(store) == scene.entries, "\(what)")
    #expect(try store.read { try $0.locateMessage("a message of this long name 700") } != nil)
    // What is written next overwrites nothing.
    try Scene.fill(store, 3000..<4000)
    try expectSound(store)
  }

  /// Numbers that no store gets to are damage; behind any other one enough are left for the nodes that are made anew and later.
  @Test(arguments: ["nodes", "texts"], [UInt64.max, UInt64.max - 1, UInt64.max - 0xF3, UInt64.max / 2])
  func noKeyTakesAllNumbers(
    name: String, number: UInt64
  ) throws {
    let scene = try Scene()
    var bytes = scene.bytes
    let page = try #require(try scene.levels(name, in: bytes).last?.last) * scene.pageSize
    func u16(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    // The last entry of the page, and behind its header the key.
    let key = page + u16(page + 16 + (u16(page + 12) - 16) - 2) + 8
    withUnsafeBytes(of: number.bigEndian) { bytes.replaceSubrange(key..<key + 8, with: $0) }
    try scene.place(bytes)
    let report = try Store.repair(directory: scene.directory.path, options: PlantedStore.options)
    try expectRepaired(scene, report, journaled: true, "\(name), \(number)")
  }

  /// The pages in which LMDB keeps the keys of the indexes' tables: a leaf, the root, which is a branch page, and all of them.
  @Test(arguments: ["nodes", "texts"], 0..<3) func aRepairDoesWithoutPagesOfTheTables(
    name: String, place: Int
  ) throws {
    let scene = try Scene(journaled: place == 1)
    let levels = try scene.levels(name, in: scene.bytes)
    try #require(levels.count > 1, "\(name): \(levels)")
    let (root, leaves) = (levels[0], levels[levels.count - 1])
    let pages = [[leaves[leaves.count / 2]], root, levels.flatMap(\.self)][place]
    let (how, damage) = Self.damages[name == "nodes" ? 0 : 1]
    var bytes = scene.bytes
    for page in pages { damage(&bytes[page * scene.pageSize..<(page + 1) * scene.pageSize]) }
    try scene.place(bytes)
    let what = "\(name), \(how) on pages \(pages)"
    if place == 0, name == "nodes" { try expectAReadToNameTheRepair(scene) }
    let report = try Store.repair(directory: scene.directory.path, options: PlantedStore.options)
    #expect(
      report.before.faultCount > 0 && report.before.recordFaultCount == 0,
      "\(what): \(report.before.faults.prefix(5))")
    #expect(report.actions.contains { $0.contains("were given up") }, "\(what): \(report.actions)")
    try expectRepaired(scene, report, journaled: place == 1, what)
  }

  private func expectAReadToNameTheRepair(_ scene: Scene) throws {
    let store = try openStore(scene.directory.path, journaled: false)
    defer { store.close() }
    let error = #expect(throws: SatchelError.self) {
      try store.read { snapshot in try snapshot.forest.forEachNode { _ in } }
    }
    #expect(
      error?.code == .corrupted && error?.description.contains("verify --repair") == true,
      "\(String(describing: error))")
  }

  /// Where the seal does not match, only the indexes would show whether records are missing.
  @Test func nothingIsChangedBesideASealThatDoesNotMatch() throws {
    let scene = try Scene()
    let store = try openStore(scene.directory.path, journaled: false)
    let key = ObjectKey.seal.bytes.array
    try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      try key.withUnsafeBytes { key in
        var seal = try Seal(#require(try transaction.get(objects, key)))
        seal[.messages].count += 1
        try seal.encode().withUnsafeBytes { try transaction.put(objects, key, $0) }
      }
    }
    store.close()
    var bytes = try scene.read()
    let root = try scene.levels("nodes", in: bytes)[0][0]
    bytes.replaceSubrange(
      root * scene.pageSize..<(root + 1) * scene.pageSize, with: repeatElement(0, count: scene.pageSize))
    try scene.place(bytes)
    let report = try Store.repair(directory: scene.directory.path, options: PlantedStore.options)
    #expect(report.refusal.contains { $0.location == "seal" && $0.key == "messages" }, "\(report.refusal)")
    #expect(report.actions.isEmpty)
    let after = try scene.read()
    let page = root * scene.pageSize..<(root + 1) * scene.pageSize
    #expect(after[page].allSatisfy { $0 == 0 })
  }

  /// Until then a read that needs the page says that it is damaged, and others go on. A verification changes nothing.
  @Test func aVerificationTellsAndReadsGoOn() throws {
    let scene = try Scene()
    var bytes = scene.bytes
    let start = scene.leaves[5] * scene.pageSize
    bytes.replaceSubrange(start..<start + scene.pageSize, with: repeatElement(0, count: scene.pageSize))
    try scene.place(bytes)
    let store = try openStore(scene.directory.path, journaled: false) { $0.readOnly = true }
    defer { store.close() }
    let report = try store.verify()
    #expect(!report.isSound && report.recordFaultCount == 0, "\(report.faults)")
    #expect(report.faults.contains { $0.location == "database nodes" && $0.isDerived }, "\(report.faults)")
    #expect(try store.read { try $0.makeMessage(conversation: 0, sequence: 70) }.sender == "bob")
    let after = try JournaledStore.readFile(scene.directory.path + "/data.mdb")
    #expect(after[start..<start + scene.pageSize].allSatisfy { $0 == 0 })
  }

  /// A record that is damaged as well: the store is left as it is.
  @Test func nothingIsChangedBesideADamagedRecord() throws {
    let scene = try Scene()
    let store = try openStore(scene.directory.path, journaled: false)
    let key = MessageKey(conversation: 0, sequence: 9).bytes.array
    try store.environment.write { transaction in
      let messages = try store.environment.database("messages")
      try key.withUnsafeBytes { key in
        var record = try #require(try transaction.get(messages, key).map { [UInt8]($0) })
        record[5] ^= 4
        try record.withUnsafeBytes { try transaction.put(messages, key, $0) }
      }
    }
    store.close()
    var bytes = try JournaledStore.readFile(scene.directory.path + "/data.mdb")
    let start = scene.leaves[5] * scene.pageSize
    bytes[start] ^= 1
    try scene.place(bytes)
    do {
      let report = try Store.repair(directory: scene.directory.path, options: PlantedStore.options)
      #expect(report.isRefused && report.actions.isEmpty)
    } catch let error as SatchelError {
      #expect(error.code == .corrupted, "\(error)")
    }
    let after = try JournaledStore.readFile(scene.directory.path + "/data.mdb")
    #expect(after[start] == bytes[start])
  }
}
