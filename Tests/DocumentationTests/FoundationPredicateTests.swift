import Foundation
import Satchel
import SatchelFoundation
import Testing

/// Foundation's predicates, asked of a store, find the objects for which they are true.
@Suite struct FoundationPredicateTests {
  let chats: GuideStore
  let messages: [Message]

  /// 240 messages: of three senders, sent and unsent, with and without dates, statuses, texts and sizes.
  init() throws {
    chats = try GuideStore()
    try chats.write { transaction in
      try transaction.createConversation(with: ["bob", "carol", "dave"], id: "lunch")
      for number in 0..<240 {
        let text = ["Noon?", "caf\u{E9}", "cafe\u{301} at noon", "at", "noon"][number % 5]
        let parts: [MessagePart.Draft] =
          switch number % 4 {
          case 0: [.text(text)]
          case 1: [.text(text), .data(Array(repeating: 7, count: number), mimeType: "image/png")]
          case 2: [.url("https://example.org", mimeType: "video/mp4")]
          default: []
          }
        try transaction.receive(
          parts, in: "lunch", from: ["bob", "carol", "dave"][number % 3], id: Message.ID("m\(number)"),
          position: number % 6 == 0 ? nil : Int64(number), sentAt: GuideStore.date(number),
          receivedAt: GuideStore.date(number + number % 2),
          recipientStatus: number % 2 == 0 ? ["alice": [.read, .delivered][number % 4 / 2]] : [:],
          editedAt: number % 7 == 0 ? nil : GuideStore.date(number + 1))
        if number % 8 == 3 { try transaction.markAsRead(Message.ID("m\(number)")) }
      }
    }
    messages = try chats.store.fetch(Message.all)
    #expect(messages.count == 240)
  }

  private func agrees(
    _ predicate: Predicate<Message>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try chats.store.agrees(with: predicate, location)
  }

  @Test func comparisons() throws {
    let date = GuideStore.date(100)
    let bob: Identity.ID = "bob"
    let position: Int64? = 100
    let read = RecipientStatus.read
    try agrees(#Predicate { $0.isUnread })
    try agrees(#Predicate { !$0.isUnread })
    try agrees(#Predicate { $0.isUnread == false })
    try agrees(#Predicate { $0.sender == bob })
    try agrees(#Predicate { bob != $0.sender })
    try agrees(#Predicate { $0.sender > bob })
    try agrees(#Predicate { $0.receivedAt == date })
    try agrees(#Predicate { $0.position == position })
    try agrees(#Predicate { $0.position != position })
    try agrees(#Predicate { $0.recipientStatus["alice"] == read })
    try agrees(#Predicate { $0.recipientStatus["alice"] != read })
  }

  @Test func missingValues() throws {
    let date = GuideStore.date(100)
    try agrees(#Predicate { $0.editedAt == nil })
    try agrees(#Predicate { $0.position != nil })
    try agrees(#Predicate { ($0.position ?? 0) < 100 })
    try agrees(#Predicate { ($0.position ?? 0) >= 100 })
    try agrees(#Predicate { $0.position.flatMap { $0 > 100 } == true })
    try agrees(#Predicate { $0.position.flatMap { $0 > 100 } == false })
    try agrees(#Predicate { $0.position.flatMap { $0 > 100 } == nil })
    try agrees(#Predicate { $0.position.flatMap { $0 > 100 } ?? true })
    try agrees(#Predicate { $0.editedAt.flatMap { $0 != date } != true })
  }

  @Test func logic() throws {
    let bob: Identity.ID = "bob"
    try agrees(#Predicate { $0.isUnread && $0.sender == bob })
    try agrees(#Predicate { !$0.isUnread || $0.sender == bob })
    try agrees(#Predicate { $0.isUnread ? $0.sender == bob : $0.position == nil })
  }

  @Test func lists() throws {
    let users: [Identity.ID] = ["bob", "dave"]
    let positions: [Int64?] = [1, 7, nil]
    let range: Range<Int64> = 20..<40
    let closed: ClosedRange<Int64> = -1...40
    try agrees(#Predicate { users.contains($0.sender) })
    try agrees(#Predicate { positions.contains($0.position) })
    try agrees(#Predicate { range.contains($0.position ?? 20) })
    try agrees(#Predicate { closed.contains($0.position ?? 0) })
  }

  @Test func parts() throws {
    try agrees(#Predicate { $0.parts.contains { $0.mimeType == "image/png" } })
    try agrees(#Predicate { $0.parts.contains { $0.mimeType != "image/png" } })
    try agrees(#Predicate { $0.parts.allSatisfy { $0.mimeType != "image/png" } })
    try agrees(#Predicate { $0.parts.contains { ($0.size ?? 0) > 100 } })
    try agrees(#Predicate { $0.parts.contains { $0.text == "caf\u{E9}" } })
    try agrees(#Predicate { $0.parts.contains { $0.text != "noon" } })
    try agrees(#Predicate { $0.parts.contains { $0.text?.contains("noon") == true } })
    try agrees(#Predicate { $0.parts.contains { $0.mimeType == "image/png" && ($0.size ?? 0) > 100 } })
    try agrees(#Predicate { $0.parts.allSatisfy { $0.mimeType == "text/plain" || ($0.size ?? 0) > 100 } })
    try agrees(#Predicate { $0.parts.contains { $0.text == nil && $0.mimeType != "video/mp4" } })
    try agrees(#Predicate { $0.parts.contains { ($0.text ?? "").starts(with: "cafe\u{301}") } })
  }

  @Test func unwrappedByForceIsFalseWhereItWouldThrow() throws {
    let query = try Query<Message>(#Predicate { $0.position! > 100 })
    let expected = messages.filter { ($0.position ?? 0) > 100 }.map(\.id)
    #expect(try chats.store.identifiers(query) == expected)
  }

  @Test func conversations() throws {
    let bob: Identity.ID = "bob"
    let eve: Identity.ID = "eve"
    let ids = { try chats.store.identifiers(Query<Conversation>($0)) }
    #expect(try ids(#Predicate { $0.participants.contains(bob) }) == ["lunch"])
    #expect(try ids(#Predicate { $0.participants.contains(eve) }) == [])
    #expect(try ids(#Predicate { $0.lastMessage?.isUnread == true }) == ["lunch"])
    #expect(try ids(#Predicate { $0.lastMessage == nil }) == [])
    #expect(try ids(#Predicate { $0.participantCount > 4 }) == [])
  }

  @Test func order() throws {
    let newest = try Query<Message>(nil, sortBy: [SortDescriptor(\Message.sentAt, order: .reverse)])
    #expect(try chats.store.identifiers(newest) == messages.map(\.id).reversed())
    let names = SortDescriptor(\Identity.displayName, comparator: .lexical)
    #expect(try SortKey(names) == SortKey(["displayName"]))
  }

  @Test func whatAStoreDoesNotAnswerIsNamed() throws {
    let sum = #expect(throws: SatchelError.self) {
      try QueryPredicate(#Predicate<Message> { !(($0.position ?? 0) + 1 == 5) })
    }
    #expect(sum?.code == .notAvailable)
    #expect(sum?.context["node"] == "Arithmetic")
    #expect(sum?.context["place"] == "Negation > Equal > Arithmetic")
    let two = #expect(throws: SatchelError.self) {
      try QueryPredicate(#Predicate<Message> { $0.parts.contains { ($0.text ?? "") == $0.mimeType } })
    }
    #expect(two?.code == .notAvailable)
    #expect(two?.context["place"] == "SequenceContainsWhere > Equal")
    let number = #expect(throws: SatchelError.self) {
      try QueryPredicate(#Predicate<Message> { $0.parts.count > 1 })
    }
    #expect(number?.code == .notAvailable)
    #expect(number?.context["expected"]?.contains("a comparison with 0") == true)
    let bounds = #expect(throws: SatchelError.self) {
      try QueryPredicate(#Predicate<Message> { (9..<5).contains($0.position ?? 0) })
    }
    #expect(bounds?.code == .notAvailable)
    #expect(bounds?.context["node"] == "Range")
    let text = #expect(throws: SatchelError.self) {
      try QueryPredicate(#Predicate<Message> { $0.text == "noon" })
    }
    #expect(text?.code == .unqueryableProperty)
    #expect(text?.context["property"]?.isEmpty == false)
    #expect(
      text?.context["available"]
        == "conversation deletedAt editedAt identifier isSent isUnread metadata parts position receivedAt "
        + "recipientStatus remoteID sender.userID sentAt updatedAt")
    let nested = #expect(throws: SatchelError.self) {
      try QueryPredicate(
        #Predicate<Message> { message in
          message.parts.contains { _ in message.parts.contains { $0.mimeType == "image/png" } }
        })
    }
    #expect(nested?.code == .notAvailable)
  }
}
