import Foundation
import Satchel
import SatchelInterchange
import SatchelRelations
import SatchelScenes
import Testing

/// The edges of relations between users.
@Suite struct RelationTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.enable(.relations)
  }

  /// The other users of the edges of a kind, in the order of the query.
  private func others(
    _ kind: RelationKind, _ direction: RelationDirection? = nil, of user: Identity.ID? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Identity.ID] {
    let query = try store.relations(kind, direction, of: user)
    let isInward = (direction ?? kind.standardDirection) == .inward
    let found = try store.fetch(query, as: Relation.self).map { isInward ? $0.from : $0.to }
    #expect(try store.count(query) == found.count, sourceLocation: sourceLocation)
    #expect(
      try store.relationCount(kind, direction, of: user) == found.count, sourceLocation: sourceLocation)
    for other in found {
      #expect(
        try store.isRelated(other, kind, direction, to: user), "\(other)", sourceLocation: sourceLocation)
    }
    return found
  }

  @Test func edgesLeadThreeWays() throws {
    try store.write { tx in
      for user in ["dave", "bob", "carol"] { try tx.relate(.following, to: Identity.ID(user)) }
      try tx.relate(.following, from: "bob", to: "alice")
      try tx.relate(.following, from: "erin", to: "alice")
      try tx.relate(.following, from: "erin", to: "bob")
      try tx.relate(.blocked, from: "carol", to: "alice")
    }
    #expect(try others(.following) == ["bob", "carol", "dave"])
    #expect(try others(.following, .inward) == ["bob", "erin"])
    #expect(try others(.following, .mutual) == ["bob"])
    #expect(try others(.following, .inward, of: "bob") == ["alice", "erin"])
    #expect(try others(.following, .mutual, of: "bob") == ["alice"])
    #expect(try others(.following, of: "nobody") == [] && others(.blocked) == [])
    #expect(try others(.blocked, .inward) == ["carol"])
    #expect(try !store.isRelated("erin", .following) && !store.isRelated("carol", .following, .mutual))
    try expectSound(store)
  }

  /// Two are friends if each is one of the other.
  @Test func friendsAreMutual() throws {
    try store.write { tx in
      try tx.relate(.friend, to: "bob")
      try tx.relate(.friend, to: "carol")
      try tx.relate(.friend, from: "carol", to: "alice")
    }
    #expect(try others(.friend) == ["carol"] && others(.friend, .outward) == ["bob", "carol"])
    #expect(try store.isRelated("carol", .friend) && !store.isRelated("bob", .friend))
    try store.write { _ = try $0.unrelate(.friend, from: "carol", to: "alice") }
    #expect(try others(.friend) == [] && others(.friend, .outward) == ["bob", "carol"])
  }

  @Test func toRelateTwiceChangesNothing() throws {
    let first = try store.write { try $0.relate(.following, to: "bob") }
    #expect(first.kind == .following && first.from == "alice" && first.to == "bob" && first.createdAt != nil)
    let commits = try store.lastSequence()
    #expect(try store.write { try $0.relate(.following, from: "alice", to: "bob") } == first)
    #expect(try store.lastSequence() == commits)
    let ended = try store.write { tx in
      [
        try tx.unrelate(.following, from: "bob", to: "alice"), try tx.unrelate(.following, to: "bob"),
        try tx.unrelate(.following, to: "bob"),
      ]
    }
    #expect(try ended == [false, true, false] && others(.following) == [])
    // Within one write.
    try store.write { tx in
      try tx.relate(.following, to: "bob")
      #expect(try tx.relationCount(.following) == 1 && tx.isRelated("bob", .following))
      #expect(try tx.unrelate(.following, to: "bob"))
      #expect(try tx.relationCount(.following) == 0)
      try tx.relate(.following, to: "bob")
    }
    #expect(try others(.following) == ["bob"])
  }

  /// Identifiers that have what names of edges have, and such as are equal to Swift or in one canonical form.
  @Test func anyIdentifierIsAUser() throws {
    let users: [Identity.ID] = ["a", "a/", "a/b", "50%", "%2F", "e\u{301}", "\u{e9}", "👩‍👩‍👧", " ", "a b"]
    try store.write { tx in
      for user in users {
        try tx.relate(.following, to: user)
        try tx.relate(.following, from: user, to: "x/y")
      }
    }
    for query in [
      try store.relations(.following), try store.relations(.following, .inward, of: "x/y"),
    ] {
      let edges = try store.fetch(query, as: Relation.self)
      let found = edges.map { $0.from == "alice" ? $0.to : $0.from }
      #expect(Set(found.map { Array($0.rawValue.utf8) }) == Set(users.map { Array($0.rawValue.utf8) }))
      #expect(edges.count == users.count)
    }
    for user in users { #expect(try store.relationCount(.following, .inward, of: user) == 1) }
    try store.write { _ = try $0.unrelate(.following, to: "e\u{301}") }
    #expect(try !store.isRelated("e\u{301}", .following) && store.isRelated("\u{e9}", .following))
    try expectSound(store)
  }

  @Test func kindsAreNames() throws {
    let colleague = RelationKind("colleague")
    try store.write { try $0.relate(colleague, to: "bob") }
    #expect(try others(colleague) == ["bob"])
    for name in ["", "a/b", "a b", "é", String(repeating: "x", count: 65)] {
      failure(.invalidValue) { try store.write { _ = try $0.relate(RelationKind(name), to: "bob") } }
      failure(.invalidValue) { _ = try store.relations(RelationKind(name)) }
    }
    failure(.invalidValue) { try store.write { _ = try $0.relate(.following, to: "alice") } }
    failure(.invalidIdentifier) { try store.write { _ = try $0.relate(.following, to: "") } }
  }

  @Test func whatIsOffIsToldByName() throws {
    let other = try Scratch().store
    let errors = [
      failure(.unknownRecordType) { try other.write { _ = try $0.relate(.following, to: "bob") } },
      failure(.unknownRecordType) { try other.write { _ = try $0.unrelate(.following, to: "bob") } },
      failure(.unknownRecordType) { _ = try other.relations(.following) },
      failure(.unknownRecordType) { _ = try other.relationCount(.following) },
      failure(.unknownRecordType) { _ = try other.isRelated("bob", .following) },
      failure(.unknownRecordType) {
        _ = try other.count(Message.filter { $0.sender.isRelated(.following) })
      },
    ]
    for error in errors { #expect(error?.context["call"] == "store.enable(.relations)") }
  }

  /// A record of an edge says of itself what its name says.
  @Test func recordsOfEdgesAreChecked() throws {
    func record(
      _ kind: String, _ from: String, _ to: String, name: String? = nil, inverse: String? = nil
    ) -> Record {
      Record(
        Relation.recordType, name: name ?? "\(kind)/\(from)/\(to)",
        [
          "kind": .text(kind), "from": .reference(Identity.ID(from)), "to": .reference(Identity.ID(to)),
          "inverse": .text(inverse ?? "\(kind)/\(to)/\(from)"),
        ])
    }
    try store.write { try $0.save(record("following", "alice", "bob")) }
    #expect(try others(.following) == ["bob"])
    var incomplete = record("following", "alice", "bob")
    incomplete["inverse"] = nil
    for wrong in [
      record("following", "alice", "bob", name: "following/alice/carol"),
      record("following", "alice", "bob", inverse: "following/carol/alice"),
      record("following", "alice", "alice"), record("a b", "alice", "bob"), incomplete,
    ] {
      let error = failure(.invalidValue) { try store.write { _ = try $0.save(wrong) } }
      #expect(error?.context["recordType"] == "_relation")
    }
    failure(.invalidKey) { try store.declare(RecordType("_relation") { $0.text("since") }) }
  }

  /// Users need no identity; whoever has one comes along.
  @Test func identitiesComeAlong() throws {
    try store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
      try tx.relate(.following, to: "bob")
      try tx.relate(.following, to: "carol")
      try tx.relate(.following, from: "bob", to: "carol")
    }
    let edges = try store.relations(.following).including(\.to)
    let names = try store.fetch(edges).map { $0.included("to", as: Identity.self)?.displayName }
    #expect(names == ["Bob", nil])
    let named = try store.relations(.following).filter { $0.to.displayName == "Bob" }
    #expect(try store.fetch(named, as: Relation.self).map(\.to) == ["bob"])
  }

  @Test func pagesAndListsOfEdges() async throws {
    try await store.write { tx in
      for number in 0..<60 {
        try tx.relate(.following, from: Identity.ID("u\(number + 100)"), to: "alice")
        if number % 3 == 0 { try tx.relate(.following, to: Identity.ID("u\(number + 100)")) }
      }
    }
    let followers = try await store.relations(.following, .inward)
    let page = try await store.page(followers.limit(10).offset(20))
    #expect(page.totalCount == 60 && page.objects.first?["from"]?.referenceValue?.name == "u120")
    let mutual = try await store.relations(.following, .mutual)
    let second = try await store.page(mutual.limit(5).offset(5))
    #expect(second.totalCount == 20 && second.objects.first?["to"]?.referenceValue?.name == "u115")
    for (query, direction) in [(followers, RelationDirection.inward), (mutual, .mutual)] {
      let controller = store.controller(for: query, window: .first(10))
      try await controller.execute()
      var changes = controller.changes.makeAsyncIterator()
      try await store.write { tx in
        try tx.relate(.following, from: "a", to: "alice")
        try tx.relate(.following, to: "a")
      }
      let set = try #require(await changes.next())
      #expect(set.after.elementsEqual(try await store.fetch(query.limit(10))))
      #expect(controller.list.first?.id.name.hasSuffix(direction == .inward ? "a/alice" : "alice/a") == true)
      // Of mutual ones it is the edge in the other direction that goes.
      try await store.write { tx in _ = try tx.unrelate(.following, from: "a", to: "alice") }
      let next = try #require(await changes.next())
      #expect(next.after.elementsEqual(try await store.fetch(query.limit(10))))
      #expect(controller.list.first?.id.name.contains("u100") == true)
      controller.close()
      try await store.write { tx in _ = try tx.unrelate(.following, to: "a") }
    }
  }

  /// How many there are costs a few nodes and no record, however many there are; of mutual ones, a walk through the index.
  @Test func countsReadIndexesAlone() throws {
    try store.write { tx in
      for number in 0..<10_000 {
        try tx.relate(.following, to: Identity.ID("u\(number)"))
        if number % 2 == 0 { try tx.relate(.following, from: Identity.ID("u\(number)"), to: "alice") }
      }
    }
    try store.checkpoint()
    for (direction, count, most) in [
      (RelationDirection.outward, 10_000, 24), (.inward, 5_000, 24), (.mutual, 5_000, 2_000),
    ] {
      try store.read { snapshot in
        _ = try snapshot.relationCount(.following, direction)
        let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
        #expect(try snapshot.relationCount(.following, direction) == count)
        let read = snapshot.base.forest.metrics.nodesRead - nodes
        #expect(read <= most && snapshot.base.metrics.recordsRead == records, "\(direction): \(read) nodes")
      }
    }
    for direction in [RelationDirection.outward, .inward] {
      let query = try store.relations(.following, direction)
      try store.read { snapshot in
        _ = try snapshot.count(query)
        let (nodes, records) = (snapshot.base.forest.metrics.nodesRead, snapshot.base.metrics.recordsRead)
        _ = try snapshot.count(query)
        let read = snapshot.base.forest.metrics.nodesRead - nodes
        #expect(read <= 60 && snapshot.base.metrics.recordsRead == records, "\(direction): \(read) nodes")
      }
    }
  }
}
