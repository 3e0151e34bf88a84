import Foundation
import Satchel
import SatchelFoundation

// Objects of previews and tests, as JSON for a widget, and in Foundation's types.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

struct Widget: Codable, Hashable {
  var conversations: [Conversation]
  var senders: [Identity.ID: Identity]
  var updatedAt: Timestamp
}

let noon = Date(timeIntervalSince1970: 1_782_820_800.25)
let picture = Data([0x89, 0x50, 0x4E, 0x47])
let message = Message(
  id: "m1", conversation: "lunch", sender: "bob", position: 1, sentAt: noon, receivedAt: noon, isUnread: true,
  parts: [.text("Noon?"), .data(picture, mimeType: "image/png")], recipientStatus: ["alice": .delivered])
let widget = Widget(
  conversations: [
    Conversation(
      id: "lunch", participants: ["alice", "bob"], lastMessage: message, unreadCount: 1, messageCount: 1)
  ],
  senders: ["bob": Identity(userID: "bob", displayName: "Bob", presenceStatus: .busy)],
  updatedAt: Timestamp(noon))
let json = try JSONEncoder().encode(widget)
check(try JSONDecoder().decode(Widget.self, from: json) == widget)
check(Date(widget.updatedAt) == noon && widget.updatedAt.date == noon)
check(message.parts[1].data == picture && message.parts[0].text == "Noon?")

// The same out of a store.
let directory = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")
try store.write { transaction in
  try transaction.createConversation(with: ["bob"], id: "lunch")
  try transaction.receive(
    [.text("Noon?"), .data(picture, mimeType: "image/png")], in: "lunch", from: "bob", id: "m1", position: 1,
    sentAt: noon, receivedAt: noon, recipientStatus: ["alice": .delivered])
}
check(try store.message("m1") == message)

// A jump to a message that the program holds.
let controller = store.controller(
  for: Message.filter { $0.conversation == "lunch" }.order { $0.position },
  window: .around(message.id, before: 5, after: 5))
print("window:", controller.window)

do {
  try store.write { try $0.delete("missing") }
  fatalError("there is no such message")
} catch {
  let error = error as NSError
  check(error.domain == SatchelError.errorDomain && error.code == 206)
  check(error.localizedDescription.contains("missing"))
  print("values: done")
}
