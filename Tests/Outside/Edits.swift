import Foundation
import Satchel

// A chat's list follows messages that are edited and withdrawn, and a follower of the feed is told what they were.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")
try store.write { transaction in
  try transaction.createConversation(with: ["bob"], id: "lunch")
  for (number, text) in ["Noon?", "Or one?", "I am there"].enumerated() {
    try transaction.receive(
      [.text(text)], in: "lunch", from: "bob", id: Message.ID("m\(number)"), position: Int64(number))
  }
}

let shown = store.controller(for: Message.filter { $0.conversation == "lunch" }.order { $0.position })
try shown.execute()
check(shown.objects.map { $0.text ?? "" } == ["Noon?", "Or one?", "I am there"])

let changes = shown.changes
let start = try store.read { $0.sequence }
try store.write { transaction in
  try transaction.update("m1") { $0.parts = [.text("Or half past?")] }
  try transaction.delete("m2", for: .everyone)
}
for await _ in changes where shown.objects.last?.deletedAt != nil { break }
check(shown.objects.map { $0.text ?? "(deleted)" } == ["Noon?", "Or half past?", "(deleted)"])
check(shown.objects[1].editedAt != nil && shown.objects[0].editedAt == nil)
check(shown.objects.count == 3 && shown.objects[2].sender == "bob")

for try await commit in store.commits(after: start) {
  let edited = commit.changes.first { $0.object == .message("m1") }
  check(edited?.formerParts.first?.beginning == Array("Or one?".utf8))
  let withdrawn = commit.changes.first { $0.object == .message("m2") }
  check(withdrawn?["deletedAt"]?.before == .missing && withdrawn?.formerParts.first?.beginning == nil)
  break
}

// What a service asks for: everything that has changed since.
let changed = try store.fetch(
  Message.filter { $0.updatedAt > shown.objects[0].updatedAt ?? .distantPast })
check(Set(changed.map(\.id)) == ["m1", "m2"])
print("done")
