import Foundation
import Satchel
import SatchelInterchange

// A search index and a second store follow a chat: each commit says what became of each message, also of those that are gone, and
// the store brings the other one up to date, across an import.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "following-\(UUID())")
defer { try? FileManager.default.removeItem(at: directory) }
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
let store = try MessageStore(at: directory.appending(path: "chat.satchel"), user: "alice")
try store.write { transaction in
  try transaction.createConversation(with: ["bob"], id: "lunch", metadata: ["title": "Lunch"])
  for number in 1...3 {
    try transaction.receive(
      [.text("Message \(number)")], in: "lunch", from: "bob", id: Message.ID("m\(number)"),
      position: Int64(10 * number), recipientStatus: ["alice": .delivered],
      metadata: ["mood": "good"])
  }
}
_ = try store.backup(to: directory.appending(path: "copy.satchel"))
let known = try store.read { $0.sequence }

// In the middle of the list comes one that is late, by a clock that is wrong; another one moves.
let list = Message.filter { $0.conversation == "lunch" }.order { $0.position }
try store.write { transaction in
  try transaction.receive(
    [.text("Late")], in: "lunch", from: "bob", id: "late", position: 15, sentAt: Date.distantFuture)
  try transaction.update("m1") { $0.position = 40 }
}
check(try store.fetch(list).map(\.id) == ["late", "m2", "m3", "m1"])

// What was deleted says where it was and what; a receipt says from what to what.
try store.write { transaction in
  try transaction.delete("m2")
  try transaction.update("m3") { $0.recipientStatus = ["alice": .read] }
}
for try await commit in store.commits(after: known + 1) {
  let deletion = commit.changes.first { $0.action == .deleted }
  check(deletion?.object == .message("m2") && deletion?.conversation == "lunch")
  check(deletion?["metadata.mood"]?.before == .text("good"))
  check(deletion?.formerParts.first?.beginning.map { String(decoding: $0, as: UTF8.self) } == "Message 2")
  let receipt = commit.changes.first { $0.object == .message("m3") }?["recipientStatus"]
  check(receipt?.before == .statuses(["alice": .delivered]) && receipt?.after == .statuses(["alice": .read]))
  break
}

// An import of more objects than are listed names their conversation, and the export of changes has them.
let lines =
  [#"{"kind":"header","format":"satchel-interchange","version":1}"#]
  + (0..<12_000).map { #"{"kind":"message","identifier":"i\#($0)","conversation":"lunch","sender":"bob"}"# }
try store.importLines(from: .bytes(Array(lines.map { $0 + "\n" }.joined().utf8)))
let imported = try store.changes(since: known).last
check(imported?.bulkChanges.map(\.scope) == [.conversation("lunch")])
check(imported?.bulkChanges.map(\.count) == [12_000])

let changes = directory.appending(path: "changes.jsonl")
try store.export(to: .file(changes), since: known)
let copy = try MessageStore(at: directory.appending(path: "copy.satchel"), user: "alice")
try copy.importLines(from: .file(changes))
check(try copy.count(Message.all) == 12_003)
check(try copy.fetch(list.limit(3)).map(\.id) == ["late", "m3", "m1"])
print("done")
