import Satchel
import SatchelInterchange
import TestSupport
import Testing

/// How the feed tells of imports into a store that is in use, and how an export of changes goes on across them.
@Suite struct ImportFeedTests {
  private let chat: Chat
  private let copy: Chat
  private let start: UInt64

  /// A store with a conversation, and a copy that is to follow it.
  init() throws {
    chat = try Chat()
    copy = try Chat()
    for chat in [chat, copy] {
      try chat.store.importLines(from: .bytes(Chat.bytes(Chat.lines(messages: 20))))
    }
    start = try chat.store.read { $0.sequence }
  }

  private static func message(_ id: String, in conversation: String, _ rest: String = "") -> String {
    #"{"kind":"message","identifier":"\#(id)","conversation":"\#(conversation)","sender":"bob"\#(rest)}"#
  }

  private static func conversation(_ id: String) -> String {
    #"{"kind":"conversation","identifier":"\#(id)","participants":["alice","bob"],"createdAt":"2026-01-01T00:00:00Z"}"#
  }

  /// Imports lines and returns what the feed says of the commit that has them.
  private func imported(_ lines: [String]) throws -> StoreCommit {
    try chat.store.importLines(from: .bytes(Chat.bytes([ImporterTests.header] + lines)))
    return try #require(chat.store.changes(since: start).last)
  }

  /// What has changed since the beginning, imported into the copy, makes it the same.
  private func expectFollowed(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var lines: [UInt8] = []
    try chat.store.export(to: { lines += $0 }, since: start)
    try copy.store.importLines(from: .bytes(lines))
    #expect(try copy.exported() == chat.exported(), sourceLocation: sourceLocation)
    #expect(try copy.verify() == 0, sourceLocation: sourceLocation)
    #expect(try chat.verify() == 0, sourceLocation: sourceLocation)
  }

  @Test func tenThousandObjectsAreListed() throws {
    // With the conversation that they change.
    let lines = (0..<9_999).map { Self.message("i\($0)", in: "c") }
    let commit = try imported(lines)
    #expect(commit.isComplete)
    #expect(commit.changes.count == 10_000)
    #expect(commit.changes.count { $0.action == .created && $0.conversation == "c" } == 9_999)
    try expectFollowed()
  }

  @Test func ofMoreTheConversationsAreNamed() throws {
    // Another write comes between the lines of the import: what it adds is not the import's.
    var isFirst = true
    let lines =
      (0..<6000).map { Self.message("i\($0)", in: "c") } + [Self.conversation("d")]
      + (0..<4500).map { Self.message("d\($0)", in: "d") }
      + [#"{"kind":"update","message":"m3","set":{"isUnread":false}}"#]
    try chat.store.importLines(from: .bytes(Chat.bytes([ImporterTests.header] + lines))) { progress in
      guard isFirst, progress.lines > 3000 else { return }
      isFirst = false
      try chat.store.write { try $0.receive([.text("beside")], in: "c", from: "bob", id: "beside") }
    }
    #expect(!isFirst)
    let commit = try #require(chat.store.changes(since: start).last)
    #expect(commit.bulkChanges.map(\.scope) == [.conversation("c"), .conversation("d")])
    #expect(commit.bulkChanges.map(\.count) == [6001, 4500])
    #expect(commit.bulkChanges.map(\.actions) == [[.created, .updated], [.created]])
    #expect(Set(commit.changes.map(\.object)) == [.conversation("c"), .conversation("d")])
    try expectFollowed()
  }

  /// A follower that knows what came between the lines of the import is told of the import's messages alone.
  @Test func whatOthersWroteMeanwhileIsNotOfTheImport() throws {
    var since: UInt64 = 0
    try chat.store.importLines(
      from: .bytes(
        Chat.bytes([ImporterTests.header] + (0..<10_500).map { Self.message("i\($0)", in: "c") }))
    ) { progress in
      guard since == 0, progress.lines > 3000 else { return }
      for store in [chat.store, copy.store] {
        try store.write { try $0.receive([.text("beside")], in: "c", from: "bob", id: "beside") }
      }
      since = try chat.store.read { $0.sequence }
    }
    #expect(since > 0)
    var lines: [UInt8] = []
    let summary = try chat.store.export(to: { lines += $0 }, since: since)
    #expect(summary.messages == 10_500)
    try copy.store.importLines(from: .bytes(lines))
    // In another order of creation.
    #expect(try copy.store.count(Query<Message>()) == chat.store.count(Query<Message>()))
  }

  @Test func ofTooManyConversationsNothingIsNamed() throws {
    let commit = try imported(
      (0..<10_001).flatMap { [Self.conversation("k\($0)"), Self.message("i\($0)", in: "k\($0)")] })
    #expect(commit.bulkChanges.map(\.scope) == [.everything])
    #expect(commit.bulkChanges.map(\.count) == [20_002])
    #expect(commit.changes.isEmpty)
    let error = #expect(throws: SatchelError.self) {
      _ = try chat.store.export(to: { _ in }, since: start)
    }
    #expect(error?.code == .logTrimmed)
  }
}
