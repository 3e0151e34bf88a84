import Foundation
import Satchel
import SatchelInterchange
import SatchelRelations
import SatchelScenes
import TestSupport
import Testing

/// Random edges, and questions for what related users have, beside a set of the edges: in the store that is written, after it was opened
/// again, and in another one that has taken its export.
@Suite struct RandomRelationTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.reference("list", to: list)
    $0.reference("assignee", to: Reference.identities)
  }
  private static let users: [Identity.ID] = [
    "alice", "bob", "carol", "d/e", "50%", "\u{e9}", "e\u{301}", "zoe",
  ]
  private static let kinds: [RelationKind] = [.following, .friend, "team"]

  @Test func theStoreSaysWhatTheEdgesSay() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(2) {
      let place = "seed \(seed), round \(round)"
      let scratch = try Scratch()
      var store = scratch.store
      try store.enable(.relations)
      try fill(store, &random)
      var edges: Set<Edge> = []
      for commit in 0..<60 {
        var next = edges
        do {
          try store.write { tx in
            for _ in 0..<1 + random.below(5) { try Self.step(tx, &next, &random) }
            // What a write that fails has done is undone.
            if random.oneIn(8) { throw CancellationError() }
          }
          edges = next
        } catch is CancellationError {}
        for _ in 0..<2 { try expectSame(store, edges, &random, "\(place), commit \(commit)") }
        if random.oneIn(20) {
          store.close()
          store = try scratch.reopened()
        }
      }
      try expectSound(store)
      let file = scratch.directory.url.appendingPathComponent("chat.jsonl")
      try store.export(to: .file(file))
      let copy = try Scratch().store
      try copy.importLines(from: .file(file))
      #expect(try copy.types() == store.types(), "\(place)")
      for _ in 0..<40 { try expectSame(copy, edges, &random, "\(place), imported") }
      try expectSound(copy)
      for other in [store, copy] { other.close() }
    }
  }

  private struct Edge: Hashable {
    let kind: RelationKind
    // Identifiers are told apart by their bytes.
    let from: [UInt8]
    let to: [UInt8]

    init(_ kind: RelationKind, _ from: Identity.ID, _ to: Identity.ID) {
      self.kind = kind
      self.from = Array(from.rawValue.utf8)
      self.to = Array(to.rawValue.utf8)
    }
  }

  private static func step(
    _ tx: WriteTransaction, _ edges: inout Set<Edge>, _ random: inout SeededGenerator
  ) throws {
    let (kind, from, to) = (random.pick(kinds), random.pick(users), random.pick(users))
    let edge = Edge(kind, from, to)
    guard edge.from != edge.to else {
      failure(.invalidValue) { try tx.relate(kind, from: from, to: to) }
      return
    }
    if random.oneIn(3) {
      let was = edges.remove(edge) != nil
      #expect(try tx.unrelate(kind, from: from, to: to) == was)
    } else {
      try tx.relate(kind, from: from, to: to)
      edges.insert(edge)
      #expect(try tx.isRelated(to, kind, .outward, to: from))
    }
  }

  private func fill(_ store: MessageStore, _ random: inout SeededGenerator) throws {
    try store.declare(Self.list, Self.todo)
    try store.write { tx in
      for (number, user) in Self.users.enumerated() {
        if number % 3 != 2 { try tx.put(Identity(userID: user, displayName: "\(number)")) }
        try tx.save(Record(Self.list, name: "l\(number)", owner: user))
        try tx.announce([.text("x")], from: user, id: Announcement.ID("a\(number)"))
      }
      for number in 0..<12 {
        let room = Conversation.ID("c\(number)")
        let members =
          Self.users.dropFirst().filter { _ in random.oneIn(3) } + [
            random.pick(Array(Self.users.dropFirst()))
          ]
        try tx.createConversation(with: Array(Set(members)), id: room)
        for message in 0..<4 {
          try tx.receive(
            [.text("x")], in: room, from: random.pick(members), id: Message.ID("m\(number)-\(message)"))
        }
      }
      for number in 0..<30 {
        var todo = Record(Self.todo, name: "t\(number)", owner: random.pick(Self.users))
        if !random.oneIn(4) {
          todo["list"] = .reference(Record.ID(type: "list", name: "l\(random.below(10))"))
        }
        if !random.oneIn(4) { todo["assignee"] = .reference(random.pick(Self.users)) }
        try tx.save(todo)
      }
    }
  }

  /// Asks one random question for each kind of objects.
  private func expectSame(
    _ store: MessageStore, _ edges: Set<Edge>, _ random: inout SeededGenerator, _ occasion: String
  ) throws {
    let (kind, direction) = (random.pick(Self.kinds), random.pick(RelationDirection.allCases))
    let user = random.pick(Self.users)
    let place = "\(occasion), \(kind.rawValue) \(direction) of \(user)"
    let isOwn = Array(user.rawValue.utf8) == Array("alice".utf8)
    func holds(_ other: Identity.ID?) -> Bool {
      guard let other else { return false }
      let (there, back) = (edges.contains(Edge(kind, user, other)), edges.contains(Edge(kind, other, user)))
      return switch direction {
      case .outward: there
      case .inward: back
      case .mutual: there && back
      }
    }
    let others = Self.users.filter(holds)
    #expect(try store.relationCount(kind, direction, of: user) == others.count, "\(place)")
    let query = try store.relations(kind, direction, of: isOwn ? nil : user)
    let found = try store.fetch(query, as: Relation.self).map { direction == .inward ? $0.from : $0.to }
    #expect(
      found.map { Array($0.rawValue.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        == others.map { Array($0.rawValue.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }, "\(place)")
    for other in Self.users {
      #expect(try store.isRelated(other, kind, direction, to: user) == holds(other), "\(place)")
    }

    let isNegated = random.oneIn(3)
    func asks(_ field: some UserField) -> QueryPredicate {
      let predicate = field.isRelated(kind, direction, to: isOwn && random.oneIn(2) ? nil : user)
      return isNegated ? !predicate : predicate
    }
    func check<Object: StoredObject>(
      _ query: Query<Object>, _ all: [Object], _ passes: (Object) -> Bool
    ) throws {
      let expected = all.filter { passes($0) != isNegated }.map(\.id)
      #expect(try store.identifiers(query) == expected, "\(place): \(query)")
      #expect(try store.count(query) == expected.count, "\(place): \(query)")
    }
    try check(Message.filter { asks($0.sender) }, store.fetch(Message.all)) { holds($0.sender) }
    try check(Announcement.filter { asks($0.sender) }, store.fetch(Announcement.all)) { holds($0.sender) }
    try check(Conversation.filter { asks($0.participants) }, store.fetch(Conversation.all)) {
      $0.participants.contains(where: holds)
    }
    try check(Identity.filter { asks($0.userID) }, store.fetch(Identity.all)) { holds($0.userID) }
    let todos = try store.fetch(Self.todo.query)
    try check(Self.todo.filter { asks($0.owner) }, todos) { holds($0.owner) }
    try check(Self.todo.filter { asks($0.assignee) }, todos) {
      holds($0["assignee"]?.referenceValue.map { Identity.ID($0.name) })
    }
    let owners = try store.fetch(Self.list.query).reduce(into: [:]) { $0[$1.id.name] = $1.owner }
    try check(Self.todo.filter { asks($0.list.owner) }, todos) {
      holds($0["list"]?.referenceValue.flatMap { owners[$0.name] })
    }
    // Beside another condition, and for one user or another.
    try check(
      Message.filter { asks($0.sender) && $0.conversation.in(["c1", "c2", "c3"]) },
      store.fetch(Message.filter { $0.conversation.in(["c1", "c2", "c3"]) })
    ) { holds($0.sender) }
  }
}
