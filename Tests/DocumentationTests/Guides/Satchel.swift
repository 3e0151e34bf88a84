import Foundation
import Satchel
import Testing

/// The code of the first page.
@Suite struct SatchelGuide {
  @Test func overview() throws {
    let chats = try GuideStore()
    let directory = chats.directory
    let store = try MessageStore(at: directory, user: "alice")
    try store.write { transaction in
      let lunch = try transaction.conversation(with: ["bob"], metadata: ["title": "Lunch"])
      try transaction.send([.text("Noon?")], to: lunch.id)
    }
    let titled = Message.filter { $0.conversation.metadata.title == "Lunch" }
    for message in try store.fetch(titled.order { $0.position.descending }.limit(20)) {
      print(message.sender, message.text ?? "")
    }
    #expect(try store.fetch(titled).map(\.text) == ["Noon?"])
  }
}
