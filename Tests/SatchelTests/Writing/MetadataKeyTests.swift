import Foundation
import Satchel
import SatchelScenes
import Testing

/// Keys of metadata that are no names: written, read back, queried, told of, and refused where a store takes only names.
@Suite struct MetadataKeyTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.send([], to: "c", id: "m")
      try tx.announce([], from: "service", id: "a")
      try tx.put(Identity(userID: "i"))
    }
  }

  /// Paths of which none is another, though some look alike where they are joined, composed or quoted without care.
  private static let paths: [[String]] = [
    ["a", "b"], ["a.b"], ["a\\.b"], ["a\\", "b"], ["caf\u{E9}"], ["cafe\u{301}"],
    ["readAt", "alice@example.org"],
    ["readAt.alice@example", "org"], ["'"], ["\""], ["\\"], [" ", "."], ["😀", "two words"], ["AND"],
    ["NULL", "in"], ["MIMEType"],
    ["x", "metadata", "sentAt"], ["$date"], ["-1"], [String(repeating: "é", count: 128)],
    Array(repeating: String(repeating: ".", count: 256), count: 64),
  ]

  private func spelled(_ path: [String]) -> String { SortKey(["metadata"] + path).description }

  private func ids(_ predicate: QueryPredicate) throws -> [String] {
    try [ObjectKind.conversations, .messages, .announcements, .identities].flatMap { kind in
      try store.read { try $0.identifiers(QueryDescription(kind: kind, predicate: predicate)) }
    }
  }

  @Test func eachPathIsItsOwn() throws {
    let owners: [MetadataOwner] = MetadataTests.owners
    for (number, path) in Self.paths.enumerated() {
      try store.write { tx in
        for owner in owners { try tx.setMetadata(Int64(number), at: path, of: owner) }
      }
    }
    for (number, path) in Self.paths.enumerated() {
      let spelled = spelled(path)
      for other in [number, number + 1] {
        let found = try ids(QueryPredicate(format: "\(spelled) = \(other)"))
        #expect(found == (other == number ? ["c", "m", "a", "i"] : []), "\(spelled) = \(other)")
      }
      let read = try #require(try store.conversation("c")).metadata
      #expect(read.value(at: path) == .integer(Int64(number)), "\(spelled)")
      let typed = Conversation.filter { $0.metadata[path].number == Double(number) }
      #expect(try store.count(typed) == 1, "\(spelled)")
      #expect(try store.count(Message.filter { $0.conversation.metadata[path].number > Double(number) }) == 0)
      #expect(try store.fetch(Conversation.order { $0.metadata[path].descending }).count == 1)
    }
    // All in one question: one walk through the metadata decides them together.
    let all = QueryPredicate.and(
      try Self.paths.enumerated().map { try QueryPredicate(format: "\(spelled($1)) = \($0)") })
    #expect(try ids(all) == ["c", "m", "a", "i"])
    #expect(
      try store.explain(Conversation.filter { $0.metadata[["a.b"]] == "x" }).description.contains(
        "metadata.'a.b'"))
    try expectSound(store)
    let metadata = try #require(try scratch.reopened().message("m")).metadata
    #expect(try store.count(Message.filter { $0.metadata == metadata }) == 1)
    for (number, path) in Self.paths.enumerated() {
      try store.write { tx in
        for owner in owners { try tx.removeMetadata(at: path, of: owner) }
      }
      #expect(try ids(QueryPredicate(format: "\(spelled(path)) = \(number)")) == [])
    }
    try expectSound(store)
  }

  @Test func oneKeyIsNotTwo() throws {
    try store.write { tx in
      try tx.setMetadata("one", at: ["a.b"], of: .conversation("c"))
      try tx.setMetadata("two", at: "a.b", of: .message("m"))
      try tx.mergeMetadata(["a.b": "one", "a": ["b": "two"]], into: .identity("i"))
    }
    #expect(try store.conversation("c")?.metadata == ["a.b": "one"])
    #expect(try store.message("m")?.metadata == ["a": ["b": "two"]])
    #expect(try ids(QueryPredicate(format: "metadata.a.b = 'two'")) == ["m", "i"])
    #expect(try ids(QueryPredicate(format: "metadata.'a.b' = 'one'")) == ["c", "i"])
    #expect(try ids(QueryPredicate(format: "metadata.a.b = 'one'")) == [])
  }

  @Test func theFeedSpellsThem() async throws {
    let before = try await store.read { $0.sequence }
    try await store.write { tx in
      try tx.setMetadata("x", at: ["a.b", "c"], of: .message("m"))
      try tx.setMetadata(1, at: ["readAt", "alice@example.org"], of: .message("m"))
      try tx.setMetadata(2, at: "a.b.c", of: .message("m"))
    }
    var commits = store.commits(after: before).makeAsyncIterator()
    let properties = try await commits.next()?.changes.flatMap(\.properties).map(\.property) ?? []
    #expect(
      properties.filter { $0.hasPrefix("metadata") }.sorted()
        == ["metadata.'a.b'.c", "metadata.a.b.c", "metadata.readAt.'alice@example.org'"])
  }

  @Test func aggregatesAreGroupedByThem() throws {
    let path = ["readAt", "alice@example.org"]
    let count = Aggregate(named: "n", counting: Conversation.all, groupedBy: { $0.metadata[path] })
    try store.declare(count)
    try store.write { tx in
      try tx.setMetadata("x", at: path, of: .conversation("c"))
      try tx.setMetadata("y", at: "readAt.alice@example.org", of: .conversation("c"))
    }
    #expect(try store.values(of: count).map(\.value) == [1])
    try store.declare(count)
    #expect(
      try store.read { try $0.aggregates() }.map(\.description).first?.contains(
        "metadata.readAt.'alice@example.org'") == true)
    try expectSound(store)
  }

  @Test func aStoreOfNames() throws {
    try store.write { try $0.setMetadata("x", at: ["a.b"], of: .conversation("c")) }
    let strict = try scratch.reopened(.names)
    defer { strict.close() }
    let before = try strict.read { $0.sequence }
    try strict.write { tx in
      func refused(_ keyPath: String, _ key: String, _ body: () throws -> Void) {
        let error = failure(.invalidKey, body)
        #expect(
          error?.description
            == "A metadata key of this store is 1 to 256 of A-Z a-z 0-9 _ -, a key path has 1 to 64 keys "
            + "(found: a key that is no name: \(key), keyPath: \(keyPath))")
      }
      for owner in MetadataTests.owners {
        refused("a.'b c'", "'b c'") { try tx.setMetadata("x", at: "a.b c", of: owner) }
        refused("'é'", "'é'") { try tx.mergeMetadata(["é": "x"], into: owner) }
        refused("a.'.'", "'.'") { try tx.replaceMetadata(with: ["a": [".": 1]], of: owner) }
        refused("k.'😀'", "'😀'") { try tx.setMetadata(["😀": 1], at: "k", of: owner) }
      }
      refused("'a@b'", "'a@b'") { _ = try tx.createConversation(with: ["bob"], metadata: ["a@b": "x"]) }
      refused("'a@b'", "'a@b'") { _ = try tx.send([], to: "c", metadata: ["a@b": "x"]) }
      refused("'a@b'", "'a@b'") { _ = try tx.announce([], from: "x", metadata: ["a@b": "x"]) }
      refused("'a@b'", "'a@b'") { try tx.put(Identity(userID: "eve", metadata: ["a@b": "x"])) }
    }
    #expect(try strict.read { $0.sequence } == before)
    // What is there stays, is found, and can be removed.
    #expect(try strict.count(Conversation.filter { $0.metadata[["a.b"]] == "x" }) == 1)
    try strict.write { tx in
      try tx.setMetadata("y", at: "a.b", of: .conversation("c"))
      try tx.removeMetadata(at: ["a.b"], of: .conversation("c"))
    }
    #expect(try strict.conversation("c")?.metadata == ["a": ["b": "y"]])
    // Another handle of the same process has its own rule, also where their writes share a commit.
    try store.write { try $0.setMetadata("x", at: ["😀"], of: .conversation("c")) }
    failure(.invalidKey) { try strict.write { try $0.setMetadata("x", at: ["😀"], of: .conversation("c")) } }
  }

  @Test func writesOfTwoHandlesTogether() async throws {
    let strict = try scratch.reopened(.names)
    defer { strict.close() }
    let store = store
    let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          let one = number.isMultiple(of: 2) ? store : strict
          do {
            try await one.write {
              try $0.setMetadata(Int64(number), at: ["k \(number)"], of: .conversation("c"))
            }
            return false
          } catch let error as SatchelError where error.code == .invalidKey {
            return number.isMultiple(of: 2) ? false : true
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(refused == 20)
    #expect(try await store.conversation("c")?.metadata.entries.count == 20)
  }
}
