import Foundation
import Satchel
import SatchelFoundation
import Testing

/// The queries of the guides of Layer and Stream, as far as Foundation's `#Predicate` can say them: what they ask of metadata and of a
/// set of participants as a whole, it cannot.
@Suite struct SamplePredicateTests {
  let chats: GuideStore
  var store: MessageStore { chats.store }
  let lunch: Conversation.ID = "lunch"
  let lastWeek = Date.now.addingTimeInterval(-60 * 60 * 24 * 7)

  init() throws {
    chats = try GuideStore()
    try chats.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "lunch")
      try transaction.createConversation(with: ["dave"], id: "team")
      // Three days between two of them: the last three are of the past week.
      for number in 1...6 {
        try transaction.receive(
          [.text("\(number)")], in: "lunch", from: number.isMultiple(of: 2) ? "alice" : "bob",
          id: Message.ID("l\(number)"), position: Int64(number),
          sentAt: lastWeek.addingTimeInterval(Double(number - 4) * 3 * 86_400 + 3600), isUnread: number > 2)
      }
      try transaction.receive(
        [.text("look"), .data([0x89, 0x50], mimeType: "image/png")], in: "team", from: "dave", id: "t1",
        position: 1, sentAt: lastWeek.addingTimeInterval(-3600), isUnread: false)
    }
  }

  @Test func messages() throws {
    let user = store.user
    let lastWeek = lastWeek
    let lunch = lunch
    let list = try Query<Message>(
      #Predicate { $0.conversation == lunch }, sortBy: [SortDescriptor(\Message.position)])
    #expect(try store.identifiers(list.limit(4).offset(0)) == ["l1", "l2", "l3", "l4"])
    let latest = try Query<Message>(
      #Predicate { $0.conversation == lunch }, sortBy: [SortDescriptor(\Message.position, order: .reverse)])
    #expect(try store.identifiers(latest.limit(2)) == ["l6", "l5"])
    let unread = try Message.filter(#Predicate { $0.isUnread && $0.sender != user })
    #expect(try store.count(unread) == 2)
    #expect(try store.identifiers(unread) == ["l3", "l5"])
    let ofBob = try Message.filter(#Predicate { $0.sender == "bob" && $0.conversation == lunch })
    #expect(try store.identifiers(ofBob) == ["l1", "l3", "l5"])
    // A date that may be missing is unwrapped, or compared where it is not missing.
    let recent = try Message.filter(#Predicate { $0.sentAt! > lastWeek })
    #expect(try store.identifiers(recent) == ["l4", "l5", "l6"])
    let sameOnes = try Message.filter(#Predicate { $0.sentAt.flatMap { $0 > lastWeek } == true })
    #expect(try store.identifiers(sameOnes) == ["l4", "l5", "l6"])
  }

  @Test func parts() throws {
    let messages = try Message.filter(#Predicate { $0.parts.contains { $0.mimeType == "image/png" } })
    #expect(try store.identifiers(messages) == ["t1"])
    let parts = try MessagePart.filter(#Predicate { $0.mimeType == "image/png" })
    #expect(try store.identifiers(parts) == ["t1/parts/1"])
  }

  @Test func conversations() throws {
    let user = store.user
    let dave: Identity.ID = "dave"
    let lunch = lunch
    #expect(try store.identifiers(Query<Conversation>(nil)) == ["lunch", "team"])
    #expect(try store.identifiers(Conversation.filter(#Predicate { $0.id == lunch })) == ["lunch"])
    // The set of participants {alice, dave}.
    let both = try Conversation.filter(
      #Predicate { $0.participants.contains(dave) && $0.participantCount == 2 })
    #expect(try store.identifiers(both) == ["team"])
    let mine = try Query<Conversation>(
      #Predicate { $0.participants.contains(user) }, sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
    #expect(try store.identifiers(mine) == ["team", "lunch"])
  }
}
