import Satchel
import SatchelModel
import SatchelScenes
import TestSupport
import Testing

/// What the feed says of messages that are gone.
@Suite struct FeedOfDeletionTests {
  private let scratch: Scratch
  private let start: UInt64

  init() throws {
    scratch = try Scratch()
    try scratch.store.writing { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive(
        [
          .text("Noon?"), .text(String(repeating: "long ", count: 100)),
          .data([UInt8](repeating: 7, count: 100_000), mimeType: "image/png"),
        ], in: "c", from: "bob", id: "m", position: 3, recipientStatus: ["alice": .read, "eve": .sent],
        metadata: ["colour": "red", "theme": ["dark": "yes"]])
      try tx.receive([.text("stays")], in: "c", from: "bob", id: "other")
    }
    start = try scratch.store.lastSequence()
  }

  private func expectWhole(_ change: ObjectChange, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(change.action == .deleted, sourceLocation: sourceLocation)
    #expect(change.conversation == "c", sourceLocation: sourceLocation)
    #expect(change["metadata.colour"]?.before == .text("red"), sourceLocation: sourceLocation)
    #expect(change["metadata.theme.dark"]?.before == .text("yes"), sourceLocation: sourceLocation)
    #expect(change["position"]?.before == .number(3), sourceLocation: sourceLocation)
    #expect(
      change["recipientStatus"]?.before == .statuses(["alice": .read, "eve": .sent]),
      sourceLocation: sourceLocation)
    #expect(change["recipientStatus"]?.after == .missing, sourceLocation: sourceLocation)
    let parts = change.formerParts
    #expect(
      parts.map(\.mimeType) == ["text/plain", "text/plain", "image/png"], sourceLocation: sourceLocation)
    #expect(parts.map(\.length) == [5, 500, 100_000], sourceLocation: sourceLocation)
    #expect(parts.map { $0.beginning?.count } == [5, 256, 256], sourceLocation: sourceLocation)
    #expect(parts[0].beginning == Array("Noon?".utf8), sourceLocation: sourceLocation)
    #expect(parts[2].beginning == [UInt8](repeating: 7, count: 256), sourceLocation: sourceLocation)
    #expect(Set(parts.map(\.digest)).count == 3 && !parts.contains { $0.digest == nil })
  }

  @Test func aDeletedMessageSaysWhereAndWhatItWas() async throws {
    try scratch.store.writing { tx in try tx.delete(Message.ID("m")) }
    try expectWhole(#require(try await commits(of: scratch.store, after: start)[0].changes.first))
    try expectSound(scratch.store)
  }

  @Test func soDoThoseOfADeletedConversation() async throws {
    try scratch.store.writing { tx in try tx.delete(Conversation.ID("c")) }
    let changes = try await commits(of: scratch.store, after: start)[0].changes
    try expectWhole(#require(changes.first { $0.object == .message("m") }))
    #expect(changes.first { $0.object == .message("other") }?.conversation == "c")
    #expect(changes.first { $0.object == .conversation("c") }?.conversation == nil)
    try expectSound(scratch.store)
  }

  /// The values are those before the commit, also where it edits the message first.
  @Test func whatAWriteDoesBeforeItDeletesIsLeftOut() async throws {
    for reads in [false, true] {
      let scratch = try Scratch()
      try scratch.store.writing { tx in
        try tx.createConversation(with: ["bob"], id: "c")
        try tx.receive(
          [.text("old"), .text(String(repeating: "z", count: 5000))], in: "c", from: "bob", id: "m",
          recipientStatus: ["eve": .sent], metadata: ["a": "1"])
      }
      let start = try scratch.store.lastSequence()
      try scratch.store.writing { tx in
        try tx.update(Message.ID("m")) {
          $0.parts = [.text("new"), .text(String(repeating: "y", count: 6000))]
          $0.recipientStatus = ["eve": .read, "dan": .sent]
        }
        try tx.setMetadata("2", at: "a", of: .message("m"))
        if reads { _ = try tx.count(Query<Message>()) }
        try tx.delete(Message.ID("m"))
      }
      let change = try #require(try await commits(of: scratch.store, after: start)[0].changes.first)
      #expect(change.formerParts.map { $0.beginning?.first } == [UInt8(ascii: "o"), UInt8(ascii: "z")])
      #expect(change.formerParts.map(\.length) == [3, 5000])
      #expect(change["metadata.a"]?.before == .text("1"))
      #expect(change["recipientStatus"]?.before == .statuses(["eve": .sent]))
      try expectSound(scratch.store)
    }
  }

  /// Contents in `bodies` are read for it, but not more than 4 MiB in a write.
  @Test func ofMuchContentOnlyLengthsAreKept() async throws {
    try scratch.store.writing { tx in
      for name in ["x", "y", "z"] {
        try tx.receive(
          [.data([UInt8](repeating: 1, count: 2 << 20), mimeType: "a/b")], in: "c", from: "bob",
          id: Message.ID(name))
      }
    }
    try scratch.store.writing { tx in for id in ["x", "y", "z"] { try tx.delete(Message.ID(id)) } }
    let changes = try await commits(of: scratch.store, after: start)[1].changes
    let parts = changes.flatMap(\.formerParts)
    #expect(parts.map(\.length) == [2 << 20, 2 << 20, 2 << 20])
    #expect(parts.count { $0.beginning != nil } == 2)
    try expectSound(scratch.store)
  }

  @Test func statusesSayFromWhatToWhat() async throws {
    try scratch.store.writing { tx in
      try tx.update(Message.ID("m")) { $0.recipientStatus = ["eve": .delivered, "dan": .sent] }
    }
    try scratch.store.writing { tx in
      try tx.update(Message.ID("m")) { $0.recipientStatus.updateValue(nil, forKey: "dan") }
    }
    try scratch.store.writing { tx in
      try tx.update(Message.ID("m")) { $0.recipientStatus = ["eve": .read] }
      try tx.update(Message.ID("m")) { $0.recipientStatus = ["eve": .delivered] }
      try tx.put(Identity(userID: "bob"))
    }
    try scratch.store.writing { tx in try tx.delete(Message.ID("m")) }
    let commits = try await commits(of: scratch.store, after: start)
    #expect(commits[0].changes[0]["recipientStatus"]?.before == .statuses(["eve": .sent]))
    #expect(commits[0].changes[0]["recipientStatus"]?.after == .statuses(["eve": .delivered, "dan": .sent]))
    #expect(commits[1].changes[0]["recipientStatus"]?.before == .statuses(["dan": .sent]))
    #expect(commits[1].changes[0]["recipientStatus"]?.after == .statuses([:]))
    #expect(commits[2].changes.map(\.object) == [.identity("bob")])
    #expect(
      commits[3].changes[0]["recipientStatus"]?.before == .statuses(["alice": .read, "eve": .delivered]))
  }

  /// Who observes a message gets it whole, as it was before an edit and after.
  @Test func observersGetFormerContentsWhole() async throws {
    let long = String(repeating: "before ", count: 50_000)
    try scratch.store.writing { tx in try tx.update(Message.ID("other")) { $0.parts = [.text(long)] } }
    let observer = try await scratch.store.observe(Message.ID("other"))
    var changes = observer.changes.makeAsyncIterator()
    try scratch.store.writing { tx in try tx.update(Message.ID("other")) { $0.parts = [.text("after")] } }
    guard case .updated(let old, let new)? = await changes.next() else {
      Issue.record("no update")
      return
    }
    #expect(old.parts.first?.text == long)
    #expect(new.parts.first?.text == "after")
  }
}
