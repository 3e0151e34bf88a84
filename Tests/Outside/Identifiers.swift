import Foundation
import Satchel

// Identifiers as a program has them that gets rows of a service, which are strings.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

struct Row {
  let id: String
  let room: Substring
  let sender: String
  let text: String
}

let rows = "lunch office".split(separator: " ").flatMap { room in
  (1...3).map { Row(id: "\(room)-\($0)", room: room, sender: $0 == 1 ? "alice" : "bob", text: "No. \($0)") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "identifiers-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")

try store.write { transaction in
  for room in Set(rows.map(\.room)) {
    let people = Set(rows.filter { $0.room == room }.map(\.sender))
    try transaction.createConversation(with: people.map { Identity.ID($0) }, id: Conversation.ID(room))
  }
  for row in rows {
    try transaction.receive(
      [.text(row.text)], in: Conversation.ID(row.room), from: Identity.ID(row.sender), id: Message.ID(row.id),
      recipientStatus: [Identity.ID(row.sender): .read])
  }
  try transaction.announce([.text("Closed on Sunday")], from: "operator", id: "notice")
}

let sender = "bob"
check(try store.count(Message.filter { $0.sender.userID == Identity.ID(sender) }) == 4)
check(try store.count(Message.filter { $0.conversation.in(["lunch"]) }) == 3)

// A literal is a message where several would fit; the others say what they are.
try store.write { transaction in
  try transaction.update("lunch-2") { $0.position = 7 }
  try transaction.markAsRead("lunch-2")
  try transaction.markAsRead(["lunch-3", Message.ID(rows[5].id)])
  try transaction.delete("lunch-1")
  try transaction.update(Announcement.ID("notice")) { $0.isUnread = false }
  try transaction.delete(Announcement.ID("notice"))
  try transaction.delete(Conversation.ID("office"))
}
check(try store.message("lunch-2")?.position == 7)
check(try store.fetch(Message.all).map(\.id) == ["lunch-2", "lunch-3"])
check(try store.count(Message.filter { $0.isUnread }) == 0)
check(try store.announcement("notice") == nil)

do {
  try store.write { try $0.delete("lunch") }
  fatalError("a literal is a message's, and there is no message of this name")
} catch let error as SatchelError where error.code == .unknownMessage {
  print("identifiers: done")
}
