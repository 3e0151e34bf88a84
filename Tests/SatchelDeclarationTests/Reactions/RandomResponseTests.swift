import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import TestSupport
import Testing

/// Random reactions, replies, deletions and confirmations, beside a model of them: what the store says of each message afterwards, after it
/// was opened again, and what another store says that has taken its export.
@Suite struct RandomResponseTests {
  @Test func theStoreSaysWhatTheModelSays() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(2) {
      let place = "seed \(seed), round \(round)"
      let scratch = try Scratch()
      var store = scratch.store
      try store.enable(.reactions, .threads)
      var model = ResponseModel()
      for commit in 0..<200 {
        var next = model
        do {
          try store.write { tx in
            for _ in 0..<1 + random.below(4) { try next.step(tx, &random) }
            // What a write that fails has done is undone.
            if random.oneIn(8) { throw CancellationError() }
          }
          model = next
        } catch is CancellationError {}
        if random.oneIn(10) { try model.expectSame(store, "\(place), commit \(commit)") }
        if random.oneIn(40) {
          store.close()
          store = try scratch.reopened()
        }
      }
      try model.expectSame(store, place)
      try expectSound(store)
      let file = scratch.directory.url.appendingPathComponent("chat.jsonl")
      try store.export(to: .file(file))
      let copy = try Scratch().store
      try copy.importLines(from: .file(file))
      try model.expectSame(copy, "\(place), imported")
      try expectSound(copy)
      #expect(try copy.types() == store.types(), "\(place)")
      for _ in 0..<10 {
        try store.write { tx in for _ in 0..<3 { try model.step(tx, &random) } }
      }
      let changes = scratch.directory.url.appendingPathComponent("again.jsonl")
      try store.export(to: .file(changes))
      let again = try Scratch().store
      try again.importLines(from: .file(changes))
      try model.expectSame(again, "\(place), imported again")
      for other in [store, copy, again] { other.close() }
    }
  }
}

/// What a store is to say of messages, by the identifiers that never change.
private struct ResponseModel {
  struct Reaction: Hashable {
    let message: String
    let kind: String
    let user: String
  }

  struct Chat {
    let conversation: String
    let sender: String
    var remoteID: String?
    var isWithdrawn = false
  }

  private var messages: [String: Chat] = [:]
  private var reactions: Set<Reaction> = []
  /// What messages answer, by any name; nil of one whose parent has gone.
  private var parents: [String: String?] = [:]
  private var conversations: [String] = []
  private var count = 0

  private static let kinds = ["👍", "❤️", "a/b", "50%"]
  private static let users = ["alice", "bob", "c/d%", "dave"]

  /// The identifier of the message with a name; the name if there is none.
  private func identifier(_ name: String) -> String {
    if messages[name] != nil { return name }
    return messages.first { $0.value.remoteID == name }?.key ?? name
  }

  private func anyName(_ random: inout SeededGenerator) -> String? {
    guard let id = messages.keys.sorted().randomElement(using: &random) else { return nil }
    return random.oneIn(2) ? messages[id]?.remoteID ?? id : id
  }

  private mutating func name() -> String {
    count += 1
    // Some begin with others, and some have what names of reactions have.
    return ["m\(count)", "m\(count)/👍", "m\(count)%2F"][count % 3]
  }

  mutating func step(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    if conversations.count < 2 {
      count += 1
      let id = "c\(count)"
      try tx.createConversation(with: ["bob", "dave"], id: Conversation.ID(id))
      conversations.append(id)
    }
    switch random.below(messages.count < 12 ? 16 : 26) {
    case 0, 1: try receive(tx, &random)
    case 2, 3: try draft(tx, &random)
    case 4, 5, 6, 7: try react(tx, &random)
    case 8, 9: try removeReaction(tx, &random)
    case 10, 11, 12, 13: try setParent(tx, &random)
    case 14, 15: try confirm(tx, &random)
    case 16, 17, 18: try withdraw(tx, &random)
    case 19, 20, 21, 22: try delete(tx, &random)
    case 23: try deleteConversation(tx, &random)
    default: try react(tx, &random)
    }
  }

  private mutating func receive(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let (id, conversation) = (name(), conversations[random.below(conversations.count)])
    let sender = ["bob", "dave"][random.below(2)]
    try tx.receive(
      [.text("x")], in: Conversation.ID(conversation), from: Identity.ID(sender), id: Message.ID(id))
    messages[id] = Chat(conversation: conversation, sender: sender)
  }

  /// A message of the store's user, which may be a reply.
  private mutating func draft(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = name()
    if let parent = anyName(&random), random.oneIn(2), let chat = messages[identifier(parent)] {
      try tx.reply(to: Message.ID(parent), with: [.text("y")], id: Message.ID(id))
      messages[id] = Chat(conversation: chat.conversation, sender: "alice")
      parents[id] = .some(identifier(parent))
    } else {
      let conversation = conversations[random.below(conversations.count)]
      try tx.send([.text("y")], to: Conversation.ID(conversation), id: Message.ID(id))
      messages[id] = Chat(conversation: conversation, sender: "alice")
    }
  }

  private mutating func react(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard let name = anyName(&random) else { return }
    let id = identifier(name)
    let (kind, user) = (Self.kinds[random.below(4)], Self.users[random.below(4)])
    guard messages[id]?.isWithdrawn == false else {
      failure(.invalidValue) { _ = try tx.react(to: Message.ID(name), with: kind) }
      return
    }
    try tx.react(to: Message.ID(name), with: kind, by: user == "alice" ? nil : Identity.ID(user))
    reactions.insert(Reaction(message: id, kind: kind, user: user))
  }

  private mutating func removeReaction(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard let name = anyName(&random) else { return }
    let known = reactions.filter { $0.message == identifier(name) }
      .sorted { ($0.kind, $0.user) < ($1.kind, $1.user) }
    let reaction =
      known.randomElement(using: &random)
      ?? Reaction(message: identifier(name), kind: Self.kinds[0], user: Self.users[0])
    let isThere = reactions.remove(reaction) != nil
    if isThere, random.oneIn(2) {
      try tx.confirmReaction(
        to: Message.ID(name), with: reaction.kind, by: Identity.ID(reaction.user), remoteID: "r")
    }
    #expect(
      try tx.removeReaction(
        from: Message.ID(name), with: reaction.kind, by: Identity.ID(reaction.user)) == isThere)
  }

  private mutating func setParent(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard let name = anyName(&random), let chat = messages[identifier(name)] else { return }
    let id = identifier(name)
    if random.oneIn(6) {
      try tx.setParent(nil, of: Message.ID(name))
      parents[id] = nil
      return
    }
    if random.oneIn(6) {
      try tx.setParent("not here", of: Message.ID(name))
      parents[id] = .some("not here")
      return
    }
    guard let parent = anyName(&random) else { return }
    let other = identifier(parent)
    if other == id || messages[other]?.conversation != chat.conversation {
      failure(.invalidValue) { try tx.setParent(Message.ID(parent), of: Message.ID(name)) }
      return
    }
    try tx.setParent(Message.ID(parent), of: Message.ID(name))
    parents[id] = .some(other)
  }

  /// The service accepts a message: perhaps of one that was delivered before.
  private mutating func confirm(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let drafts = messages.filter { $0.value.sender == "alice" && $0.value.remoteID == nil }.keys.sorted()
    guard let id = drafts.randomElement(using: &random), let chat = messages[id] else { return }
    let remoteID = name()
    if random.oneIn(2) {
      try tx.receive(
        [.text("y")], in: Conversation.ID(chat.conversation), from: "alice", id: Message.ID(remoteID))
      messages[remoteID] = Chat(conversation: chat.conversation, sender: "alice")
      for _ in 0..<random.below(3) {
        let reaction = Reaction(
          message: remoteID, kind: Self.kinds[random.below(4)], user: Self.users[random.below(4)])
        try tx.react(to: Message.ID(remoteID), with: reaction.kind, by: Identity.ID(reaction.user))
        reactions.insert(reaction)
      }
      let others = messages.filter {
        $0.value.conversation == chat.conversation && $0.key != id && $0.key != remoteID
      }.keys.sorted()
      if random.oneIn(2), let parent = others.randomElement(using: &random) {
        try tx.setParent(Message.ID(parent), of: Message.ID(remoteID))
        parents[remoteID] = .some(parent)
      }
      if random.oneIn(2), let reply = others.randomElement(using: &random) {
        try tx.setParent(Message.ID(remoteID), of: Message.ID(reply))
        parents[reply] = .some(remoteID)
      }
    }
    try tx.confirm(Message.ID(id), as: Message.ID(remoteID))
    merge(remoteID, into: id)
  }

  private mutating func merge(_ other: String, into id: String) {
    messages[other] = nil
    messages[id]?.remoteID = other
    for reaction in reactions where reaction.message == other {
      reactions.remove(reaction)
      if messages[id]?.isWithdrawn == false {
        reactions.insert(Reaction(message: id, kind: reaction.kind, user: reaction.user))
      }
    }
    // What the message answers already goes first.
    if let parent = parents.removeValue(forKey: other), (parents[id] ?? nil) == nil { parents[id] = parent }
    if parents[id] == .some(id) { parents[id] = .some(nil) }
  }

  private mutating func withdraw(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard let name = anyName(&random) else { return }
    let id = identifier(name)
    try tx.delete(Message.ID(name), for: .everyone)
    messages[id]?.isWithdrawn = true
    reactions = reactions.filter { $0.message != id }
  }

  private mutating func delete(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard let name = anyName(&random) else { return }
    try tx.delete(Message.ID(name))
    remove(identifier(name))
  }

  private mutating func deleteConversation(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let conversation = conversations.remove(at: random.below(conversations.count))
    try tx.delete(Conversation.ID(conversation))
    for (id, chat) in messages where chat.conversation == conversation { remove(id) }
  }

  /// What becomes of the others is settled when the write ends: none of the names comes back before.
  private mutating func remove(_ id: String) {
    let names = [id, messages[id]?.remoteID].compactMap(\.self)
    messages[id] = nil
    reactions = reactions.filter { $0.message != id }
    parents[id] = nil
    for (reply, parent) in parents where parent.map(names.contains) ?? false {
      parents[reply] = .some(nil)
    }
  }

  func expectSame(_ store: MessageStore, _ place: String) throws {
    let all = try store.fetch(Message.all.including(\.reactions).including(\.replies))
    let found = Dictionary(uniqueKeysWithValues: all.map { ($0.id.rawValue, $0) })
    #expect(Set(found.keys) == Set(messages.keys), "\(place)")
    for (id, chat) in messages {
      let message = try #require(found[id], "\(place): \(id)")
      let own = reactions.filter { $0.message == id }
      let kinds = Dictionary(grouping: own, by: \.kind)
      let summary = try #require(message.reactionSummary)
      #expect(
        Set(summary.kinds.map { "\($0.kind) \($0.count) \($0.isMine)" })
          == Set(kinds.map { kind, of in "\(kind) \(of.count) \(of.contains { $0.user == "alice" })" }),
        "\(place): \(id)")
      #expect(summary.kinds.map(\.kind) == kinds.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      let names = [id, chat.remoteID].compactMap(\.self)
      let replies = parents.filter { $0.value.map(names.contains) ?? false }.keys
      #expect(message.threadSummary?.replyCount == replies.count, "\(place): \(id)")
      for name in names {
        #expect(try store.reactionSummary(of: Message.ID(name)) == summary, "\(place): \(name)")
        let records = try store.fetch(store.replies(to: Message.ID(name)), as: SatchelResponses.Reply.self)
        #expect(Set(records.map { identifier($0.message.rawValue) }) == Set(replies), "\(place): \(name)")
        #expect(records.last?.message == message.threadSummary?.lastReply, "\(place): \(name)")
        let parent = try store.parent(of: Message.ID(name)).map { identifier($0.rawValue) }
        #expect(parent == (parents[id] ?? nil).map(identifier), "\(place): \(name)")
        let thread = try store.thread(of: Message.ID(name))
        let senders = Set(replies.compactMap { messages[$0]?.sender })
        #expect(Set(thread.participants.map(\.rawValue)) == senders, "\(place): \(name)")
      }
    }
    #expect(try store.recordCount(of: SatchelResponses.Reply.recordType) == parents.count, "\(place)")
  }
}
