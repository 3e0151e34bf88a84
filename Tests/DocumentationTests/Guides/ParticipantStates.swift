import Foundation
import Satchel
import SatchelResponses
import Testing

/// The code of the article "Participants' states".
@Suite struct ParticipantStatesGuide {
  @Test func statesOfConversations() throws {
    let chats = try GuideStore()
    let store = chats.store
    let (lunch, work): (Conversation.ID, Conversation.ID) = ("lunch", "work")
    try chats.chat(lunch, messages: 3)
    try chats.chat(work, messages: 2)
    try chats.chat("other", messages: 1)
    let tomorrow = GuideStore.date(86_400)
    try store.enable(.participations)
    try store.write { transaction in
      try transaction.pin(lunch)
      try transaction.mute(lunch, until: tomorrow)
      try transaction.setRole("admin", of: "bob", in: lunch)
      try transaction.setParticipation(in: work) {
        $0.isArchived = true
        $0.isHidden = true
      }
    }
    print(try store.participation(in: lunch)?.isPinned ?? false)
    print(try store.participation(of: "bob", in: lunch)?.role ?? "no role")
    #expect(try store.participation(in: lunch)?.isPinned == true)
    #expect(try store.participation(of: "bob", in: lunch)?.role == "admin")
    let list = Conversation.filter { !$0.my.isArchived && !$0.my.isHidden }
      .order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }
    for conversation in try store.fetch(list.limit(20).including(\.participation)) {
      let mark = conversation.participation?.isPinned == true ? "*" : " "
      print(mark, conversation.id, conversation.unreadSinceLastRead ?? 0)
    }
    let loud = try Query<Message>(format: "isUnread = TRUE AND conversation.my.isMuted = FALSE")
    let pinned = try Query<Conversation>(format: "my.isPinned = TRUE AND my.role IN {'admin', 'owner'}")
    print(try store.count(loud), try store.count(pinned))
    #expect(try store.fetch(list).map(\.id) == [lunch, "other"] && store.count(pinned) == 0)
    #expect(try store.fetch(loud).allSatisfy { $0.conversation != lunch })
    let before = try store.unreadCountSinceLastRead(in: lunch)
    try store.write { transaction in try transaction.markRead(lunch, upTo: 2) }
    print(try store.unreadCountSinceLastRead(in: lunch))
    #expect(try store.unreadCountSinceLastRead(in: lunch) <= before)
    let admins = try store.participations(in: lunch).filter { $0.role == "admin" }
    print(try store.count(admins), try store.fetch(admins, as: Participation.self).map(\.user))
    let controller = store.controller(for: admins)
    try controller.execute()
    #expect(controller.list.map(\.id.name) == ["lunch/bob"])
    controller.close()
    // What the table says.
    try store.write { try $0.removeParticipants(["bob"], from: lunch) }
    #expect(try store.count(admins) == 0)
    try store.write { try $0.delete(lunch) }
    #expect(try store.participation(in: lunch) == nil && store.types().map(\.records) == [1])
  }
}
