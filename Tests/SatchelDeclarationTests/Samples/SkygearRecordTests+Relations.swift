import Foundation
import Satchel
import SatchelDialects
import SatchelRelations
import Testing

/// The sample of the heading "Relation Predicate", and the heading after it.
extension SkygearRecordTests {
  /// "Records owned by a user that the current user is following": `[SKYRelation followingRelation]`, `_owner`; also in the JSON that the SDK
  /// makes of it, and the SDK's two other relations.
  @Test func recordsOfWhomTheUserFollows() throws {
    try store.enable(.relations)
    let owners: [(note: String, owner: Identity.ID)] = [
      ("mine", "alice"), ("bobs", "bob"), ("carols", "carol"), ("daves", "dave"), ("erins", "erin"),
    ]
    try store.write { tx in
      for (name, owner) in owners { try tx.save(Record(Self.note, name: name, owner: owner)) }
      for user in ["bob", "carol"] { try tx.relate(.following, to: Identity.ID(user)) }
      for user in ["carol", "dave"] { try tx.relate(.following, from: Identity.ID(user), to: "alice") }
      try tx.relate(.friend, to: "dave")
      try tx.relate(.friend, from: "dave", to: "alice")
      try tx.relate(.friend, to: "erin")
    }
    func json(_ name: String, _ direction: String) throws -> Query<Record> {
      let predicate = #"""
        ["func", "userRelation", {"$type": "keypath", "$val": "_owner"},
         {"$type": "relation", "$name": "\#(name)", "$direction": "\#(direction)"}]
        """#
      return try JSONDecoder().decode(
        SkygearQuery.self, from: Data(#"{"record_type": "note", "predicate": \#(predicate)}"#.utf8)
      ).query
    }
    func notes(_ spellings: [Query<Record>], _ names: [String]) throws {
      try store.answers(spellings, names.map { Self.id("note", $0) })
    }
    let note = Self.note
    try notes(
      [
        note.filter { $0.owner.isRelated(.following) },
        note.filter(try QueryPredicate(format: "owner RELATED 'following'")), json("_follow", "outward"),
      ], ["bobs", "carols"])
    try notes(
      [
        note.filter { $0.owner.isRelated(.following, .inward) },
        note.filter(try QueryPredicate(format: "owner RELATED %@", ["following", "inward"])),
        json("_follow", "inward"),
      ], ["carols", "daves"])
    try notes([note.filter { $0.owner.isRelated(.friend) }, json("_friend", "mutual")], ["daves"])
    try notes(
      [
        note.filter { !$0.owner.isRelated(.following) },
        note.filter { !$0.owner.isRelated(.following, .outward) },
      ],
      ["mine", "daves", "erins"])
  }

  /// "Full-text search (NOT IMPLEMENTED)": a heading without a sample. Words, beginnings of words and phrases, in any text of a record.
  @Test func fullTextSearch() throws {
    func found(_ pattern: String, _ names: [String]) throws {
      try store.answers(
        [
          todo.filter { $0.title.matches(pattern) },
          todo.filter(try QueryPredicate(format: "title MATCHES-TEXT %@", pattern)),
        ], names.map { Self.id("todo", $0) })
    }
    try found("cafe", ["call"])
    try found("rent OR down", ["pay", "write"])
    try found("re*", ["pay", "rest"])
    try found("\"the rent\"", ["pay"])
    try found("-rest", ["pay", "call", "write", "100%"])
    try found("the -pay", [])
  }
}
