import Foundation
import Satchel
import SatchelRelations
import Testing

extension RelationKind { static let colleague = RelationKind("colleague") }

/// The code of the article "Relations between users".
@Suite struct RelationsGuide {
  @Test func edges() throws {
    let chats = try GuideStore()
    let store = chats.store
    try store.enable(.relations)
    try store.write { transaction in
      try transaction.relate(.following, to: "bob")
      try transaction.relate(.following, from: "carol", to: "alice")
      try transaction.unrelate(.blocked, to: "dave")
    }
    print(try store.relationCount(.following, .inward), "follow me")
    let followers = try store.relations(.following, .inward).including(\.from)
    for edge in try store.fetch(followers.limit(50)) {
      print(edge.included("from", as: Identity.self)?.displayName ?? edge.id.name)
    }
    let isFollowed = try store.isRelated("bob", .following)
    #expect(isFollowed)
    #expect(try store.relationCount(.following, .inward) == 1)
    #expect(try store.fetch(followers, as: Relation.self).map(\.from) == ["carol"])
    #expect(try store.fetch(followers).map(\.id.name) == ["following/carol/alice"])
    // What the article says of kinds and of directions.
    try store.write { transaction in
      try transaction.relate(.colleague, to: "bob")
      try transaction.relate(.friend, to: "bob")
    }
    #expect(try store.relationCount(.colleague) == 1 && store.relationCount(.friend) == 0)
    let rows = try Repository.table("Relate", of: "Relations")
    #expect(rows.map { $0[0].first } == RelationDirection.allCases.map(\.rawValue))
    let type = try #require(try store.types().first { $0.type.name == "_relation" })
    #expect(type.type.fields.map(\.name) == ["from", "inverse", "kind", "to"])
  }

  @Test func whatTheyHave() throws {
    let chats = try GuideStore()
    let store = chats.store
    try chats.chat("lunch", messages: 3)
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") { $0.reference("list", to: list) }
    try store.declare(list, todo)
    try store.enable(.relations)
    try store.write { transaction in
      let home = try transaction.save(Record(list, name: "home", owner: "bob"))
      try transaction.save(Record(todo, name: "pay", ["list": .reference(home.id)]))
      try transaction.put(Identity(userID: "bob"))
      try transaction.relate(.following, to: "bob")
      try transaction.relate(.following, from: "bob", to: "alice")
      try transaction.relate(.friend, from: "carol", to: "bob")
      try transaction.relate(.friend, from: "bob", to: "carol")
    }
    let theirs = todo.filter { $0.list.owner.isRelated(.following) }
    let quiet = Message.filter { !$0.sender.isRelated(.blocked) }
    let ofCarol = Conversation.filter { $0.participants.isRelated(.friend, .mutual, to: "carol") }
    let text = try Query<Message>(format: "sender RELATED 'following' AND isUnread = TRUE")
    let followers = try Query<Identity>(format: "userID RELATED {'following', 'inward'}")
    #expect(try store.count(theirs) == 1 && store.count(quiet) == 3 && store.count(ofCarol) == 1)
    #expect(try store.count(text) == 3 && store.identifiers(followers) == ["bob"])
    try store.write { transaction in
      try transaction.relate(.blocked, to: "bob")
      _ = try transaction.unrelate(.following, to: "bob")
    }
    #expect(try store.count(theirs) == 0 && store.count(quiet) == 0 && store.count(text) == 0)
  }
}
