/// What comes with messages and conversations on request, counted one by one.
extension Snapshot {
  /// The reactions of one kind to a message.
  struct ReactionKind: Equatable {
    let kind: ByteString
    let count: Int
    let isMine: Bool
  }

  /// The replies to a message, and the one of which the store was told last.
  struct Replies: Equatable {
    let count: Int
    let last: ByteString?
  }

  /// How many users reacted to a message, by what they reacted with: it is meant by each of its names.
  func reactions(to message: Message) -> [ReactionKind] {
    var users: [ByteString: Set<ByteString>] = [:]
    for record in records(of: Responses.reaction, in: "message", to: message.record) {
      guard case .text(let kind)? = record.values["kind"], case .reference(let user)? = record.values["user"]
      else { continue }
      users[kind, default: []].insert(user.name)
    }
    return users.sorted { $0.key < $1.key }.map { kind, users in
      ReactionKind(kind: kind, count: users.count, isMine: users.contains(user))
    }
  }

  func replies(to message: Message) -> Replies {
    let records = records(of: Responses.reply, in: "parent", to: message.record)
    return Replies(count: records.count, last: records.max { $0.creation < $1.creation }?.id.name)
  }

  /// How many messages of others have a position behind the last one that the user has read, or any if he has read none.
  func unreadSinceLastRead(in conversation: Conversation) -> Int {
    var read: Int64?
    if case .integer(let position)? = conversation.own?.values["lastReadPosition"] { read = position }
    return conversation.messages.count { message in
      guard let position = message.record.position, message.record.sender != user else { return false }
      return read.map { position > $0 } ?? true
    }
  }

  private func records(
    of type: ByteString, in field: ByteString, to message: ModelMessage
  ) -> [ModelRecord] {
    let byName = respondingRecords(of: type, by: field)
    return [message.identifier, message.remoteID].compactMap { $0.flatMap { byName[$0] } }.flatMap { $0 }
  }

  /// The records of a type by the name of the message to which a field of theirs refers.
  private func respondingRecords(of type: ByteString, by field: ByteString) -> [ByteString: [ModelRecord]] {
    if let known = responding[type] { return known }
    var byName: [ByteString: [ModelRecord]] = [:]
    for record in records[type, default: []] {
      guard case .reference(let target)? = record.values[field] else { continue }
      byName[target.name, default: []].append(record)
    }
    responding[type] = byName
    return byName
  }
}
