import Foundation
import Satchel

// A service answers late, delivers twice, and delivers what was deleted: the chat's list shows each message once.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "deliveries-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")
let (draft, late) = try store.write { transaction in
  try transaction.createConversation(with: ["bob"], id: "lunch")
  try transaction.receive([.text("Noon?")], in: "lunch", from: "bob", id: "srv-1", position: 1)
  return (
    try transaction.send([.text("Or one?")], to: "lunch"),
    try transaction.send([.text("I am there")], to: "lunch")
  )
}

let shown = store.controller(for: Message.filter { $0.conversation == "lunch" }.order { $0.position })
try shown.execute()
check(shown.objects.map(\.id) == ["srv-1", draft, late])

// The service's answer gives a message its identifier there: one update of the list.
let changes = shown.changes
try store.write { transaction in try transaction.confirm(draft, as: "srv-2", position: 2) }
for await change in changes {
  check(change.changes.map(\.type) == [.update])
  break
}
check(shown.objects[1].remoteID == "srv-2" && shown.objects[1].isSent)

// The other answer comes after the message itself: both are one then.
try store.write { transaction in
  try transaction.receive([.text("I am there")], in: "lunch", from: "alice", id: "srv-3", position: 3)
}
check(try store.count(Message.filter { $0.conversation == "lunch" }) == 4)
try store.write { transaction in try transaction.confirm(late, as: "srv-3") }
let joined = try store.message("srv-3")
check(joined?.id == late && joined?.position == 3 && joined?.isSent == true)

// Delivered twice, it is merged; deleted for the user, it stays so; so does a conversation, up to where it was deleted.
try store.write { transaction in
  for _ in 0..<2 {
    try transaction.receive(
      [.text("Or half past?")], in: "lunch", from: "alice", id: "srv-2", position: 2, editedAt: Date(),
      ifExists: .merge)
  }
  try transaction.delete("srv-1")
  try transaction.receive([.text("Noon?")], in: "lunch", from: "bob", id: "srv-1", position: 1)
}
check(try store.fetch(Message.order { $0.position }).map(\.text) == ["Or half past?", "I am there"])
try store.write { transaction in
  try transaction.delete(Conversation.ID("lunch"))
  try transaction.receive([.text("Noon?")], in: "lunch", from: "bob", id: "srv-1", position: 1)
}
check(try store.conversation("lunch") == nil)
try store.write { transaction in
  try transaction.receive([.text("Tomorrow?")], in: "lunch", from: "bob", id: "srv-4", position: 4)
}
check(try store.conversation("lunch")?.lastMessage?.text == "Tomorrow?")
check(try store.conversation("lunch")?.messageCount == 1)
print("done")
