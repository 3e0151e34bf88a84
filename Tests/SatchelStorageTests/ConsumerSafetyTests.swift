import LMDB
import SatchelCare
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

/// Consumers beside crashes, damage, other processes and stores that are only read.
@Suite struct ConsumerSafetyTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store.open(directory: directory.path, user: "me")
    try store.write { writer in
      try writer.registerConsumer("search")
      try writer.setFollowed(true, "bob")
    }
  }

  private func consumer() throws -> Consumer? { try store.read { try $0.consumer(named: "search") } }

  @Test func theyTakePartInTheTransaction() throws {
    struct Refusal: Error {}
    let before = try consumer()
    let sequence = try store.sequence()
    #expect(throws: Refusal.self) {
      try store.write { writer in
        try writer.acknowledge(sequence, consumer: "search")
        try writer.registerConsumer("other")
        try writer.setFollowed(true, "carol")
        throw Refusal()
      }
    }
    #expect(try consumer() == before)
    #expect(try store.read { try $0.consumers().count } == 1)
    #expect(try store.sequence() == sequence)
    try expectSound(store)
  }

  @Test func aKilledWriterAcknowledgesNothing() async throws {
    let path: String = directory.path
    let before = try consumer()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try Store.open(directory: path, user: nil)
      try store.write { writer in
        try writer.acknowledge(writer.commit - 1, consumer: "search")
        try writer.registerConsumer("other")
        try writer.setFollowed(true, "carol")
        _ = try writer.read { try $0.consumers() }
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try consumer() == before)
    #expect(try store.read { try $0.consumers().count } == 1)
    try expectSound(store)
  }

  @Test func anotherProcessRegistersAndAcknowledges() async throws {
    let path: String = directory.path
    let isOver = OtherThread()
    let writing = store
    isOver.start {
      for round in 0..<100 { try writing.write { try $0.setFollowed(true, Identity.ID("u\(round)")) } }
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store.open(directory: path, user: nil)
      let start = try store.write { try $0.registerConsumer("index") }
      var seen: [UInt64] = []
      var isFollowed = false
      while seen.count < 20 {
        let entries = try #require(try store.read { try $0.changes(after: seen.last ?? start) })
        guard let last = entries.last?.commit else {
          // The other process may have been done before: then there is nothing to come.
          if try store.sequence() > start + 100 { break }
          isFollowed.toggle()
          try store.write { [isFollowed] in try $0.setFollowed(isFollowed, "dave") }
          continue
        }
        seen += entries.map(\.commit)
        try store.write { try $0.acknowledge(last, consumer: "index") }
      }
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
      try #require(store.read { try $0.consumer(named: "index") }?.readCommit == seen.last ?? start)
      store.close()
    }
    try isOver.finish()
    #expect(try store.read { try $0.consumers().map(\.name) } == ["search", "index"])
    try expectSound(store)
  }

  @Test func aStoreThatIsOnlyReadShowsThem() throws {
    let expected = try consumer()
    store.close()
    var options = Store.Options()
    options.readOnly = true
    let reader = try Store.open(directory: directory.path, user: nil, options: options)
    defer { reader.close() }
    #expect(try reader.read { try $0.consumer(named: "search") } == expected)
    #expect(code { _ = try reader.write { try $0.registerConsumer("x") } } == .permissionDenied)
    #expect(code { try reader.write { try $0.acknowledge(1, consumer: "search") } } == .permissionDenied)
  }

  @Test func damageIsFound() throws {
    let sequence = try store.sequence()
    let cases: [(ConsumerEntry, UInt32, String)] = [
      (ConsumerEntry(name: Array("search".utf8), readCommit: sequence + 1), 1, "after the last one"),
      (ConsumerEntry(name: Array("search".utf8), readCommit: 1), 2, "another one has its name"),
      (ConsumerEntry(name: Array("later".utf8), readCommit: 1), 2, "has not been given yet"),
      (ConsumerEntry(name: [0x61, 0], readCommit: 1), 1, "not one of the format"),
    ]
    let objects = try store.environment.database("objects")
    for (entry, id, finding) in cases {
      let key = ObjectKey.consumer(id: id).bytes
      let old = try store.read { snapshot in
        try key.withUnsafeBytes { try snapshot.transaction.get(objects, $0).map { [UInt8]($0) } }
      }
      try change(objects, key, entry.encode(id: id))
      let faults = try store.read { try Verifier.verify($0) }.faults
      #expect(faults.contains { $0.finding.contains(finding) }, "\(finding): \(faults)")
      try change(objects, key, old)
      try expectSound(store)
    }
  }

  private func change(_ database: Database, _ key: KeyBytes, _ value: [UInt8]?) throws {
    try store.environment.write { transaction in
      try key.withUnsafeBytes { key in
        guard let value else {
          _ = try transaction.delete(database, key)
          return
        }
        try value.withUnsafeBytes { try transaction.put(database, key, $0) }
      }
    }
  }
}
