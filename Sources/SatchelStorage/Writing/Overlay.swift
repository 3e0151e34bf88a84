internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// An object of the transaction at hand: what the indexes hold of it and what it has become.
final class ObjectState<Fields: Equatable> {
  /// As the indexes have it; nil when they do not know it yet.
  let original: Fields?
  /// As it is now; nil when it is deleted.
  private(set) var current: Fields?
  /// The checksum of its record; nil without one.
  let storedChecksum: UInt64?
  /// Whether the record is that of `current`.
  private(set) var isStored: Bool

  /// An object whose record and index entries are there.
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

  /// An object whose record is there, and whose index entries are not: an import has staged it.
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

/// The objects that the transaction at hand has met since its last flush, decoded. Index entries and records are made
/// once per object, from what it was to what it has become, however often it has changed in between.
struct Overlay {
  private(set) var messages: [MessageKey: MessageState] = [:]
  /// Messages of conversations that have been added, and mostly not been touched since.
  var added = AddedMessages()
  private(set) var conversations: [UInt32: ConversationState] = [:]
  private(set) var identities: [UInt32: IdentityState] = [:]
  /// In the order in which they were met.
  private(set) var order: [ObjectRow] = []
  /// Identifiers that differ from what the indexes say: of new messages, and nil of deleted ones.
  var messageIdentifiers: [ByteString: MessageKey?] = [:]
  /// Identifiers of conversations that are new or were looked up.
  var conversationIdentifiers: [ByteString: UInt32] = [:]
  var identityUsers: [UInt32: UInt32] = [:]
  /// Conversations whose last message has to be looked up.
  var staleLast: Set<UInt32> = []
  private var bytes = 0

  /// From here on the objects go to the indexes and tables, and the overlay starts anew.
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

  /// Takes an added message, from here on in this state; its place in the order is that of its addition.
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
