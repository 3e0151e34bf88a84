import Foundation
import Satchel
import SatchelFoundation
import Testing

/// The code of the article "Objects as values".
@Suite struct ObjectsAsValuesGuide {
  @Test func withoutAStore() throws {
    let hello = Message(
      id: "m1", conversation: "lunch", sender: "bob", isUnread: true, parts: [.text("Noon?")])
    let lunch = Conversation(
      id: "lunch", participants: ["alice", "bob"], metadata: ["title": "Lunch"], lastMessage: hello,
      unreadCount: 1, messageCount: 1)
    let bob = Identity(userID: "bob", displayName: "Bob", presenceStatus: .available)
    let notice = Announcement(id: "a1", sender: "operator", parts: [.text("The kitchen closes at two.")])
    let picture = MessagePart(.data([0x89, 0x50, 0x4E, 0x47], mimeType: "image/png"), index: 1, of: "m1")
    #expect(hello.text == "Noon?" && hello.isSent && hello.isUnread && hello.sentAt == nil)
    #expect(lunch.hasUnreadMessages && lunch.participantCount == 2 && lunch.lastMessage == hello)
    #expect(notice.text == "The kitchen closes at two." && !notice.isUnread)
    #expect(picture.id == "m1/parts/1" && picture.size == 4 && picture.text == nil)
    #expect(Set([lunch, lunch]).count == 1 && bob.description == "identity bob (Bob)")

    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(hello)
    // {"conversation":"lunch","identifier":"m1","isUnread":true,
    //  "parts":[{"mimeType":"text/plain","text":"Noon?"}],"sender":"bob"}
    let copy = try JSONDecoder().decode(Message.self, from: json)
    #expect(copy == hello)
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"conversation":"lunch","identifier":"m1","isUnread":true,"#
        + #""parts":[{"mimeType":"text/plain","text":"Noon?"}],"sender":"bob"}"#)

    let sent = Timestamp(microseconds: 1_700_000_000_000_001)
    let date = Date(sent)
    let rounded = Timestamp(date)
    let attachment = MessagePart.Draft.data(Data([0x89, 0x50, 0x4E, 0x47]), mimeType: "image/png")
    let bytes: Data? = picture.data
    #expect(rounded == sent)
    #expect(bytes == Data([0x89, 0x50, 0x4E, 0x47]))
    #expect(MessagePart(attachment, index: 1, of: "m1") == picture)
  }

  /// What a store gives is the same value as one made by hand.
  @Test func fromAStore() throws {
    let chats = try GuideStore()
    try chats.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "lunch", createdAt: GuideStore.date(0))
      try transaction.receive(
        [.text("Noon?"), .data(Data([1, 2, 3]), mimeType: "image/png")], in: "lunch", from: "bob", id: "m1",
        position: 1, sentAt: GuideStore.date(1), receivedAt: GuideStore.date(2),
        recipientStatus: ["carol": .read, "alice": .delivered], metadata: ["k": "v"])
    }
    let message = Message(
      id: "m1", conversation: "lunch", sender: "bob", position: 1, sentAt: GuideStore.date(1),
      receivedAt: GuideStore.date(2), isUnread: true,
      parts: [.text("Noon?"), .data([1, 2, 3], mimeType: "image/png")],
      recipientStatus: ["alice": .delivered, "carol": .read], metadata: ["k": "v"])
    #expect(try chats.store.message("m1") == message)
    let conversation = Conversation(
      id: "lunch", participants: ["bob", "alice", "bob"], createdAt: GuideStore.date(0), lastMessage: message,
      unreadCount: 1, messageCount: 1)
    #expect(try chats.store.conversation("lunch") == conversation)
    #expect(try chats.store.fetch(MessagePart.all) == message.parts)
  }

  @Test func errors() throws {
    func report(_ error: SatchelError) -> String {
      let name = error.errorUserInfo["SatchelErrorCode"] ?? ""
      return "\(SatchelError.errorDomain) \(error.errorCode), \(name)"
    }
    let chats = try GuideStore()
    let error = try #require(
      #expect(throws: SatchelError.self) { try chats.write { try $0.markAsRead("missing") } })
    #expect(report(error) == "Satchel.SatchelError 206, unknownMessage")
    let wrapped = error as NSError
    #expect(wrapped.domain == "Satchel.SatchelError" && wrapped.code == 206)
    #expect(wrapped.localizedDescription == error.description)
    #expect(wrapped.userInfo["SatchelErrorContext"] as? [String: String] == error.context)
  }

  /// Every code has a number of its own: a code that is added gets the next one of its group.
  @Test func everyErrorCodeHasANumber() throws {
    let source = try Repository.text("Sources/SatchelModel/Errors/SatchelError+Codes.swift")
    let codes = source.matches(of: /Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
    #expect(codes.count >= 35)
    let numbers = try Repository.text("Sources/SatchelFoundation/ErrorNumbers.swift")
      .matches(of: /\.(\w+): (\d+),/).map { (String($0.1), String($0.2)) }
    #expect(Set(numbers.map(\.0)) == Set(codes) && numbers.count == codes.count)
    #expect(Set(numbers.map(\.1)).count == numbers.count)
  }
}
