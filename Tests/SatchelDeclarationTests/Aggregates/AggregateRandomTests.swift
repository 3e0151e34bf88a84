import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Whatever is written, the totals are what counting the objects gives.
@Suite struct AggregateRandomTests {
  private struct GivenUp: Error {}

  @Test(.timeLimit(.minutes(5))) func totalsFollowRandomWrites() throws {
    let scratch = try Scratch()
    var store = scratch.store
    var writes = AggregateWrites(SeededGenerator(for: "aggregates"))
    try store.write { tx in for _ in 0..<60 { try writes.change(tx) } }
    for check in AggregateCheck.all { try check.declare(store) }
    try Self.compare(store, "after the declaration")
    for round in 0..<TestEnvironment.rounds(120) {
      let before = writes
      let isGivenUp = writes.random.percent(15)
      do {
        try store.write { tx in
          for _ in 0..<(1 + writes.random.below(writes.random.percent(10) ? 60 : 6)) {
            try writes.change(tx)
            if writes.random.percent(10) {
              try tx.read { snapshot in
                for check in AggregateCheck.all { try check.compare(snapshot, "inside write \(round)") }
              }
            }
          }
          if isGivenUp { throw GivenUp() }
        }
      } catch is GivenUp {
        let random = writes.random
        writes = before
        writes.random = random
      }
      switch writes.random.below(30) {
      case 0:
        store.close()
        store = try scratch.reopened()
      case 1:
        let check = AggregateCheck.all[writes.random.below(AggregateCheck.all.count)]
        try store.dropAggregate(named: check.aggregate.name)
        try expectSound(store)
        try check.declare(store)
      default: break
      }
      try Self.compare(store, "after write \(round)")
    }
    try expectSound(store)
  }

  private static func compare(_ store: MessageStore, _ when: String) throws {
    try store.read { snapshot in for check in AggregateCheck.all { try check.compare(snapshot, when) } }
  }

  /// So many messages of one conversation that the log gives them as a range, and of so many that it gives them as one.
  @Test(.timeLimit(.minutes(5))) func totalsFollowLargeWrites() throws {
    let store = try Scratch().store
    let checks = AggregateCheck.all
    for check in checks { try check.declare(store) }
    func compare(_ when: String) throws {
      try store.read { snapshot in for check in checks { try check.compare(snapshot, when) } }
    }
    try store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
      for room in 0..<25 {
        try tx.createConversation(
          with: ["bob"], id: Conversation.ID("r\(room)"), metadata: ["team": .text("\(room % 3)")])
      }
      for number in 0..<1500 {
        try tx.receive(
          [.text("@alice \(number)")], in: "r0", from: "bob", id: Message.ID("m\(number)"),
          isUnread: number % 3 > 0)
      }
    }
    try compare("after 1,500 messages of one conversation")
    try store.write { tx in
      try tx.delete(Message.ID("m7"))
      try tx.markAsRead(Conversation.ID("r0"))
      try tx.receive([.text("@alice")], in: "r0", from: "carol", id: "late")
      try tx.read { snapshot in for check in checks { try check.compare(snapshot, "before the commit") } }
    }
    try compare("after 1,000 were read")
    try store.write { try $0.removeParticipants(["alice"], from: "r0") }
    try compare("after the user has left")
    try store.write { try $0.addParticipants(["alice"], to: "r0") }
    try compare("after the user has come back")
    try store.write { try $0.put(Identity(userID: "bob", displayName: "Robert")) }
    try compare("after a sender of many has another name")
    try store.write { tx in
      try tx.markAsRead(Message.ID("late"))
      try tx.delete(Conversation.ID("r0"))
    }
    try compare("after the deletion")
    try store.write { tx in
      for number in 0..<20_500 {
        try tx.receive(
          [], in: Conversation.ID("r\(1 + number % 24)"), from: "bob", id: Message.ID("n\(number)"))
      }
    }
    try compare("after 20,500 messages of many conversations")
    try expectSound(store)
  }
}
