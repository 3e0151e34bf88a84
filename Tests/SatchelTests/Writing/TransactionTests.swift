import Satchel
import SatchelScenes
import Testing

@Suite struct TransactionTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for place in 1...20 {
        try tx.receive(
          [.text("\(place)")], in: "c", from: "bob", id: Message.ID("m\(place)"), position: Int64(place))
      }
    }
  }

  struct Mine: Error {}

  @Test func readYourWrites() throws {
    try store.write { tx in
      let unread = Message.filter { $0.conversation == "c" && $0.isUnread }
      #expect(try tx.count(unread) == 20)
      try tx.markAsRead(Message.ID("m3"))
      #expect(try tx.count(unread) == 19)
      try tx.delete(Message.ID("m4"))
      #expect(try tx.fetch(unread).map(\.id.rawValue) == ["m1", "m2"] + (5...20).map { "m\($0)" })
      let new = try tx.send([.text("new"), .text(String(repeating: "n", count: 5000))], to: "c")
      #expect(try tx.fetch(Message.filter { $0.identifier == new }).first?.text == "new")
      #expect(try tx.read { try $0.content(of: .init("\(new)/parts/1")).count } == 5000)
      #expect(try tx.fetch(Conversation.all).first?.lastMessage?.id == new)
      try tx.update(new) { $0.position = 0 }
      #expect(try tx.fetch(Message.order { $0.position }).first?.id == new)
      #expect(try tx.fetch(Conversation.all).first?.lastMessage?.id == "m20")
      // Operations go on after queries.
      try tx.setMetadata("v", at: "k", of: .message(new))
      #expect(try tx.count(Message.filter { $0.metadata.k == "v" }) == 1)
      #expect(try tx.read { try $0.page(unread.limit(1)).totalCount } == 18)
    }
    try expectSound(store)
  }

  @Test func aThrowRollsEverythingBack() throws {
    let before = try store.read { ($0.sequence, try $0.fetch(Message.all), try $0.fetch(Conversation.all)) }
    #expect(throws: Mine.self) {
      try store.write { tx in
        try tx.createConversation(with: ["new people"], id: "d")
        try tx.send([.data([UInt8](repeating: 1, count: 10_000), mimeType: "new/type")], to: "d", id: "n")
        try tx.delete(Message.ID("m1"))
        try tx.markAsRead(Conversation.ID("c"))
        try tx.setMetadata("x", at: "new.key", of: .conversation("c"))
        try tx.put(Identity(userID: "new"))
        // Flushed to the file's transaction, and discarded with it all the same.
        #expect(try tx.count(Message.all) == 20)
        try tx.delete(Conversation.ID("c"))
        throw Mine()
      }
    }
    #expect(try store.read { $0.sequence } == before.0)
    #expect(try store.fetch(Message.all) == before.1)
    #expect(try store.fetch(Conversation.all) == before.2)
    #expect(try store.count(Identity.all) == 0)
    try expectSound(store)
    // What was discarded may be made again.
    try store.write { tx in
      try tx.createConversation(with: ["new people"], id: "d")
      try tx.send([.data([1], mimeType: "new/type")], to: "d", id: "n")
    }
    #expect(try store.count(MessagePart.filter { $0.mimeType == "new/type" }) == 1)
    #expect(try store.count(Conversation.filter { $0.participants == ["new people"] }) == 1)
    try expectSound(store)
  }

  @Test func errorsLeaveTheTransactionUsable() throws {
    try store.write { tx in
      for _ in 0..<3 {
        failure(.identifierExists) { try tx.send([.text("x")], to: "c", id: "m1") }
        failure(.unknownConversation) { try tx.send([.text("x")], to: "none") }
        failure(.invalidKey) { try tx.setMetadata("x", at: "a..b", of: .conversation("c")) }
        failure(.unqueryableProperty) { _ = try tx.count(Query<Message>(format: "nonsense = 1")) }
        try tx.send([.text("good")], to: "c")
      }
    }
    #expect(try store.count(Message.all) == 23)
    try expectSound(store)
  }

  @Test func aWriteWithoutChangesIsNoCommit() throws {
    let before = try store.read { $0.sequence }
    #expect(try store.write { tx in try tx.count(Message.all) } == 20)
    try store.write { tx in
      try tx.update(Message.ID("m1")) { $0.position = 1 }
      try tx.removeMetadata(at: "nothing", of: .message("m1"))
    }
    #expect(try store.read { $0.sequence } == before)
    try store.write { tx in try tx.markAsRead(Message.ID("m1")) }
    #expect(try store.read { $0.sequence } == before + 1)
  }

  @Test func transactionsWithinOneAnother() throws {
    let other = try scratch.reopened()
    for inner in [store, other] {
      try store.write { tx in
        failure(.nestedTransaction) { try inner.write { _ in } }
        failure(.nestedTransaction) { _ = try inner.count(Message.all) }
        failure(.nestedTransaction) { try inner.read { _ in } }
        try tx.markAsRead(Message.ID("m1"))
      }
      try store.read { snapshot in
        failure(.nestedTransaction) { try inner.write { _ in } }
        failure(.nestedTransaction) { _ = try inner.fetch(Message.all) }
        failure(.nestedTransaction) { _ = try inner.content(of: "m1/parts/0") }
        let count = try snapshot.count(Message.all)
        #expect(count == 20)
      }
    }
    #expect(try store.count(Message.filter { $0.isUnread }) == 19)
    // Another store is nobody's business.
    let elsewhere = try Scratch()
    try store.write { tx in
      try elsewhere.store.write { other in try other.conversation(with: ["bob"]) }
      #expect(try elsewhere.store.count(Conversation.all) == 0)
      try tx.send([], to: "c")
    }
  }

  @Test func whatLeavesItsClosureIsClosed() throws {
    var transaction: WriteTransaction?
    var snapshot: StoreSnapshot?
    try store.write { tx in transaction = tx }
    try store.read { snapshot = $0 }
    let (tx, view) = (try #require(transaction), try #require(snapshot))
    failure(.closed) { try tx.send([], to: "c") }
    failure(.closed) { _ = try tx.count(Message.all) }
    failure(.closed) { try tx.createConversation(with: ["x"]) }
    failure(.closed) { try tx.put(Identity(userID: "x")) }
    failure(.closed) { _ = try view.fetch(Message.all) }
    failure(.closed) { _ = try view.count(Message.all) }
    failure(.closed) { _ = try view.content(of: "m1/parts/0") }
    #expect(try store.count(Message.all) == 20)
    try expectSound(store)
  }

  @Test func writingWhileStreaming() throws {
    try store.write { tx in
      try tx.send([.data([UInt8](repeating: 1, count: 1000), mimeType: "image/png")], to: "c", id: "last")
    }
    try store.write { tx in
      var seen = 0
      failure(.closed) {
        try tx.read { snapshot in
          try snapshot.forEach(Message.order { $0.position }) { message in
            seen += 1
            try tx.delete(Message.ID("last"))
          }
        }
      }
      #expect(seen == 1)
      try tx.read { snapshot in
        #expect(try snapshot.count(Message.all) == 20)
        try tx.send([], to: "c", id: "new")
        failure(.closed) { _ = try snapshot.count(Message.all) }
        failure(.closed) { _ = try snapshot.fetch(Message.all) }
        failure(.closed) { _ = try snapshot.content(of: "m1/parts/0") }
      }
      // The way it is meant: first what is to be done, then doing it.
      let remaining = try tx.fetch(Message.order { $0.position })
      #expect(remaining.count == 21)
      for message in remaining { try tx.delete(message.id) }
      #expect(try tx.count(Message.all) == 0)
    }
    try expectSound(store)
  }

  @Test func asynchronousWrites() async throws {
    let ran = Shared(0)
    await withTaskGroup { group in
      for place in 0..<40 {
        group.addTask {
          do {
            try await store.write { tx in
              ran.update { $0 += 1 }
              try tx.send([.text("async \(place)")], to: "c")
              if place % 4 == 0 { throw Mine() }
            }
            #expect(place % 4 != 0)
          } catch { #expect(error is Mine) }
        }
      }
    }
    #expect(ran.value == 40, "each closure ran once")
    #expect(try await store.count(Message.all) == 50)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.write { tx in try tx.send([], to: "c") }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await store.count(Message.all) == 50)
    try expectSound(store)
  }

  @Test func manyObjectsInOneWrite() throws {
    let count = 10_000
    let scratch = try Scratch()
    let store = scratch.store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "big")
      for place in 0..<count {
        try tx.receive(
          [.text("message \(place)")], in: "big", from: place % 3 == 0 ? "bob" : "carol",
          id: Message.ID("big \(place)"), position: Int64(count - place), isUnread: place % 2 == 0)
      }
      #expect(try tx.count(Message.filter { $0.isUnread }) == count / 2)
      for place in stride(from: 0, to: count, by: 10) { try tx.delete(Message.ID("big \(place)")) }
      try tx.markAsRead((0..<100).filter { $0 % 10 != 0 }.map { Message.ID("big \($0)") })
    }
    let big = try #require(try store.read { try $0.conversation("big") })
    #expect(big.messageCount == 9000 && big.unreadCount == 4000 - 40)
    #expect(big.lastMessage?.id == "big 1")
    #expect(try store.count(Message.filter { $0.sender.userID == "bob" }) == 3000)
    try expectSound(store)
  }
}
