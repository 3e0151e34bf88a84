import Satchel

extension GeneratedStore {
  /// Adds twelve lists and 600 tasks of two record types.
  func addRecords() throws {
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.boolean("done")
      $0.date("due")
      $0.texts("tags")
      $0.reference("list", to: list)
    }
    try store.declare(list, todo)
    try store.write { transaction in
      for number in 0..<12 {
        try transaction.save(Record(list, name: "l-\(number)", ["title": "List \(number)"]))
      }
      for number in 0..<600 {
        var task = Record(
          todo, name: "t-\(number)", owner: number % 4 == 0 ? "bob" : nil,
          ["title": "Task \(number)", "order": number % 100, "done": number % 3 == 0])
        task["list"] = .reference(Reference(type: "list", name: "l-\(number % 12)"))
        // A day of 1970, of every second one.
        if number % 2 == 0 { task["due"] = .date(Timestamp(microseconds: Int64(number) * 86_400_000_000)) }
        if number % 10 == 0 { task["tags"] = number % 20 == 0 ? ["urgent", "late"] : ["late"] }
        if number % 5 == 0 { task["estimate"] = .number(Double(number % 7) / 2) }
        try transaction.save(task)
      }
    }
  }
}
