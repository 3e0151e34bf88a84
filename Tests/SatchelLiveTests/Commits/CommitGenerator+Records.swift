import Satchel

extension CommitGenerator {
  private static let task = RecordType("task") {
    $0.text("title"); $0.reference("about")
  }

  /// Records beside what lists show: they have creation sequences as messages have, and none of them is in any list.
  mutating func changeRecords(_ transaction: WriteTransaction) throws {
    try transaction.declare(Self.task)
    let id = Record.ID(type: Self.task.name, name: "t\(random.below(12))")
    if random.percent(30), try transaction.record(id) != nil { return try transaction.delete(id) }
    var record = Record(id: id, ["title": .text(random.text())])
    if let message = message() { record["about"] = .reference(Message.ID(message)) }
    try transaction.save(record)
  }
}
