internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
import SatchelText

/// The objects that the current transaction has read or changed since its last flush, decoded. The flush writes index
/// entries and record once per object, from its original state to its current one, however often it has changed in
/// between.
struct Overlay {
  private(set) var messages: [MessageKey: MessageState] = [:]
  /// Messages that have been added to conversations; most of them are not touched again.
  var added = AddedMessages()
  private(set) var conversations: [UInt32: ConversationState] = [:]
  private(set) var identities: [UInt32: IdentityState] = [:]
  /// The objects in the order in which they entered the overlay.
  private(set) var order: [ObjectRow] = []
  /// Identifiers for which the indexes are out of date: the keys of new messages, and nil for deleted ones.
  private(set) var messageIdentifiers: [ByteString: MessageKey?] = [:]
  /// The rows of conversations that are new or were looked up, by identifier.
  private(set) var conversationIdentifiers: [ByteString: UInt32] = [:]
  private var newMessages = NewIdentifiers()
  private var newConversations = NewIdentifiers()
  var identityUsers: [UInt32: UInt32] = [:]
  /// The participants of conversations where they have changed. Only the flush gives them the number of their set, in
  /// the conversations' fields: a set is stored for ever, and costs its length.
  var participants: [UInt32: Set<UInt32>] = [:]
  /// Conversations whose last message has to be looked up by the flush.
  var staleLast: Set<UInt32> = []
  /// What the log keeps of contents in `bodies` that messages had when they entered the overlay, by their part, of those that
  /// an edit or the message's deletion has removed.
  private(set) var formerContents: [MessageKey: [Int: LoggedContent]] = [:]
  private var bytes = 0

  /// With this many objects or bytes, the overlay is flushed to the tables and indexes and starts empty again.
  static let maximumObjects = 8000
  static let maximumBytes = 16 << 20

  /// Whether it is to be flushed. An import into a new store, where messages wait elsewhere, has room for more
  /// conversations: each is flushed once then, not again whenever it gets messages.
  func isFull(ofImport: Bool) -> Bool {
    let factor = ofImport ? 8 : 1
    return order.count + added.messages.count >= factor * Self.maximumObjects
      || bytes >= factor * Self.maximumBytes
  }
  var isEmpty: Bool { order.isEmpty && added.messages.isEmpty }

  mutating func insert(_ key: MessageKey, _ state: MessageState) {
    messages[key] = state
    order.append(.message(key))
    bytes += 600 + (state.fields.map(Self.size) ?? 0)
  }

  mutating func add(_ message: IndexedMessage) {
    added.append(message, behind: order.count)
    bytes += 64 * (message.parts.count + 2 * message.metadata.count)
  }

  /// Replaces an added message by a state. The flush writes the message at the point in the order where it was added.
  mutating func claim(_ index: Int, _ key: MessageKey, _ state: MessageState) {
    added.claim(index)
    messages[key] = state
    bytes += 600 + (state.fields.map(Self.size) ?? 0)
  }

  /// Notes the names of a message that the overlay alone has.
  mutating func note(namesOf fields: StoredMessage, of message: MessageKey) {
    for name in fields.names { note(identifier: name, of: message) }
  }

  /// Notes that a message is gone.
  mutating func noteRemoval(of fields: StoredMessage) {
    for name in fields.names { noteRemoval(ofMessage: name) }
  }

  /// Notes a name of a message that the overlay alone has.
  mutating func note(identifier: String, of message: MessageKey) {
    noteAgain(identifier: identifier, of: message)
    newMessages.count(identifier, 1)
  }

  /// Notes where the message of an identifier is now, which the writer's pending identifiers have.
  mutating func noteAgain(identifier: String, of message: MessageKey) {
    messageIdentifiers[ByteString(identifier)] = message
  }

  private mutating func noteRemoval(ofMessage identifier: String) {
    messageIdentifiers.updateValue(nil, forKey: ByteString(identifier))
    newMessages.count(identifier, -1)
  }

  /// Notes the names of a conversation that the overlay alone has.
  mutating func note(namesOf fields: StoredConversation, ofNewConversation row: UInt32) {
    for name in fields.names { note(identifier: name, ofNewConversation: row) }
  }

  mutating func note(identifier: String, ofNewConversation row: UInt32) {
    note(identifier: identifier, ofConversation: row)
    newConversations.count(identifier, 1)
  }

  mutating func note(identifier: String, ofConversation row: UInt32) {
    conversationIdentifiers[ByteString(identifier)] = row
  }

  /// Returns how many more messages have an identifier of this one's hash than the indexes and the pending ones say.
  func newMessages(ofOneHashWith identifier: String) -> Int { newMessages.count(ofOneHashWith: identifier) }

  /// Returns how many more conversations have an identifier of this one's hash than the indexes say.
  func newConversations(ofOneHashWith identifier: String) -> Int {
    newConversations.count(ofOneHashWith: identifier)
  }

  /// Notes the content that a part had when its message entered the overlay, before it is removed from `bodies`. Nothing is noted
  /// if `content` returns nil.
  mutating func noteFormerContent(
    of key: MessageKey, part: Int, _ content: () throws -> LoggedContent?
  ) throws {
    guard let original = messages[key]?.original, original.parts.indices.contains(part),
      case .stored = original.parts[part].content, formerContents[key]?[part] == nil
    else { return }
    guard let content = try content() else { return }
    formerContents[key, default: [:]][part] = content
    bytes += 400
  }

  mutating func insert(conversation row: UInt32, _ state: ConversationState) {
    conversations[row] = state
    order.append(.conversation(row))
    bytes += 1000
  }

  mutating func insert(identity row: UInt32, _ state: IdentityState) {
    identities[row] = state
    order.append(.identity(row))
    bytes += 1000
  }

  private static func size(_ fields: StoredMessage) -> Int {
    fields.parts.reduce(fields.identifier.count) { sum, part in
      if case .inline(let bytes) = part.content { sum + bytes.count + 64 } else { sum + 64 }
    }
  }
}

/// How many identifiers there are more than in the indexes and among the pending ones, by their hash; negative where some
/// were deleted.
private struct NewIdentifiers {
  private var counts: [UInt64: Int] = [:]

  mutating func count(_ identifier: String, _ change: Int) {
    counts[KeyWords.identifierHash(Array(identifier.utf8)), default: 0] += change
  }

  func count(ofOneHashWith identifier: String) -> Int {
    counts.isEmpty ? 0 : counts[KeyWords.identifierHash(Array(identifier.utf8))] ?? 0
  }
}
