internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// An object of the current transaction: what the indexes hold of it, and its current fields.
final class ObjectState<Fields: Equatable> {
  /// The fields as the indexes have them; nil if the indexes do not have the object yet.
  let original: Fields?
  /// The current fields; nil if the object is deleted.
  private(set) var current: Fields?
  /// The checksum of the object's record; nil if it has none.
  let storedChecksum: UInt64?
  /// Whether the stored record holds the fields of `current`.
  private(set) var isStored: Bool

  /// An object with a record and index entries.
  init(loaded fields: Fields, checksum: UInt64) {
    original = fields
    current = fields
    storedChecksum = checksum
    isStored = true
  }

  /// An object without a record.
  init(created fields: Fields) {
    original = nil
    current = fields
    storedChecksum = nil
    isStored = false
  }

  /// An object with a record but without index entries: an import has staged it, or it is a message that this write has
  /// added.
  init(staged fields: Fields, checksum: UInt64) {
    original = nil
    current = fields
    storedChecksum = checksum
    isStored = true
  }

  func update(_ fields: Fields?) {
    current = fields
    isStored = false
  }

  /// Changes the fields of an object that exists.
  func edit(_ change: (inout Fields) -> Void) {
    guard var fields = current else { return }
    current = nil
    change(&fields)
    current = fields
    isStored = false
  }
}

typealias MessageState = ObjectState<MessageFields>
typealias ConversationState = ObjectState<ConversationFields>
typealias IdentityState = ObjectState<IdentityFields>

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
  var messageIdentifiers: [ByteString: MessageKey?] = [:]
  /// The rows of conversations that are new or were looked up, by identifier.
  var conversationIdentifiers: [ByteString: UInt32] = [:]
  var identityUsers: [UInt32: UInt32] = [:]
  /// Conversations whose last message has to be looked up by the flush.
  var staleLast: Set<UInt32> = []
  private var bytes = 0

  /// With this many objects or bytes, the overlay is flushed to the tables and indexes and starts empty again.
  static let maximumObjects = 8000
  static let maximumBytes = 16 << 20

  var isFull: Bool {
    order.count + added.messages.count >= Self.maximumObjects || bytes >= Self.maximumBytes
  }
  var isEmpty: Bool { order.isEmpty && added.messages.isEmpty }

  mutating func insert(_ key: MessageKey, _ state: MessageState) {
    messages[key] = state
    order.append(.message(key))
    bytes += 600 + (state.current.map(Self.size) ?? 0)
  }

  mutating func add(_ message: IndexedMessage) {
    added.append(message, behind: order.count)
    bytes += 64 * message.partTypes.count
  }

  /// Replaces an added message by a state. The flush writes the message at the point in the order where it was added.
  mutating func claim(_ index: Int, _ key: MessageKey, _ state: MessageState) {
    added.claim(index)
    messages[key] = state
    bytes += 600 + (state.current.map(Self.size) ?? 0)
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

  private static func size(_ fields: MessageFields) -> Int {
    fields.parts.reduce(fields.identifier.count) { sum, part in
      if case .inline(let bytes) = part.content { sum + bytes.count + 64 } else { sum + 64 }
    }
  }
}
