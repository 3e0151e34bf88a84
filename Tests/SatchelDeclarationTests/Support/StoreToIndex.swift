import Foundation
import LMDB
import RankedIndex
import RankedKeys
import Satchel
import SatchelCare
import SatchelCoding
import SatchelExecution
import SatchelIndexing
import SatchelScenes
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// A store of an older format, which gets the index of its messages' metadata in steps.
struct StoreToIndex {
  let directory: TemporaryDirectory
  var path: URL { directory.url.appendingPathComponent("store") }
  static let messages = 600

  init() throws {
    directory = try TemporaryDirectory()
    try Self.makeOlderStore(at: directory.url.appendingPathComponent("store")) { tx in
      for conversation in ["a", "b", "left"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(conversation))
      }
      for number in 0..<Self.messages {
        try tx.receive(
          [.text("\(number)")], in: ["a", "b", "left"][number % 3], from: "bob",
          id: Message.ID("m\(number)"), position: Int64(number), metadata: Self.metadata(number))
        if number % 40 == 0 {
          try tx.announce(
            [.text("\(number)")], from: "bob", id: Announcement.ID("a\(number)"),
            metadata: Self.metadata(number + 1))
        }
      }
      try tx.removeParticipants(["alice"], from: "left")
    }
  }

  static func makeOlderStore(
    at path: URL, _ write: (WriteTransaction) throws -> Void
  ) throws {
    let store = try open(path) { $0.journal.use = .never }
    try store.write { try write($0) }
    try OlderStore.withdrawLaterIndexes(of: store.base, from: 4)
    store.close()
  }

  static func metadata(_ number: Int) -> Metadata {
    guard number % 4 != 0 else { return [:] }
    return [
      "serverID": .text("s-\(number)"), "priority": .integer(Int64(number % 5)), "ratio": 0.5,
      "flags": ["done": .boolean(number % 3 == 0)],
      "tags": number % 7 == 0 ? .list([]) : .list(["late", "t\(number % 6)", "late"]),
    ]
  }

  /// - Parameter pause: The seconds between two commits beside others; nil if each write takes a step along, and there are no others.
  static func open(
    _ path: URL, pause: Double? = nil, _ change: (inout MessageStore.Options) -> Void = { _ in }
  ) throws -> MessageStore {
    var options = MessageStore.Options()
    options.durability = .relaxed
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 5
    options.purgePause = pause
    change(&options)
    return try MessageStore(at: path, user: "alice", options: options)
  }

  func open(
    pause: Double? = nil, _ change: (inout MessageStore.Options) -> Void = { _ in }
  ) throws -> MessageStore {
    try Self.open(path, pause: pause, change)
  }

  static func isBuilding(_ store: MessageStore) throws -> Bool {
    try store.base.read { $0.seal[.indexBuilds].count > 0 }
  }

  /// One step, of so many messages, in a commit of its own.
  static func step(_ store: MessageStore, _ room: Int) throws {
    try store.base.write { writer in
      writer.isChanged = true
      writer.turn.grows = true
      writer.turn.indexingRoom = room
    }
  }

  /// The creation sequence that the build has got to.
  static func next(_ store: MessageStore) throws -> UInt64 {
    try store.base.read { try $0.endOfIndexedMetadata() }
  }

  /// Damages the record of a message.
  static func flipByte(ofRecord key: MessageKey, _ store: MessageStore) throws {
    let environment = store.base.environment
    let messages = try environment.database("messages")
    try environment.write { transaction in
      try key.bytes.withUnsafeBytes { key in
        var record = try #require(try transaction.get(messages, key).map { [UInt8]($0) })
        record[record.count - 9] ^= 1
        try record.withUnsafeBytes { try transaction.put(messages, key, $0) }
      }
    }
  }

  static let query = Message.filter { $0.metadata.priority.number >= 3 }

  /// Whether the queries are answered by the index; checks that they are answered rightly.
  func usesIndex(_ store: MessageStore) throws -> Bool {
    let all = try store.fetch(Message.all)
    let urgent = all.filter { $0.metadata.value(at: "priority")?.integerValue ?? 0 >= 3 }
    #expect(try store.count(Self.query) == urgent.count)
    #expect(try store.identifiers(Self.query) == urgent.map(\.id))
    let tagged = all.filter { $0.metadata.value(at: "tags")?.listValue?.contains("t3") == true }
    #expect(
      try store.identifiers(Message.filter { $0.metadata.tags.list.contains("t3") }) == tagged.map(\.id))
    return try store.explain(Self.query).paths.contains { $0.index == "message.metadata" }
  }

  /// What the two indexes have.
  static func entries(_ store: MessageStore) throws -> [[TextKey]] {
    try store.base.read { snapshot in
      try [IndexCatalog.messageMetadata, IndexCatalog.announcementMetadata].map { index in
        var entries: [TextKey] = []
        var cursor = try snapshot.forest.cursor(index.tree)
        while try cursor.next() != nil, let key = try cursor.key() { entries.append(key) }
        return entries
      }
    }
  }

  /// Expects what a repair builds at once of a copy.
  func expectEntriesOfARepair(_ store: MessageStore) throws {
    let entries = try Self.entries(store)
    #expect(entries.allSatisfy { !$0.isEmpty })
    store.close()
    let copy = directory.url.appendingPathComponent("repaired")
    try FileManager.default.copyItem(at: path, to: copy)
    try Self.repair(copy)
    let repaired = try Self.open(copy)
    #expect(try Self.entries(repaired) == entries)
    try expectSound(repaired)
    repaired.close()
  }

  /// Damages a store so that a repair builds all of its indexes, and repairs it.
  static func repair(_ path: URL) throws {
    let store = try Self.open(path) { $0.journal.use = .never }
    let environment = store.base.environment
    let objects = try environment.database("objects")
    try environment.write { transaction in
      try ([0xEE, 1] as [UInt8]).withUnsafeBytes { try transaction.put(objects, $0, $0) }
    }
    store.close()
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let report = try Store.repair(directory: path.path, options: options)
    #expect(!report.isRefused && !report.actions.isEmpty)
  }

  static func write(_ step: Int, _ random: inout SeededGenerator, _ store: MessageStore) throws {
    let some = Message.ID("m\(Int.random(in: 0..<messages, using: &random))")
    let kind = Int.random(in: 0..<8, using: &random)
    try store.write { tx in
      // Messages of a conversation that was left are changed as well.
      let isThere = try tx.message(some) != nil
      switch kind {
      case 0 where isThere: try tx.setMetadata(4, at: "priority", of: .message(some))
      case 1 where isThere: try tx.replaceMetadata(with: [:], of: .message(some))
      case 2 where isThere: try tx.delete(some)
      case 3 where step % 3 == 0: try tx.addParticipants(["alice"], to: "left")
      case 4 where step % 3 == 1: try tx.removeParticipants(["alice"], from: "left")
      case 5 where isThere: try tx.setMetadata("s-x", at: "serverID", of: .message(some))
      case 6 where isThere: try tx.setMetadata(["t3", "late"], at: "tags", of: .message(some))
      case 7 where step % 9 == 7: try tx.delete(Conversation.ID("b"))
      default: break
      }
      try tx.receive(
        [.text("new")], in: "a", from: "bob", position: Int64(1000 + step), metadata: metadata(step))
    }
  }
}
