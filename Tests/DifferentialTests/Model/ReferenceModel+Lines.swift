/// Why a line was refused. Nothing of it was applied.
struct LineError: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

extension ReferenceModel {
  /// Applies one line of the interchange format; throws, and changes nothing, if it is one an import rejects.
  func apply(_ line: ArraySlice<UInt8>) throws {
    let record = try JSONReader.read(line)
    guard case .object = record else { throw LineError("not an object") }
    guard case .string(let kind)? = record["kind"] else { throw LineError("no kind") }
    switch kind.string {
    case "header":
      guard record["format"] == .string("satchel-interchange"),
        ["1", "2", "3", "4"].contains(where: { record["version"] == .number($0) })
      else {
        throw LineError("another format or version")
      }
    case "trailer": break
    case "identity": try addIdentity(record)
    case "conversation": try addConversation(record)
    case "message": try addMessage(record, isAnnouncement: false)
    case "announcement": try addMessage(record, isAnnouncement: true)
    case "recordType": try declareRecordType(record)
    case "record": try addRecord(record)
    case "update": try applyUpdate(record)
    case "delete": try applyDelete(record)
    default: throw LineError("unknown kind")
    }
    invalidateSnapshot()
  }

  func apply(_ line: String) throws {
    try apply(Array(line.utf8)[...])
  }

  private func addIdentity(_ record: JSONValue) throws {
    let userID = try record.identifier("userID")
    guard identities[userID] == nil else { throw LineError("repeated userID") }
    var identity = ModelIdentity(creation: takeCreation(), userID: userID)
    for key in ModelIdentity.nameKeys { identity.names[key] = try record.text(key) }
    identity.metadata = try record.metadata()
    identities[userID] = identity
  }

  private func addConversation(_ record: JSONValue) throws {
    let identifier = try record.identifier("identifier")
    let remoteID = try record.text("remoteID")
    for name in [identifier] + (remoteID.map { [$0] } ?? []) where conversation(named: name) != nil {
      throw LineError("repeated identifier")
    }
    var conversation = ModelConversation(creation: takeCreation(), identifier: identifier)
    conversation.remoteID = remoteID
    conversation.participants = try record.users("participants") ?? []
    conversation.createdAt = try record.date("createdAt")
    conversation.isDistinct = try record.boolean("isDistinct") ?? false
    conversation.metadata = try record.metadata()
    guard
      !conversation.isDistinct
        || !conversations.values.contains(where: {
          $0.isDistinct && $0.participants == conversation.participants
        })
    else { throw LineError("a second distinct conversation of these participants") }
    conversations[identifier] = conversation
    takeParticipations(conversation)
  }

  private func addMessage(_ record: JSONValue, isAnnouncement: Bool) throws {
    let identifier = try record.identifier("identifier")
    let remoteID = try record.text("remoteID")
    for name in [identifier] + (remoteID.map { [$0] } ?? []) where message(named: name) != nil {
      throw LineError("repeated identifier")
    }
    var conversation: ByteString?
    if !isAnnouncement {
      guard let known = self.conversation(named: try record.identifier("conversation")) else {
        throw LineError("unknown conversation")
      }
      conversation = known
    }
    var message = ModelMessage(
      creation: takeCreation(), identifier: identifier, conversation: conversation,
      sender: try record.identifier("sender"))
    message.remoteID = remoteID
    message.position = try record.integer("position")
    message.sentAt = try record.date("sentAt")
    message.receivedAt = try record.date("receivedAt")
    message.editedAt = try record.date("editedAt")
    message.deletedAt = try record.date("deletedAt")
    message.isSent = try record.boolean("isSent") ?? true
    message.isUnread = try record.boolean("isUnread") ?? false
    message.parts = try record.parts()
    for (user, status) in try record.statuses("recipientStatus") { message.recipientStatus[user] = status }
    message.metadata = try record.metadata()
    messages[identifier] = message
    takeResponses(message)
  }

  private func applyDelete(_ record: JSONValue) throws {
    if record["record"] != nil {
      try deleteRecord(record)
    } else if record["conversation"] != nil {
      guard let identifier = conversation(named: try record.identifier("conversation")) else {
        throw LineError("unknown conversation")
      }
      noteRemoval("conversations", [identifier, conversations[identifier]?.remoteID])
      conversations[identifier] = nil
      for message in messages.values where message.conversation == identifier {
        noteRemoval("messages", [message.identifier, message.remoteID])
        messages[message.identifier] = nil
      }
    } else {
      guard let identifier = message(named: try record.identifier("message")) else {
        throw LineError("unknown message")
      }
      noteRemoval("messages", [identifier, messages[identifier]?.remoteID])
      messages[identifier] = nil
    }
  }

  /// The identifier of the message that has a name, as its identifier or its remote identifier.
  func message(named name: ByteString) -> ByteString? {
    if messages[name] != nil { return name }
    return messages.values.first { $0.remoteID == name }?.identifier
  }

  /// The identifier of the conversation that has a name.
  func conversation(named name: ByteString) -> ByteString? {
    if conversations[name] != nil { return name }
    return conversations.values.first { $0.remoteID == name }?.identifier
  }
}
