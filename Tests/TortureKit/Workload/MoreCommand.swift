internal import SatchelExecution
internal import SatchelModel
internal import SatchelRecords
internal import SatchelStorage
internal import SatchelWriting

/// Writes on in any store: new conversations with messages, and records, of which half are deleted again.
package enum MoreCommand {
  package static func run(store path: String, commits: Int) throws {
    var options = Store.Options()
    options.create = false
    options.journal = .short(seed: UInt64(commits))
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    for number in 0..<commits {
      try store.write { writer in
        let id = Conversation.ID("more-\(writer.commit)")
        _ = try writer.createConversation(ConversationDraft(identifier: id, participants: ["more"]))
        for index in 0..<3 {
          let content = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 300 + 1700 * index)
          _ = try writer.insertMessage(
            MessageDraft(sender: "more", isUnread: true, parts: [.data(content, mimeType: "a/b")]), in: id)
        }
        try writer.declare([RecordType("more") { $0.text("title") }])
        let record = Record(
          id: Record.ID(type: "more", name: id.rawValue),
          [
            "title": .text(String(repeating: "more ", count: 1 + number % 50)),
            "number": .integer(Int64(number)),
          ])
        try writer.save(record)
        if number % 2 == 1 {
          try writer.deleteConversation(id)
          try writer.delete(record: record.id)
        }
      }
    }
  }
}
