import Foundation
import Satchel
import TestSupport
import Testing

/// Random commits, and what the feed says of them against the states of the store before and after each.
@Suite struct FeedRandomTests {
  private struct Writer {
    var random: SeededGenerator
    var conversations: [Conversation.ID: [Message.ID]] = [:]
    var number = 0

    private mutating func pick<T>(_ values: [T]) -> T { values[random.below(values.count)] }

    private mutating func text() -> String {
      String(repeating: pick(["a", "é", "e\u{301}", "漢"]), count: pick([0, 1, 3, 8]))
    }

    /// One to four random changes.
    mutating func change(_ tx: WriteTransaction) throws {
      for _ in 0...random.below(4) { try changeOnce(tx) }
    }

    private mutating func changeOnce(_ tx: WriteTransaction) throws {
      number += 1
      let people: [Identity.ID] = ["bob", "carol", "dan", "eve"]
      guard conversations.count > 2,
        let conversation = conversations.keys.sorted().randomElement(using: &random)
      else { return try create(tx, people) }
      let messages = conversations[conversation] ?? []
      switch random.below(15) {
      case 0: try create(tx, people)
      case 1 where random.percent(30):
        try tx.delete(conversation)
        conversations[conversation] = nil
      case 2, 3, 4: try receive(tx, conversation)
      case 5 where messages.count > 1:
        let gone = pick(messages)
        try tx.delete(gone)
        conversations[conversation]?.removeAll { $0 == gone }
      case 6, 7:
        let (position, sentAt) = (Int64(random.below(9)), date(Double(random.below(9))))
        let (hasPosition, isUnread) = (random.percent(70), random.percent(50))
        try tx.update(pick(messages)) { message in
          message.position = hasPosition ? .some(position) : .some(nil)
          message.sentAt = .some(sentAt)
          message.isUnread = isUnread
        }
      case 8:
        let paths = ["a", "b.c", "b.d"]
        try tx.setMetadata(.text(text()), at: pick(paths), of: .conversation(conversation))
        try tx.setMetadata(.text(text()), at: pick(paths), of: .message(pick(messages)))
      case 9: try tx.removeMetadata(at: pick(["a", "b"]), of: .message(pick(messages)))
      case 10: try tx.addParticipants([pick(people)], to: conversation)
      case 11: try tx.removeParticipants([pick(people)], from: conversation)
      case 13:
        let parts = (0..<random.below(3)).map { _ in
          MessagePart.Draft.text(text(), mimeType: pick(["a/b", "c/d"]))
        }
        try tx.update(pick(messages)) { message in
          if number % 2 == 0 { message.parts = parts } else { message.appendedParts = parts }
        }
      case 12:
        try tx.put(
          Identity(
            userID: pick(people), displayName: text(), avatarURL: text(), metadata: ["k": .text(text())]))
      default: try tx.setFollowed(random.percent(50), pick(people))
      }
      // What a read has flushed is changed again by the next one.
      if random.percent(30) { _ = try tx.count(Query<Message>()) }
    }

    /// A conversation never is without a message, so that it is always visible.
    private mutating func create(_ tx: WriteTransaction, _ people: [Identity.ID]) throws {
      let id = Conversation.ID("c\(number)")
      try tx.createConversation(with: [pick(people)], id: id, metadata: ["a": .text(text())])
      conversations[id] = []
      try receive(tx, id)
    }

    private mutating func receive(_ tx: WriteTransaction, _ conversation: Conversation.ID) throws {
      let id = Message.ID("m\(number)/\(random.below(1 << 20))")
      try tx.receive(
        [random.percent(50) ? .text("x") : .data([1], mimeType: "image/png")], in: conversation, from: "bob",
        id: id, position: random.percent(80) ? Int64(random.below(9)) : nil,
        metadata: ["b": ["c": .text(text())]])
      conversations[conversation, default: []].append(id)
    }
  }

  @Test func theFeedSaysWhatEachCommitChanged() async throws {
    let scratch = try Scratch()
    let store = scratch.store
    // Keeps all of the log, which is longer than what is read at a time.
    _ = try await store.consumer(named: "keeps")
    let start = try store.lastSequence()
    var writer = Writer(random: SeededGenerator(for: "theFeedSaysWhatEachCommitChanged"))
    var states: [UInt64: FeedState] = [start: try store.feedState()]
    for _ in 0..<TestEnvironment.rounds(1200) {
      try store.writing { tx in try writer.change(tx) }
      states[try store.lastSequence()] = try store.feedState()
    }
    try store.writing { tx in try tx.put(Identity(userID: "the last one")) }
    let last = try store.lastSequence()
    states[last] = try store.feedState()
    var expected = start
    for commit in try await commits(of: store, after: start) {
      // Commits that list nothing have changed nothing that can be seen.
      while expected + 1 < commit.sequence {
        expected += 1
        #expect(states[expected] == states[expected - 1], "commit \(expected)")
      }
      expected = commit.sequence
      let before = try #require(states[commit.sequence - 1])
      let after = try #require(states[commit.sequence])
      #expect(commit.isComplete, "\(commit)")
      Self.compare(commit, before, after)
    }
    #expect(expected == last)
    try expectSound(store)
  }

  private static func compare(_ commit: StoreCommit, _ before: FeedState, _ after: FeedState) {
    var changes: [ChangedObject: ObjectChange] = [:]
    for change in commit.changes {
      #expect(changes.updateValue(change, forKey: change.object) == nil, "\(change.object) twice")
    }
    for object in Set(before.keys).union(after.keys) {
      let change = changes.removeValue(forKey: object)
      let place = "commit \(commit.sequence), \(object)"
      switch (before[object], after[object]) {
      case (nil, _?): #expect(change?.action == .created && change?.properties.isEmpty == true, "\(place)")
      case (let old?, nil):
        #expect(change?.action == .deleted, "\(place)")
        expect(change, old, [:], place)
      case (let old?, let new?): expect(change, old, new, place)
      case (nil, nil): break
      }
    }
    #expect(changes.isEmpty, "commit \(commit.sequence) changes what nobody sees")
  }

  /// The properties of a change are the differences of two states.
  private static func expect(
    _ change: ObjectChange?, _ old: [String: ChangedValue], _ new: [String: ChangedValue], _ place: String
  ) {
    var named: [String: PropertyChange] = [:]
    // A dictionary without texts that came or went is no property.
    for property in change?.properties ?? [] where !["isVisible", "metadata"].contains(property.property) {
      #expect(named.updateValue(property, forKey: property.property) == nil, "\(place) \(property) twice")
    }
    for property in Set(old.keys).union(new.keys) {
      let (before, after) = (old[property] ?? .missing, new[property] ?? .missing)
      let found = named.removeValue(forKey: property)
      if property == "parts" {
        expectParts(change, found, before, after, place)
      } else if before == after {
        #expect(found == nil, "\(place) \(property)")
      } else if let found {
        #expect(found.before == before && found.after == after, "\(place) \(found)")
      } else {
        // What a message was tagged with when it came, and nobody looked for, is not in the log.
        #expect(change?.action == .deleted && property.hasPrefix("metadata."), "\(place) lacks \(property)")
      }
    }
    #expect(named.isEmpty, "\(place) \(named)")
  }

  /// Of edited parts the feed says which they are, and what they were. Parts that a write has changed and changed back may be
  /// among them.
  private static func expectParts(
    _ change: ObjectChange?, _ found: PropertyChange?, _ before: ChangedValue, _ after: ChangedValue,
    _ place: String
  ) {
    guard change?.action == .updated, case .list(let old) = before, case .list(let new) = after else {
      return
    }
    if old != new { #expect(found?.before == .unknown && found?.after == .unknown, "\(place)") }
    let former = change?.formerParts ?? []
    for part in former {
      #expect(old.indices.contains(part.index), "\(place) \(part)")
      guard old.indices.contains(part.index) else { continue }
      #expect(part.beginning == Array(old[part.index].utf8.prefix(256)), "\(place) \(part)")
    }
    for index in old.indices where index >= new.count || old[index] != new[index] {
      #expect(former.contains { $0.index == index }, "\(place) lacks part \(index)")
    }
  }
}
