internal import LMDB
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelModel
internal import SatchelRecords
internal import SatchelWriting

/// Makes objects from salvaged records. An object is whole if everything that its record refers to was found. Otherwise
/// it has what was found, and one sentence for each thing that is missing.
struct SalvagedObjects {
  let view: SalvagedRecords.View
  let user: String
  /// What is missing in the object that was made last.
  var lacks: [String] = []
  private var texts: [UInt64: String] = [:]

  init(_ view: SalvagedRecords.View, user: String) {
    self.view = view
    self.user = user
  }

  /// Returns a text of a dictionary; nil if it is lost.
  mutating func text(_ kind: DictionaryKind, _ id: UInt32) throws -> String? {
    let textKey = UInt64(kind.rawValue) << 32 | UInt64(id)
    if let known = texts[textKey] { return known }
    guard let (bytes, _) = unsafe try view.record(ObjectKey.dictionary(kind, id: id).bytes),
      case .text(let utf8)? = unsafe try? DictionaryEntry(bytes, kind, id: id),
      let text = String(validating: utf8, as: UTF8.self)
    else { return nil }
    if texts.count > 50_000 { texts.removeAll() }
    texts[textKey] = text
    return text
  }

  /// Returns the user id of a number; if it is lost, one made from the number.
  private mutating func userID(_ id: UInt32, _ role: String) throws -> Identity.ID {
    if let text = try text(.users, id) { return Identity.ID(text) }
    let name = "lost-user-\(id)"
    lacks.append("the user id of its \(role) is lost: it is \(name) now")
    return Identity.ID(name)
  }

  mutating func identity(_ row: UInt32, _ bytes: UnsafeRawBufferPointer) throws -> Identity? {
    lacks = []
    guard let fields = unsafe try? IdentityView(bytes, row: row).fields(),
      let user = try text(.users, fields.user)
    else { return nil }
    return fields.identity(Identity.ID(user))
  }

  mutating func conversation(_ row: UInt32, _ bytes: UnsafeRawBufferPointer) throws -> ConversationDraft? {
    lacks = []
    guard let view = unsafe try? ConversationView(bytes, row: row), let fields = try? view.fields(),
      let identifier = try? view.identifier()
    else { return nil }
    var participants: [Identity.ID] = []
    if let (bytes, _) = unsafe try self.view.record(
      ObjectKey.dictionary(.participantSets, id: fields.participantSet).bytes),
      case .set(let members)? = unsafe try? DictionaryEntry(
        bytes, .participantSets, id: fields.participantSet)
    {
      for member in members { participants.append(try userID(member, "participant")) }
    } else {
      participants = try writers(of: row)
      lacks.append("its participants are lost: they are those who wrote in it now")
    }
    return ConversationDraft(
      identifier: Conversation.ID(identifier),
      remoteID: fields.remoteID.map { Conversation.ID(String(decoding: $0, as: UTF8.self)) },
      participants: participants, createdAt: fields.createdAt.map(Timestamp.init(microseconds:)),
      updatedAt: fields.updatedAt.map(Timestamp.init(microseconds:)), isDistinct: fields.isDistinct,
      metadata: fields.metadata)
  }

  /// Returns a record of an application; nil if it cannot be decoded.
  mutating func record(
    _ key: TypedRecordKey, _ bytes: UnsafeRawBufferPointer, of type: RecordType
  ) throws -> Record? {
    lacks = []
    guard let view = unsafe try? RecordView(bytes, key: key), let values = try? view.values(),
      let name = try? view.identifier()
    else { return nil }
    var record = Record(
      id: Record.ID(type: type.name, name: name), owner: try userID(values.owner, "owner"), values.fields)
    record.createdBy = try userID(values.createdBy, "creator")
    record.updatedBy = try userID(values.updatedBy, "last editor")
    record.createdTimestamp = Timestamp(microseconds: values.createdAt)
    record.updatedTimestamp = Timestamp(microseconds: values.updatedAt)
    return record
  }

  /// Returns a made-up conversation in place of one whose record is lost, for those of its messages that are not lost.
  mutating func madeUpConversation(_ row: UInt32) throws -> ConversationDraft {
    ConversationDraft(
      identifier: Conversation.ID("lost-conversation-\(row)"), participants: try writers(of: row))
  }

  /// Returns the store's user and the senders of the first messages of a conversation.
  private mutating func writers(of row: UInt32) throws -> [Identity.ID] {
    var users: Set<Identity.ID> = [Identity.ID(user)]
    for key in try view.messages(of: row, limit: 1000) {
      guard let (bytes, _) = unsafe try view.record(key.bytes),
        let message = unsafe try? MessageView(bytes, key: key)
      else { continue }
      users.insert(Identity.ID(try text(.users, message.sender) ?? "lost-user-\(message.sender)"))
    }
    return users.sorted()
  }

  /// Returns a message or announcement as a draft; nil if its record cannot be decoded.
  mutating func message(_ key: MessageKey, _ bytes: UnsafeRawBufferPointer) throws -> MessageDraft? {
    lacks = []
    guard let message = unsafe try? MessageView(bytes, key: key), let identifier = try? message.identifier(),
      let metadata = try? message.metadata.decode(in: .message)
    else { return nil }
    var numbers: [(UInt32, RecipientStatus)] = []
    message.forEachRecipient { numbers.append(($0, $1)) }
    var recipients: [RecipientStatusEntry] = []
    for (number, status) in numbers {
      recipients.append(RecipientStatusEntry(user: try userID(number, "recipient"), status: status))
    }
    var parts: [MessagePart.Draft] = []
    var found: [PartView] = []
    message.forEachPart { found.append($0) }
    for (index, part) in found.enumerated() { parts.append(try self.part(part, index, key)) }
    return MessageDraft(
      identifier: Message.ID(identifier),
      remoteID: unsafe message.remoteIDBytes.map { unsafe Message.ID(String(decoding: $0, as: UTF8.self)) },
      sender: try userID(message.sender, "sender"),
      position: message.position, sentAt: message.sentAt.map(Timestamp.init(microseconds:)),
      receivedAt: message.receivedAt.map(Timestamp.init(microseconds:)),
      editedAt: message.editedAt.map(Timestamp.init(microseconds:)),
      deletedAt: message.deletedAt.map(Timestamp.init(microseconds:)),
      updatedAt: message.updatedAt.map(Timestamp.init(microseconds:)), isSent: message.isSent,
      isUnread: message.isUnread, parts: parts, recipientStatus: recipients, metadata: metadata)
  }

  private mutating func part(_ part: PartView, _ index: Int, _ key: MessageKey) throws -> MessagePart.Draft {
    var type = try text(.mimeTypes, part.mimeType)
    if type == nil {
      type = part.kind == .text ? "text/plain" : "application/octet-stream"
      lacks.append("the type of its part \(index) is lost: it is \(type ?? "") now")
    }
    let bytes = try content(of: part, index, key)
    if bytes == nil { lacks.append("the content of its part \(index), \(part.length) bytes, is lost") }
    let mimeType = type ?? ""
    let status = part.transferStatus
    switch part.kind {
    case .data: return .data(bytes ?? [], mimeType: mimeType, transferStatus: status)
    case .text: return .text(Self.text(bytes), mimeType: mimeType, transferStatus: status)
    case .url:
      return .url(Self.text(bytes), mimeType: mimeType, size: part.size, transferStatus: status)
    }
  }

  private static func text(_ bytes: [UInt8]?) -> String {
    bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Returns the content of a part; nil unless all of it was found.
  private func content(of part: PartView, _ index: Int, _ key: MessageKey) throws -> [UInt8]? {
    guard let digest = part.storedDigest else { return unsafe [UInt8](part.inlineBytes) }
    var bytes: [UInt8] = []
    var sum: UInt64 = 0
    for piece in 0..<BodyLayout.pieceCount(length: part.length) {
      let bodyKey = BodyKey(
        message: key, part: UInt16(truncatingIfNeeded: index), piece: UInt32(truncatingIfNeeded: piece))
      guard let (record, _) = unsafe try view.record(bodyKey.bytes),
        let content = unsafe try? BodyLayout.decode(record, key: bodyKey, length: part.length)
      else { return nil }
      sum &+= unsafe RecordFrame.storedChecksum(record)
      unsafe bytes.append(contentsOf: content)
    }
    return sum == digest ? bytes : nil
  }
}
