extension Model {
  /// Does to the model what the edit does to a store. An edit of what does not exist is a mistake of the generator's.
  mutating func apply(_ edit: Edit) {
    switch edit {
    case .createConversation(let number, let participants, let createdAt, let metadata):
      conversations.append(
        Conversation(
          number: number, participants: Set(participants + [0]), createdAt: createdAt, metadata: metadata))
      nextConversation = max(nextConversation, number + 1)
    case .addParticipants(let users, let number): change(number) { $0.participants.formUnion(users) }
    case .removeParticipants(let users, let number):
      change(number) { $0.participants.subtract(users) }
      forgetStates(of: users, in: number)
    case .setParticipants(let users, let number):
      change(number) { $0.participants = Set(users) }
      forgetStates(but: users, in: number)
    case .deleteConversation(let number):
      if let place = conversation(number) { conversations.remove(at: place) }
      for message in messages where message.conversation == number { removed.messages.insert(message.number) }
      messages.removeAll { $0.conversation == number }
      forgetStates(but: [], in: number)
    case .receive(let message): append(message, isSent: true)
    case .send(let message): send(message)
    case .announce(let message):
      announcements.append(Self.made(message, isSent: true))
      nextAnnouncement = max(nextAnnouncement, message.number + 1)
    case .setPosition(let position, let number): change(message: number) { $0.position = position }
    case .setSentAt(let sentAt, let number): change(message: number) { $0.sentAt = sentAt }
    case .setUnread(let isUnread, let number): change(message: number) { $0.isUnread = isUnread }
    case .setStatus(let status, let user, let number): change(message: number) { $0.status[user] = status }
    case .markRead(let numbers): for number in numbers { change(message: number) { $0.isUnread = false } }
    case .markConversationRead(let number):
      for place in messages.indices where messages[place].conversation == number {
        messages[place].isUnread = false
      }
    case .deleteMessage(let number):
      if let place = message(number) { messages.remove(at: place) }
      removed.messages.insert(number)
    case .markAnnouncementRead(let number):
      if let place = announcement(number) { announcements[place].isUnread = false }
    case .deleteAnnouncement(let number):
      if let place = announcement(number) { announcements.remove(at: place) }
    case .setMetadata(let text, let path, let owner): tag(owner) { $0[path] = text }
    case .removeMetadata(let path, let owner):
      tag(owner) { metadata in
        metadata = metadata.filter { $0.key != path && !$0.key.hasPrefix(path + ".") }
      }
    case .putIdentity(let user, let displayName):
      let identity = Identity(user: user, displayName: displayName, followed: false)
      know(identity) { $0 = identity }
    case .setFollowed(let followed, let user):
      if followed || identities.contains(where: { $0.user == user }) {
        know(Identity(user: user, displayName: nil, followed: followed)) { $0.followed = followed }
      }
    case .records(let edit): apply(edit)
    case .responses(let edit): apply(edit)
    case .progress(let number): progress = number
    }
  }

  private mutating func change(_ number: Int, _ body: (inout Conversation) -> Void) {
    if let place = conversation(number) { body(&conversations[place]) }
  }

  private mutating func change(message number: Int, _ body: (inout Message) -> Void) {
    if let place = message(number) { body(&messages[place]) }
  }

  private mutating func tag(_ owner: Edit.Owner, _ body: (inout [String: String]) -> Void) {
    switch owner {
    case .conversation(let number): change(number) { body(&$0.metadata) }
    case .message(let number): change(message: number) { body(&$0.metadata) }
    }
  }

  private mutating func know(_ identity: Identity, _ body: (inout Identity) -> Void) {
    guard let place = identities.firstIndex(where: { $0.user == identity.user }) else {
      identities.append(identity)
      return
    }
    body(&identities[place])
  }

  private mutating func append(_ message: NewMessage, isSent: Bool) {
    messages.append(Self.made(message, isSent: isSent))
    nextMessage = max(nextMessage, message.number + 1)
  }

  /// Sending makes a message of the user's, read, and pending for everybody else; the edit also gives it its times.
  private mutating func send(_ message: NewMessage) {
    var message = message
    message.isUnread = false
    message.sender = 0
    let others =
      conversation(message.conversation).map { conversations[$0].participants.subtracting([0]) } ?? []
    message.status = Dictionary(uniqueKeysWithValues: others.map { ($0, .pending) })
    append(message, isSent: message.position != nil)
  }

  private static func made(_ message: NewMessage, isSent: Bool) -> Message {
    Message(
      number: message.number, conversation: message.conversation, sender: message.sender,
      position: message.position, sentAt: message.sentAt, receivedAt: message.receivedAt, isSent: isSent,
      isUnread: message.isUnread, parts: message.parts, status: message.status, metadata: message.metadata)
  }
}
