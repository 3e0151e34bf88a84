import Foundation
import Satchel
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
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

    /// A content that is kept whole, one that is in the record but not kept whole, or one in `bodies`.
    private mutating func content() -> String {
      String(repeating: text() + "x", count: pick([1, 1, 1, 40, 400]))
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
      switch random.below(17) {
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
          MessagePart.Draft.text(content(), mimeType: pick(["a/b", "c/d"]))
        }
        try tx.update(pick(messages)) { message in
          if number % 2 == 0 { message.parts = parts } else { message.appendedParts = parts }
        }
      case 14:
        let statuses: [Identity.ID: RecipientStatus?] = Dictionary(
          uniqueKeysWithValues: people.filter { _ in random.percent(40) }.map { user in
            (user, random.percent(20) ? nil : RecipientStatus.allCases.randomElement(using: &random))
          })
        try tx.update(pick(messages)) { $0.recipientStatus = statuses }
      case 15 where messages.count > 1 && random.percent(30):
        let withdrawn = pick(messages)
        try tx.delete(withdrawn, for: .everyone)
        conversations[conversation]?.removeAll { $0 == withdrawn }
      case 12:
        try tx.put(
          Identity(
            userID: pick(people), displayName: text(), avatarURL: text(), metadata: ["k": .text(text())]))
      default: try tx.setFollowed(random.percent(50), pick(people))
      }
      // What a read has flushed is changed again by the next one.
      if random.percent(30) { _ = try tx.count(Query<Message>()) }
    }

    /// Lines of an import: messages of conversations that are there and of a new one, and an identity.
    mutating func lines() -> [(ImportSession, UInt64) throws -> Void] {
      number += 1
      let new = Conversation.ID("i\(number)")
      let user = Identity.ID("user \(number % 7)")
      var lines: [(ImportSession, UInt64) throws -> Void] = []
      if number % 3 == 0 {
        let number = number
        lines.append { try $0.addIdentity(Identity(userID: Identity.ID("user \(number)")), line: $1) }
      }
      conversations[new] = []
      lines.append { session, line in
        try session.addConversation(
          ConversationDraft(identifier: new, participants: ["alice", user], metadata: ["a": "1"]), line: line)
      }
      for conversation in [new] + conversations.keys.sorted().prefix(3) {
        let id = Message.ID("i\(number)/\(conversation)")
        let draft = MessageDraft(
          identifier: id, sender: user, position: Int64(random.below(9)), isUnread: random.percent(50),
          parts: [.text(content())],
          recipientStatus: [RecipientStatusEntry(user: "alice", status: .delivered)])
        lines.append { try $0.addMessage(draft, in: conversation, line: $1) }
        conversations[conversation, default: []].append(id)
      }
      return lines
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
        [random.percent(70) ? .text(content()) : .data([1], mimeType: "image/png")], in: conversation,
        from: "bob",
        id: id, position: random.percent(80) ? Int64(random.below(9)) : nil,
        recipientStatus: random.percent(30) ? ["alice": .delivered, "eve": .sent] : [:],
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
    for round in 0..<TestEnvironment.rounds(1200) {
      if round % 40 == 39 {
        // One commit of the import may say nothing that can be seen: it has staged the objects.
        var lines = writer.lines().makeIterator()
        var number: UInt64 = 0
        let before = try store.feedState()
        let first = try store.lastSequence()
        _ = try ImportSession.run(
          into: scratch.store.base,
          next: { session in
            guard let line = lines.next() else { return false }
            number += 1
            try line(session, number)
            return true
          }, apply: { _, _, _ in })
        for commit in (first + 1)..<(try store.lastSequence()) { states[commit] = before }
      } else {
        try store.writing { tx in try writer.change(tx) }
      }
      states[try store.lastSequence()] = try store.feedState()
    }
    try store.writing { tx in try tx.put(Identity(userID: "the last one")) }
    let last = try store.lastSequence()
    states[last] = try store.feedState()
    // The log has forgotten what these had before.
    let withdrawn = Set(
      states.values.flatMap { state in state.filter { $0.value["deletedAt"] != nil }.map(\.key) })
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
      Self.compare(commit, before, after, withdrawn)
    }
    #expect(expected == last)
    try expectSound(store)
  }

  private static func compare(
    _ commit: StoreCommit, _ before: FeedState, _ after: FeedState, _ withdrawn: Set<ChangedObject>
  ) {
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
        expect(change, old, [:], withdrawn.contains(object), place)
      case (let old?, let new?): expect(change, old, new, withdrawn.contains(object), place)
      case (nil, nil): break
      }
    }
    #expect(changes.isEmpty, "commit \(commit.sequence) changes what nobody sees")
  }

  /// The properties of a change are the differences of two states.
  private static func expect(
    _ change: ObjectChange?, _ old: [String: ChangedValue], _ new: [String: ChangedValue],
    _ isWithdrawn: Bool, _ place: String
  ) {
    var named: [String: PropertyChange] = [:]
    // A dictionary without texts that came or went is no property.
    for property in change?.properties ?? [] where !["isVisible", "metadata"].contains(property.property) {
      #expect(named.updateValue(property, forKey: property.property) == nil, "\(place) \(property) twice")
    }
    for property in Set(old.keys).union(new.keys) {
      let (before, after) = (old[property] ?? .missing, new[property] ?? .missing)
      let found = named.removeValue(forKey: property)
      if property == "conversation" {
        #expect(
          change == nil
            || .text(change?.conversation?.rawValue ?? "") == (before == .missing ? after : before))
      } else if property == "recipientStatus" {
        expectStatuses(found, before, after, place)
      } else if property == "parts" {
        expectParts(change, found, before, after, isWithdrawn, place)
      } else if before == after {
        #expect(found == nil, "\(place) \(property)")
      } else if let found {
        let isForgotten = isWithdrawn && property.hasPrefix("metadata.")
        #expect(found.before == before || isForgotten && found.before == .unknown, "\(place) \(found)")
        #expect(found.after == after || isForgotten && found.after == .unknown, "\(place) \(found)")
      } else {
        Issue.record("\(place) lacks \(property)")
      }
    }
    #expect(named.isEmpty, "\(place) \(named)")
  }

  /// Of an update the feed says the statuses that differ, of a deletion all.
  private static func expectStatuses(
    _ found: PropertyChange?, _ before: ChangedValue, _ after: ChangedValue, _ place: String
  ) {
    func statuses(_ value: ChangedValue?) -> [Identity.ID: RecipientStatus]? {
      switch value {
      case .statuses(let statuses): statuses
      case .missing, nil: [:]
      default: nil
      }
    }
    let (old, new) = (statuses(before) ?? [:], statuses(after) ?? [:])
    let differing = { (user: Identity.ID) in old[user] != new[user] }
    #expect(statuses(found?.before) == old.filter { differing($0.key) }, "\(place) \(old) \(new)")
    #expect(statuses(found?.after) == new.filter { differing($0.key) }, "\(place) \(old) \(new)")
  }

  /// Of edited parts the feed says which they are, and what they were. Parts that a write has changed and changed back may be
  /// among them.
  private static func expectParts(
    _ change: ObjectChange?, _ found: PropertyChange?, _ before: ChangedValue, _ after: ChangedValue,
    _ isWithdrawn: Bool, _ place: String
  ) {
    guard let change, change.action != .created, case .list(let old) = before else { return }
    let new = if case .list(let new) = after { new } else { [String]() }
    if change.action == .deleted {
      #expect(change.formerParts.map(\.index) == Array(old.indices), "\(place)")
    } else if old != new {
      #expect(found?.before == .unknown && found?.after == .unknown, "\(place)")
    }
    let former = change.formerParts
    for part in former {
      #expect(old.indices.contains(part.index), "\(place) \(part)")
      guard old.indices.contains(part.index) else { continue }
      #expect(
        part.beginning == (isWithdrawn ? nil : Array(old[part.index].utf8.prefix(256))), "\(place) \(part)")
    }
    for index in old.indices where index >= new.count || old[index] != new[index] {
      #expect(former.contains { $0.index == index }, "\(place) lacks part \(index)")
    }
  }
}
