import Foundation
import LMDB
import RankedIndex
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// What core operations read and write, held to bounds that are checked in: a change that makes one of them dearer fails
/// here, on any machine and under any load. The counts are the same in every run.
///
/// A bound is what was measured, with little to spare: lower it when an operation has become cheaper, and raise it only
/// with a reason in the commit's message.
@Suite struct OperationCostTests {
  private let store: MessageStore
  private let directory: TemporaryDirectory

  private static let conversations = 200
  private static let messages = 40_000

  init() throws {
    directory = try TemporaryDirectory()
    var options = MessageStore.Options()
    // What reaches the trees is counted: through the journal it comes later, in fewer and larger transactions.
    options.journal.use = .never
    options.durability = .relaxed
    store = try MessageStore(
      at: directory.url.appendingPathComponent("store"), user: "alice", options: options)
    try store.write { transaction in
      for number in 0..<Self.conversations {
        try transaction.createConversation(
          with: ["alice", Self.user(number)], id: Self.conversation(number),
          metadata: ["color": .text(number % 4 == 0 ? "red" : "blue")])
      }
    }
    for batch in 0..<20 { try receive(batch * 2000..<(batch + 1) * 2000) }
  }

  private static func user(_ number: Int) -> Identity.ID { Identity.ID("user\(number % 40)") }

  private static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }

  /// Each conversation gets a message in turn, a second apart.
  private func receive(_ numbers: Range<Int>) throws {
    try store.write { transaction in
      for number in numbers {
        try transaction.receive(
          [.text("Message \(number) says a few words, as messages do.")],
          in: Self.conversation(number % Self.conversations), from: Self.user(number),
          id: Message.ID("m\(number)"), position: Int64(number / Self.conversations),
          sentAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
          receivedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
          isUnread: number % 10 == 0)
      }
    }
  }

  // MARK: Reads

  /// What a read has cost, planning included.
  private struct ReadCost: CustomStringConvertible {
    var nodes: Int
    var entries: Int
    var records: Int

    var description: String { "\(nodes) nodes, \(entries) entries, \(records) records" }
  }

  /// Runs a read and compares its cost with its bound.
  private func expect(
    _ name: String, nodes: Int, entries: Int, records: Int,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (StoreSnapshot) throws -> Int
  ) throws {
    let (cost, answer) = try store.read { snapshot in
      let answer = try body(snapshot)
      let metrics = snapshot.base.forest.metrics
      return (
        ReadCost(
          nodes: metrics.nodesRead, entries: metrics.entriesRead,
          records: snapshot.base.metrics.recordsRead), answer
      )
    }
    print("cost of \(name): \(cost)")
    #expect(answer > 0, "\(name) found nothing", sourceLocation: sourceLocation)
    #expect(
      cost.nodes <= nodes && cost.entries <= entries && cost.records <= records,
      "\(name) costs \(cost); the bound is \(nodes) nodes, \(entries) entries, \(records) records",
      sourceLocation: sourceLocation)
  }

  @Test func reads() throws {
    let conversation = Self.conversation(17)
    try expect("counting all messages", nodes: 0, entries: 0, records: 0) {
      try $0.count(Query<Message>())
    }
    try expect("counting unread messages", nodes: 0, entries: 0, records: 0) {
      try $0.count(Message.filter { $0.isUnread })
    }
    try expect("counting a conversation's unread messages", nodes: 5, entries: 1, records: 2) {
      try $0.count(Message.filter { $0.conversation == Self.conversation(20) && $0.isUnread })
    }
    try expect("counting what somebody has sent in a conversation", nodes: 5, entries: 1, records: 2) {
      try $0.count(
        Message.filter { $0.conversation == conversation && $0.sender.userID == Self.user(17) })
    }
    try expect("counting unread messages of others", nodes: 8, entries: 0, records: 0) {
      try $0.count(Message.filter { $0.isUnread && $0.sender.userID != Self.user(10) })
    }
    try expect("counting the messages of a time", nodes: 4, entries: 0, records: 0) {
      let start = Date(timeIntervalSince1970: 1_700_010_000)
      return try $0.count(Message.filter { $0.sentAt > start })
    }
    try expect("a message's row in its conversation", nodes: 13, entries: 2, records: 6) {
      try $0.count(
        Message.filter { $0.conversation == conversation }.order { $0.position }.before("m20017"))
    }
    try expect("the latest 20 messages of a conversation", nodes: 7, entries: 21, records: 22) {
      try $0.fetch(
        Message.filter { $0.conversation == conversation }.order { $0.position.descending }.limit(20)
      ).count
    }
    try expect("20 messages behind 30,000 others", nodes: 2, entries: 20, records: 40) {
      try $0.fetch(Message.order { $0.sentAt }.offset(30_000).limit(20)).count
    }
    try expect("a message by its identifier", nodes: 4, entries: 1, records: 4) {
      try $0.fetch(Message.filter { $0.identifier == "m12345" }).count
    }
    try expect("20 conversations by their last message", nodes: 1, entries: 20, records: 40) {
      try $0.fetch(Conversation.order { $0.lastMessage.receivedAt.descending }.limit(20)).count
    }
    try expect("counting conversations by metadata", nodes: 2, entries: 0, records: 0) {
      try $0.count(Conversation.filter { $0.metadata["color"] == "red" })
    }
  }

  // MARK: Writes

  /// The bytes of the store's file.
  private func file() throws -> Data {
    try Data(
      contentsOf: directory.url.appendingPathComponent("store").appendingPathComponent("data.mdb"))
  }

  /// Runs a write and compares the index nodes and pages that it wrote with its bounds.
  private func expect(
    _ name: String, nodes: Int, pages: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) throws {
    let before = try file()
    try body()
    let after = try file()
    let written = try store.read { snapshot in
      var nodes = 0
      var cursor = try snapshot.base.transaction.cursor(snapshot.base.databases.nodes)
      // Bytes 16 to 23 of a node are the sequence of the commit that wrote it: see FORMAT.md, 7.2.
      while let entry = try cursor.next() {
        if entry.value.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian == snapshot.sequence {
          nodes += 1
        }
      }
      return nodes
    }
    var changed = 0
    for start in stride(from: 0, to: after.count, by: 4096) {
      let page = start..<min(start + 4096, after.count)
      if page.upperBound > before.count || before[page] != after[page] { changed += 1 }
    }
    print("cost of \(name): \(written) nodes, \(changed) pages")
    #expect(written > 0 && changed > written, "\(name) wrote nothing", sourceLocation: sourceLocation)
    #expect(
      written <= nodes && changed <= pages,
      "\(name) writes \(written) nodes, \(changed) pages; the bound is \(nodes) nodes, \(pages) pages",
      sourceLocation: sourceLocation)
  }

  @Test func writes() throws {
    try expect("receiving a message", nodes: 31, pages: 41) { try receive(40_001..<40_002) }
    try expect("receiving 100 messages", nodes: 180, pages: 305) { try receive(40_100..<40_200) }
    try expect("receiving 1,000 messages", nodes: 292, pages: 553) { try receive(41_000..<42_000) }
    try expect("marking a conversation as read", nodes: 19, pages: 47) {
      _ = try store.write { try $0.markAsRead(Self.conversation(20)) }
    }
    try expect("setting metadata", nodes: 1, pages: 10) {
      try store.write {
        try $0.setMetadata(.text("green"), at: "color", of: .conversation(Self.conversation(3)))
      }
    }
    try expect("deleting a message", nodes: 20, pages: 31) {
      try store.write { try $0.delete("m20017" as Message.ID) }
    }
  }
}
