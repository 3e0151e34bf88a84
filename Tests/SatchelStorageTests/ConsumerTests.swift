import LMDB
import SatchelCoding
import SatchelModel
import SatchelReading
import SatchelStorage
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Registered readers of the change log, and what the log keeps for them.
@Suite struct ConsumerTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
  }

  /// Makes so many commits of one change each; returns the last one's sequence.
  @discardableResult
  private func commit(_ times: Int = 1) throws -> UInt64 {
    for _ in 0..<times {
      try store.write { writer in
        try writer.putIdentity(Identity(userID: "bob", displayName: "\(writer.commit)"))
      }
    }
    return try store.sequence()
  }

  private func consumer(_ name: String) throws -> Consumer? {
    try store.read { try $0.consumer(named: name) }
  }

  private func log() throws -> Seal.Log { try store.read { $0.seal.log } }

  @Test func registeringAgainGoesOn() throws {
    try commit(3)
    let start = try store.write { try $0.registerConsumer("search") }
    #expect(try start == store.sequence())
    #expect(try consumer("search")?.readCommit == start)
    let last = try commit(2)
    #expect(try store.read { try $0.changes(after: start) }?.map(\.commit) == [last - 1, last])
    try store.write { try $0.acknowledge(last, consumer: "search") }
    let sequence = try store.sequence()
    #expect(try store.write { try $0.registerConsumer("search") } == last)
    // Nothing to write: no commit.
    #expect(try store.sequence() == sequence)
    try store.write { writer in
      try writer.unregisterConsumer("search")
      let again = try writer.registerConsumer("search")
      #expect(again == writer.commit)
    }
    #expect(try consumer("search")?.id == 2)
    try expectSound(store)
  }

  @Test func namesAreTakenAsTheyAre() throws {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    let long = String(repeating: "x", count: 256)
    for name in [composed, decomposed, "\n", long] {
      _ = try store.write { try $0.registerConsumer(name) }
    }
    #expect(try store.read { try $0.consumers().map(\.name.utf8.count) } == [5, 6, 1, 256])
    for name in ["", "a\0b", long + "x"] {
      #expect(code { _ = try store.write { try $0.registerConsumer(name) } } == .invalidIdentifier)
      #expect(code { try store.write { try $0.acknowledge(1, consumer: name) } } == .unknownConsumer)
    }
    #expect(code { try store.write { try $0.unregisterConsumer("nobody") } } == .unknownConsumer)
    try expectSound(store)
  }

  @Test func thereIsARoomForAThousand() throws {
    try store.write { writer in
      for index in 0..<1000 { try writer.registerConsumer("\(index)") }
      #expect(code { try writer.registerConsumer("one more") } == .invalidValue)
      try writer.registerConsumer("0")
      try writer.unregisterConsumer("7")
      try writer.registerConsumer("one more")
    }
    #expect(try store.read { try $0.consumers().count } == 1000)
    try expectSound(store)
  }

  @Test func acknowledgingNeverGoesBackNorAhead() throws {
    _ = try store.write { try $0.registerConsumer("a") }
    let last = try commit(4)
    try store.write { try $0.acknowledge(last - 1, consumer: "a") }
    let sequence = try store.sequence()
    try store.write { try $0.acknowledge(last - 2, consumer: "a") }
    try store.write { try $0.acknowledge(0, consumer: "a") }
    #expect(try store.sequence() == sequence)
    #expect(try consumer("a")?.readCommit == last - 1)
    #expect(
      code { try store.write { try $0.acknowledge($0.commit, consumer: "a") } } == .invalidValue)
    #expect(code { try store.write { try $0.acknowledge(.max, consumer: "a") } } == .invalidValue)
    #expect(code { try store.write { try $0.acknowledge(1, consumer: "b") } } == .unknownConsumer)
    try store.write { try $0.acknowledge(sequence, consumer: "a") }
    #expect(try consumer("a")?.readCommit == sequence)
    try expectSound(store)
  }

  @Test func withoutConsumersTheNewestThousandStay() throws {
    try commit(1255)
    #expect(try log().first == 1)
    let last = try commit(1)
    #expect(try log().count == 1000)
    #expect(try log().first == last - 999)
    let last2 = try commit(300)
    #expect(try log().count == 1044)
    #expect(try store.read { try $0.changes(after: last2 - 1044) }?.count == 1044)
    #expect(try store.read { try $0.changes(after: last2 - 1045) } == nil)
    try expectSound(store)
  }

  @Test func theSlowestConsumerKeepsTheLog() throws {
    try store.write { writer in
      try writer.registerConsumer("fast")
      try writer.registerConsumer("slow")
    }
    let start = try store.sequence()
    let last = try commit(1500)
    #expect(try log() == Seal.Log(first: 1, count: 1500, bytes: log().bytes))
    try store.write { try $0.acknowledge(last, consumer: "fast") }
    try commit(10)
    #expect(try log().count == 1510)
    // Part of a batch waits until a whole one has been read.
    try store.write { try $0.acknowledge(start + 200, consumer: "slow") }
    try commit(1)
    #expect(try log().count == 1511)
    try store.write { try $0.acknowledge(start + 400, consumer: "slow") }
    #expect(try log().count == 1511 - 256)
    #expect(try log().first == start + 257)
    try commit(1)
    #expect(try consumer("slow")?.isBehind == false)
    // The grace for those who are not registered: what is newer than a thousand entries stays.
    try store.write { try $0.acknowledge(last, consumer: "slow") }
    try commit(300)
    #expect(try (1000..<1256).contains(Int(log().count)))
    try store.write { try $0.unregisterConsumer("slow") }
    try expectSound(store)
  }

  @Test func aConsumerFallsBehindAFullLog() throws {
    try store.write { writer in
      try writer.registerConsumer("gone")
      try writer.registerConsumer("reads")
    }
    let start = try store.sequence()
    try commit(5000)
    try store.write { try $0.acknowledge(start + 5000, consumer: "reads") }
    try commit(5000)
    #expect(try consumer("gone")?.isBehind == false)
    #expect(try store.read { try $0.changes(after: start) }?.count == 10_000)
    try commit(1)
    #expect(try log().count == 10_001 - 256)
    let gone = try #require(try consumer("gone"))
    #expect(gone.isBehind && gone.readCommit == start)
    #expect(try store.read { try $0.changes(after: gone.readCommit) } == nil)
    #expect(try consumer("reads")?.isBehind == false)
    // It goes on from a snapshot.
    let now = try store.sequence()
    try store.write { try $0.acknowledge(now, consumer: "gone") }
    #expect(try consumer("gone")?.isBehind == false)
    try expectSound(store)
  }

  @Test func aLogOfManyBytesIsTrimmed() throws {
    _ = try store.write { try $0.registerConsumer("a") }
    let name = String(repeating: "x", count: 250)
    // Each commit renames 500 people: some 130 KB of old names.
    try store.write { writer in
      for user in 0..<500 {
        try writer.putIdentity(Identity(userID: Identity.ID("u\(user)"), displayName: name))
      }
    }
    for round in 0..<140 {
      try store.write { writer in
        for user in 0..<500 {
          try writer.putIdentity(Identity(userID: Identity.ID("u\(user)"), displayName: name + "\(round)"))
        }
      }
    }
    #expect(try log().bytes <= 16 << 20)
    #expect(try log().count < 140)
    #expect(try consumer("a")?.isBehind == true)
    try expectSound(store)
  }
}
