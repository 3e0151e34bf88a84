/// Makes operations: each follows from the seed, its number and the model before it, and from nothing else.
struct Generator {
  let seed: UInt64
  /// About how many messages the store is kept at.
  let messages: Int

  /// The most conversations that there are.
  private static let conversations = 400
  static let metadata = [
    "color": ["red", "blue", "green"], "kind": ["file", "note", "grüße"], "team.name": ["one", "two"],
    "team.size": ["3", "12"],
  ]
  static let paths = ["color", "kind", "team.name", "team.size"]
  static let types = ["text/plain", "image/png", "image/jpeg", "application/json"]

  /// The operation of a number. The model becomes what it makes of it.
  func operation(_ number: Int, on model: inout Model) -> Operation {
    var random = Randomness(seed: seed, operation: number)
    let isRolledBack = random.oneIn(40)
    let before = isRolledBack ? model : nil
    var edits: [Edit] = []
    let count = random.oneIn(20) ? 50 + random.below(200) : 1 + random.below(5)
    while edits.count < count, let edit = edit(number, &random, model) {
      model.apply(edit)
      edits.append(edit)
    }
    edits.append(.progress(number))
    model.apply(.progress(number))
    model.settle()
    if let before { model = before }
    return Operation(number: number, edits: edits, isRolledBack: isRolledBack)
  }

  private func edit(_ operation: Int, _ random: inout Randomness, _ model: Model) -> Edit? {
    guard model.conversations.count >= 5 else { return newConversation(operation, &random, model) }
    let conversation = random.one(of: model.conversations)
    let isFull = model.messages.count > messages
    switch random.below(125) {
    case 110...: return responses(&random, model)
    case 100...: return records(operation, &random, model)
    case 0..<3:
      return model.conversations.count < Self.conversations
        ? newConversation(operation, &random, model) : .deleteConversation(conversation.number)
    case 3..<45 where !isFull: return .receive(message(operation, in: conversation, &random, model))
    case 45..<52 where !isFull: return .send(message(operation, in: conversation, &random, model))
    case 52..<54: return participants(of: conversation, &random)
    case 54 where isFull || random.oneIn(3): return .deleteConversation(conversation.number)
    case 54..<58: return .markConversationRead(conversation.number)
    case 58..<62: return tag(.conversation(conversation.number), &random)
    case 62..<64:
      return random.oneIn(2)
        ? .putIdentity(
          random.below(Names.users), displayName: random.oneIn(5) ? nil : "Name \(random.below(20))")
        : .setFollowed(random.oneIn(2), user: random.below(Names.users))
    case 64..<67: return announcement(operation, &random, model)
    default: return ofMessage(isFull: isFull, conversation.number, &random, model)
    }
  }

  private func newConversation(_ operation: Int, _ random: inout Randomness, _ model: Model) -> Edit {
    let others = (0..<random.below(5)).map { _ in 1 + random.below(Names.users - 1) }
    return .createConversation(
      model.nextConversation, participants: others, createdAt: time(operation, &random),
      metadata: tags(&random))
  }

  private func participants(of conversation: Model.Conversation, _ random: inout Randomness) -> Edit {
    let users = (0...random.below(3)).map { _ in random.below(Names.users) }
    switch random.below(4) {
    case 0: return .removeParticipants(users, conversation: conversation.number)
    case 1: return .setParticipants(users + (random.oneIn(4) ? [] : [0]), conversation: conversation.number)
    default: return .addParticipants(conversation.isVisible ? users : [0], conversation: conversation.number)
    }
  }

  private func ofMessage(
    isFull: Bool, _ conversation: Int, _ random: inout Randomness, _ model: Model
  ) -> Edit {
    guard let message = random.any(of: model.messages) else { return .markConversationRead(conversation) }
    switch random.below(isFull ? 24 : 12) {
    case 0..<2: return .setPosition(random.oneIn(6) ? nil : position(&random), message: message.number)
    case 2:
      return .setSentAt(random.oneIn(4) ? nil : time(random.below(100_000), &random), message: message.number)
    case 3..<5: return .setUnread(random.oneIn(2), message: message.number)
    case 5:
      let status = random.one(of: Edit.Status.allCases)
      return .setStatus(
        random.oneIn(5) ? nil : status, user: random.below(Names.users), message: message.number)
    case 6: return .markRead([message.number, random.one(of: model.messages).number])
    case 7..<9: return tag(.message(message.number), &random)
    default: return .deleteMessage(message.number)
    }
  }

  private func tag(_ owner: Edit.Owner, _ random: inout Randomness) -> Edit {
    if random.oneIn(3) { return .removeMetadata(path: random.one(of: Self.paths + ["team"]), owner: owner) }
    let path = random.one(of: Self.paths)
    return .setMetadata(random.one(of: Self.metadata[path] ?? []), path: path, owner: owner)
  }

  private func announcement(_ operation: Int, _ random: inout Randomness, _ model: Model) -> Edit {
    if model.announcements.count > 20 || random.oneIn(3), let old = random.any(of: model.announcements) {
      return random.oneIn(2) ? .deleteAnnouncement(old.number) : .markAnnouncementRead(old.number)
    }
    var new = message(operation, in: nil, &random, model)
    new.number = model.nextAnnouncement
    new.status = [:]
    return .announce(new)
  }

  private func message(
    _ operation: Int, in conversation: Model.Conversation?, _ random: inout Randomness, _ model: Model
  ) -> NewMessage {
    var message = NewMessage(
      number: model.nextMessage, conversation: conversation?.number ?? 0, sender: random.below(Names.users),
      position: random.oneIn(10) ? nil : position(&random), sentAt: time(operation, &random),
      receivedAt: time(operation, &random), isUnread: random.oneIn(3), parts: [])
    for _ in 0..<random.below(4) {
      let type = random.one(of: Self.types)
      // Some are too long to stay in the message's record.
      let size = random.oneIn(30) ? 3_000 + random.below(20_000) : random.below(80)
      message.parts.append(
        type == "text/plain"
          ? NewMessage.Part(mimeType: type, text: String(repeating: "naïve \(size) ", count: 1 + size / 10))
          : NewMessage.Part(mimeType: type, text: nil, bytes: size))
    }
    if random.oneIn(4) { message.status[random.below(Names.users)] = random.one(of: Edit.Status.allCases) }
    message.metadata = tags(&random)
    return message
  }

  private func tags(_ random: inout Randomness) -> [String: String] {
    var tags: [String: String] = [:]
    for path in Self.paths where random.oneIn(4) { tags[path] = random.one(of: Self.metadata[path] ?? []) }
    return tags
  }

  /// Some are shared, so that ties have to be broken.
  private func position(_ random: inout Randomness) -> Int64 { Int64(random.below(5_000)) - 100 }

  /// Later operations have later times, mostly; some times are shared.
  private func time(_ operation: Int, _ random: inout Randomness) -> Int64 {
    1_750_000_000_000_000 + Int64(operation) * 1_000_000 + Int64(random.below(20)) * 500_000
  }
}
