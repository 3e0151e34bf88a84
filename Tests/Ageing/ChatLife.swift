internal import SatchelModel
package import SatchelStorage
internal import SatchelWriting
internal import TestSupport

/// The commits of a user's chats over years: messages that come and go one by one in many conversations, reads, marks, edits of
/// metadata, deletions, conversations that begin, are left and are deleted. What it does follows from its seed.
///
/// Few conversations get most messages, and which they are changes with time: each conversation is as busy as its place in a list
/// says, which it leaves for another one now and then.
package struct ChatLife {
  /// A conversation that is there.
  struct Conversation {
    let number: Int
    var messages = 0
    var deleted: Set<Int> = []
    var position: Int64 = 0

    var id: SatchelModel.Conversation.ID { SatchelModel.Conversation.ID("conversation-\(number)") }

    func message(_ index: Int) -> Message.ID { Message.ID("message-\(number)-\(index)") }
  }

  private var generator: SeededGenerator
  private var conversations: [Conversation] = []
  private var begun = 0
  /// Seconds since 1970, at which the next commit is.
  private var seconds: Int64 = 1_500_000_000
  /// How many commits there were.
  package private(set) var commits = 0

  /// How many conversations there are after the first commits, or after many were deleted.
  private var most: Int
  private static let people = 400

  package init(seed: UInt64, conversations: Int = 1_500) {
    generator = SeededGenerator(seed: seed)
    most = conversations
  }

  private var now: Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

  /// What a commit does, and how often of a thousand times.
  private enum Deed: CaseIterable {
    case receive, send, read, mark, rename, edit, deleteMessage, begin, leave, deleteConversation

    var weight: Int {
      switch self {
      case .receive: 560
      case .send: 215
      case .read: 120
      case .mark: 40
      case .rename: 10
      case .edit: 15
      case .deleteMessage: 34
      case .begin: 3
      case .leave: 1
      case .deleteConversation: 2
      }
    }
  }

  private static let deeds = Deed.allCases.map { ($0.weight, $0) }

  /// Makes one commit.
  package mutating func commit(to store: Store) throws {
    try store.write { writer in try step(writer) }
    commits += 1
    seconds += 60 + Int64(generator.below(600))
  }

  /// Deletes conversations, of all alike, each in a commit of its own, until half of the messages have gone.
  package mutating func deleteHalf(of store: Store) throws {
    var rest = conversations.reduce(0) { $0 + $1.messages } / 2
    while rest > 0 {
      let conversation = take()
      try store.write { writer in try writer.deleteConversation(conversation.id) }
      rest -= conversation.messages
      commits += 1
    }
    most = conversations.count
  }

  /// Deletes every second message that is there, as chance says, in commits of some of them.
  package mutating func deleteMessages(of store: Store) throws {
    for place in conversations.indices {
      let gone = (0..<conversations[place].messages).filter { message in
        !conversations[place].deleted.contains(message) && generator.oneIn(2)
      }
      for start in stride(from: 0, to: gone.count, by: 20) {
        let some = gone[start..<min(start + 20, gone.count)]
        try store.write { writer in
          for message in some { try writer.deleteMessage(conversations[place].message(message)) }
        }
        commits += 1
      }
      conversations[place].deleted.formUnion(gone)
    }
  }

  private mutating func step(_ writer: Writer) throws {
    if conversations.count < most { return try begin(writer) }
    let deed = generator.pick(weighted: Self.deeds)
    let place = somePlace()
    switch deed {
    case .receive: try add(writer, at: place, isSent: false)
    case .send: try add(writer, at: place, isSent: true)
    case .read: _ = try writer.markAllRead(in: conversations[place].id)
    case .mark: try mark(writer, at: place)
    case .rename:
      var update = ConversationUpdate()
      update.metadata = [.set(.text(sentence(2...5)), at: MetadataPath(dotted: "title"))]
      try writer.updateConversation(conversations[place].id, update)
    case .edit:
      guard let message = someMessage(of: place) else { return }
      var update = MessageUpdate()
      update.metadata = [.set(.text(sentence(3...20)), at: MetadataPath(dotted: "edited"))]
      try writer.updateMessage(conversations[place].message(message), update)
    case .deleteMessage:
      guard let message = someMessage(of: place) else { return }
      try writer.deleteMessage(conversations[place].message(message))
      conversations[place].deleted.insert(message)
    case .begin: try begin(writer)
    case .leave: try writer.leaveConversation(take().id)
    case .deleteConversation: try writer.deleteConversation(take().id)
    }
    // Some become busier, others less; the one at the list's last place may have gone.
    if generator.oneIn(50), place < conversations.count {
      conversations.swapAt(place, generator.below(conversations.count))
    }
  }

  /// A place in the list, the first ones by far the most often.
  private mutating func somePlace() -> Int {
    let count = conversations.count
    let share = Double(generator.below(1 << 24)) / Double(1 << 24)
    return min(count - 1, Int(share * share * share * Double(count)))
  }

  /// A message that is there: mostly one of the last.
  private mutating func someMessage(of place: Int) -> Int? {
    let conversation = conversations[place]
    guard conversation.messages > 0 else { return nil }
    let reach = generator.oneIn(4) ? conversation.messages : min(30, conversation.messages)
    let index = conversation.messages - 1 - generator.below(reach)
    return conversation.deleted.contains(index) ? nil : index
  }

  /// Takes a conversation out of the list, of all alike.
  private mutating func take() -> Conversation {
    let place = generator.below(conversations.count)
    conversations.swapAt(place, conversations.count - 1)
    return conversations.removeLast()
  }

  private mutating func begin(_ writer: Writer) throws {
    begun += 1
    let conversation = Conversation(number: begun)
    let others = (0..<(generator.oneIn(3) ? 2 + generator.below(12) : 1)).map { _ in somebody() }
    var metadata = Metadata()
    try metadata.set(.text(sentence(1...4)), at: "title")
    _ = try writer.createConversation(
      ConversationDraft(
        identifier: conversation.id, participants: others, createdAt: now, metadata: metadata))
    conversations.append(conversation)
    try add(writer, at: conversations.count - 1, isSent: generator.oneIn(2))
  }

  private mutating func add(_ writer: Writer, at place: Int, isSent: Bool) throws {
    let conversation = conversations[place]
    var parts = [MessagePart.Draft.text(sentence(2...30))]
    if generator.oneIn(40) {
      let size = 1_000 + generator.below(8_000)
      let bytes = [UInt8](repeating: UInt8(generator.below(256)), count: size)
      parts.append(.data(bytes, mimeType: "image/jpeg"))
    }
    conversations[place].position += 1
    let draft = MessageDraft(
      identifier: conversation.message(conversation.messages),
      sender: isSent ? writer.user : somebody(), position: conversation.position + 1,
      sentAt: now, receivedAt: now, isUnread: !isSent, parts: parts)
    _ = try writer.insertMessage(draft, in: conversation.id)
    conversations[place].messages += 1
  }

  /// Marks one message as read, or as delivered.
  private mutating func mark(_ writer: Writer, at place: Int) throws {
    guard let message = someMessage(of: place) else { return }
    let id = conversations[place].message(message)
    if generator.oneIn(2) { return try writer.markRead([id]) }
    var update = MessageUpdate()
    update.recipientStatus = [somebody(): .delivered]
    try writer.updateMessage(id, update)
  }

  private mutating func somebody() -> Identity.ID { Identity.ID("person-\(generator.below(Self.people))") }

  private mutating func sentence(_ words: ClosedRange<Int>) -> String {
    let count = words.lowerBound + generator.below(words.count)
    return (0..<count).map { _ in String(generator.below(1 << 20), radix: 36) }.joined(separator: " ")
  }
}
