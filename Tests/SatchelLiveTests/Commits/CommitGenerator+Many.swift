import Satchel

extension CommitGenerator {
  /// A conversation with more messages than the log lists one by one.
  static let many = 1100

  /// Changes of so many messages of one conversation that the log has a range for them: the first step makes them, some
  /// change them, the last one deletes the conversation.
  mutating func manyMessages(_ step: Int, of steps: Int, in store: MessageStore) throws {
    let id: Conversation.ID = "many"
    try store.write { transaction in
      if step == 0 {
        try transaction.createConversation(with: ["bob"], id: id, createdAt: Pools.date(3))
        for number in 0..<Self.many { try receive(number, transaction) }
        return
      }
      if step == steps - 1 { return try transaction.delete(id) }
      switch step % 4 {
      case 1: try transaction.markAsRead(id)
      case 2:
        for number in 0..<Self.many {
          try transaction.update(Message.ID("many/\(number)")) { $0.isUnread = number % 3 == 0 }
        }
      case 3:
        for number in stride(from: 0, to: Self.many, by: 7) {
          try transaction.delete(Message.ID("many/\(number)"))
        }
        for number in stride(from: 0, to: Self.many, by: 7) { try receive(number, transaction) }
      default: try transaction.setMetadata(.text(random.text()), at: "title", of: .conversation(id))
      }
      for _ in 0..<random.below(4) { try self.step(transaction) }
    }
  }

  private mutating func receive(_ number: Int, _ transaction: WriteTransaction) throws {
    try transaction.receive(
      [.text(random.text())], in: "many", from: Identity.ID(random.user()), id: Message.ID("many/\(number)"),
      position: Int64(number % 700), sentAt: Pools.date(random.hour()), receivedAt: Pools.date(random.hour()),
      isUnread: number % 2 == 0, restoresDeleted: true)
  }

  /// Imports lines into the store: new objects, changes and deletions of those there are.
  mutating func importLines(into scratch: Scratch) throws {
    var lines = ["{\"kind\":\"header\",\"format\":\"satchel-interchange\",\"version\":1}"]
    let conversation = newName("c")
    contents.conversations.append(conversation)
    contents.messages[conversation] = []
    let created = line(
      "conversation", ["identifier": conversation, "createdAt": Pools.spelling(random.hour())])
    lines.append(created.dropLast() + ",\"participants\":[\"alice\",\"\(random.pick(["bob", "carol"]))\"]}")
    for _ in 0..<(5 + random.below(40)) {
      guard let place = random.percent(50) ? conversation : self.conversation() else { continue }
      let name = newName("m")
      contents.messages[place, default: []].append(name)
      let message = line(
        "message",
        [
          "identifier": name, "conversation": place, "sender": random.user(),
          "sentAt": Pools.spelling(random.hour()), "receivedAt": Pools.spelling(random.hour()),
        ])
      let position = random.position().map { ",\"position\":\($0)" } ?? ""
      lines.append(message.dropLast() + ",\"isUnread\":\(random.percent(50))\(position)}")
    }
    if random.percent(60) {
      for _ in 0..<6 {
        guard let name = message() else { continue }
        lines.append(
          "{\"kind\":\"update\",\"message\":\"\(name)\",\"set\":{\"isUnread\":\(random.percent(50))}}")
      }
    }
    try scratch.importing(lines)
  }

  private func line(_ kind: String, _ members: KeyValuePairs<String, String>) -> String {
    "{\"kind\":\"\(kind)\"" + members.map { ",\"\($0.key)\":\"\($0.value)\"" }.joined() + "}"
  }
}
