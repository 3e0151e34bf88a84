internal import SatchelExecution
internal import SatchelModel
internal import SatchelStorage
internal import SatchelWriting

/// Writes on in any store: new conversations with messages, of which half are deleted again.
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
        if number % 2 == 1 { try writer.deleteConversation(id) }
      }
    }
  }
}
