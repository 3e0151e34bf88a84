package import Satchel
package import SatchelModel

/// Writes objects in the shape of the interchange format: compact JSON with keys in the format's order and with whole
/// contents, but without absent and default values.
package struct ObjectEncoder {
  /// The writer of the JSON. A caller that streams takes its bytes and empties it.
  package var writer = JSONWriter()

  package init() {}

  /// - Throws: ``SatchelError`` `invalidValue` for a date that the format cannot express.
  package mutating func append(_ identity: Identity) throws {
    begin("identity")
    text("userID", identity.userID.rawValue)
    for field in ObjectField.ofIdentities {
      if case .text(let value) = identity[field] { text(field.description.name, value) }
    }
    metadata(identity.metadata)
    for field in ObjectField.ofIdentities {
      switch identity[field] {
      case .text, .boolean(false): break
      case .boolean(true): flag(field.description.name, true)
      case .date(let value): try date(field.description.name, value, of: identity.userID.rawValue)
      case .choice(let number): text(field.description.name, field.type.name(of: number))
      }
    }
    writer.endObject()
  }

  /// - Throws: ``SatchelError`` `invalidValue` for a date that the format cannot express.
  package mutating func append(_ conversation: Conversation) throws {
    begin("conversation")
    text("identifier", conversation.id.rawValue)
    text("remoteID", conversation.remoteID?.rawValue)
    if !conversation.participants.isEmpty {
      writer.key("participants")
      writer.beginArray()
      for user in conversation.participants { writer.string(user.rawValue) }
      writer.endArray()
    }
    try date("createdAt", conversation.createdTimestamp, of: conversation.id.rawValue)
    try date("updatedAt", conversation.lastUpdate, of: conversation.id.rawValue)
    if conversation.isDistinct { flag("isDistinct", true) }
    metadata(conversation.metadata)
    writer.endObject()
  }

  /// - Parameter content: Reads the content of a part that is stored apart from its message.
  /// - Throws: What `content` throws, or ``SatchelError`` `invalidValue` for a date that the format cannot express.
  package mutating func append(_ message: Message, content: (MessagePart) throws -> [UInt8]) throws {
    begin("message")
    text("identifier", message.id.rawValue)
    text("conversation", message.conversation.rawValue)
    try append(message.envelope, of: message.id.rawValue, content)
  }

  /// Writes an announcement; the parameter and the errors are those of a message.
  package mutating func append(_ announcement: Announcement, content: (MessagePart) throws -> [UInt8]) throws
  {
    begin("announcement")
    text("identifier", announcement.id.rawValue)
    try append(announcement.envelope, of: announcement.id.rawValue, content)
  }

  /// Writes a declaration.
  package mutating func append(_ index: Index) {
    begin("index")
    text("name", index.name)
    text("from", index.nameOfKind)
    if index.predicate != .true { text("where", index.predicate.description) }
    writer.key("columns")
    writer.beginArray()
    for column in index.columns { writer.string(column.description) }
    writer.endArray()
    if index.isUnique {
      writer.key("unique")
      writer.bool(true)
    }
    writer.endObject()
  }

  /// Writes a part on its own, after its identifier, its message and its index.
  /// - Throws: What `content` throws.
  package mutating func append(_ part: MessagePart, content: (MessagePart) throws -> [UInt8]) throws {
    writer.beginObject()
    text("identifier", part.id.rawValue)
    text("message", part.message.rawValue)
    writer.key("index")
    writer.integer(Int64(part.index))
    try fields(part, content)
    writer.endObject()
  }
}

extension ObjectEncoder {
  private mutating func append(
    _ envelope: Envelope, of identifier: String, _ content: (MessagePart) throws -> [UInt8]
  ) throws {
    text("remoteID", envelope.remoteID)
    text("sender", envelope.sender.rawValue)
    if let position = envelope.position {
      writer.key("position")
      writer.integer(position)
    }
    try date("sentAt", envelope.sentAt, of: identifier)
    try date("receivedAt", envelope.receivedAt, of: identifier)
    try date("editedAt", envelope.editedAt, of: identifier)
    try date("deletedAt", envelope.deletedAt, of: identifier)
    try date("updatedAt", envelope.updatedAt, of: identifier)
    if !envelope.isSent { flag("isSent", false) }
    if envelope.isUnread { flag("isUnread", true) }
    if !envelope.parts.isEmpty { try append(envelope.parts, content) }
    if !envelope.recipientStatus.isEmpty {
      writer.key("recipientStatus")
      writer.beginObject()
      for entry in envelope.recipientStatus { text(entry.user.rawValue, entry.status.name) }
      writer.endObject()
    }
    metadata(envelope.metadata)
    writer.endObject()
  }

  /// Writes the parts of a message, all of them, as the value of `parts`.
  package mutating func append(_ parts: [MessagePart], _ content: (MessagePart) throws -> [UInt8]) throws {
    writer.key("parts")
    writer.beginArray()
    for part in parts {
      writer.beginObject()
      try fields(part, content)
      writer.endObject()
    }
    writer.endArray()
  }

  private mutating func fields(_ part: MessagePart, _ content: (MessagePart) throws -> [UInt8]) throws {
    text("mimeType", part.mimeType)
    switch part.content {
    case .text(let value): text("text", value)
    case .storedText:
      let utf8 = try content(part)
      writer.key("text")
      writer.string(utf8: utf8)
    case .data(let bytes):
      writer.key("base64")
      writer.base64(bytes)
    case .storedData:
      let bytes = try content(part)
      writer.key("base64")
      writer.base64(bytes)
    case .url(let link):
      text("url", link)
      if let size = part.size {
        writer.key("size")
        writer.integer(size)
      }
    }
    if part.transferStatus != .complete { text("transferStatus", part.transferStatus.name) }
  }

  mutating func begin(_ kind: String) {
    writer.beginObject()
    text("kind", kind)
  }

  package mutating func text(_ key: String, _ value: String?) {
    guard let value else { return }
    writer.key(key)
    writer.string(value)
  }

  package mutating func flag(_ key: String, _ value: Bool) {
    writer.key(key)
    writer.bool(value)
  }

  mutating func date(_ key: String, _ date: Timestamp?, of identifier: String) throws {
    guard let date else { return }
    writer.key(key)
    do {
      try writer.date(microseconds: date.microseconds)
    } catch {
      throw SatchelError(
        .invalidValue, "The interchange format has the dates of the years 0000 to 9999",
        ["identifier": identifier, "property": key, "microseconds": String(date.microseconds)])
    }
  }

  package mutating func metadata(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    writer.key("metadata")
    writer.metadata(metadata)
  }
}
