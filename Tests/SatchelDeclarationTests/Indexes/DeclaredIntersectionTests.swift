import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Two conditions, each with a declared index of its own.
@Suite struct DeclaredIntersectionTests {
  private static let messages = 3000

  private static func fill(_ store: MessageStore) throws {
    try store.write { tx in
      for name in ["a", "b", "c"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<messages {
        try tx.receive(
          [.text("\(number)")], in: ["a", "b", "c"][number % 3], from: "bob", id: Message.ID("m\(number)"),
          position: Int64(number), sentAt: Date(timeIntervalSince1970: Double(number * 7 % 1000)),
          metadata: ["tens": .integer(Int64(number % 10)), "hundreds": .integer(Int64(number / 10 % 10))])
      }
    }
    try store.declare(Index(named: "tens", on: Message.self) { [$0.metadata.tens, $0.sentAt] })
    try store.declare(Index(named: "hundreds", on: Message.self) { [$0.metadata.hundreds, $0.sentAt] })
    while try store.indexes().contains(where: { !$0.isComplete }) { usleep(500) }
  }

  /// Each is met by a tenth, and both by a hundredth: no other records are read. The store has an index of all metadata, or none.
  @Test(arguments: [false, true]) func onlyRecordsOfWhatMeetsBothAreRead(indexesMetadata: Bool) throws {
    let directory = try TemporaryDirectory()
    var options = MessageStore.Options()
    options.indexesMessageMetadata = indexesMetadata
    let store = try MessageStore(
      at: directory.url.appendingPathComponent("store"), user: "alice", options: options)
    defer { store.close() }
    try Self.fill(store)
    let wanted = (0..<Self.messages).filter { $0 % 10 == 3 && $0 / 10 % 10 < 1 }.map { "m\($0)" }
    #expect(wanted.count == Self.messages / 100)
    let both = Message.filter { $0.metadata.tens.number == 3 && $0.metadata.hundreds.number < 1 }
    #expect(try store.identifiers(both).map(\.rawValue) == wanted)
    #expect(try store.fetch(both.order { $0.position.descending }).map(\.id.rawValue) == wanted.reversed())
    #expect(try store.count(both) == wanted.count)
    #expect(
      try store.count(both.filter { $0.conversation == "a" })
        == wanted.count { Int($0.dropFirst()).map { $0 % 3 } == 0 })

    let found = try store.explain(both, as: .identifiers, running: true)
    #expect(found.paths[found.chosen].index.hasPrefix("intersection"), "\(found.plan)")
    #expect(found.run?.recordsRead == wanted.count, "\(found.plan)")
    let counted = try store.explain(both, as: .count, running: true)
    #expect(counted.run?.recordsRead == 0, "\(counted.plan)")
  }
}
