internal import SatchelModel
internal import SatchelReading
internal import SatchelRecords

/// What becomes of reactions, replies and states of participants, and what a store counts of them.
extension ReferenceStore {
  private static let reaction = StoreFeature.reactions.recordType.name
  private static let reply = StoreFeature.threads.recordType.name
  private static let participation = StoreFeature.participations.recordType.name
  private static let user = SatchelModel.Identity.ID("me")

  // MARK: Changes

  /// Takes note of a message that is deleted.
  mutating func noteRemoval(of message: Message) { removed.messages.formUnion(message.names) }

  /// Takes note of a conversation that is deleted, and of its messages.
  mutating func noteRemoval(of id: SatchelModel.Conversation.ID, _ conversation: Conversation?) {
    removed.conversations.insert(id.rawValue)
    for message in conversation?.messages.values.map(\.self) ?? [] { noteRemoval(of: message) }
  }

  /// What is deleted until a write ends, by its names.
  struct Removed {
    var messages: Set<String> = []
    var conversations: Set<String> = []
  }

  /// Ends a write. Reactions and replies go with messages that were deleted, and what answers one of these answers nothing;
  /// participations go with conversations.
  package mutating func settle() {
    let gone = removed
    removed = Removed()
    guard !gone.messages.isEmpty || !gone.conversations.isEmpty else { return }
    for (id, record) in records where id.isOfLibrary {
      let message = record.name(in: "message").map(gone.messages.contains) ?? false
      if message || record.name(in: "conversation").map(gone.conversations.contains) ?? false {
        records[id] = nil
      } else if let parent = record.name(in: "parent"), gone.messages.contains(parent) {
        var changed = record
        changed.fields.set(nil, forKey: "parent")
        changed.updatedBy = Self.user
        changed.updatedAt = nil
        changed.isChanged = true
        records[id] = changed
      }
    }
  }

  /// Reactions go with the contents of a message.
  mutating func forgetReactions(to message: Message) {
    let names = message.names
    records = records.filter { id, record in
      id.type != Self.reaction || !(record.name(in: "message").map(names.contains) ?? false)
    }
  }

  /// Nothing is said of users who are participants no longer.
  mutating func forgetParticipations(
    in conversation: SatchelModel.Conversation.ID, where isGone: (SatchelModel.Identity.ID) -> Bool
  ) {
    records = records.filter { id, record in
      guard id.type == Self.participation, record.name(in: "conversation") == conversation.rawValue,
        let user = record.name(in: "user")
      else { return true }
      return !isGone(SatchelModel.Identity.ID(user))
    }
  }

  // MARK: Comparison

  /// What a store counts otherwise of reactions, replies and what is unread; nil when nothing differs.
  func differenceOfResponses(_ snapshot: Snapshot) throws -> String? {
    guard let reactions = try snapshot.recordType(named: Self.reaction)?.id,
      let replies = try snapshot.recordType(named: Self.reply)?.id
    else { return nil }
    let parents = try snapshot.groupOfParents(ofType: replies)
    let reacting = recordsByName(of: Self.reaction, in: "message")
    let answering = recordsByName(of: Self.reply, in: "parent")
    let reader = try ReactionReader(snapshot, ofType: reactions)
    for (id, conversation) in conversations {
      guard let row = try snapshot.locateConversation(id.rawValue) else { return "\(id) is missing" }
      let read = readPosition(in: id)
      let unread = conversation.messages.values.count { $0.isUnread(by: Self.user, after: read) }
      let found = try snapshot.countUnread(in: row, after: read)
      if found != unread { return "\(id): \(found) since the last read position, not \(unread)" }
      for message in conversation.messages.values {
        let name = Array(message.id.rawValue.utf8)
        let summary = try reader.reactions(to: name)
        let expected = Self.summary(of: message.names.flatMap { reacting[$0] ?? [] })
        if summary != expected { return "reactions to \(message.id): \(summary), not \(expected)" }
        let thread = try snapshot.thread(of: name, ofType: replies, group: parents)
        let answers = message.names.flatMap { answering[$0] ?? [] }
        let last = answers.max { $0.record.order < $1.record.order }?.id.name
        if thread.replyCount != answers.count || thread.lastReply?.rawValue != last {
          return
            "replies to \(message.id): \(thread), not \(answers.count) with \(last ?? "none") as the last"
        }
      }
    }
    return nil
  }

  private typealias Named = (id: Record.ID, record: SavedRecord)

  private func recordsByName(of type: String, in field: String) -> [String: [Named]] {
    var byName: [String: [Named]] = [:]
    for (id, record) in records where id.type == type {
      if let name = record.name(in: field) { byName[name, default: []].append((id, record)) }
    }
    return byName
  }

  private func readPosition(in conversation: SatchelModel.Conversation.ID) -> Int64? {
    let name = ParticipationName.name(conversation: conversation.rawValue, user: Self.user.rawValue)
    let own = records[Record.ID(type: Self.participation, name: name)]
    if case .integer(let position)? = own?.fields.value(forKey: "lastReadPosition") { return position }
    return nil
  }

  /// A user has one reaction of a kind to a message, whatever its names.
  private static func summary(of reactions: [Named]) -> ReactionSummary {
    var users: [SatchelModel.Identity.ID: Set<SatchelModel.Identity.ID>] = [:]
    for (_, record) in reactions {
      guard case .text(let kind)? = record.fields.value(forKey: "kind"), let user = record.name(in: "user")
      else { continue }
      // Identifiers compare by their bytes, as kinds do.
      users[SatchelModel.Identity.ID(kind), default: []].insert(SatchelModel.Identity.ID(user))
    }
    return ReactionSummary(
      users.sorted { $0.key < $1.key }.map { kind, users in
        ReactionSummary.Kind(kind: kind.rawValue, count: users.count, isMine: users.contains(user))
      })
  }
}

extension ReferenceStore.Message {
  fileprivate var names: [String] { [id.rawValue] + (remoteID.map { [$0.rawValue] } ?? []) }

  fileprivate func isUnread(by user: Identity.ID, after read: Int64?) -> Bool {
    guard let position, sender != user else { return false }
    return read.map { position > $0 } ?? true
  }
}

extension ReferenceStore.SavedRecord {
  /// The name to which a field refers.
  fileprivate func name(in field: String) -> String? { fields.value(forKey: field)?.referenceValue?.name }
}
