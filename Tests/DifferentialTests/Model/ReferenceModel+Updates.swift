extension ReferenceModel {
  /// An update changes all it names or, when any of that is wrong, nothing. `null` in `set` makes a property missing.
  func applyUpdate(_ record: JSONValue) throws {
    let changes = record["set"] ?? .object([])
    guard case .object = changes else { throw LineError("set is no object") }
    if record["message"] != nil {
      guard let identifier = message(named: try record.identifier("message")),
        var message = messages[identifier]
      else { throw LineError("unknown message") }
      if let name = try changes.text("remoteID"), name != message.remoteID {
        guard message.remoteID == nil else { throw LineError("another remote identifier") }
        guard self.message(named: name) ?? identifier == identifier else {
          throw LineError("repeated identifier")
        }
        message.remoteID = name
      }
      try Self.update(&message, changes)
      let tags = message.metadata
      try Self.update(&message.metadata, record["metadata"])
      if message.deletedAt != nil, Self.names(contents: record["metadata"]) || tags != message.metadata {
        throw LineError("it was deleted for everyone")
      }
      messages[identifier] = message
      takeResponses(message)
    } else if record["conversation"] != nil {
      guard let identifier = conversation(named: try record.identifier("conversation")),
        var conversation = conversations[identifier]
      else { throw LineError("unknown conversation") }
      let participants = conversation.participants
      try Self.update(&conversation, changes)
      try Self.update(&conversation.metadata, record["metadata"])
      conversations[identifier] = conversation
      removeParticipations(of: participants.subtracting(conversation.participants), in: conversation)
    } else if record["record"] != nil {
      try updateRecord(record, changes)
    } else {
      let userID = try record.identifier("identity")
      guard var identity = identities[userID] else { throw LineError("unknown identity") }
      for key in ModelIdentity.nameKeys where changes.has(key) { identity.names[key] = try changes.text(key) }
      try Self.update(&identity.metadata, record["metadata"])
      identities[userID] = identity
    }
  }

  /// Whether an edit of metadata has a step, even one that changes nothing.
  private static func names(contents metadata: JSONValue?) -> Bool {
    if case .object(let members)? = metadata?["set"], !members.isEmpty { return true }
    if case .array(let paths)? = metadata?["remove"], !paths.isEmpty { return true }
    return false
  }

  private static func update(_ message: inout ModelMessage, _ changes: JSONValue) throws {
    let isDeleted = message.deletedAt != nil
    if isDeleted {
      guard !changes.has("parts"), !changes.has("editedAt") else { throw LineError("it has no parts") }
      guard try changes.statuses("recipientStatus").isEmpty else { throw LineError("it has no recipients") }
    }
    if changes.has("position") { message.position = try changes.integer("position") }
    if changes.has("sentAt") { message.sentAt = try changes.date("sentAt") }
    if changes.has("receivedAt") { message.receivedAt = try changes.date("receivedAt") }
    if changes.has("isSent") { message.isSent = try changes.boolean("isSent") ?? true }
    if changes.has("isUnread") { message.isUnread = try changes.boolean("isUnread") ?? false }
    for (user, status) in try changes.statuses("recipientStatus") { message.recipientStatus[user] = status }
    if changes.has("transferStatus"), changes["transferStatus"] == nil {
      for index in message.parts.indices { message.parts[index].transferStatus = "complete" }
    }
    for (index, status) in try changes.transfers("transferStatus") {
      guard message.parts.indices.contains(index) else { throw LineError("no such part") }
      message.parts[index].transferStatus = status
    }
    // What is the same as before is no edit, but the date that comes with it is taken.
    if changes.has("parts") { message.parts = try changes.parts() }
    if changes.has("editedAt") { message.editedAt = try changes.date("editedAt") }
    if let date = try changes.date("deletedAt"), !isDeleted {
      message.deletedAt = date
      message.parts = []
      message.recipientStatus = [:]
      message.metadata = .empty
    }
  }

  private static func update(_ conversation: inout ModelConversation, _ changes: JSONValue) throws {
    if changes.has("participants") {
      let participants = try changes.users("participants") ?? []
      // Who is in it is what a conversation is distinct by.
      if participants != conversation.participants { conversation.isDistinct = false }
      conversation.participants = participants
    }
    if changes.has("createdAt") { conversation.createdAt = try changes.date("createdAt") }
    if changes.has("isDistinct") { conversation.isDistinct = try changes.boolean("isDistinct") ?? false }
  }

  private static func update(_ metadata: inout MetadataTree, _ changes: JSONValue?) throws {
    guard let changes else { return }
    if case .object(let members)? = changes["set"] {
      for member in members {
        metadata.set(try MetadataTree(checking: member.value), at: try keyPath(member.key)[...])
      }
    }
    if case .array(let paths)? = changes["remove"] {
      for path in paths {
        guard case .string(let text) = path else { throw LineError("a key path is no string") }
        metadata.remove(at: try keyPath(text)[...])
      }
    }
  }

  private static func keyPath(_ text: ByteString) throws -> [ByteString] {
    var keys = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
      .map { ByteString(utf8: Array($0)) }
    if !keys.allSatisfy(MetadataTree.isName) {
      guard let path = try? PredicateParser.parsePath("metadata." + text.string) else {
        throw LineError("no key path")
      }
      keys = Array(path.components.dropFirst())
    }
    guard keys.allSatisfy(MetadataTree.isKey) else { throw LineError("invalid metadata key") }
    return keys
  }
}
