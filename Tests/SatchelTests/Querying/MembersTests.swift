import Foundation
import Satchel
import SatchelScenes
import Testing

/// The members of a conversation: the identities of its participants, with those who have none.
@Suite struct MembersTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.put(Identity(userID: "zoe", displayName: "Zoe", presenceStatus: .available))
      try tx.put(Identity(userID: "bob", displayName: "Bob", followed: true, metadata: ["team": "red"]))
      try tx.put(Identity(userID: "eve", displayName: "Eve"))
      try tx.createConversation(with: ["bob", "carol", "zoe"], id: "lunch")
    }
  }

  private let members = Identity.members(of: "lunch")

  private func names(_ query: Query<Identity>) throws -> [Identity.ID] {
    try store.read { snapshot in
      let objects = try snapshot.fetch(query)
      #expect(try snapshot.identifiers(query) == objects.map(\.id))
      #expect(try snapshot.count(query) == objects.count)
      for (rank, object) in objects.enumerated() where query.untyped.anchor == nil {
        #expect(try snapshot.rank(of: object.id, in: query) == rank)
      }
      return objects.map(\.id)
    }
  }

  @Test func aParticipantWithoutAnIdentityIsAMember() throws {
    let sorted = try store.fetch(members.order { $0.userID })
    #expect(sorted.map(\.userID) == ["alice", "bob", "carol", "zoe"])
    #expect(sorted[2] == Identity(userID: "carol"))
    #expect(sorted[1] == (try store.identity("bob")))
    try store.write { try $0.put(Identity(userID: "carol", displayName: "Carol")) }
    #expect(try store.first(members.filter { $0.userID == "carol" })?.displayName == "Carol")
  }

  @Test func theyAreFilteredSortedAndPaged() throws {
    #expect(try names(members.order { ($0.displayName, $0.userID) }) == ["alice", "carol", "bob", "zoe"])
    #expect(
      try names(members.order { ($0.displayName.descending, $0.userID.descending) })
        == ["zoe", "bob", "carol", "alice"])
    #expect(try names(members.filter { $0.displayName == nil }.order { $0.userID }) == ["alice", "carol"])
    #expect(try names(members.filter { $0.followed }) == ["bob"])
    #expect(
      try names(members.filter { $0.metadata.team != "blue" && $0.userID != "bob" }.limit(2)).count == 2)
    #expect(try names(members.filter { $0.metadata == [:] }).count == 3)
    #expect(try names(members.filter { $0.presenceStatus == .available || $0.userID == "carol" }).count == 2)
    #expect(try names(members.filter { $0.lastSeenAt == nil }.filter { $0.firstName.like("%") }).isEmpty)
    let byName = members.order { $0.userID }
    #expect(try names(byName.offset(1).limit(2)) == ["bob", "carol"])
    #expect(try names(byName.after("bob")) == ["carol", "zoe"])
    #expect(try names(byName.before("carol").limit(1)) == ["bob"])
    #expect(try names(byName.around("carol", before: 1, after: 1)) == ["bob", "carol", "zoe"])
    let page = try store.page(byName.around("bob", before: 0, after: 1))
    #expect(page.rowsBefore == 1 && page.totalCount == 4 && page.rowsAfter == 1)
    // Without keys the order is the same each time, and can be turned.
    #expect(try names(members) == names(members.unordered()))
    // Eve is no member, with or without an identity; a list may go on behind her.
    #expect(try store.rank(of: "eve", in: byName) == nil)
    #expect(try names(byName.after("eve")) == ["zoe"])
    failure(.invalidValue) { _ = try store.fetch(byName.around("eve", before: 1, after: 1)) }
    failure(.invalidValue) { _ = try store.fetch(byName.after("somebody")) }
  }

  @Test func whoIsNotInTheConversationSeesNobody() throws {
    #expect(try names(Identity.members(of: "none")).isEmpty)
    try store.write { tx in
      try tx.receive([.text("1")], in: "lunch", from: "bob", position: 1)
      try tx.removeParticipants(["bob"], from: "lunch")
      // In a write, what it has changed is read.
      #expect(try tx.identifiers(members.order { $0.userID }) == ["alice", "carol", "zoe"])
    }
    try store.write { try $0.leave("lunch") }
    #expect(try names(members).isEmpty)
    try store.write { try $0.delete(Conversation.ID("lunch")) }
    #expect(try names(members).isEmpty)
  }

  @Test func whatIsAskedIsTold() throws {
    let query = members.filter { $0.followed }.order { $0.displayName }
    #expect(
      query.description == "identities of members of 'lunch' where followed = TRUE order displayName")
    let coded = try JSONEncoder().encode(query)
    #expect(try JSONDecoder().decode(Query<Identity>.self, from: coded) == query)
    #expect(query != Identity.filter { $0.followed }.order { $0.displayName })
    let explanation = try store.explain(query)
    #expect(explanation.paths.map(\.index) == ["participants"] && explanation.paths[0].cardinality == 4)
    #expect(explanation.placing == .byCount)
    #expect(try store.explain(members).placing == .byCount)
    var refused = QueryDescription(kind: .messages)
    refused.membersOf = "lunch"
    failure(.invalidValue) { _ = try store.count(Query<Message>(refused) ?? Message.all) }
    failure(.invalidValue) { try store.declare(Aggregate(named: "members", counting: members)) }
  }
}
