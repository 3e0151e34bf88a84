import TestSupport

/// The key paths a query may name, by kind, with how often each is picked.
struct PathCatalogue {
  private typealias Choices = [(weight: Int, element: [ByteString])]

  private let conversation: Choices
  private let message: Choices
  private let part: Choices
  private let identity: Choices
  private let records: [ByteString: Choices]
  /// What a conversation is to the store's user; nothing in a store that does not keep it.
  private let ownStates: [ByteString]
  /// The declared fields of each record type that refer to objects of one type, by name, with that type.
  private let references: [ByteString: [(field: ByteString, target: ByteString)]]

  init(_ snapshot: Snapshot) {
    let conversationPaths = Self.metadataPaths(snapshot.conversations.map(\.record.metadata))
    let envelopes = (snapshot.messages + snapshot.announcements).map(\.record)
    let messagePaths = Self.metadataPaths(envelopes.map(\.metadata))
    let identityPaths = Self.metadataPaths(snapshot.identities.map(\.metadata))
    conversation =
      Self.choices([
        (2, "identifier"), (2, "remoteID"), (5, "participants"), (3, "participantCount"), (4, "createdAt"),
        (2, "isDistinct"),
        (3, "hasUnreadMessages"), (4, "unreadCount"), (4, "messageCount"), (3, "lastMessage"),
        (3, "lastMessage.sentAt"), (4, "lastMessage.receivedAt"), (3, "lastMessage.position"),
        (2, "lastMessage.isUnread"), (2, "lastMessage.sender.userID"), (2, "metadata"),
      ]) + Self.spread(9, over: conversationPaths)
    let users = Set(envelopes.flatMap(\.recipientStatus.keys)).sorted().prefix(200) + ["nobody.at all"]
    message =
      Self.choices([
        (2, "identifier"), (2, "remoteID"), (6, "position"), (5, "sender.userID"), (3, "sender.displayName"),
        (6, "sentAt"),
        (3, "receivedAt"), (2, "editedAt"), (2, "deletedAt"), (2, "isSent"), (4, "isUnread"),
        (4, "parts.mimeType"), (3, "parts.size"),
        (3, "parts.text"), (2, "parts.transferStatus"), (1, "metadata"),
      ]) + Self.spread(messagePaths.isEmpty ? 1 : 4, over: messagePaths)
      + Self.spread(users.count > 1 ? 4 : 1, over: users.map { ["recipientStatus", $0] })
    part = Self.choices([
      (2, "identifier"), (2, "message"), (4, "index"), (4, "mimeType"), (4, "size"), (4, "text"),
      (3, "transferStatus"),
    ])
    identity =
      Self.choices([
        (2, "identifier"), (3, "userID"), (5, "displayName"), (3, "firstName"), (3, "lastName"),
        (3, "emailAddress"), (2, "phoneNumber"), (2, "avatarURL"), (1, "followed"),
        (1, "metadata"),
      ]) + Self.spread(4, over: identityPaths)
    ownStates =
      snapshot.types[Responses.participation] == nil ? [] : Responses.flags + Responses.values
    references = snapshot.types.mapValues { type in
      type.fields.sorted { $0.key < $1.key }.compactMap { name, field in field.target.map { (name, $0) } }
    }
    records = snapshot.records.mapValues { records in
      Self.choices([
        (2, "identifier"), (2, "owner"), (1, "createdBy"), (1, "updatedBy"), (2, "createdAt"),
        (2, "updatedAt"),
      ]) + Self.spread(26, over: Self.metadataPaths(records.map(\.fields), under: []))
    }
  }

  func path(of kind: ObjectKind, _ random: inout SeededGenerator) -> PropertyPath {
    // It leads on from conversations and messages alone, and not from what refers to these.
    switch kind {
    case .conversations where !ownStates.isEmpty && random.percent(15):
      PropertyPath(["my", random.pick(ownStates)])
    case .messages where !ownStates.isEmpty && random.percent(6):
      PropertyPath(["conversation", "my", random.pick(ownStates)])
    default: PropertyPath(names(of: kind, &random))
    }
  }

  /// A path from the records of a type that leads through one to three references; nil if no field of theirs leads anywhere.
  func pathThroughReferences(of type: ByteString, _ random: inout SeededGenerator) -> PropertyPath? {
    names(behind: type, steps: 1, &random).map { PropertyPath($0) }
  }

  private func names(
    behind type: ByteString, steps: Int, _ random: inout SeededGenerator
  ) -> [ByteString]? {
    guard let fields = references[type], !fields.isEmpty else { return nil }
    let (field, target) = random.pick(fields)
    if steps < 3, random.percent(45), let names = names(behind: target, steps: steps + 1, &random) {
      return [field] + names
    }
    return [field] + names(of: ObjectKind(rawValue: target.string), &random)
  }

  private func names(of kind: ObjectKind, _ random: inout SeededGenerator) -> [ByteString] {
    switch kind {
    case .conversations: return random.pick(weighted: conversation)
    case .messages:
      switch random.below(100) {
      case 0..<10: return ["conversation"]
      case 10..<35: return ["conversation"] + names(of: .conversations, &random)
      default: return random.pick(weighted: message)
      }
    case .parts:
      return random.percent(55)
        ? random.pick(weighted: part) : ["message"] + names(of: .messages, &random)
    case .announcements: return random.pick(weighted: message)
    case .identities: return random.pick(weighted: identity)
    case .records(let type): return random.pick(weighted: records[type] ?? identity)
    }
  }

  private static func choices(_ choices: [(Int, String)]) -> Choices {
    choices.map { ($0.0 * scale, PropertyPath($0.1).components) }
  }

  /// Gives paths a weight together.
  private static func spread(_ weight: Int, over paths: [[ByteString]]) -> Choices {
    paths.map { (max(1, weight * scale / paths.count), $0) }
  }

  private static let scale = 1_000

  /// Key paths that end at values, some that end at dictionaries, one that leads nowhere and one through a value.
  /// - Parameter prefix: What leads to metadata; nothing leads to the fields of a record.
  private static func metadataPaths(
    _ trees: [MetadataTree], under prefix: [ByteString] = ["metadata"]
  ) -> [[ByteString]] {
    let paths = trees.flatMap { $0.paths() }
    let values = Set(paths.filter(\.isValue).map { PropertyPath($0.path) })
    let dictionaries = Set(paths.filter { !$0.isValue }.map { PropertyPath($0.path) })
    func sorted(_ paths: Set<PropertyPath>) -> [[ByteString]] {
      paths.map { prefix + $0.components }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    guard let first = sorted(values).first else { return [prefix + ["absent"]] }
    func isPlain(_ path: [ByteString]) -> Bool {
      path.allSatisfy { key in
        key.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
      }
    }
    // Odd keys come beside the others, and not in place of them.
    let common = sorted(values).filter(isPlain).prefix(40)
    let odd = sorted(values).filter { !isPlain($0) }.prefix(20)
    // Behind a declared field of references there is another object, and not nothing.
    let below = prefix.isEmpty ? ["value"] : first
    return common + common + common + odd + sorted(dictionaries).prefix(10)
      + [prefix + ["absent"], below + ["below"]]
  }
}
