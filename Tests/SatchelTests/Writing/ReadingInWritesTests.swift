import Satchel
import SatchelScenes
import Testing

@Suite("Reading inside a write")
struct ReadingInWritesTests {
  /// The query goes through the messages and, message by message, looks at the index of identities, which has changes
  /// that no query has needed before: more messages than a scan reads at once.
  @Test func aQueryMayMeetOtherChangedIndexesOnItsWay() throws {
    let scratch = try Scratch()
    try scratch.store.write { transaction in
      let conversation = try transaction.createConversation(with: ["bob", "carol"]).id
      for position in 0..<600 {
        try transaction.receive(
          [.text("\(position)")], in: conversation, from: position.isMultiple(of: 2) ? "bob" : "carol",
          position: Int64(position))
      }
      try transaction.put(Identity(userID: "bob", displayName: "Bob"))
      try transaction.put(Identity(userID: "carol", displayName: "Carol"))
      let fromBob = Message.filter { $0.sender.displayName == "Bob" }
      #expect(try transaction.fetch(fromBob).count == 300)
      try transaction.put(Identity(userID: "bob", displayName: "Robert"))
      #expect(try transaction.fetch(fromBob).isEmpty)
    }
  }

  /// Other reads inside a read change nothing of what it sees.
  @Test func readsNest() throws {
    let scratch = try Scratch()
    try scratch.store.write { transaction in
      let conversation = try transaction.createConversation(with: ["bob"]).id
      for position in 0..<400 {
        try transaction.receive([.text("")], in: conversation, from: "bob", position: Int64(position))
      }
      var seen = 0
      try transaction.read { snapshot in
        try snapshot.forEach(Message.filter { $0.isUnread }) { message in
          seen += try transaction.count(Message.filter { $0.identifier == message.id })
        }
      }
      #expect(seen == 400)
    }
  }
}
