internal import RecordStore
internal import SatchelBytes
package import SatchelCoding
package import SatchelModel

extension Snapshot {
  /// Returns a message as a value.
  /// - Parameter along: What comes with it.
  package func makeMessage(_ view: MessageView, _ along: Accompaniment = Accompaniment()) throws -> Message {
    Message(try envelope(view, along))
  }

  /// Returns the message that an index refers to, as a value.
  package func makeMessage(
    conversation: UInt32, sequence: UInt64, _ along: Accompaniment = Accompaniment()
  ) throws -> Message {
    let key = MessageKey(conversation: conversation, sequence: sequence)
    guard pending == nil, locatedMessage?.key != key else {
      return try makeMessage(message(conversation: conversation, sequence: sequence), along)
    }
    var message: Message?
    try makeMessages(1, along, { _ in key }) { message = $0 }
    guard let message else { throw RecordError("messages", "\(conversation)/\(sequence)", "it is missing") }
    return message
  }

  /// Returns an announcement as a value.
  package func makeAnnouncement(
    _ view: MessageView, _ along: Accompaniment = Accompaniment()
  ) throws -> Announcement {
    Announcement(try envelope(view, along))
  }

  /// Returns the announcement that an index refers to, as a value.
  package func makeAnnouncement(
    _ sequence: UInt64, _ along: Accompaniment = Accompaniment()
  ) throws -> Announcement {
    try makeAnnouncement(announcement(sequence), along)
  }

  /// Returns the part at an index of a message or announcement as a value, or nil if there is none.
  package func makePart(
    _ view: MessageView, index: Int, _ along: Accompaniment = Accompaniment()
  ) throws -> MessagePart? {
    guard let (part, isLeadingText) = part(at: index, of: view) else { return nil }
    return try makePart(
      part, index: index, view, id: Message.ID(try identifier(of: view)), isLeadingText: isLeadingText,
      along)
  }

  /// Returns a conversation as a value, with its last message.
  /// - Parameter along: What comes with it, and with a message; a last message has a little less: see `ContentSelection`.
  package func makeConversation(
    _ view: ConversationView, _ along: Accompaniment = Accompaniment()
  ) throws -> Conversation {
    let identifier = try conversationIdentifier(view)
    return try makeConversation(
      view, identifier, along,
      view.last.map {
        try makeMessage(conversation: view.row, sequence: $0.sequence, along.ofLast)
      })
  }

  /// Calls `give` with each conversation that an index refers to, in the given order. Their last messages share blocks.
  /// - Parameters:
  ///   - along: What comes with them, and with a message; the last messages have a little less.
  ///   - row: Returns the row of the conversation at an index below `count`.
  package func makeConversations(
    _ count: Int, _ along: Accompaniment, _ row: (Int) -> UInt32, give: (Conversation) throws -> Void
  ) throws {
    // In a write the next read may move the records.
    guard pending == nil else {
      for index in 0..<count { try give(makeConversation(row(index), along)) }
      return
    }
    var next = 0
    while next < count {
      let end = min(count, next + Self.conversationsAtOnce)
      var views: [(view: ConversationView, identifier: String)] = []
      views.reserveCapacity(end - next)
      var last: [MessageKey] = []
      last.reserveCapacity(end - next)
      for index in next..<end {
        let view = try conversation(row(index))
        views.append((view, try conversationIdentifier(view)))
        if let message = view.last {
          last.append(MessageKey(conversation: view.row, sequence: message.sequence))
        }
      }
      var given = 0
      func giveNext(_ message: Message?) throws {
        try give(makeConversation(views[given].view, views[given].identifier, along, message))
        given += 1
      }
      try makeMessages(last.count, along.ofLast, { last[$0] }) { message in
        while views[given].view.last == nil { try giveNext(nil) }
        try giveNext(message)
      }
      while given < views.count { try giveNext(nil) }
      next = end
    }
  }

  private static var conversationsAtOnce: Int { 256 }

  private func makeConversation(
    _ view: ConversationView, _ identifier: String, _ along: Accompaniment, _ lastMessage: Message?
  ) throws -> Conversation {
    Conversation(
      id: Conversation.ID(identifier), remoteID: try remoteID(of: view),
      participants: try participants(view.participantSet),
      createdTimestamp: view.createdAt.map(Timestamp.init(microseconds:)),
      updatedTimestamp: view.updatedAt.map(Timestamp.init(microseconds:)), isDistinct: view.isDistinct,
      metadata: view.metadata.isEmpty
        ? Metadata()
        : try decoding("conversations", "\(view.row)") { () throws(CodingError) in
          try view.metadata.decode(in: .conversation)
        },
      lastMessage: lastMessage, unreadCount: Int(clamping: view.unreadCount),
      messageCount: Int(clamping: view.messageCount), inclusions: along.included?.inclusions,
      own: try along.included?.own(in: view))
  }

  /// Returns the user ids of a participant set, by ascending bytes.
  private func participants(_ set: UInt32) throws -> [Identity.ID] {
    if pending == nil {
      let known = memory.map { $0.participants(set) } ?? cache.participants(set)
      if let known { return known }
    }
    let participants = try participantSets.members(set).map { Identity.ID(try users.text($0)) }.sorted()
    if pending == nil { cache.add(participants: participants, of: set) }
    return participants
  }

  /// Returns the conversation that an index refers to, as a value.
  package func makeConversation(
    _ row: UInt32, _ along: Accompaniment = Accompaniment()
  ) throws -> Conversation {
    try makeConversation(conversation(row), along)
  }

  /// Returns an identity as a value.
  package func makeIdentity(_ view: IdentityView) throws -> Identity {
    let fields = try decoding("identities", "\(view.row)") { () throws(CodingError) in try view.fields() }
    return fields.identity(Identity.ID(try users.text(fields.user)))
  }

  /// Returns the identity that an index refers to, as a value.
  package func makeIdentity(_ row: UInt32) throws -> Identity { try makeIdentity(identity(row)) }

  /// Returns the identity of a user as a value: only the user id if there is none.
  package func makeIdentity(ofUser user: UInt32) throws -> Identity {
    try identity(ofUser: user).map { try makeIdentity($0) }
      ?? Identity(userID: Identity.ID(try users.text(user)))
  }

  /// Returns the metadata of a message or announcement.
  package func metadata(of view: MessageView) throws -> Metadata {
    try decoding("messages", "\(view.key.conversation)/\(view.key.sequence)") { () throws(CodingError) in
      try view.metadata.decode(in: .message)
    }
  }

  /// Returns the envelope with all values decoded.
  func valuesOfEnvelope(_ view: MessageView, _ along: Accompaniment) throws -> Envelope {
    let identifier = try identifier(of: view)
    let id = Message.ID(identifier)
    var parts: [MessagePart] = []
    parts.reserveCapacity(view.partCount)
    var hasText = false
    var preview: String?
    try forEachPart(of: view) { part, index in
      let isLeadingText = part.kind == .text && !hasText
      if isLeadingText {
        hasText = true
        if !along.contents.holds(part, isLeadingText: true) {
          preview = try self.preview(of: part, index: index, view)
        }
      }
      parts.append(
        try makePart(part, index: index, view, id: id, isLeadingText: isLeadingText, along))
    }
    var recipients: [RecipientStatusEntry] = []
    var numbers: [(UInt32, RecipientStatus)] = []
    view.forEachRecipient { numbers.append(($0, $1)) }
    for (user, status) in numbers {
      recipients.append(RecipientStatusEntry(user: Identity.ID(try users.text(user)), status: status))
    }
    recipients.sort { $0.user < $1.user }
    let conversation =
      view.key.isAnnouncement
      ? nil : Conversation.ID(try conversationIdentifier(view.key.conversation))
    return Envelope(
      identifier: identifier, remoteID: try remoteID(of: view), conversation: conversation,
      sender: Identity.ID(try users.text(view.sender)), position: view.position,
      sentAt: view.sentAt.map(Timestamp.init(microseconds:)),
      receivedAt: view.receivedAt.map(Timestamp.init(microseconds:)),
      editedAt: view.editedAt.map(Timestamp.init(microseconds:)),
      deletedAt: view.deletedAt.map(Timestamp.init(microseconds:)),
      updatedAt: view.updatedAt.map(Timestamp.init(microseconds:)), isSent: view.isSent,
      isUnread: view.isUnread, parts: parts, preview: preview, recipientStatus: recipients,
      metadata: view.metadata.isEmpty ? Metadata() : try metadata(of: view),
      included: try along.included?.objects(of: view))
  }

  private func makePart(
    _ part: PartView, index: Int, _ view: MessageView, id: Message.ID, isLeadingText: Bool,
    _ along: Accompaniment
  ) throws -> MessagePart {
    let comesAlong = along.contents.holds(part, isLeadingText: isLeadingText)
    let content: MessagePart.Content
    switch part.kind {
    case .data:
      content = comesAlong ? .data(try self.content(of: part, index: index, in: view.key)) : .storedData
    case .text:
      content = comesAlong ? .text(try text(of: part, index: index, view)) : .storedText
    case .url: content = .url(try text(of: part, index: index, view))
    }
    return MessagePart(
      message: id, index: index, mimeType: try mimeTypes.text(part.mimeType), content: content,
      size: part.size, transferStatus: part.transferStatus, included: try along.included?.message(view))
  }
}
