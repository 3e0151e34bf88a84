/// The kinds of object a query can be for: the five that every store has, and each type of records.
enum ObjectKind: RawRepresentable, CaseIterable, Hashable, Sendable {
  case conversations, messages, parts, announcements, identities
  /// The records of a type.
  case records(ByteString)

  /// The kinds that every store has.
  static let allCases: [ObjectKind] = [.conversations, .messages, .parts, .announcements, .identities]

  /// The kind as queries name it. What is the name of no other kind is that of a record type.
  init(rawValue: String) {
    self = Self.allCases.first { $0.rawValue == rawValue } ?? .records(ByteString(rawValue))
  }

  var rawValue: String {
    switch self {
    case .conversations: "conversations"
    case .messages: "messages"
    case .parts: "parts"
    case .announcements: "announcements"
    case .identities: "identities"
    case .records(let type): type.string
    }
  }

  var isOfRecords: Bool { if case .records = self { true } else { false } }
}

/// What queries see of a model: the visible objects in creation order, with what is derived from them.
final class Snapshot {
  final class Conversation {
    let record: ModelConversation
    /// In creation order, never empty: an empty conversation is not seen.
    fileprivate(set) var messages: [Message] = []
    /// What it is to the store's user; nil if nothing is said of that.
    fileprivate(set) var own: ModelRecord?

    fileprivate init(_ record: ModelConversation) {
      self.record = record
    }

    private(set) lazy var unreadCount = Int64(messages.count { $0.record.isUnread })

    /// Last by position, unsent ones after all others, then by creation.
    private(set) lazy var lastMessage: Message = messages.dropFirst().reduce(messages[0]) { last, message in
      switch (last.record.position, message.record.position) {
      case (nil, nil): message
      case (nil, _): last
      case (_, nil): message
      case (let left?, let right?): right >= left ? message : last
      }
    }
  }

  final class Message {
    let record: ModelMessage
    /// Nil for an announcement. Unowned: the snapshot owns both.
    fileprivate(set) unowned var conversation: Conversation?
    let senderName: ByteString?

    fileprivate init(_ record: ModelMessage, in conversation: Conversation?, senderName: ByteString?) {
      self.record = record
      self.conversation = conversation
      self.senderName = senderName
    }
  }

  struct Part {
    let message: Message
    let index: Int

    var record: ModelPart { message.record.parts[index] }

    var identifier: ByteString {
      ByteString(utf8: message.record.identifier.utf8 + Array("/parts/\(index)".utf8))
    }
  }

  let user: ByteString
  let conversations: [Conversation]
  let messages: [Message]
  let parts: [Part]
  let announcements: [Message]
  let identities: [ModelIdentity]
  /// The records of each declared type, which everybody sees; and the types in the order of their declarations.
  let records: [ByteString: [ModelRecord]]
  let recordTypes: [ByteString]
  let types: [ByteString: ModelRecordType]
  /// The participants of each conversation of the user, with or without messages, by its identifier.
  let members: [ByteString: Set<ByteString>]
  /// Of conversations and messages that are there and not seen, in byte order: operands that must find nothing.
  let hiddenIdentifiers: [ByteString]
  /// By each name of a message, an announcement or a conversation that has two, seen or not: the references by both.
  let referencesByName: [ModelReference: [ModelReference]]

  /// What references lead to: each conversation and message that is seen, by its identifier and by that of the server, no announcement; the
  /// identities, by their user ids; the records.
  private(set) lazy var conversationsByName = Self.named(conversations) {
    [$0.record.identifier, $0.record.remoteID]
  }
  private(set) lazy var messagesByName = Self.named(messages) { [$0.record.identifier, $0.record.remoteID] }
  private(set) lazy var identitiesByName = Self.named(identities) { [$0.userID] }
  private(set) lazy var recordsByName = Dictionary(
    uniqueKeysWithValues: records.values.joined().map { ($0.id, $0) })

  /// The records of a type by the messages that they are about, as far as they were asked for.
  var responding: [ByteString: [ByteString: [ModelRecord]]] = [:]

  /// Columns made so far, by kind and path. They depend on the snapshot alone, which never changes.
  var columns: [ColumnKey: Column] = [:]

  init(_ model: ReferenceModel) {
    user = model.user
    identities = model.identities.values.sorted { $0.creation < $1.creation }
    let ofTypes = Dictionary(grouping: model.records.values, by: \.id.type)
    records = model.recordTypes.mapValues { type in
      ofTypes[type.name, default: []].sorted { $0.creation < $1.creation }
    }
    recordTypes = model.recordTypeOrder
    types = model.recordTypes
    members = model.conversations.mapValues(\.participants).filter { $0.value.contains(model.user) }
    let names = model.identities.compactMapValues { $0.names["displayName"] }
    let candidates = model.conversations.mapValues(Conversation.init)
      .filter { $0.value.record.participants.contains(model.user) }
    var messages: [Message] = []
    var announcements: [Message] = []
    for record in model.messages.values.sorted(by: { $0.creation < $1.creation }) {
      let senderName = names[record.sender]
      guard let identifier = record.conversation else {
        announcements.append(Message(record, in: nil, senderName: senderName))
        continue
      }
      guard let conversation = candidates[identifier] else { continue }
      let message = Message(record, in: conversation, senderName: senderName)
      conversation.messages.append(message)
      messages.append(message)
    }
    self.messages = messages
    self.announcements = announcements
    conversations = candidates.values.filter { !$0.messages.isEmpty }
      .sorted { $0.record.creation < $1.record.creation }
    for conversation in conversations {
      let name = Responses.name(conversation.record.identifier, model.user)
      conversation.own = model.records[ModelReference(type: Responses.participation, name: name)]
    }
    let seen = Set(messages.map(\.record.identifier) + announcements.map(\.record.identifier))
    hiddenIdentifiers =
      (model.messages.keys.filter { !seen.contains($0) }
      + model.conversations.keys.filter { candidates[$0]?.messages.isEmpty ?? true }).sorted()
    referencesByName = Self.referencesByName(
      model.messages.values.map { ("messages", $0.identifier, $0.remoteID) }
        + model.conversations.values.map { ("conversations", $0.identifier, $0.remoteID) })
    parts = messages.flatMap { message in
      message.record.parts.indices.map { Part(message: message, index: $0) }
    }
  }

  private init(_ other: Snapshot, identities: [ModelIdentity]) {
    user = other.user
    conversations = other.conversations
    messages = other.messages
    parts = other.parts
    announcements = other.announcements
    hiddenIdentifiers = other.hiddenIdentifiers
    referencesByName = other.referencesByName
    members = other.members
    records = other.records
    recordTypes = other.recordTypes
    types = other.types
    self.identities = identities
  }

  /// The same objects, but that there are no identities beside those of a conversation's members: each has one, if only a user
  /// id. Their order means nothing.
  func showingMembers(of conversation: ByteString) -> Snapshot {
    let known = Dictionary(uniqueKeysWithValues: identities.map { ($0.userID, $0) })
    return Snapshot(
      self,
      identities: members[conversation, default: []].sorted().map {
        known[$0] ?? ModelIdentity(creation: 0, userID: $0)
      })
  }

  private static func referencesByName(
    _ objects: [(type: ByteString, identifier: ByteString, remoteID: ByteString?)]
  ) -> [ModelReference: [ModelReference]] {
    var references: [ModelReference: [ModelReference]] = [:]
    for (type, identifier, remoteID) in objects {
      guard let remoteID, remoteID != identifier else { continue }
      let both = [identifier, remoteID].map { ModelReference(type: type, name: $0) }
      for reference in both { references[reference] = both }
    }
    return references
  }

  private static func named<Object>(
    _ objects: [Object], _ names: (Object) -> [ByteString?]
  ) -> [ByteString: Object] {
    var named: [ByteString: Object] = [:]
    for object in objects { for case let name? in names(object) { named[name] = object } }
    return named
  }

  func count(of kind: ObjectKind) -> Int {
    switch kind {
    case .conversations: conversations.count
    case .messages: messages.count
    case .parts: parts.count
    case .announcements: announcements.count
    case .identities: identities.count
    case .records(let type): records[type, default: []].count
    }
  }

  /// The identifier of a kind's object, by its place in creation order.
  func identifier(of kind: ObjectKind, at row: Int) -> ByteString {
    switch kind {
    case .conversations: conversations[row].record.identifier
    case .messages: messages[row].record.identifier
    case .parts: parts[row].identifier
    case .announcements: announcements[row].record.identifier
    case .identities: identities[row].userID
    case .records(let type): records[type, default: []][row].id.name
    }
  }
}
