import Foundation
import Satchel
import SatchelFoundation
import Testing

// Two properties, ranges without an end, numbers of elements, and what stands behind ??.
extension FoundationPredicateTests {
  @Test func twoProperties() throws {
    let past = Date.distantPast
    try chats.store.agrees(with: #Predicate<Message> { $0.sentAt == $0.receivedAt })
    try chats.store.agrees(with: #Predicate<Message> { $0.sentAt != $0.receivedAt })
    try chats.store.agrees(with: #Predicate<Message> { $0.editedAt == $0.receivedAt })
    // Nil equals nil: nothing is deleted, and some messages were not edited.
    try chats.store.agrees(with: #Predicate<Message> { $0.editedAt == $0.deletedAt })
    try chats.store.agrees(with: #Predicate<Message> { $0.editedAt != $0.deletedAt })
    try chats.store.agrees(with: #Predicate<Message> { ($0.editedAt ?? past) > ($0.receivedAt ?? past) })
    try chats.store.agrees(with: #Predicate<Message> { ($0.editedAt ?? past) == ($0.deletedAt ?? past) })
    try chats.store.agrees(with: #Predicate<Message> { $0.isUnread == $0.isSent })
    try chats.store.agrees(
      with: #Predicate<Message> { message in
        message.editedAt.flatMap { edited in message.receivedAt.flatMap { received in received < edited } }
          == true
      })
    try chats.store.agrees(
      with: #Predicate<Message> { message in
        if let edited = message.editedAt, let sent = message.deletedAt {
          edited > sent
        } else {
          message.isUnread
        }
      })
    let query = try Message.filter(#Predicate { $0.editedAt! > $0.receivedAt! })
    let expected = messages.filter { message in
      guard let edited = message.editedAt, let received = message.receivedAt else { return false }
      return edited > received
    }
    #expect(!expected.isEmpty && expected.count < messages.count)
    #expect(try chats.store.identifiers(query) == expected.map(\.id))
  }

  @Test func twoConditions() throws {
    try chats.store.agrees(with: #Predicate<Message> { ($0.editedAt == nil) == $0.isUnread })
    try chats.store.agrees(with: #Predicate<Message> { ($0.editedAt == nil) != ($0.position == nil) })
    try chats.store.agrees(
      with: #Predicate<Message> { ($0.position.flatMap { $0 > 100 } ?? $0.isUnread) != $0.isSent })
  }

  @Test func rangesWithoutAnEnd() throws {
    let from: PartialRangeFrom<Int64> = 20...
    let upTo: PartialRangeUpTo<Int64> = ..<20
    let through: PartialRangeThrough<Int64> = ...20
    let dates: PartialRangeFrom<Date> = GuideStore.date(100)...
    try chats.store.agrees(with: #Predicate<Message> { from.contains($0.position ?? 0) })
    try chats.store.agrees(with: #Predicate<Message> { upTo.contains($0.position ?? 0) })
    try chats.store.agrees(with: #Predicate<Message> { through.contains($0.position ?? 30) })
    try chats.store.agrees(with: #Predicate<Message> { dates.contains($0.editedAt ?? $0.sentAt!) })
    try chats.store.agrees(with: #Predicate<Message> { (20..<40).contains($0.position ?? 0) })
  }

  @Test func numbersOfElements() throws {
    try chats.store.agrees(with: #Predicate<Message> { $0.parts.isEmpty })
    try chats.store.agrees(with: #Predicate<Message> { !$0.parts.isEmpty })
    try chats.store.agrees(with: #Predicate<Message> { $0.parts.count > 0 && $0.isUnread })
    try chats.store.agrees(with: #Predicate<Message> { 1 > $0.parts.count })
    try chats.store.agrees(
      with: #Predicate<Message> { $0.parts.filter { $0.mimeType == "image/png" }.count >= 1 })
    try chats.store.agrees(
      with: #Predicate<Message> { $0.parts.filter { $0.text == "noon" || ($0.size ?? 0) > 100 }.isEmpty })
  }

  @Test func textsWithoutContent() throws {
    try chats.write { transaction in
      try transaction.receive([.text("")], in: "lunch", from: "bob", id: "empty")
      try transaction.receive([.text(""), .text("noon")], in: "lunch", from: "bob", id: "both")
    }
    let store = chats.store
    try store.agrees(with: #Predicate<Message> { $0.parts.contains { $0.text?.isEmpty == true } })
    try store.agrees(with: #Predicate<Message> { $0.parts.contains { $0.text?.isEmpty ?? true } })
    try store.agrees(with: #Predicate<Message> { $0.parts.contains { ($0.text ?? "").isEmpty } })
    try store.agrees(with: #Predicate<Message> { $0.parts.contains { ($0.text?.count ?? 0) > 0 } })
    try store.agrees(with: #Predicate<Message> { $0.parts.contains { ($0.text?.count ?? 1) == 0 } })
    try store.agrees(with: #Predicate<Message> { $0.parts.allSatisfy { !($0.text ?? "").isEmpty } })
    try store.agrees(with: #Predicate<MessagePart> { $0.text?.isEmpty != true })
    try store.agrees(with: #Predicate<MessagePart> { ($0.text ?? $0.mimeType).contains("oo") })
  }

  @Test func whatIsThereInstead() throws {
    let date = GuideStore.date(100)
    let read = RecipientStatus.read
    try chats.store.agrees(with: #Predicate<Message> { ($0.editedAt ?? $0.sentAt!) > date })
    try chats.store.agrees(with: #Predicate<Message> { ($0.deletedAt ?? $0.editedAt ?? date) >= date })
    try chats.store.agrees(with: #Predicate<Message> { $0.recipientStatus["alice", default: read] == read })
    try chats.store.agrees(
      with: #Predicate<Message> { $0.position.flatMap { $0 > 100 } ?? $0.isUnread })
    try chats.store.agrees(
      with: #Predicate<Message> { $0.parts.contains { ($0.text ?? "noon").contains("noon") } })
    try chats.store.agrees(with: #Predicate<Message> { [1, 7, 100].contains($0.position ?? 7) })
  }

  /// Conversations and identities: what optional chaining leads to, participants, and metadata as a whole.
  @Test func otherObjects() throws {
    let none: Metadata = [:]
    let team: Metadata = ["title": "Team", "tags": .list(["b", "a"]), "seats": 5.0]
    try chats.write { transaction in
      try transaction.createConversation(
        with: ["bob"], id: "team", metadata: ["title": "Team", "tags": .list(["a", "b"]), "seats": 5])
      try transaction.receive(
        [.text("hello")], in: "team", from: "eve", sentAt: GuideStore.date(5), receivedAt: GuideStore.date(6),
        isUnread: false)
      try transaction.createConversation(with: ["eve"], id: "new")
      try transaction.receive([.text("hello")], in: "new", from: "eve")
      try transaction.put(Identity(userID: "bob", displayName: "Bob", followed: true))
      try transaction.put(Identity(userID: "carol", displayName: "", firstName: "Carol"))
      try transaction.put(Identity(userID: "dave"))
    }
    let store = chats.store
    try store.agrees(with: #Predicate<Conversation> { $0.metadata == team })
    try store.agrees(with: #Predicate<Conversation> { $0.metadata != none })
    try store.agrees(with: #Predicate<Conversation> { $0.metadata.isEmpty })
    try store.agrees(with: #Predicate<Conversation> { $0.participants.count == 2 })
    try store.agrees(with: #Predicate<Conversation> { $0.lastMessage?.isUnread ?? true })
    try store.agrees(with: #Predicate<Conversation> { $0.lastMessage?.sentAt == $0.lastMessage?.receivedAt })
    try store.agrees(with: #Predicate<Conversation> { $0.participants.contains($0.lastMessage!.sender) })
    try store.agrees(with: #Predicate<Conversation> { $0.unreadCount == $0.messageCount })
    try store.agrees(with: #Predicate<Identity> { $0.displayName?.isEmpty == false })
    try store.agrees(with: #Predicate<Identity> { $0.displayName?.isEmpty ?? true })
    try store.agrees(with: #Predicate<Identity> { $0.displayName == $0.firstName })
    try store.agrees(with: #Predicate<Identity> { ($0.firstName ?? $0.displayName ?? "").starts(with: "B") })
    try store.agrees(with: #Predicate<Identity> { ($0.displayName ?? $0.userID.rawValue) == "dave" })
  }
}
