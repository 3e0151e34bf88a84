/// What is said to messages, and what conversations are to their participants: records of types that the library brings.
enum Responses {
  static let reaction: ByteString = "_reaction"
  static let reply: ByteString = "_reply"
  static let participation: ByteString = "_participation"
  static let types = [reaction, reply, participation]

  /// What is true or false of a conversation, and what else may be said of it.
  static let flags: [ByteString] = ["isArchived", "isHidden", "isMuted", "isPinned"]
  static let values: [ByteString] = [
    "archivedAt", "joinedAt", "lastReadPosition", "mutedUntil", "pinnedAt", "role",
  ]

  /// The fields that a type is declared with.
  static func declared(_ type: ByteString) -> [ByteString] {
    switch type {
    case reaction: ["message", "user", "kind", "state", "remoteID", "date"]
    case reply: ["message", "parent"]
    default: ["conversation", "user"] + flags + values
    }
  }

  /// What a record is called: what it is about, with slashes between the parts, each without slashes of its own.
  static func name(_ parts: ByteString...) -> ByteString {
    let spelled = parts.map { part in
      part.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case 0x2F: Array("%2F".utf8)
        case 0x25: Array("%25".utf8)
        default: [byte]
        }
      }
    }
    return ByteString(utf8: Array(spelled.joined(separator: [0x2F])))
  }

  /// A part of a name, as it was before it became one.
  static func part(_ spelled: ArraySlice<UInt8>) -> ByteString {
    ByteString(
      ByteString(utf8: Array(spelled)).string.replacing("%2F", with: "/").replacing("%25", with: "%"))
  }

  /// The name that a record of one of these types has to have by its fields; nil if they do not say all that they have to, or say what
  /// does not go together.
  static func expectedName(of type: ByteString, _ fields: [ByteString: MetadataTree]) -> ByteString? {
    func referred(_ key: ByteString) -> ByteString? {
      if case .reference(let reference)? = fields[key] { reference.name } else { nil }
    }
    func isTrue(_ key: ByteString) -> Bool { fields[key] == .boolean(true) }
    switch type {
    case reaction:
      guard let message = referred("message"), let user = referred("user"),
        case .text(let kind)? = fields["kind"], !kind.isEmpty, case .text(let state)? = fields["state"],
        ["pending", "sent"].contains(state)
      else { return nil }
      return name(message, kind, user)
    case reply:
      guard let message = referred("message"), referred("parent") != message else { return nil }
      return message
    default:
      guard let conversation = referred("conversation"), let user = referred("user"),
        isTrue("isPinned") == (fields["pinnedAt"] != nil),
        isTrue("isArchived") == (fields["archivedAt"] != nil),
        isTrue("isMuted") || fields["mutedUntil"] == nil
      else { return nil }
      return name(conversation, user)
    }
  }
}

/// What follows for such records from changes of messages and conversations.
extension ReferenceModel {
  /// Refuses a record of one of these types that says two things of itself, or what cannot be said of the message.
  func checkResponse(_ id: ModelReference, _ fields: MetadataTree) throws {
    guard Responses.types.contains(id.type), case .dictionary(let values) = fields else { return }
    if id.type != Responses.participation, let message = message(ofResponse: id) {
      guard message.conversation != nil else { throw LineError("it is an announcement") }
      guard id.type == Responses.reply || message.deletedAt == nil else {
        throw LineError("it was deleted for everyone")
      }
    }
    guard Responses.expectedName(of: id.type, values) == id.name else {
      throw LineError("the record is named otherwise than by its fields")
    }
  }

  /// Nothing is said of whom a conversation does not have as a participant any more.
  func removeParticipations(of users: Set<ByteString>, in conversation: ModelConversation) {
    remove { record in
      guard record.id.type == Responses.participation,
        case .reference(let target)? = record.values["conversation"],
        case .reference(let user)? = record.values["user"]
      else { return false }
      return target.name == conversation.identifier && users.contains(user.name)
    }
  }

  private func remove(where isGone: (ModelRecord) -> Bool) {
    for record in records.values.filter(isGone) { remove(record) }
  }

  func remove(_ record: ModelRecord) {
    records[record.id] = nil
    removed.insert(record.id)
  }
}
