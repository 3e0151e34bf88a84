import Foundation
import Satchel
import SatchelExecution
import SatchelScenes
import TestSupport
import Testing

/// Threads that make entries of declared indexes ahead of their writes, beside each other and beside other writes.
@Suite struct EntriesAheadThreadTests {
  /// The texts are long: what one commit takes is a part of all.
  private static let index = Index(
    named: "notes", on: Message.self, where: { $0.metadata.kind == "note" }
  ) { [$0.metadata.text, $0.sentAt.descending] }

  private static let query = Message.filter { $0.metadata.kind == "note" }.order {
    ($0.metadata.text, $0.sentAt.descending)
  }

  private let directory: TemporaryDirectory
  private var path: URL { directory.url.appendingPathComponent("store") }
  private static let count = 12_000

  init() throws {
    directory = try TemporaryDirectory()
    let store = try StoreToIndex.open(path)
    try store.write { tx in
      for name in ["a", "b", "left"] {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(name))
      }
      for number in 0..<Self.count { try Self.receive(number, tx) }
    }
    store.close()
  }

  private static func receive(_ number: Int, _ tx: WriteTransaction) throws {
    let text = "\(number * 7919 % 10_007) " + String(repeating: "x", count: 200)
    try tx.receive(
      [.text("x")], in: ["a", "b", "left"][number % 3], from: "bob", id: Message.ID("m\(number)"),
      position: Int64(number), sentAt: date(Double(number % 100)),
      metadata: ["kind": number % 8 == 0 ? "ticket" : "note", "text": .text(text)])
  }

  private static func change(_ store: MessageStore, _ random: inout SeededGenerator, _ number: Int) throws {
    let message = Message.ID("m\(random.below(count))")
    let kind = random.below(12)
    try store.write { tx in
      let isThere = try tx.message(message) != nil
      switch kind {
      case 0..<4: if isThere { try tx.setMetadata("note", at: "kind", of: .message(message)) }
      case 4..<7: if isThere { try tx.delete(message) }
      case 7..<9: if isThere { try tx.setMetadata("0", at: "text", of: .message(message)) }
      case 9: try tx.removeParticipants(["alice"], from: "left")
      case 10: try tx.addParticipants(["alice"], to: "left")
      default: break
      }
      try receive(count + number, tx)
    }
  }

  private func expectAnswers(_ store: MessageStore) throws {
    try expectSound(store)
    #expect(try store.indexes().map(\.isComplete) == [true])
    let explanation = try store.explain(Self.query)
    #expect(explanation.paths[explanation.chosen].index == Self.index.name)
    let found = try store.identifiers(Self.query)
    #expect(try store.indexes().map(\.entries) == [found.count])
    try store.dropIndex(named: Self.index.name)
    #expect(try store.identifiers(Self.query) == found)
  }

  @Test func twoHandlesBuildBesideTheirWrites() throws {
    var random = SeededGenerator(for: #function)
    let store = try StoreToIndex.open(path, pause: 0.001)
    let other = try StoreToIndex.open(path, pause: 0.002)
    var number = 0
    for round in 0..<3 {
      try store.declare(Self.index, replacing: true)
      repeat {
        try Self.change(random.oneIn(2) ? store : other, &random, number)
        number += 1
      } while try store.indexes().contains { !$0.isComplete }
      if round < 2 { try other.dropIndex(named: Self.index.name) }
    }
    other.close()
    try expectAnswers(store)
    store.close()
  }

  private static func build(_ path: URL, for microseconds: UInt32) throws {
    let store = try StoreToIndex.open(path, pause: 0.001)
    try store.declare(index)
    usleep(microseconds)
  }

  /// The process is killed at any moment; the next one goes on.
  @Test func aKilledProcessLosesNothing() async throws {
    var random = SeededGenerator(for: #function)
    for _ in 0..<5 {
      let (path, pause) = (path.path, Int.random(in: 0...60_000, using: &random))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, pause = pause as Int] in
        try EntriesAheadThreadTests.build(URL(fileURLWithPath: path), for: UInt32(pause))
        kill(getpid(), SIGKILL)
      }
      let store = try StoreToIndex.open(URL(fileURLWithPath: path))
      try expectSound(store)
      store.close()
    }
    let store = try StoreToIndex.open(path, pause: 0.001)
    while try EntriesAheadTests.next(store) != nil { usleep(1000) }
    try expectAnswers(store)
    store.close()
  }

  /// Who closes the store waits for the slice that the thread is at, and no longer.
  @Test func aStoreIsClosedInTheMidst() throws {
    for pause: UInt32 in [0, 500, 3000, 9000] {
      let store = try StoreToIndex.open(path, pause: 0.001)
      try store.declare(Self.index)
      usleep(pause)
      store.close()
      let reader = try StoreToIndex.open(path)
      try expectSound(reader)
      reader.close()
    }
    let store = try StoreToIndex.open(path)
    while try store.base.read({ try $0.isBuildingIndexes() }) {
      try EntriesAheadTests.step(store, try EntriesAheadTests.ahead(store, 5000), or: 10)
    }
    try expectAnswers(store)
    store.close()
  }
}
