import Foundation
import Satchel
import Testing

// The article from "Sorting" on.
extension AskingQuestionsGuide {
  @Test func sorting() throws {
    let newest = Message.order { $0.sentAt.descending }
    let byConversation = Message.order { ($0.conversation.metadata.title, $0.position.descending) }
    let asText = try Message.order(SortKey.keys("conversation.metadata.title, -position"))
    #expect(try store.identifiers(newest) == ["t2", "t1", "m3", "m2", "m1"])
    #expect(try store.identifiers(byConversation) == ["m3", "m2", "m1", "t2", "t1"])
    #expect(asText == byConversation)
    // Reversed keys reverse the results, the ones without a value included.
    let reversed = Message.order(byConversation.untyped.sort.map(\.reversed))
    #expect(try store.identifiers(reversed) == ["t1", "t2", "m1", "m2", "m3"])
    let priority = Message.order { $0.metadata.priority }
    #expect(try store.identifiers(priority) == ["m2", "t1", "t2", "m1", "m3"])
  }

  @Test func anOrderThatWrongClocksDoNotChange() throws {
    let conversation = Message.filter { $0.conversation == "lunch" }.order { $0.position }
    let asTheyCame = Message.filter { $0.conversation == "lunch" }
    #expect(try store.identifiers(conversation) == ["m1", "m2", "m3"])
    // One with a date of the far future that comes late, but belongs before the others.
    try store.write { transaction in
      try transaction.receive(
        [.text("late")], in: "lunch", from: "bob", id: "m0", position: -1, sentAt: Date.distantFuture)
    }
    #expect(try store.identifiers(conversation) == ["m0", "m1", "m2", "m3"])
    #expect(try store.identifiers(asTheyCame) == ["m1", "m2", "m3", "m0"])
    #expect(try store.conversation("lunch")?.lastMessage?.id == "m3")
    // The service changes a position.
    try store.write { transaction in try transaction.update("m0") { $0.position = 1_000_000 } }
    #expect(try store.identifiers(conversation) == ["m1", "m2", "m3", "m0"])
    #expect(try store.conversation("lunch")?.lastMessage?.id == "m0")
  }

  @Test func paging() throws {
    let list = Message.filter { $0.conversation == "lunch" }.order { $0.position }
    let page = try store.page(list.limit(2))
    print(page.objects.count, "of", page.totalCount, "and", page.rowsAfter, "more")
    let second = try store.fetch(list.offset(2).limit(2))
    let after = try store.fetch(list.after("m2").limit(2))
    let before = try store.fetch(list.before("m3").limit(1))
    let around = try store.fetch(list.around("m2", before: 1, after: 1))
    #expect(page.objects.map(\.id) == ["m1", "m2"])
    #expect(page.totalCount == 3)
    #expect(second.map(\.id) == ["m3"])
    #expect(after.map(\.id) == ["m3"])
    #expect(before.map(\.id) == ["m2"])
    #expect(around.map(\.id) == ["m1", "m2", "m3"])
    let day = GuideStore.date(3)
    let atThatTime = try store.fetch(Message.order { $0.sentAt }.around(day, before: 1, after: 1))
    let inTheList = try store.page(list.around(day, before: 1, after: 1))
    #expect(atThatTime.map(\.id) == ["m2", "m3"])
    #expect(inTheList.objects.map(\.id) == ["m2", "m3"])
    #expect((inTheList.rowsBefore, inTheList.rowsAfter) == (1, 0))
    #expect((page.rowsBefore, page.rowsAfter) == (0, 1))
    #expect(throws: SatchelError.self) { try store.page(list.around("t1", before: 1, after: 1)) }
    for wrong in [list.limit(-1), list.offset(-1), list.after("unknown")] {
      let error = #expect(throws: SatchelError.self) { try store.fetch(wrong) }
      #expect(error?.code == .invalidValue)
    }
    #expect(try store.fetch(list.limit(0)).isEmpty)
  }

  @Test func countsAndRanks() throws {
    let unread = Message.filter { $0.isUnread }
    let number = try store.count(unread)
    let atMostOne = try store.count(unread.limit(1))
    let withoutLimit = try store.totalCount(unread.limit(1))
    let names = try store.identifiers(unread)
    let first = try store.first(unread)
    let isWaiting = try store.hasAny(unread)
    #expect(isWaiting)
    #expect(number == 2 && atMostOne == 1 && withoutLimit == 2)
    #expect(names == ["m1", "m3"])
    #expect(first?.id == "m1")
    let list = Message.filter { $0.conversation == "lunch" }.order { $0.position }
    let rank = try store.rank(of: "m3", in: list)
    let thirdRow = try store.first(list.offset(2))
    #expect(rank == 2)
    #expect(thirdRow?.id == "m3")
    let rows = try store.virtualList(of: list)
    let row = try rows.object(at: 1)
    #expect(rows.total == 3)
    #expect(row?.id == "m2")
  }

  @Test func objectsThatComeAlong() throws {
    try store.write { try $0.put(Identity(userID: "bob", displayName: "Bob")) }
    let chat = Message.filter { $0.conversation == "lunch" }.order { $0.position.descending }.limit(20)
    for message in try store.fetch(chat.including(\.sender)) {
      print(message.included(\.sender)?.displayName ?? message.sender.rawValue, message.preview ?? "")
    }
    let chats = Conversation.order { $0.lastMessage.receivedAt.descending }.limit(25)
      .including(\.lastMessage.sender).withoutContents()
    for conversation in try store.fetch(chats) {
      let writer = conversation.included(\.lastMessage.sender)?.displayName ?? "somebody"
      print(conversation.metadata["title"] ?? "", writer, conversation.lastMessage?.preview ?? "")
    }
    let named = try store.first(chat.including(\.sender, as: "author"))
    let author = named?.included("author", as: Identity.self)
    let sameOne = named?.included("sender", as: Identity.self)
    let sender = try #require(named?.sender)
    let known = try store.identity(sender)
    let shown = try store.fetch(chat.including(\.sender))
    #expect(author == sameOne && author == known)
    #expect(shown.contains { $0.included(\.sender)?.displayName == "Bob" })
  }

  @Test func manyResults() throws {
    var texts: [String] = []
    try store.read { snapshot in
      try snapshot.forEach(Message.filter { $0.isUnread }) { message in
        if let text = message.text { texts.append(text) }
      }
    }
    #expect(texts == ["Noon?", "100% yes"])
    var bytes = 0
    try store.forEachRecord(of: Message.all.unordered()) { message in
      bytes += try message.textSize ?? 0
    }
    #expect(bytes == 31)
    let lease = MessageStore.ReadLease(seconds: 2, entries: 1_000_000, records: 100_000)
    let found = try store.read(lease: lease) { snapshot in
      try snapshot.count(Message.filter { $0.parts.any { $0.text.contains("cat", .caseInsensitive) } })
    }
    #expect(found == 0)
  }

  @Test func contents() async throws {
    try store.synchronously { store in
      let text = try store.text(of: "m2/parts/0")
      let picture = try store.data(of: "m2/parts/1")
      let beginning = try store.data(of: "m2/parts/1", in: 0..<2)
      #expect(text == "Café at noon")
      #expect(picture == Data([1, 2, 3]))
      #expect(beginning == Data([1, 2]))
      let lines = try store.fetch(Message.filter { $0.conversation == "lunch" }.withoutContents())
      for message in lines { print(message.sender, message.preview ?? "(no text)") }
      #expect(lines.count == 3)
      for conversation in try store.fetch(Conversation.order { $0.lastMessage.sentAt.descending }.limit(25)) {
        print(conversation.lastMessage?.preview ?? "")
      }
    }
    var received = 0
    for try await piece in store.chunks(of: "m2/parts/1") { received += piece.count }
    #expect(received == 3)
  }

  @Test func explaining() throws {
    let explanation = try store.explain(Message.filter { $0.isUnread }, as: .count, running: true)
    print(explanation)
    let path = explanation.paths[explanation.chosen]
    print(path.index, path.cardinality, path.residual.isEmpty ? "only the index is read" : path.residual)
    #expect(path.cardinality == 2)
    #expect(path.residual.isEmpty)
    #expect(explanation.run?.returned == 2)
    #expect(explanation.run?.recordsRead == 0)
  }

  @Test func queriesAreValues() throws {
    let list = Message.filter { $0.conversation == "lunch" }.order { $0.position }
    let saved = try JSONEncoder().encode(list)
    let same = try JSONDecoder().decode(Query<Message>.self, from: saved)
    print(same)
    #expect(same == list)
    #expect(same.description == "messages where conversation = 'lunch' order position")
  }
}
