import Satchel
import SatchelWriting

extension CommitGenerator {
  mutating func createMessage(_ transaction: WriteTransaction, in conversation: String? = nil) throws {
    guard let conversation = conversation ?? self.conversation() else { return }
    let isReused = !contents.free.isEmpty && random.percent(8)
    let name = isReused ? contents.free.removeLast() : newName("m")
    if random.percent(15) {
      try transaction.send(
        parts(), to: Conversation.ID(conversation), id: Message.ID(name), metadata: metadata())
    } else {
      let draft = MessageDraft(
        identifier: Message.ID(name), sender: Identity.ID(random.user()), position: random.position(),
        sentAt: random.percent(12) ? nil : Pools.timestamp(random.hour()),
        receivedAt: random.percent(12) ? nil : Pools.timestamp(random.hour()), isSent: random.percent(90),
        isUnread: random.percent(50), parts: parts(), recipientStatus: statuses(), metadata: metadata())
      _ = try transaction.writer.insertMessage(draft, in: Conversation.ID(conversation))
    }
    contents.messages[conversation, default: []].append(name)
  }

  mutating func parts() -> [MessagePart.Draft] {
    (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ in
      switch random.below(20) {
      case 0: .data([1, 2, 3], mimeType: random.pick(Pools.types), transferStatus: transfer())
      case 1:
        .url(
          "https://example.org/x", mimeType: random.pick(Pools.types), size: random.position(),
          transferStatus: transfer())
      case 3: .text(random.text(), mimeType: random.pick(Pools.types), transferStatus: transfer())
      case 2: .text(String(repeating: random.text() + "-", count: 1100), mimeType: random.pick(Pools.types))
      default: .text(random.text(), mimeType: random.pick(Pools.types))
      }
    }
  }

  private mutating func transfer() -> TransferStatus { random.pick(TransferStatus.allCases) }

  private mutating func statuses() -> [RecipientStatusEntry] {
    let users = Set((0..<random.below(4)).map { _ in Identity.ID(random.user()) }).sorted()
    return users.map { RecipientStatusEntry(user: $0, status: random.pick(RecipientStatus.allCases)) }
  }

  mutating func changes() -> MessageChanges {
    var changes = MessageChanges()
    if random.percent(35) { changes.position = .some(random.position()) }
    if random.percent(20) {
      changes.sentAt = .some(random.percent(15) ? nil : Pools.date(random.hour()))
    }
    if random.percent(20) {
      changes.receivedAt = .some(random.percent(15) ? nil : Pools.date(random.hour()))
    }
    if random.percent(15) { changes.isSent = random.percent(60) }
    if random.percent(30) { changes.isUnread = random.percent(50) }
    for _ in 0..<random.pick([0, 0, 1, 2]) {
      changes.recipientStatus[Identity.ID(random.user())] =
        random.percent(25) ? .some(nil) : random.pick(RecipientStatus.allCases)
    }
    // Most messages have one part; the store refuses the change of one that is not there.
    if random.percent(15) { changes.transferStatus[random.pick([0, 0, 0, 1])] = transfer() }
    if random.percent(20) { edit(&changes) }
    return changes
  }

  /// Adds an edit of the parts. Most messages have one part: the store refuses to replace or remove others.
  private mutating func edit(_ changes: inout MessageChanges) {
    switch random.below(4) {
    case 0: changes.parts = parts()
    case 1: changes.appendedParts = parts()
    case 2: changes.removedParts = [random.pick([0, 0, 1])]
    default: if let part = parts().first { changes.replacedParts = [random.pick([0, 0, 0, 1]): part] }
    }
    if random.percent(30) { changes.editedAt = .some(random.percent(20) ? nil : Pools.date(random.hour())) }
  }

  mutating func updateMessage(_ transaction: WriteTransaction) throws {
    guard let name = message() else { return }
    let new = changes()
    try transaction.update(Message.ID(name)) { $0 = new }
    // A join takes a message away: not one of those that are changed by their numbers.
    if random.percent(15), !name.hasPrefix("many/") { try confirm(name, transaction) }
  }

  /// Gives a message what a server calls it. Where another message has that name, the two become one or, if they cannot, nothing
  /// changes; so it is where the message has another name.
  private mutating func confirm(_ name: String, _ transaction: WriteTransaction) throws {
    let remoteID = "srv/\(random.below(40))"
    do {
      // Half of them come after a delivery that has overtaken them.
      if random.percent(50), contents.remote[remoteID] == nil,
        let message = try transaction.fetch(Message.filter { $0.identifier == Message.ID(name) }).first
      {
        try transaction.receive(
          parts(), in: message.conversation, from: message.sender, id: Message.ID(remoteID),
          position: random.position(), editedAt: random.percent(50) ? Pools.date(random.hour()) : nil,
          ifExists: .merge, restoresDeleted: true)
      }
      try transaction.confirm(
        Message.ID(name), as: Message.ID(remoteID), position: random.percent(50) ? random.position() : nil)
    } catch let error as SatchelError where [.identifierExists, .invalidValue].contains(error.code) {
      return
    }
    if let other = contents.remote.updateValue(name, forKey: remoteID), other != name {
      for conversation in contents.conversations {
        contents.messages[conversation]?.removeAll { $0 == other }
      }
    }
  }

  mutating func markAsRead(_ transaction: WriteTransaction) throws {
    if random.percent(40), let name = conversation() {
      try transaction.markAsRead(Conversation.ID(name))
    } else {
      let names = (0..<3).compactMap { _ in message() }
      try transaction.markAsRead(names.map { Message.ID($0) })
    }
  }

  mutating func deleteMessage(_ transaction: WriteTransaction) throws {
    guard let name = message() else { return }
    if random.percent(40) {
      return try transaction.delete(Message.ID(name), for: .everyone, at: Pools.date(random.hour()))
    }
    try transaction.delete(Message.ID(name))
    for conversation in contents.conversations {
      contents.messages[conversation]?.removeAll { $0 == name }
    }
    contents.free.append(name)
  }

  mutating func changeAnnouncements(_ transaction: WriteTransaction) throws {
    guard !contents.announcements.isEmpty, contents.announcements.count > 12 || random.percent(60) else {
      let name = newName("a")
      try transaction.announce(
        parts(), from: Identity.ID(random.user()), id: Announcement.ID(name), position: random.position(),
        sentAt: Pools.date(random.hour()), receivedAt: Pools.date(random.hour()),
        isUnread: random.percent(60), metadata: metadata())
      contents.announcements.append(name)
      return
    }
    let name = random.pick(contents.announcements)
    if contents.announcements.count > 12 || random.percent(20) {
      try transaction.delete(Announcement.ID(name))
      contents.announcements.removeAll { $0 == name }
    } else if random.percent(20) {
      try transaction.markAsRead(Announcement.ID(name))
    } else {
      let new = changes()
      try transaction.update(Announcement.ID(name)) { $0 = new }
    }
  }

  /// Something that is made and undone in one commit.
  mutating func comeAndGo(_ transaction: WriteTransaction) throws {
    switch random.below(3) {
    case 0:
      guard let conversation = conversation() else { return }
      let name = Message.ID(newName("m"))
      try transaction.send(parts(), to: Conversation.ID(conversation), id: name)
      try transaction.delete(name)
    case 1:
      let name = Conversation.ID(newName("c"))
      try transaction.createConversation(with: ["bob"], id: name, createdAt: Pools.date(1))
      try transaction.send([.text("a")], to: name)
      try transaction.delete(name)
    default:
      guard let name = message() else { return }
      let owner = MetadataOwner.message(Message.ID(name))
      try transaction.setMetadata("x", at: "gone.soon", of: owner)
      try transaction.removeMetadata(at: "gone", of: owner)
    }
  }
}
