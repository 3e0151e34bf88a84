import Foundation
import Satchel

// ToDo STORE: what is to do, sorted by the titles of the lists, and then each change as any process commits it.
// ToDo STORE add LIST TITLE: adds a task to a list, which is made if there is none, and shows what is to do.
// ToDo STORE done TITLE: the tasks of a title are done.

let arguments = Array(CommandLine.arguments.dropFirst())
let command = arguments.dropFirst().first
guard let path = arguments.first, arguments.count == [nil: 1, "add": 4, "done": 3][command] else {
  print("usage: ToDo STORE [add LIST TITLE | done TITLE]")
  exit(64)
}

let list = RecordType("list") { $0.text("title") }
let todo = RecordType("todo") {
  $0.text("title")
  $0.boolean("done")
  $0.reference("list", to: list, onDelete: .cascade)
}

// A store that is there may have messages, too. What is declared already is only read.
let store =
  FileManager.default.fileExists(atPath: path)
  ? try MessageStore(existingAt: path) : try MessageStore(path: path, user: "me")
try store.declare(list, todo)

if command == "add" {
  try store.write { transaction in
    // The title is the list's name as well: to save what is there changes nothing.
    let target = try transaction.save(Record(list, name: arguments[2], ["title": .text(arguments[2])]))
    try transaction.save(
      Record(todo, ["title": .text(arguments[3]), "done": false, "list": .reference(target.id)]))
  }
} else if command == "done" {
  try store.write { transaction in
    for task in try transaction.fetch(todo.filter { $0.title == arguments[2] && $0.done == false }) {
      try transaction.update(task.id) { $0["done"] = true }
    }
  }
}

func show(_ task: Record, _ sign: String) {
  print(sign, (task.included(\.list)?["title"]?.textValue ?? "no list") + ":", task["title"]?.textValue ?? "")
}

let controller = store.controller(
  for: todo.filter { $0.done == false }.order { ($0.list.title, $0.title) }.including(\.list))
try controller.execute()
// Read together with the list, so that no commit is missed in between.
let following = controller.changes
for task in controller.objects { show(task, " ") }
// What reads this through a pipe is told at once.
fflush(nil)

if command == nil {
  for await changes in following {
    for change in changes.changes {
      switch change.type {
      case .insert: show(change.object, "+")
      case .delete: show(change.object, "-")
      default: show(change.object, "~")
      }
    }
    fflush(nil)
  }
}
store.close()
