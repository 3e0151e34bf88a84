internal import SatchelModel
package import SatchelWriting
package import TestSupport

/// Random operations, carried out on a writer and a model alike; without a writer on the model alone, which is then what
/// a store has to hold where the same operations reached it.
package struct RandomOperations {
  package var generator: SeededGenerator
  package var model = ReferenceStore()

  static let users: [Identity.ID] = ["me", "bob", "carol", "d\u{E9}", "de\u{301}", "4711", "/x/"]
  private static let types = ["text/plain", "image/png", "a/b", "application/json"]
  static let texts = [
    "", "red", "blue", "\u{E9}", "e\u{301}", String(repeating: "long ", count: 200),
  ]
  private static let paths = [
    ["title"], ["theme", "color"], ["theme", "x", "y"], ["a-b"], ["a.b"], ["a", "b"], ["theme", "\\", "'"],
    ["two words", "in"],
    ["😀", "alice@example.org"], ["caf\u{E9}"], ["cafe\u{301}"],
  ]

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// One random operation.
  package mutating func step(_ writer: Writer?) throws {
    switch generator.draw(below: 114) {
    case 0..<8: try createConversation(writer)
    case 8..<48: try addMessage(writer)
    case 48..<52: try addAnnouncement(writer)
    case 52..<62: try updateMessage(writer)
    case 62..<65: try receiveAgain(writer)
    case 65..<68: try confirmMessage(writer)
    case 68..<72: try markAllRead(writer)
    case 72..<82: try updateConversation(writer)
    case 82..<88: try putIdentity(writer)
    case 88..<97: try deleteMessage(writer)
    case 97..<100: try deleteConversation(writer)
    default: try changeRecords(writer)
    }
  }

  private mutating func someUsers() -> [Identity.ID] {
    (0..<generator.draw(below: 4)).map { _ in generator.draw(from: Self.users) }
  }

  private mutating func someMetadata() -> Metadata {
    var metadata = Metadata()
    for _ in 0..<generator.draw(below: 3) {
      try? metadata.set(someValue(), at: generator.draw(from: Self.paths))
    }
    return metadata
  }

  /// A value of metadata, of any type.
  mutating func someValue() -> MetadataValue {
    if generator.chance(60) { return .text(generator.draw(from: Self.texts)) }
    return generator.draw(from: [
      .integer(5), .integer(-1), .integer(.max), .number(5), .number(2.5), .number(-0.0), .boolean(true),
      .boolean(false), .date(Timestamp(microseconds: 0)),
      .date(Timestamp(microseconds: 1_700_000_000_000_000)), .list([]), .list(["b", "a", "b"]),
      .list([generator.draw(from: Self.texts), "a"]),
    ])
  }

  mutating func someConversation() -> Conversation.ID? {
    let ids = model.conversations.keys.sorted()
    return ids.isEmpty ? nil : generator.draw(from: ids)
  }

  mutating func someMessage() -> (Conversation.ID?, ReferenceStore.Message)? {
    if generator.chance(15), let id = model.announcements.keys.sorted().randomElement(using: &generator) {
      return model.announcements[id].map { (nil, $0) }
    }
    guard let id = someConversation(), let messages = model.conversations[id]?.messages,
      let message = messages.keys.sorted().randomElement(using: &generator)
    else { return nil }
    return messages[message].map { (id, $0) }
  }

  mutating func put(
    _ message: ReferenceStore.Message?, _ id: Message.ID, _ conversation: Conversation.ID?
  ) {
    if let conversation {
      model.conversations[conversation]?.messages[id] = message
    } else {
      model.announcements[id] = message
    }
  }

  private mutating func createConversation(_ writer: Writer?) throws {
    let order = model.next()
    let id = Conversation.ID("c\(order)")
    var participants = someUsers()
    let metadata = someMetadata()
    let draft = ConversationDraft(identifier: id, participants: participants, metadata: metadata)
    if generator.chance(70) {
      _ = try writer?.createConversation(draft)
      participants.append("me")
    } else {
      _ = try writer?.insertConversation(draft)
    }
    model.conversations[id] = ReferenceStore.Conversation(
      order: order, participants: Set(participants), metadata: metadata)
  }

  private mutating func someParts() -> [MessagePart.Draft] {
    (0..<generator.draw(below: 4)).map { _ -> MessagePart.Draft in
      let size = generator.chance(10) ? generator.draw(below: 6000) : generator.draw(below: 40)
      return .data([UInt8](repeating: 7, count: size), mimeType: generator.draw(from: Self.types))
    }
  }

  mutating func newMessage() -> (ReferenceStore.Message, MessageDraft) {
    let order = model.next()
    let parts = someParts()
    let message = ReferenceStore.Message(
      id: Message.ID("m\(order)"), order: order,
      remoteID: generator.chance(15) ? Message.ID("srv\(order)") : nil,
      sender: generator.draw(from: Self.users),
      position: generator.chance(70) ? Int64(generator.draw(below: 40)) - 20 : nil,
      sentAt: generator.chance(80) ? Int64(generator.draw(below: 1000)) - 500 : nil,
      isUnread: generator.chance(40),
      parts: parts.map(\.mimeType), metadata: someMetadata())
    let draft = MessageDraft(
      identifier: message.id, remoteID: message.remoteID, sender: message.sender, position: message.position,
      sentAt: message.sentAt.map(Timestamp.init(microseconds:)),
      receivedAt: generator.chance(50) ? Timestamp(microseconds: Int64(generator.draw(below: 1000))) : nil,
      isUnread: message.isUnread, parts: parts,
      recipientStatus: someUsers().map { RecipientStatusEntry(user: $0, status: .sent) },
      metadata: message.metadata)
    return (message, draft)
  }

  private mutating func addMessage(_ writer: Writer?) throws {
    guard let id = someConversation() else { return }
    let (message, draft) = newMessage()
    _ = try writer?.insertMessage(draft, in: id)
    put(message, message.id, id)
  }

  /// A message with a content of many pages.
  package mutating func grow(_ writer: Writer?, bytes: Int) throws {
    guard let id = someConversation() else { return }
    var (message, draft) = newMessage()
    draft.parts = [.data([UInt8](repeating: UInt8(truncatingIfNeeded: bytes), count: bytes), mimeType: "a/b")]
    message.parts = ["a/b"]
    _ = try writer?.insertMessage(draft, in: id)
    put(message, message.id, id)
  }

  private mutating func addAnnouncement(_ writer: Writer?) throws {
    let (message, draft) = newMessage()
    _ = try writer?.insertAnnouncement(draft)
    put(message, message.id, nil)
  }

  private mutating func updateMessage(_ writer: Writer?) throws {
    guard case (let conversation, var message)? = someMessage() else { return }
    var update = MessageUpdate()
    if generator.chance(40) {
      message.position = generator.chance(80) ? Int64(generator.draw(below: 40)) : nil
      update.position = message.position.map { .set($0) } ?? .clear
    }
    if generator.chance(40) {
      message.sentAt = generator.chance(80) ? Int64(generator.draw(below: 900)) : nil
      update.sentAt = message.sentAt.map { .set(Timestamp(microseconds: $0)) } ?? .clear
    }
    if generator.chance(50) {
      message.isUnread = generator.chance(50)
      update.isUnread = message.isUnread
    }
    if message.remoteID == nil, generator.chance(20) {
      message.remoteID = Message.ID("srv\(model.next())")
      update.remoteID = message.remoteID
    }
    if !message.isDeleted { changeContents(&message, &update) }
    try writer?.updateMessage(message.id, update)
    put(message, message.id, conversation)
  }

  /// Adds a change of what a message that was deleted for everyone has not, or such a deletion.
  private mutating func changeContents(_ message: inout ReferenceStore.Message, _ update: inout MessageUpdate)
  {
    if generator.chance(10) {
      update.deletedAt = .set(Timestamp(microseconds: Int64(generator.draw(below: 1000))))
      message.isDeleted = true
      message.parts = []
      message.metadata = Metadata()
      model.forgetReactions(to: message)
      return
    }
    if generator.chance(20) { update.recipientStatus = [generator.draw(from: Self.users): .read] }
    if generator.chance(20) {
      message.metadata = someMetadata()
      update.metadata = [.replace(message.metadata)]
    }
    switch generator.draw(below: 10) {
    case 0:
      let parts = someParts()
      update.parts.all = parts
      message.parts = parts.map(\.mimeType)
    case 1:
      let parts = someParts()
      update.parts.appended = parts
      message.parts += parts.map(\.mimeType)
    case 2 where !message.parts.isEmpty:
      let index = generator.draw(below: message.parts.count)
      update.parts.removed = [index]
      message.parts.remove(at: index)
    case 3 where !message.parts.isEmpty:
      let index = generator.draw(below: message.parts.count)
      guard let part = someParts().first else { return }
      update.parts.replaced = [index: part]
      message.parts[index] = part.mimeType
    default: break
    }
  }

  private mutating func markAllRead(_ writer: Writer?) throws {
    guard let id = someConversation() else { return }
    try writer?.markAllRead(in: id)
    for message in model.conversations[id]?.messages.keys.sorted() ?? [] {
      model.conversations[id]?.messages[message]?.isUnread = false
    }
  }

  private mutating func updateConversation(_ writer: Writer?) throws {
    guard let id = someConversation(), var conversation = model.conversations[id] else { return }
    var update = ConversationUpdate()
    let users = someUsers() + (generator.chance(40) ? ["me"] : [])
    switch generator.draw(below: 4) {
    case 0:
      update.participants = .add(users)
      conversation.participants.formUnion(users)
    case 1:
      update.participants = .remove(users)
      conversation.participants.subtract(users)
      model.forgetParticipations(in: id) { users.contains($0) }
    case 2:
      update.participants = .replace(users)
      let leaving = conversation.participants.subtracting(users)
      conversation.participants = Set(users)
      model.forgetParticipations(in: id) { leaving.contains($0) }
    default: break
    }
    if generator.chance(50) {
      let value = someValue()
      let path = MetadataPath(generator.draw(from: Self.paths))
      update.metadata = generator.chance(70) ? [.set(value, at: path)] : [.remove(at: path)]
      for edit in update.metadata {
        switch edit {
        case .set(let value, let path): try conversation.metadata.set(value, at: path.keys)
        case .remove(let path): try conversation.metadata.remove(at: path.keys)
        case .merge, .replace: break
        }
      }
    }
    try writer?.updateConversation(id, update)
    model.conversations[id] = conversation
  }

  private mutating func putIdentity(_ writer: Writer?) throws {
    let identity = Identity(
      userID: generator.draw(from: Self.users),
      displayName: generator.chance(70) ? generator.draw(from: Self.texts) : nil,
      lastName: generator.chance(50) ? generator.draw(from: Self.texts) : nil, followed: generator.chance(50),
      metadata: someMetadata())
    try writer?.putIdentity(identity)
    model.identities[identity.userID] = identity
  }

  private mutating func deleteMessage(_ writer: Writer?) throws {
    guard let (conversation, message) = someMessage() else { return }
    try writer?.deleteMessage(message.id)
    if conversation != nil { model.noteRemoval(of: message) }
    put(nil, message.id, conversation)
  }

  private mutating func deleteConversation(_ writer: Writer?) throws {
    guard let id = someConversation() else { return }
    try writer?.deleteConversation(id)
    model.noteRemoval(of: id, model.conversations[id])
    model.conversations[id] = nil
  }
}
