import Foundation
import Satchel

// A chat list and a chat as a program shows them: with the names of people and the beginnings of messages.

let directory = FileManager.default.temporaryDirectory.appending(path: "including-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")

try store.write { transaction in
  try transaction.put(Identity(userID: "bob", displayName: "Bob", avatarURL: "https://example.org/bob.png"))
  for (id, title) in [("lunch", "Lunch"), ("trip", "The trip")] as [(Conversation.ID, String)] {
    try transaction.createConversation(with: ["bob", "carol"], id: id, metadata: ["title": .text(title)])
  }
  try transaction.receive(
    [.text("Noon?")], in: "lunch", from: "bob", id: "m1", position: 1,
    receivedAt: Date(timeIntervalSince1970: 1_700_000_001))
  try transaction.receive(
    [.text("Where we are going: " + String(repeating: "far ", count: 200_000))], in: "trip", from: "carol",
    id: "m2",
    position: 1, receivedAt: Date(timeIntervalSince1970: 1_700_000_002))
  try transaction.receive(
    [.data([0x89, 0x50], mimeType: "image/png")], in: "lunch", from: "bob", id: "m3", position: 2,
    receivedAt: Date(timeIntervalSince1970: 1_700_000_003))
}

func name(_ identity: Identity?, _ user: Identity.ID?) -> String {
  identity?.displayName ?? user?.rawValue ?? "nobody"
}

// The chat list.
let chats = Conversation.order { $0.lastMessage.receivedAt.descending }.limit(25).withoutContents()
  .including(\.lastMessage.sender)
let rows = try store.fetch(chats)
precondition(rows.map(\.id) == ["lunch", "trip"])
for row in rows {
  let sender = name(row.included(\.lastMessage.sender), row.lastMessage?.sender)
  print("\(row.metadata["title"] ?? ""): \(sender): \(row.lastMessage?.preview?.prefix(40) ?? "a picture")")
}
precondition(rows[0].lastMessage?.preview == nil && rows[1].lastMessage?.preview?.utf8.count == 256)
precondition(rows[1].lastMessage?.text == nil && rows[1].included(\.lastMessage.sender) == nil)
precondition(rows[0].included(\.lastMessage.sender)?.avatarURL == "https://example.org/bob.png")

// A chat, where the sender has a name of the program's own.
let chat = Message.filter { $0.conversation == "lunch" }.order { $0.position }
  .including(\.sender, as: "author").including(\.conversation)
for message in try store.page(chat.limit(10)).objects {
  let author = message.included("author", as: Identity.self)
  precondition(author == message.included(\.sender) && message.included(\.conversation)?.messageCount == 2)
  print(name(author, message.sender), message.preview ?? "(a picture)")
}

// Pictures, and who sent them.
let pictures = MessagePart.filter { $0.mimeType.beginsWith("image/") }.including(\.message.sender)
for part in try store.fetch(pictures) {
  precondition(part.included(\.message)?.id == "m3" && part.included(\.message.sender)?.displayName == "Bob")
}

// A list follows what comes with its rows.
let controller = store.controller(for: chat, window: .tail(50))
try controller.execute()
let changes = controller.changes
try store.write { try $0.put(Identity(userID: "bob", displayName: "Robert")) }
for await change in changes {
  precondition(change.difference.updates.count == 2 && change.difference.inserts.isEmpty)
  precondition(change.after.allSatisfy { $0.included(\.sender)?.displayName == "Robert" })
  break
}

// Who is in the conversation: with those of whom the store knows nothing but the user id.
let members = Identity.members(of: "lunch").order { ($0.displayName.descending, $0.userID) }
let present = try store.fetch(members)
let named = try store.count(members.filter { $0.displayName == "Robert" })
let second = try store.page(members.after("bob").limit(1))
precondition(present.map(\.userID) == ["bob", "alice", "carol"] && named == 1)
precondition(second.objects.map { name($0, $0.userID) } == ["alice"] && second.rowsBefore == 1)
let list = store.controller(for: members)
try list.execute()
let memberChanges = list.changes
try store.write { transaction in
  try transaction.addParticipants(["dave"], to: "lunch")
  try transaction.removeParticipants(["carol"], from: "lunch")
  try transaction.put(Identity(userID: "bob", displayName: "Bobby"))
}
for await change in memberChanges {
  // Joined, left, changed.
  let difference = change.difference
  precondition(difference.inserts.map { change.after[$0].userID } == ["dave"])
  precondition(difference.deletes.map { change.before[$0].userID } == ["carol"])
  precondition(difference.updates.map { change.after[$0.after].displayName } == ["Bobby"])
  break
}

// What cannot come along says so.
var refused = QueryDescription(kind: .messages)
refused.inclusions = [QueryInclusion(["recipientStatus"])]
do {
  _ = try store.fetch(Query<Message>(refused) ?? Message.all)
  preconditionFailure("Recipients cannot come along")
} catch let error as SatchelError {
  precondition(error.code == .unqueryableProperty)
  print(error)
}
store.close()
print("done")
