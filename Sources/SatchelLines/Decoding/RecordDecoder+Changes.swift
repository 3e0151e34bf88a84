import SatchelModel
import SatchelQuery
import SatchelRecords
import SatchelText
import SatchelWriting

/// The object that an update or a deletion names.
private enum Target {
  case message(Message.ID)
  case conversation(Conversation.ID)
  case identity(Identity.ID)
  case record(Record.ID)
}

extension RecordDecoder {
  mutating func deletion(_ object: JSONObject) throws(LineError) -> InterchangeRecord {
    for member in object.members {
      switch ByteString(member.key) {
      case "kind", "message", "conversation", "identity", "record": break
      default: pass(over: member.key)
      }
    }
    switch try target(of: object) {
    case .message(let id): return .messageDeletion(id)
    case .conversation(let id): return .conversationDeletion(id)
    case .record(let id): return .recordDeletion(id)
    case .identity, nil: throw LineError("a delete takes exactly one of message, conversation and record")
    }
  }

  mutating func update(_ object: JSONObject) throws(LineError) -> InterchangeRecord {
    for member in object.members {
      switch ByteString(member.key) {
      case "kind", "message", "conversation", "identity", "record", "set", "metadata": break
      default: pass(over: member.key)
      }
    }
    let changes = try object["set"]?.object("set")?.members ?? []
    let metadata = try metadataEdits(object["metadata"])
    switch try target(of: object) {
    case .message(let id): return .messageUpdate(id, try messageUpdate(changes, metadata))
    case .conversation(let id): return .conversationUpdate(id, try conversationUpdate(changes, metadata))
    case .identity(let id): return .identityUpdate(id, try identityUpdate(changes, metadata))
    case .record(let id):
      guard metadata.isEmpty else { throw LineError("metadata: a record has fields, which set changes") }
      return .recordUpdate(try recordUpdate(id, changes))
    case nil: throw LineError("an update takes exactly one of message, conversation, identity and record")
    }
  }

  /// Returns the object that a line names; nil if it names none or several.
  private func target(of object: JSONObject) throws(LineError) -> Target? {
    let message = try object["message"]?.text("message")
    let conversation = try object["conversation"]?.text("conversation")
    let identity = try object["identity"]?.text("identity")
    guard version >= FileHeader.recordVersion || object["record"] == nil else {
      throw LineError("the key record needs version \(FileHeader.recordVersion) of the format")
    }
    let record = try object["record"]?.reference("record")
    return switch (message, conversation, identity, record) {
    case (let id?, nil, nil, nil): .message(Message.ID(id))
    case (nil, let id?, nil, nil): .conversation(Conversation.ID(id))
    case (nil, nil, let id?, nil): .identity(Identity.ID(id))
    case (nil, nil, nil, let id?): .record(id)
    default: nil
    }
  }

  /// Decodes an update of a message. In `set`, `null` clears: an optional property becomes absent, any other property
  /// takes the value that an absent key means.
  private mutating func messageUpdate(
    _ changes: [JSONObject.Member], _ metadata: [MetadataEdit]
  ) throws(LineError) -> MessageUpdate {
    var update = MessageUpdate()
    update.metadata = metadata
    for change in changes {
      let value = change.value
      switch ByteString(change.key) {
      case "remoteID": update.remoteID = try value.text("set.remoteID").map { Message.ID($0) }
      case "position": update.position = Change(setting: try value.integer("set.position"))
      case "sentAt": update.sentAt = Change(setting: try value.date("set.sentAt"))
      case "receivedAt": update.receivedAt = Change(setting: try value.date("set.receivedAt"))
      case "editedAt": update.editedAt = Change(setting: try value.date("set.editedAt"))
      case "updatedAt": update.updatedAt = try value.date("set.updatedAt")
      case "deletedAt": update.deletedAt = Change(setting: try value.date("set.deletedAt"))
      case "parts": update.parts.all = try parts(value)
      case "isSent": update.isSent = try value.bool("set.isSent") ?? true
      case "isUnread": update.isUnread = try value.bool("set.isUnread") ?? false
      case "recipientStatus":
        guard let recipients = try value.object("set.recipientStatus") else {
          update.clearsRecipientStatus = true
          continue
        }
        for recipient in recipients.members {
          let status = try recipient.value.recipientStatus("set.recipientStatus.\(recipient.key)")
          update.recipientStatus[Identity.ID(recipient.key)] = .some(status)
        }
      case "transferStatus":
        guard let parts = try value.object("set.transferStatus") else {
          update.completesTransfers = true
          continue
        }
        for part in parts.members {
          guard let index = Int(part.key), index >= 0, String(index) == part.key else {
            throw LineError("set.transferStatus takes indices of parts as keys, not \"\(part.key)\"")
          }
          update.transferStatus[index] =
            try part.value.transferStatus("set.transferStatus.\(part.key)") ?? .complete
        }
      case "metadata" where value == .null: update.metadata.insert(.replace(Metadata()), at: 0)
      case "identifier", "conversation", "sender", "metadata":
        throw Self.unchangeable(change.key, "a message")
      default: pass(over: change.key)
      }
    }
    return update
  }

  private mutating func conversationUpdate(
    _ changes: [JSONObject.Member], _ metadata: [MetadataEdit]
  ) throws(LineError) -> ConversationUpdate {
    var update = ConversationUpdate()
    update.metadata = metadata
    for change in changes {
      switch ByteString(change.key) {
      case "participants":
        update.participants = .replace(try change.value.userIDs("set.participants") ?? [])
      case "remoteID": update.remoteID = try change.value.text("set.remoteID").map { Conversation.ID($0) }
      case "updatedAt": update.updatedAt = try change.value.date("set.updatedAt")
      case "metadata" where change.value == .null: update.metadata.insert(.replace(Metadata()), at: 0)
      case "identifier", "createdAt", "isDistinct", "metadata":
        throw Self.unchangeable(change.key, "a conversation")
      default: pass(over: change.key)
      }
    }
    return update
  }

  private mutating func identityUpdate(
    _ changes: [JSONObject.Member], _ metadata: [MetadataEdit]
  ) throws(LineError) -> IdentityUpdate {
    var update = IdentityUpdate()
    update.metadata = metadata
    for change in changes {
      let value = change.value
      switch ByteString(change.key) {
      case "metadata" where value == .null: update.metadata.insert(.replace(Metadata()), at: 0)
      case "userID", "identifier", "metadata": throw Self.unchangeable(change.key, "an identity")
      default:
        if let field = Self.fieldsOfIdentities[ByteString(change.key)] {
          update.values[field] = try value.value(of: field, "set.\(field.description.name)")
        } else {
          pass(over: change.key)
        }
      }
    }
    return update
  }

  /// Decodes the steps of `"metadata":{"set":{KEYPATH:VALUE},"remove":[KEYPATH]}`.
  private mutating func metadataEdits(_ value: JSONValue?) throws(LineError) -> [MetadataEdit] {
    var edits: [MetadataEdit] = []
    for member in try value?.object("metadata")?.members ?? [] {
      switch ByteString(member.key) {
      case "set":
        for entry in try member.value.object("metadata.set")?.members ?? [] {
          let path = try metadataPath(entry.key, "metadata.set")
          let value = try entry.value.metadataValue("metadata.set.\(path)", version)
          edits.append(value.map { .set($0, at: path) } ?? .remove(at: path))
        }
      case "remove":
        for (index, element) in (try member.value.array("metadata.remove") ?? []).enumerated() {
          guard case .string(let path) = element else {
            throw .type(of: "metadata.remove[\(index)]", takes: "a key path, which is a text", found: element)
          }
          edits.append(.remove(at: try metadataPath(path, "metadata.remove[\(index)]")))
        }
      default: pass(over: member.key)
      }
    }
    return edits
  }

  /// Reads a key path of metadata.
  private func metadataPath(_ text: String, _ place: String) throws(LineError) -> MetadataPath {
    let path: MetadataPath
    do { path = MetadataPath(try [String](spelledPath: text)) } catch {
      throw LineError(
        "\(place) takes key paths, with what is no name in quotation marks such as readAt.'a@b.c', not \(text.quoted)"
      )
    }
    guard version > FileHeader.version || path.keys.allSatisfy({ $0.isEmpty || Metadata.isName($0) }) else {
      throw .oldKey("\(place).\(path)")
    }
    return path
  }

  private static func unchangeable(_ key: String, _ object: String) -> LineError {
    key == "metadata"
      ? LineError("set.metadata: metadata is changed by \"metadata\" beside \"set\"")
      : LineError("set.\(key): the \(key) of \(object) cannot be changed")
  }
}

extension Change {
  /// Creates a change to a new value, or a change that clears if the value is nil.
  fileprivate init(setting value: Value?) { self = value.map { .set($0) } ?? .clear }
}
