import Foundation
import Satchel
import SatchelScenes

/// The chats that the samples of Layer's guides ask about, in a store of alice.
///
/// "lunch" has 30 messages, "team" one with a picture, and each of the four conversations of the chapter on metadata has one. Nobody
/// sees "empty", which has no message, nor "left", which alice has left.
final class LayerChats: Sendable {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  static let lunch: [Message.ID] = (1...30).map { Message.ID("l\($0)") }
  static let others: [Message.ID] = ["t1", "nested-1", "blue-1", "red-1", "big-1"]
  static let conversations: [Conversation.ID] = ["lunch", "team", "nested", "blue", "red", "big"]

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch")
      try tx.createConversation(with: ["bob", "carol"], id: "team")
      for (id, metadata) in Self.metadata {
        try tx.createConversation(with: ["dave"], id: id, metadata: metadata)
      }
      try tx.createConversation(with: ["bob"], id: "empty")
      try tx.createConversation(with: ["bob"], id: "left")
      // The first five were sent ten days ago, the others today. The last ten are unread, those of alice too.
      for number in 1...30 {
        try tx.receive(
          [.text("\(number)")], in: "lunch", from: number.isMultiple(of: 2) ? "alice" : "bob",
          id: Self.lunch[number - 1], position: Int64(number), sentAt: Self.daysAgo(number <= 5 ? 10 : 0),
          isUnread: number > 20)
      }
      try tx.receive(
        [.text("look"), .data([0x89, 0x50], mimeType: "image/png")], in: "team", from: "carol", id: "t1",
        position: 1, sentAt: Self.daysAgo(1), isUnread: true)
      for (id, _) in Self.metadata {
        try tx.receive(
          [.text("hello")], in: id, from: "dave", id: Message.ID(id.rawValue + "-1"), position: 1,
          sentAt: Self.daysAgo(20), isUnread: false)
      }
      try tx.receive([.data([0x89], mimeType: "image/png")], in: "left", from: "bob", id: "gone", position: 1)
      try tx.removeParticipants(["alice"], from: "left")
      try tx.announce([.text("Closed on Sunday")], from: "operator", id: "notice", isUnread: true)
    }
  }

  /// The metadata of the guide's conversations, as it writes them.
  private static let metadata: [(id: Conversation.ID, metadata: Metadata)] = [
    ("nested", ["first": ["second": ["third": "NestedResult"]]]),
    ("blue", ["backgroundColor": "blue"]),
    ("red", ["backgroundColor": "red", "title": "testUser"]),
    ("big", ["1": ["2": "Hello", "3": ["4": "Hola", "5": "Hey"]], "6": "Hi"]),
  ]

  static func daysAgo(_ days: Double) -> Date { Date.now.addingTimeInterval(-86_400 * days - 60) }
}
