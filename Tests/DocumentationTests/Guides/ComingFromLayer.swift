import Foundation
import Satchel
import Testing

/// The code and the tables of the article "Coming from Layer".
@Suite struct ComingFromLayerGuide {
  let chats: GuideStore
  let store: MessageStore
  let lunch: Conversation.ID = "lunch"

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", metadata: ["title": "Lunch", "theme": ["color": "red"]], messages: 4)
    try chats.chat("work", with: ["bob", "carol"], metadata: ["title": "Work"], messages: 1)
    try chats.write { transaction in
      try transaction.put(Identity(userID: "carol", displayName: "Carol"))
      try transaction.put(Identity(userID: "bob", displayName: "Bob"))
      try transaction.receive(
        [.data([0x89, 0x50], mimeType: "image/png")], in: "work", from: "carol", id: "picture", position: 2,
        sentAt: GuideStore.date(5), receivedAt: GuideStore.date(5), isUnread: false)
      try transaction.send([.text("Noon?")], to: "lunch", id: "mine")
    }
  }

  @Test func predicates() throws {
    // LYRQuery of LYRMessage: isUnread IsEqualTo YES, and sender.userID IsNotEqualTo the authenticated user
    let unread = Message.filter { $0.isUnread && $0.sender.userID != store.user }
    let asText = try Query<Message>(format: "isUnread = %@ AND sender.userID != %@", true, store.user)
    let newest = try store.fetch(asText.order { $0.sentAt.descending }.limit(20))
    print(newest.count, "of", try store.count(unread))
    #expect(unread == asText)
    #expect(try store.identifiers(unread) == ["lunch-1", "lunch-2", "lunch-3", "lunch-4", "work-1"])
  }

  @Test func queries() throws {
    let latest = Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20)
    let page = try store.page(latest.including(\.sender))
    print(page.objects.count, "of", page.totalCount)
    #expect(page.objects.map(\.id) == ["mine", "lunch-4", "lunch-3", "lunch-2", "lunch-1"])
    #expect(page.objects.last?.included(\.sender)?.displayName == "Bob")
  }

  @Test func controllers() throws {
    let list = store.controller(
      for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25),
      updatableProperties: ["lastMessage.isUnread", "metadata.title"])
    try list.execute()
    print(list.count, "of", list.totalNumberOfObjects)
    #expect(list.objects.map(\.id) == ["lunch", "work"])
    #expect(list.paginationWindow == 25)
    list.close()
    #expect(try ListWindow(paginationWindow: -25) == .tail(25))
    #expect(throws: SatchelError.self) { try ListWindow(paginationWindow: 0) }
  }

  // MARK: The tables

  /// Asks how many objects of one of Layer's classes meet a predicate.
  private func count(_ name: String, _ format: String) throws -> Int {
    switch name {
    case "LYRConversation": try store.count(Query<Conversation>(format: format))
    case "LYRMessage": try store.count(Query<Message>(format: format))
    case "LYRMessagePart": try store.count(Query<MessagePart>(format: format))
    case "LYRAnnouncement": try store.count(Query<Announcement>(format: format))
    case "LYRIdentity": try store.count(Query<Identity>(format: format))
    default: throw CocoaError(.featureUnsupported)
    }
  }

  /// Every property of the table is one that queries know, whether it may be missing or not.
  @Test func propertiesOfTheTableAreQueryable() throws {
    let rows = try Repository.table("Properties", of: "ComingFromLayer")
    #expect(rows.count >= 45)
    // The last cell tells of others: names, but for quoted values, symbols and calls.
    let names = rows.flatMap { row in
      (row[2].prefix(1) + row[3].filter { $0.first?.isLetter == true && !$0.hasSuffix(")") }).map {
        (row[0].first ?? "", $0)
      }
    }
    for (name, property) in names {
      do {
        _ = try count(name, "\(property) = nil")
      } catch let error as SatchelError {
        #expect(error.code == .invalidValue, "\(name), \(property): \(error)")
      }
    }
    let error = #expect(throws: SatchelError.self) { try count("LYRMessage", "isRead = nil") }
    #expect(error?.code == .unqueryableProperty)
  }

  @Test func operatorsOfTheTableAreAnswered() throws {
    let rows = try Repository.table("Operators", of: "ComingFromLayer")
    let totals = ["LYRMessage": 7, "LYRConversation": 2, "LYRIdentity": 2]
    var found: [Int] = []
    for row in rows {
      let (name, text) = (try #require(row[0].first), try #require(row[2].first))
      found.append(try count(name, text))
      #expect(try found[found.count - 1] + count(name, "NOT (\(text))") == totals[name], "\(text)")
    }
    #expect(found == [5, 6, 4, 5, 4, 5, 6, 2, 1, 1, 1, 2, 1, 2, 1, 2, 1, 1, 4, 3, 1])
    #expect(Set(rows.compactMap { $0[1].first?.split(separator: " ").dropFirst().first }).count >= 9)
    // What an empty one is.
    #expect(try store.count(Message.all.filter(.and([]))) == 7)
    #expect(try store.count(Message.all.filter(.or([]))) == 0)
  }

  @Test func whatTheTableRefusesIsRefused() throws {
    let rows = try Repository.table("What is refused", of: "ComingFromLayer")
    #expect(rows.count >= 12)
    for row in rows {
      let (name, wrong) = (try #require(row[0].first), try #require(row[1].first))
      let error = #expect(throws: SatchelError.self, "\(wrong)") { try count(name, wrong) }
      #expect(error?.code.description == row[2].first, "\(wrong): \(error.map { "\($0)" } ?? "no error")")
      let instead = try #require(row[4].first)
      #expect(throws: Never.self, "\(instead)") { try count(name, instead) }
    }
  }

  @Test func errorsHaveTheCodesOfTheTable() throws {
    let codes = try Repository.table("Errors", of: "ComingFromLayer").compactMap { $0[1].first }
    #expect(codes == ["unqueryableProperty", "unsupportedPredicate", "unsupportedSort", "invalidValue"])
    let error = #expect(throws: SatchelError.self) {
      try store.fetch(Message.order([SortKey(["parts", "mimeType"])]))
    }
    #expect(error?.code == .unsupportedSort)
  }
}
