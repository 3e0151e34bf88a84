import Foundation
import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import TestSupport
import Testing

/// Random states of participants beside a model of them: what the store says of each conversation, which conversations queries give and in
/// which order, what live lists show, and what another store says that has taken the export.
@Suite struct RandomParticipationTests {
  @Test func theStoreSaysWhatTheModelSays() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(2) {
      let place = "seed \(seed), round \(round)"
      let scratch = try Scratch()
      var store = scratch.store
      try store.enable(.participations)
      var model = ParticipationModel()
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
      for other in [store, copy] { other.close() }
    }
  }

  @Test func listsShowWhatQueriesGive() async throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    let store = try Scratch().store
    try await store.enable(.participations)
    var model = ParticipationModel()
    (model, random) = try await store.write { [model, random] tx in
      var (next, random) = (model, random)
      for _ in 0..<40 { try next.step(tx, &random) }
      return (next, random)
    }
    let controllers = ParticipationModel.queries.map { query, _ in
      store.controller(for: query.including(\.participation), window: .first(6))
    }
    for controller in controllers { try await controller.execute() }
    for commit in 0..<80 {
      (model, random) = try await store.write { [model, random] tx in
        var (next, random) = (model, random)
        for _ in 0..<1 + random.below(3) { try next.step(tx, &random) }
        return (next, random)
      }
      for (number, controller) in controllers.enumerated() {
        let query = controller.query
        let (expected, count) = (try await store.fetch(query.limit(6)), try await store.count(query))
        func isFollowed() -> Bool {
          let list = controller.list
          return list.totalNumberOfObjects == count && list.elementsEqual(expected)
        }
        // Lists follow a commit soon after it; one that never does fails.
        let deadline = ContinuousClock.now + .seconds(20)
        while !isFollowed(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
        #expect(isFollowed(), "seed \(seed), commit \(commit), query \(number): \(query)")
      }
    }
    for controller in controllers { controller.close() }
    try model.expectSame(store, "seed \(seed)")
  }
}

/// What a store is to say of conversations and their participants.
private struct ParticipationModel: Sendable {
  struct Room: Sendable {
    var participants: Set<String>
    /// The positions and the senders of messages, in the order of their creation.
    var messages: [(position: Int64, sender: String)] = []
    var states: [String: Participation] = [:]
    let number: Int

    var own: Participation? { states["alice"] }
    var isVisible: Bool { participants.contains("alice") && !messages.isEmpty }
    /// The date of the last message by position, then by creation.
    var last: Int64 { messages.map(\.position).max() ?? 0 }

    var unread: Int {
      messages.count { $0.sender != "alice" && $0.position > own?.lastReadPosition ?? .min }
    }
  }

  private var rooms: [String: Room] = [:]
  private var count = 0
  private static let users = ["alice", "bob", "c/d%", "dave"]

  /// Queries, and what they are to give.
  static let queries: [(query: Query<Conversation>, expected: @Sendable ([Room]) -> [Room])] = [
    (
      Conversation.filter { $0.my.isPinned && !$0.my.isArchived }.order { $0.lastMessage.sentAt },
      { rooms in
        rooms.filter { $0.own?.isPinned == true && $0.own?.isArchived != true }
          .sorted { ($0.last, $0.number) < ($1.last, $1.number) }
      }
    ),
    (
      Conversation.filter { !$0.my.isArchived && $0.my.isHidden == false }
        .order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) },
      { rooms in
        rooms.filter { $0.own?.isArchived != true && $0.own?.isHidden != true }.sorted {
          ($0.pinned, $0.last, $0.number) > ($1.pinned, $1.last, $1.number)
        }
      }
    ),
    (
      Conversation.order { ($0.my.isMuted, $0.my.pinnedAt, $0.lastMessage.sentAt) },
      { rooms in
        rooms.sorted {
          ($0.muted, $0.pinned, $0.last, $0.number) < ($1.muted, $1.pinned, $1.last, $1.number)
        }
      }
    ),
    (
      Conversation.filter { $0.my.role.in(["admin", "owner"]) || $0.my.isMuted != true },
      { rooms in
        rooms.filter { ["admin", "owner"].contains($0.own?.role) || $0.own?.isMuted != true }
          .sorted { $0.number < $1.number }
      }
    ),
    (
      Conversation.filter { $0.my.lastReadPosition == nil || $0.my.lastReadPosition > 500 }
        .order { $0.my.isHidden.descending },
      { rooms in
        rooms.filter { $0.own?.lastReadPosition.map { $0 > 500 } ?? true }
          .sorted { ($0.hidden, $0.number) > ($1.hidden, $1.number) }
      }
    ),
  ]

  private func anyRoom(_ random: inout SeededGenerator) -> String? {
    rooms.keys.sorted().randomElement(using: &random)
  }

  private mutating func create(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    count += 1
    // Some begin with others, and some have what names of participations have.
    let id = ["c\(count)", "c\(count)/alice", "c\(count)%2F"][count % 3]
    try tx.createConversation(with: ["bob", "dave"], id: Conversation.ID(id))
    rooms[id] = Room(participants: ["alice", "bob", "dave"], number: count)
  }

  mutating func step(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    guard rooms.count >= 3, let id = anyRoom(&random) else { return try create(tx, &random) }
    let room = Conversation.ID(id)
    let user = random.oneIn(2) ? "alice" : Self.users[random.below(Self.users.count)]
    let identity = Identity.ID(user)
    let time = date(Double(random.below(1000)))
    switch random.below(26) {
    case 0, 1: if rooms.count < 14 { try create(tx, &random) }
    case 2, 3, 4, 5:
      let (position, sender) = (Int64(random.below(1000)), Self.users[random.below(3)])
      try tx.receive(
        [.text("hello")], in: room, from: Identity.ID(sender), position: position,
        sentAt: date(Double(position)))
      rooms[id]?.messages.append((position, sender))
    case 6, 7:
      try change(id, user) {
        $0.pinnedAt = time
      } _: {
        try tx.pin(room, at: time, for: identity)
      }
    case 8:
      try change(id, user) {
        $0.isPinned = false
      } _: {
        try tx.pin(room, false, for: identity)
      }
    case 9, 10:
      try change(id, user) {
        $0.archivedAt = time
      } _: {
        try tx.archive(room, at: time, for: identity)
      }
    case 11:
      try change(id, user) {
        $0.isArchived = false
      } _: {
        try tx.archive(room, false, for: identity)
      }
    case 12, 13:
      try change(id, user) {
        $0.isMuted = true
        $0.mutedUntil = time
      } _: {
        try tx.mute(room, until: time, for: identity)
      }
    case 14:
      try change(id, user) {
        $0.isMuted = false
      } _: {
        try tx.unmute(room, for: identity)
      }
    case 15, 16:
      let isHidden = random.oneIn(2)
      try change(id, user) {
        $0.isHidden = isHidden
      } _: {
        try tx.hide(room, isHidden, for: identity)
      }
    case 17, 18:
      let role = ["admin", "owner", "guest", nil].randomElement(using: &random) ?? nil
      try change(id, user) {
        $0.role = role
      } _: {
        try tx.setRole(role, of: identity, in: room)
      }
    case 19, 20, 21:
      let position = Int64(random.below(1000))
      try change(id, user) {
        $0.lastReadPosition = max(position, $0.lastReadPosition ?? position)
      } _: {
        try tx.markRead(room, upTo: position, for: identity)
      }
    case 22:
      try change(id, user) {
        $0.joinedAt = time
      } _: {
        try tx.join(room, at: time, for: identity)
      }
      rooms[id]?.participants.insert(user)
    case 23:
      try tx.removeParticipants([identity], from: room)
      rooms[id]?.participants.remove(user)
      rooms[id]?.states[user] = nil
    case 24:
      try tx.setParticipants(["alice", identity], of: room)
      for left in (rooms[id]?.participants ?? []).subtracting(["alice", user]) {
        rooms[id]?.states[left] = nil
      }
      rooms[id]?.participants = ["alice", user]
    default:
      guard random.oneIn(3) else { return }
      try tx.delete(room)
      rooms[id] = nil
    }
  }

  private mutating func change(
    _ id: String, _ user: String, _ change: (inout Participation) -> Void, _ write: () throws -> Void
  ) throws {
    try write()
    let empty = Participation(conversation: Conversation.ID(id), user: Identity.ID(user))
    let known = rooms[id]?.states[user]
    var state = known ?? empty
    change(&state)
    if known != nil || state != empty { rooms[id]?.states[user] = state }
  }

  func expectSame(_ store: MessageStore, _ place: String) throws {
    for (id, room) in rooms {
      let conversation = Conversation.ID(id)
      for user in Self.users {
        #expect(
          try store.participation(of: Identity.ID(user), in: conversation) == room.states[user],
          "\(place): \(id) \(user)")
      }
      #expect(try store.unreadCountSinceLastRead(in: conversation) == room.unread, "\(place): \(id)")
      let all = try store.participations(in: conversation)
      #expect(
        try Set(store.fetch(all, as: Participation.self)) == Set(room.states.values), "\(place): \(id)")
      #expect(
        try store.count(all.filter { $0.role == "admin" }) == room.states.values.count { $0.role == "admin" },
        "\(place): \(id)")
    }
    let states = rooms.values.reduce(0) { $0 + $1.states.count }
    #expect(try store.recordCount(of: Participation.recordType) == states, "\(place)")
    let visible = rooms.values.filter(\.isVisible)
    let names = Dictionary(uniqueKeysWithValues: rooms.map { ($0.value.number, $0.key) })
    for (number, (query, expected)) in Self.queries.enumerated() {
      let wanted = expected(visible).compactMap { names[$0.number] }
      let found = try store.fetch(query.including(\.participation))
      #expect(found.map(\.id.rawValue) == wanted, "\(place), query \(number)")
      #expect(try store.count(query) == wanted.count, "\(place), query \(number)")
      #expect(
        try store.fetch(query.limit(3).offset(1)).map(\.id.rawValue) == Array(wanted.dropFirst().prefix(3)),
        "\(place), query \(number)")
      if let middle = wanted.dropFirst(wanted.count / 2).first {
        let rest = wanted.drop { $0 != middle }.dropFirst()
        #expect(
          try store.fetch(query.after(Conversation.ID(middle)).limit(4)).map(\.id.rawValue)
            == Array(rest.prefix(4)), "\(place), query \(number) after \(middle)")
      }
      for conversation in found {
        let room = rooms[conversation.id.rawValue]
        #expect(conversation.participation == room?.own, "\(place), query \(number)")
        #expect(conversation.unreadSinceLastRead == room?.unread, "\(place), query \(number)")
      }
    }
  }
}

extension ParticipationModel.Room {
  /// What it is sorted by: nothing before all dates, and false before true.
  var pinned: Date { own?.pinnedAt ?? .distantPast }
  var muted: Int { own?.isMuted == true ? 1 : 0 }
  var hidden: Int { own?.isHidden == true ? 1 : 0 }
}
