internal import RankedIndex
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
package import SatchelReading
package import SatchelRecords

/// What a store should hold, in dictionaries: the model that random operations are compared with.
package struct ReferenceStore {
  package struct Message {
    package let id: SatchelModel.Message.ID
    package let order: Int
    package var remoteID: SatchelModel.Message.ID?
    package var sender: SatchelModel.Identity.ID
    package var position: Int64?
    package var sentAt: Int64?
    package var isUnread: Bool
    package var parts: [String]
    package var metadata: Metadata
    /// Whether it was deleted for everyone.
    package var isDeleted = false
  }

  package struct Conversation {
    package let order: Int
    package var participants: Set<SatchelModel.Identity.ID>
    package var metadata: Metadata
    package var messages: [SatchelModel.Message.ID: Message] = [:]

    /// By position, then creation; unsent ones after all others.
    package var last: Message? {
      messages.values.max { left, right in
        switch (left.position, right.position) {
        case (let a?, let b?) where a != b: a < b
        case (nil, .some): false
        case (.some, nil): true
        default: left.order < right.order
        }
      }
    }

    package var isVisible: Bool { !messages.isEmpty && participants.contains("me") }
  }

  package var conversations: [SatchelModel.Conversation.ID: Conversation] = [:]
  package var announcements: [SatchelModel.Message.ID: Message] = [:]
  package var identities: [SatchelModel.Identity.ID: Identity] = [:]
  /// The record types, in the order of their declarations.
  package var recordTypes: [RecordType] = []
  package var records: [Record.ID: SavedRecord] = [:]
  /// What indexes are declared, by their names.
  package var indexes: [String: DeclaredIndexEntry.Definition] = [:]
  package var counter = 0
  /// Counts the records of the types that the library brings.
  package var libraryRecords = 0
  /// What the write has deleted so far.
  var removed = Removed()

  package init() {}

  package mutating func next() -> Int {
    counter += 1
    return counter
  }
}

extension ReferenceStore {
  /// What differs between the model and a store; nil when nothing does.
  package func difference(_ snapshot: Snapshot) throws -> String? {
    for (id, expected) in conversations {
      guard let row = try snapshot.locateConversation(id.rawValue) else { return "\(id) is missing" }
      let found = try snapshot.makeConversation(row)
      if found.messageCount != expected.messages.count { return "\(id): \(found.messageCount) messages" }
      if found.unreadCount != expected.messages.values.count(where: \.isUnread) {
        return "\(id): unread count"
      }
      if found.lastMessage?.id != expected.last?.id {
        return "\(id): last \(found.lastMessage?.id.rawValue ?? "none")"
      }
      if Set(found.participants) != expected.participants { return "\(id): participants" }
      if !found.metadata.hasSameBytes(as: expected.metadata) { return "\(id): metadata" }
      if try snapshot.conversation(row).isVisible != expected.isVisible { return "\(id): visibility" }
      for message in expected.messages.values {
        guard let key = try snapshot.locateMessage(message.id.rawValue), key.conversation == row else {
          return "\(message.id) is missing"
        }
        if let name = message.remoteID, try snapshot.locateMessage(name.rawValue) != key {
          return "\(message.id) is not found as \(name)"
        }
        let value = try snapshot.makeMessage(conversation: row, sequence: key.sequence)
        if let what = Self.difference(message, value.envelope) { return "\(message.id): \(what)" }
      }
    }
    for message in announcements.values {
      guard let key = try snapshot.locateMessage(message.id.rawValue), key.isAnnouncement else {
        return "\(message.id) is missing"
      }
      if let name = message.remoteID, try snapshot.locateMessage(name.rawValue) != key {
        return "\(message.id) is not found as \(name)"
      }
      let value = try snapshot.makeAnnouncement(key.sequence)
      if let what = Self.difference(message, value.envelope) { return "\(message.id): \(what)" }
    }
    for (id, expected) in identities {
      guard let user = try snapshot.users.number(of: id.rawValue),
        let row = try snapshot.locateIdentity(user: user)
      else { return "identity \(id) is missing" }
      if try snapshot.makeIdentity(row) != expected { return "identity \(id)" }
    }
    let all = conversations.values.flatMap(\.messages.values) + Array(announcements.values)
    let names = try snapshot.forest.count(IndexCatalog.messageRemoteID.tree)
    if names != all.count(where: { $0.remoteID != nil }) { return "\(names) remote identifiers" }
    let found = try snapshot.forest.count(IndexCatalog.conversationIdentifier.tree)
    if found != conversations.count { return "\(found) conversations, not \(conversations.count)" }
    return try differenceOfRecords(snapshot) ?? differenceOfResponses(snapshot)
      ?? differenceOfIndexes(snapshot)
  }

  private func differenceOfIndexes(_ snapshot: Snapshot) throws -> String? {
    var declared: [String: DeclaredIndexEntry.Definition] = [:]
    // Of two of a name, the later one is to take the place of the other.
    for record in try snapshot.declaredIndexes() where record.entry.state != .leaving {
      declared[record.name] = record.definition
    }
    for name in Set(declared.keys).union(indexes.keys).sorted() where declared[name] != indexes[name] {
      switch (declared[name], indexes[name]) {
      case (nil, _): return "index \(name) is missing"
      case (_, nil): return "index \(name) was not declared, or was dropped"
      default: return "index \(name) is declared otherwise"
      }
    }
    return nil
  }

  private static func difference(_ expected: Message, _ found: Envelope) -> String? {
    if found.remoteID != expected.remoteID?.rawValue { return "remoteID" }
    if found.sender != expected.sender { return "sender" }
    if found.position != expected.position { return "position" }
    if found.sentAt?.microseconds != expected.sentAt { return "sentAt" }
    if found.isUnread != expected.isUnread { return "isUnread" }
    if found.parts.map(\.mimeType) != expected.parts { return "parts" }
    if !found.metadata.hasSameBytes(as: expected.metadata) { return "metadata" }
    if (found.deletedAt != nil) != expected.isDeleted { return "deletedAt" }
    return nil
  }
}
