/// One change of a store, as the interchange format writes it and as a program makes it.
enum Change: Sendable {
  case createIdentity(user: String, names: [Name])
  case createConversation(
    id: String, remoteID: String?, participants: [String], createdAt: Int64, metadata: [Setting])
  case createMessage(NewMessage)
  case updateIdentity(user: String, names: [Name], edits: MetadataEdits)
  case updateConversation(id: String, participants: [String]?, edits: MetadataEdits)
  case updateMessage(MessageEdit)
  case deleteMessage(String)
  /// Deleted for everyone, at a date.
  case withdrawMessage(String, at: Int64)
  case deleteConversation(String)
  case createRecord(RecordContent)
  /// Its fields and, if there is one, its owner.
  case updateRecord(RecordContent)
  case deleteRecord(ModelReference)

  /// A name of an identity, `null` for one that is taken away.
  struct Name: Sendable {
    let key: String
    let value: String?
  }

  /// A value at a key path of metadata.
  struct Setting: Sendable {
    let path: [ByteString]
    /// No dictionary.
    let value: MetadataTree
  }

  struct MetadataEdits: Sendable {
    var set: [Setting] = []
    var remove: [[ByteString]] = []
  }

  struct Status: Sendable {
    let user: String
    let status: String?
  }

  /// A record as it is to be, and who says so when: nil for the store's user.
  struct RecordContent: Sendable {
    let id: ModelReference
    /// Of an update, nil for the one that it has.
    var owner: String?
    var createdAt: Int64
    var createdBy: String?
    var updatedAt: Int64
    var updatedBy: String?
    let fields: MetadataTree
    /// Whether a program saves the record anew, where it could update it.
    let isSaved: Bool
  }

  struct NewMessage: Sendable {
    let id: String
    /// Only of a message of a conversation.
    let remoteID: String?
    /// Nil for an announcement.
    let conversation: String?
    let sender: String
    let position: Int64?
    let sentAt: Int64
    let receivedAt: Int64
    let isUnread: Bool
    let parts: [Part]
    let statuses: [Status]
  }

  struct Part: Sendable {
    let type: String
    let text: String
    /// One of `transferStatuses`.
    let transfer: String
  }

  struct Transfer: Sendable {
    let part: Int
    let status: String
  }

  struct MessageEdit: Sendable {
    let id: String
    var remoteID: String?
    var position: Int64??
    var sentAt: Int64??
    var receivedAt: Int64??
    var isSent: Bool?
    var isUnread: Bool?
    var statuses: [Status] = []
    /// None twice for a part.
    var transfers: [Transfer] = []
    /// All parts, anew, and when they were edited.
    var parts: [Part]?
    var editedAt: Int64 = 0
    var edits = MetadataEdits()
  }
}

extension Change {
  /// The change as a line of the interchange format.
  var line: String {
    switch self {
    case .createIdentity(let user, let names):
      return Self.object([("kind", "\"identity\""), ("userID", jsonQuoted(user))] + names.map(\.member))
    case .createConversation(let id, let remoteID, let participants, let createdAt, let metadata):
      return Self.object(
        [
          ("kind", "\"conversation\""), ("identifier", jsonQuoted(id)),
          ("participants", Self.array(participants)),
          ("createdAt", Self.date(createdAt)),
          ("metadata", Self.object(metadata.map { ($0.path[0].string, $0.value.json) })),
        ] + (remoteID.map { [("remoteID", jsonQuoted($0))] } ?? []))
    case .createMessage(let message): return Self.line(message)
    case .updateIdentity(let user, let names, let edits):
      return Self.object([
        ("kind", "\"update\""), ("identity", jsonQuoted(user)), ("set", Self.object(names.map(\.member))),
        ("metadata", Self.object(edits)),
      ])
    case .updateConversation(let id, let participants, let edits):
      return Self.object([
        ("kind", "\"update\""), ("conversation", jsonQuoted(id)),
        ("set", Self.object(participants.map { [("participants", Self.array($0))] } ?? [])),
        ("metadata", Self.object(edits)),
      ])
    case .updateMessage(let edit): return Self.line(edit)
    case .deleteMessage(let id): return Self.object([("kind", "\"delete\""), ("message", jsonQuoted(id))])
    case .withdrawMessage(let id, let date):
      return Self.object([
        ("kind", "\"update\""), ("message", jsonQuoted(id)),
        ("set", Self.object([("deletedAt", Self.date(date))])),
      ])
    case .deleteConversation(let id):
      return Self.object([("kind", "\"delete\""), ("conversation", jsonQuoted(id))])
    case .createRecord(let content): return Self.line(creating: content)
    case .updateRecord(let content):
      return Self.object([
        ("kind", "\"update\""), ("record", content.id.json), ("set", Self.object(content.changes)),
      ])
    case .deleteRecord(let id): return Self.object([("kind", "\"delete\""), ("record", id.json)])
    }
  }

  private static func line(creating content: RecordContent) -> String {
    object(
      [
        ("kind", "\"record\""), ("type", jsonQuoted(content.id.type.string)),
        ("identifier", jsonQuoted(content.id.name.string)), ("createdAt", date(content.createdAt)),
      ] + (content.createdBy.map { [("createdBy", jsonQuoted($0))] } ?? []) + content.changes)
  }

  private static func line(_ message: NewMessage) -> String {
    var members = [
      ("kind", message.conversation == nil ? "\"announcement\"" : "\"message\""),
      ("identifier", jsonQuoted(message.id)), ("sender", jsonQuoted(message.sender)),
      ("sentAt", date(message.sentAt)), ("receivedAt", date(message.receivedAt)),
      ("isUnread", String(message.isUnread)),
      ("parts", list(message.parts)), ("recipientStatus", object(message.statuses.map(\.member))),
    ]
    if let conversation = message.conversation { members.append(("conversation", jsonQuoted(conversation))) }
    if let name = message.remoteID { members.append(("remoteID", jsonQuoted(name))) }
    if let position = message.position { members.append(("position", String(position))) }
    return object(members)
  }

  private static func list(_ parts: [Part]) -> String {
    let parts = parts.map {
      object([
        ("mimeType", jsonQuoted($0.type)), ("text", jsonQuoted($0.text)),
        ("transferStatus", jsonQuoted($0.transfer)),
      ])
    }
    return "[" + parts.joined(separator: ",") + "]"
  }

  private static func line(_ edit: MessageEdit) -> String {
    var set: [(String, String)] = []
    if let name = edit.remoteID { set.append(("remoteID", jsonQuoted(name))) }
    if let position = edit.position { set.append(("position", position.map { String($0) } ?? "null")) }
    if let date = edit.sentAt { set.append(("sentAt", date.map(Self.date) ?? "null")) }
    if let date = edit.receivedAt { set.append(("receivedAt", date.map(Self.date) ?? "null")) }
    if let isSent = edit.isSent { set.append(("isSent", String(isSent))) }
    if let isUnread = edit.isUnread { set.append(("isUnread", String(isUnread))) }
    if !edit.statuses.isEmpty { set.append(("recipientStatus", object(edit.statuses.map(\.member)))) }
    if !edit.transfers.isEmpty {
      let transfers = edit.transfers.map { (String($0.part), jsonQuoted($0.status)) }
      set.append(("transferStatus", object(transfers)))
    }
    if let parts = edit.parts { set += [("parts", list(parts)), ("editedAt", date(edit.editedAt))] }
    return object([
      ("kind", "\"update\""), ("message", jsonQuoted(edit.id)), ("set", object(set)),
      ("metadata", object(edit.edits)),
    ])
  }

  fileprivate static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(jsonQuoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  private static func object(_ edits: MetadataEdits) -> String {
    object([
      ("set", object(edits.set.map { (spelled($0.path), $0.value.json) })),
      ("remove", array(edits.remove.map(spelled))),
    ])
  }

  /// A key path as the format writes it, now and then with more quotation marks than it needs.
  private static func spelled(_ path: [ByteString]) -> String {
    var printer = PredicatePrinter()
    return path.map { MetadataTree.isName($0) && $0 != "title" ? $0.string : printer.quoted($0) }
      .joined(separator: ".")
  }

  private static func array(_ texts: [String]) -> String {
    "[" + texts.map(jsonQuoted).joined(separator: ",") + "]"
  }

  fileprivate static func date(_ microseconds: Int64) -> String { jsonQuoted(Timestamp.format(microseconds)) }
}

extension Change.RecordContent {
  /// What may be said of a record that is there, as members of an object.
  fileprivate var changes: [(String, String)] {
    // The fields as a whole are no value: a key that begins with a mark is written as it is.
    var fields: [(String, String)] = []
    if case .dictionary(let values) = self.fields {
      fields = values.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value.json) }
    }
    return (owner.map { [("owner", jsonQuoted($0))] } ?? []) + [("updatedAt", Change.date(updatedAt))]
      + (updatedBy.map { [("updatedBy", jsonQuoted($0))] } ?? []) + [("fields", Change.object(fields))]
  }
}

extension ModelReference {
  /// The reference as the interchange format writes it.
  var json: String { "[\(jsonQuoted(type.string)),\(jsonQuoted(name.string))]" }
}

extension MetadataTree {
  /// The value as the interchange format writes it.
  var json: String {
    switch self {
    case .text(let text): jsonQuoted(text.string)
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .boolean(let value): String(value)
    case .list(let texts): "[" + texts.map { jsonQuoted($0.string) }.joined(separator: ",") + "]"
    case .date(let date): "{\"$date\":\"\(Timestamp.format(date))\"}"
    case .reference(let reference): "{\"$reference\":\(reference.json)}"
    case .dictionary(let children):
      "{"
        + children.sorted { $0.key < $1.key }.map { key, value in
          let isMark = children.count == 1 && key.utf8.first == 0x24
          return "\(jsonQuoted((isMark ? "$" : "") + key.string)):\(value.json)"
        }
        .joined(separator: ",") + "}"
    }
  }
}

extension Change.Name {
  fileprivate var member: (String, String) { (key, value.map(jsonQuoted) ?? "null") }
}

extension Change.Status {
  fileprivate var member: (String, String) { (user, status.map(jsonQuoted) ?? "null") }
}
