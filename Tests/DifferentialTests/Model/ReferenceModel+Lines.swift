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
      guard record["format"] == .string("satchel-interchange"), record["version"] == .number("1") else {
        throw LineError("another format or version")
      }
    case "trailer": break
    case "identity": try addIdentity(record)
    case "conversation": try addConversation(record)
    case "message": try addMessage(record, isAnnouncement: false)
    case "announcement": try addMessage(record, isAnnouncement: true)
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
    guard conversations[identifier] == nil else { throw LineError("repeated identifier") }
    var conversation = ModelConversation(creation: takeCreation(), identifier: identifier)
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
  }

  private func addMessage(_ record: JSONValue, isAnnouncement: Bool) throws {
    let identifier = try record.identifier("identifier")
    guard messages[identifier] == nil else { throw LineError("repeated identifier") }
    let conversation = isAnnouncement ? nil : try record.identifier("conversation")
    if let conversation, conversations[conversation] == nil { throw LineError("unknown conversation") }
    var message = ModelMessage(
      creation: takeCreation(), identifier: identifier, conversation: conversation,
      sender: try record.identifier("sender"))
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
  }

  private func applyDelete(_ record: JSONValue) throws {
    if record["conversation"] != nil {
      let identifier = try record.identifier("conversation")
      guard conversations[identifier] != nil else { throw LineError("unknown conversation") }
      conversations[identifier] = nil
      messages = messages.filter { $0.value.conversation != identifier }
    } else {
      let identifier = try record.identifier("message")
      guard messages[identifier] != nil else { throw LineError("unknown message") }
      messages[identifier] = nil
    }
  }
}
