import Satchel

extension CommitGenerator {
  mutating func createConversation(_ transaction: WriteTransaction) throws {
    let isReused = !contents.freeConversations.isEmpty && random.percent(40)
    let name = isReused ? contents.freeConversations.removeLast() : newName("c")
    let isDistinct = random.percent(30)
    try transaction.createConversation(
      with: users(4), id: Conversation.ID(name), isDistinct: isDistinct,
      createdAt: Pools.date(random.hour()), metadata: metadata())
    contents.conversations.append(name)
    contents.messages[name] = []
    for _ in 0..<random.pick([0, 1, 1, 3, 12]) { try createMessage(transaction, in: name) }
  }

  mutating func deleteConversation(_ transaction: WriteTransaction) throws {
    guard let name = conversation() else { return }
    try transaction.delete(Conversation.ID(name))
    forget(conversation: name)
  }

  mutating func forget(conversation name: String) {
    contents.free.append(contentsOf: contents.messages[name]?.suffix(2) ?? [])
    contents.messages[name] = nil
    contents.conversations.removeAll { $0 == name }
    contents.freeConversations.append(name)
  }

  /// The store's own user comes and goes oftener than others: what can be seen changes.
  mutating func changeParticipants(_ transaction: WriteTransaction) throws {
    guard let name = conversation() else { return }
    let id = Conversation.ID(name)
    switch random.below(10) {
    case 0..<2: try transaction.removeParticipants(["alice"], from: id)
    case 2..<6: try transaction.addParticipants(["alice"], to: id)
    case 6: try transaction.setParticipants(users(3) + (random.percent(70) ? ["alice"] : []), of: id)
    case 7..<9: try transaction.addParticipants([Identity.ID(random.user())], to: id)
    default: try transaction.removeParticipants([Identity.ID(random.pick(Pools.users))], from: id)
    }
  }

  mutating func changeIdentities(_ transaction: WriteTransaction) throws {
    let user = Identity.ID(random.user())
    if random.percent(35) {
      try transaction.setFollowed(random.percent(50), user)
      return
    }
    var identity = Identity(userID: user, followed: random.percent(40), metadata: metadata())
    identity.displayName = random.percent(80) ? random.text() : nil
    identity.firstName = random.percent(50) ? random.text() : nil
    identity.lastName = random.percent(50) ? random.text() : nil
    identity.emailAddress = random.percent(30) ? random.text() : nil
    identity.phoneNumber = random.percent(20) ? random.text() : nil
    identity.avatarURL = random.percent(20) ? random.text() : nil
    try transaction.put(identity)
  }

  mutating func changeMetadata(_ transaction: WriteTransaction) throws {
    guard let owner = metadataOwner() else { return }
    switch random.below(10) {
    case 0..<6:
      let isDictionary = random.percent(15)
      let value: MetadataValue =
        isDictionary ? .dictionary(["color": random.metadataValue()]) : random.metadataValue()
      try transaction.setMetadata(value, at: random.keyPath(), of: owner)
    case 6: try transaction.mergeMetadata(metadata(), into: owner)
    case 7: try transaction.replaceMetadata(with: metadata(), of: owner)
    default: try transaction.removeMetadata(at: random.keyPath(), of: owner)
    }
  }

  private mutating func metadataOwner() -> MetadataOwner? {
    switch random.below(10) {
    case 0..<4: conversation().map { .conversation(Conversation.ID($0)) }
    case 4..<7: message().map { .message(Message.ID($0)) }
    case 7:
      contents.announcements.isEmpty
        ? nil : .announcement(Announcement.ID(random.pick(contents.announcements)))
    default: .identity(Identity.ID(random.user()))
    }
  }
}
