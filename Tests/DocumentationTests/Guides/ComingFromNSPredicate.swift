import Foundation
import Satchel
import SatchelFoundation
import Testing

/// The code and the tables of the article "Coming from NSPredicate, Core Data and SwiftData".
@Suite struct ComingFromNSPredicateGuide {
  let chats: GuideStore
  let store: MessageStore
  let start = GuideStore.date(10)

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", metadata: ["title": "Lunch"], messages: 60)
    try chats.write { transaction in
      try transaction.put(Identity(userID: "bob", displayName: "Bob"))
      try transaction.receive(
        [.data([0x89, 0x50], mimeType: "image/png")], in: "lunch", from: "carol", id: "picture", position: 61,
        sentAt: GuideStore.date(61), editedAt: GuideStore.date(62))
    }
  }

  @Test func spellings() throws {
    let asText = try Query<Message>(format: "sender.userID = %@ AND sentAt > %@", "bob", start)
    let asClosure = Message.filter { $0.sender.userID == "bob" && $0.sentAt > start }
    #expect(asText == asClosure)
    #expect(try store.count(asText) == 50)
  }

  @Test func missingValues() throws {
    let edited = Message.filter { $0.editedAt > start }
    let others = Message.filter { !($0.editedAt > start) }
    let both = try store.count(edited) + store.count(others)
    #expect(try store.count(edited) == 1)
    #expect(both == 61)
    #expect(try store.count(Query<Message>(format: "editedAt != nil AND position != 5")) == 1)
    #expect(try store.count(Query<Message>(format: "editedAt = deletedAt")) == 0)
  }

  @Test func requests() throws {
    let request = Message.filter { $0.conversation == "lunch" }
      .order { $0.position.descending }
      .limit(20)
      .offset(20)
      .including(\.sender)
    let page = try store.page(request)
    print(page.objects.count, "of", page.totalCount)
    #expect(page.objects.map(\.position) == (22...41).reversed())
    #expect(page.objects.first?.included(\.sender)?.displayName == "Bob")
    #expect(page.totalCount == 61 && page.rowsBefore == 20 && page.rowsAfter == 21)
  }

  @Test func controllers() throws {
    let controller = store.controller(
      for: Message.filter { $0.conversation == "lunch" }.order { $0.position }, window: .tail(50))
    try controller.execute()
    print(controller.objects.count, "of", controller.totalNumberOfObjects)
    #expect(controller.objects.map(\.position) == Array(12...61))
    #expect(controller.totalNumberOfObjects == 61)
  }

  @Test func predicates() throws {
    let predicate = #Predicate<Message> { $0.isUnread && $0.parts.contains { $0.mimeType == "image/png" } }
    let unread = try Query(predicate, sortBy: [SortDescriptor(\.sentAt, order: .reverse)])
    let unreadHere = unread.filter { $0.conversation.metadata.title == "Lunch" }
    #expect(try store.identifiers(unread) == ["picture"])
    #expect(try store.identifiers(unreadHere) == ["picture"])
    #expect(unreadHere.untyped.sort == [SortKey(["sentAt"], descending: true)])
  }

  // MARK: The tables

  @Test func operatorsOfTheTableAreAnswered() throws {
    let rows = try Repository.table("The operators", of: "ComingFromNSPredicate")
    #expect(rows.count >= 15)
    for row in rows {
      let text = try #require(row[1].first)
      let query = try Query<Message>(format: text)
      let found = try store.count(query)
      #expect(try found + store.count(Query<Message>(format: "NOT (\(text))")) == 61, "\(text)")
    }
    // Those that the table says to differ in their spelling are refused, or mean something else.
    for text in ["parts.@count > 0", "SUBQUERY(parts, $p, $p.size > 1).@count > 0", "SOME parts.size > 100"] {
      let error = #expect(throws: SatchelError.self) { try QueryPredicate(format: text) }
      #expect(error?.code == .syntaxError)
    }
  }

  @Test func whatTheTableRefusesIsRefused() throws {
    let rows = try Repository.table("What is refused", of: "ComingFromNSPredicate")
    #expect(rows.count >= 10)
    for row in rows {
      let wrong = try #require(row[0].first)
      #expect(throws: SatchelError.self, "\(wrong)") { try store.count(Query<Message>(format: wrong)) }
      let instead = try #require(row[2].first)
      #expect(throws: Never.self, "\(instead)") { try store.count(Query<Message>(format: instead)) }
    }
  }
}
