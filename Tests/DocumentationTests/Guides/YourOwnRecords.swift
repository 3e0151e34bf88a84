import Foundation
import Satchel
import Testing

/// The code of the article "Your own records".
@Suite struct YourOwnRecordsGuide {
  @Test func declaringSavingAndFinding() throws {
    let chats = try GuideStore()
    let store = chats.store
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.date("due")
      $0.texts("tags")
      $0.reference("list", to: list, onDelete: .cascade)
    }
    try store.declare(list, todo)
    let task = try store.write { transaction in
      let work = try transaction.save(Record(list, ["title": "Work"]))
      return try transaction.save(
        Record(todo, name: "write", ["title": "Write", "order": 1, "list": .reference(work.id)]))
    }
    try store.write { transaction in
      try transaction.update(task.id) { $0["estimate"] = 2.5 }
    }
    let found = try store.record(Record.ID(type: "todo", name: "write"))
    let title = found?["title"]?.textValue ?? ""
    let lists = try store.records([found?["list"]?.referenceValue].compactMap { $0 })
    print(title, lists.first?["title"] ?? "no list", try store.recordCount(of: todo))
    #expect(
      title == "Write" && found?["order"] == 1 && found?["estimate"] == 2.5
        && lists.map { $0["title"] } == ["Work"])
    #expect(try store.recordTypes() == [list, todo] && store.recordCount(of: todo) == 1)
    if let list = task["list"]?.referenceValue {
      try store.write { transaction in try transaction.delete(list) }
    }
    #expect(try store.recordCount(of: todo) == 0 && store.recordCount(of: list) == 0)
  }
}
