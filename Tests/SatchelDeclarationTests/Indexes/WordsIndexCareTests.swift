import Foundation
import RankedKeys
import Satchel
import SatchelCare
import SatchelExecution
import SatchelIndexing
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Indexes of words where they are built, dropped, verified, repaired, salvaged and copied.
@Suite struct WordsIndexCareTests {
  private static let index = WordsIndexTests.texts
  private static let tree = IndexCatalog.declaredEntries.tree

  private static func texts(_ number: Int) -> [String] {
    switch number % 5 {
    case 0: []
    case 1: ["noon at noon \(number)", "東京 \(number % 7)"]
    case 2: [String(repeating: "far away ", count: 80)]
    default: ["the usual place, as in \(number % 100)"]
    }
  }

  private static func fill(_ store: MessageStore, _ count: Int) throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<count {
        try tx.receive(
          texts(number).map { .text($0) }, in: "a", from: "bob", id: Message.ID("m\(number)"),
          position: Int64(number))
      }
    }
  }

  /// Of a write that does to the entries what no write does.
  private static func damage(_ store: MessageStore, removing: [TextKey], adding: [TextKey]) throws {
    try store.base.write { writer in
      writer.isChanged = true
      for key in removing { writer.forest.remove(tree, key) }
      try writer.insert(tree, adding)
    }
  }

  @Test(arguments: WordEntries.allCases) func verifyFindsWhatIsMissingAndARepairMakesIt(entries: WordEntries)
    throws
  {
    let scratch = try Scratch()
    try Self.fill(scratch.store, 20)
    try scratch.store.declare(Self.index)
    let key = try #require(
      try wordEntries(scratch.store, Self.index).first { $0.group >> 32 == entries.rawValue })
    try Self.damage(scratch.store, removing: [key], adding: [])
    let report = try scratch.store.base.read { try Verifier.verify($0) }
    #expect(report.faults.contains { $0.finding.contains("lacks its entry") }, "\(report.faults)")
    #expect(report.faults.contains { $0.location == Self.tree.name }, "\(report.faults)")
    try Self.expectRepaired(scratch)
  }

  @Test(arguments: WordEntries.allCases) func verifyFindsWhatIsTooMuchAndARepairRemovesIt(
    entries: WordEntries
  ) throws {
    let scratch = try Scratch()
    try Self.fill(scratch.store, 20)
    try scratch.store.declare(Self.index)
    let key = TextKey(group: entries.group(of: 0), text: Array("nobody".utf8), row: 2)
    try Self.damage(scratch.store, removing: [], adding: [key])
    let report = try scratch.store.base.read { try Verifier.verify($0) }
    #expect(report.faults.contains { $0.location == Self.tree.name }, "\(report.faults)")
    try Self.expectRepaired(scratch)
  }

  @Test func verifyFindsAWrongSumAndARepairCorrectsIt() throws {
    let scratch = try Scratch()
    try Self.fill(scratch.store, 20)
    try scratch.store.declare(Self.index)
    let total = try scratch.store.base.read { try $0.totalLength(ofWords: 0) }
    try Self.damage(
      scratch.store, removing: [TextKey(totalLength: total, ofWords: 0)],
      adding: [TextKey(totalLength: total + 1, ofWords: 0)])
    let report = try scratch.store.base.read { try Verifier.verify($0) }
    #expect(
      report.faults.map { [$0.location, $0.key] } == [["declaredIndexes", "texts, the sum of the lengths"]],
      "\(report.faults)")
    try Self.expectRepaired(scratch)
  }

  /// Of a damaged page with words a search says that it is damaged; other reads go on, and a repair makes all words anew.
  @Test func aDamagedPageOfWordsIsToldAndMadeAnew() throws {
    let scratch = try Scratch()
    try scratch.store.declare(Self.index)
    try Self.fill(scratch.store, 1500)
    try scratch.store.base.checkpoint()
    var nodes: [[UInt8]] = []
    try scratch.store.base.read { snapshot in
      try snapshot.forest.forEachNode { node in
        if node.tree == Self.tree.id, node.level == 0 { nodes.append(node.bytes) }
      }
    }
    let size = try scratch.store.base.environment.info.pageSize
    scratch.store.close()
    let file = URL(fileURLWithPath: scratch.store.path).appendingPathComponent("data.mdb")
    var bytes = [UInt8](try Data(contentsOf: file))
    var damaged = 0
    // The pages whose value, behind the header, is such a node.
    for page in 2..<bytes.count / size where bytes[page * size + 10] == 4 {
      let value = bytes[page * size + 16..<(page + 1) * size]
      guard nodes.contains(where: { $0.prefix(64) == value.prefix(64) }) else { continue }
      bytes.replaceSubrange(page * size..<page * size + 512, with: repeatElement(0, count: 512))
      damaged += 1
    }
    try #require(damaged > 1)
    try Data(bytes).write(to: file)
    var reading = MessageStore.Options()
    reading.isReadOnly = true
    let store = try MessageStore(existingAt: scratch.store.path, options: reading)
    let search = Message.filter { $0.parts.any { $0.text.matches("\"usual place\"") } }
    failure(.corrupted) { _ = try store.fetch(search) }
    #expect(try store.message("m7")?.id == "m7")
    #expect(try store.fetch(Message.all.limit(3)).count == 3)
    store.close()
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let report = try Store.repair(directory: file.deletingLastPathComponent().path, options: options)
    #expect(!report.isRefused && report.before.recordFaultCount == 0, "\(report.refusal)")
    #expect(report.actions.contains { $0.contains("were given up") }, "\(report.actions)")
    let repaired = try scratch.reopened()
    try expectWords(Self.index, of: (0..<1500).map(Self.texts), in: repaired)
    #expect(try repaired.count(search) == 600)
    try expectSound(repaired)
    repaired.close()
  }

  private static func expectRepaired(_ scratch: Scratch) throws {
    scratch.store.close()
    try StoreToIndex.repair(URL(fileURLWithPath: scratch.store.path))
    let repaired = try scratch.reopened()
    try expectWords(index, of: (0..<20).map(texts), in: repaired)
    try expectSound(repaired)
    repaired.close()
  }

  /// A build goes on where the last program left it, with what has changed since; what it has so far is verified like the whole.
  @Test func aBuildIsGoneOnWithByTheNextProgram() throws {
    let directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("store")
    var store = try StoreToIndex.open(path)
    try Self.fill(store, 2500)
    try store.declare(Self.index)
    var texts = (0..<2500).map(Self.texts)
    var (number, rounds) = (0, 0)
    while try store.indexes()[0].isComplete == false {
      rounds += 1
      try #require(rounds < 100)
      let part = try store.indexes()[0].progress
      #expect(part < 1)
      try expectSound(store)
      store.close()
      store = try StoreToIndex.open(path)
      // One that has its entries, or is to get them; and one that comes.
      number = (number + 977) % 2500
      texts[number] = ["edited \(number)"]
      texts.append(["new noon"])
      try store.write { tx in
        try tx.update(Message.ID("m\(number)")) { $0.parts = [.text("edited \(number)")] }
        try tx.receive([.text("new noon")], in: "a", from: "bob", position: Int64(10_000 + rounds))
      }
      try EntriesAheadTests.step(store, nil, or: 150)
    }
    #expect(rounds > 3)
    try expectWords(Self.index, of: texts, in: store)
    try expectSound(store)
    store.close()
  }

  @Test func whatIsDroppedOrReplacedLeavesNothing() throws {
    let directory = try TemporaryDirectory()
    let store = try StoreToIndex.open(directory.url.appendingPathComponent("store"))
    defer { store.close() }
    try Self.fill(store, 1500)
    func finish() throws {
      while try store.base.read({ try $0.isBuildingIndexes() }) {
        try EntriesAheadTests.step(store, try EntriesAheadTests.ahead(store, 300), or: 200)
      }
    }
    try store.declare(Self.index)
    try finish()
    let entries = try store.indexes().map(\.entries)
    let other = Index(
      named: "texts", on: Message.self, where: { $0.isUnread }, wordsOf: { $0.parts.each { $0.text } })
    try store.declare(other, replacing: true)
    // Dropped in the middle, and once more.
    try EntriesAheadTests.step(store, nil, or: 200)
    try store.declare(Self.index, replacing: true)
    try finish()
    #expect(try store.indexes().map(\.entries) == entries)
    try expectWords(Self.index, of: (0..<1500).map(Self.texts), in: store)
    try store.declare(other, replacing: true)
    try finish()
    #expect(try store.indexes().map(\.index) == [other])
    try expectWords(other, of: (0..<1500).map(Self.texts), in: store)
    try expectSound(store)
    try store.dropIndex(named: "texts")
    try finish()
    #expect(try store.base.read { try $0.forest.count(Self.tree) } == 0)
    try expectSound(store)
  }

  @Test func aSalvageAndABackupHaveTheSame() throws {
    let scratch = try Scratch()
    try Self.fill(scratch.store, 300)
    try scratch.store.declare(Self.index)
    let entries = try wordEntries(scratch.store, Self.index)
    let copy = scratch.directory.url.appendingPathComponent("copy")
    _ = try scratch.store.backup(to: copy)
    scratch.store.close()
    var options = Store.Options()
    options.create = false
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let saved = scratch.directory.url.appendingPathComponent("saved")
    let report = try Store.salvage(directory: copy.path, into: saved.path, options: options)
    #expect(report.isComplete && report.indexes == 1, "\(report.losses)")
    for path in [copy, saved] {
      let store = try MessageStore(at: path, user: "alice")
      defer { store.close() }
      try expectWords(Self.index, of: (0..<300).map(Self.texts), in: store)
      #expect(try wordEntries(store, Self.index).count == entries.count)
      try expectSound(store)
    }
  }
}
