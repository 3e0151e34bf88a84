/// Reactions, replies and participations mean messages and conversations by the names that never change, by whatever names they come.
extension ReferenceModel {
  /// The names of the message or the conversation of a name, first the one that never changes; none if there is none.
  private func names(_ type: ByteString, _ name: ByteString) -> [ByteString] {
    if type == Responses.participation {
      guard let conversation = conversation(named: name) else { return [] }
      return [conversation]
        + [conversations[conversation]?.remoteID].compactMap(\.self).filter { $0 != conversation }
    }
    guard let message = message(named: name) else { return [] }
    return [message] + [messages[message]?.remoteID].compactMap(\.self).filter { $0 != message }
  }

  /// Under which identifier such a record is kept, and by which name it means its object: by the one that never changes.
  private func kept(_ id: ModelReference) -> (id: ModelReference, object: ByteString, names: [ByteString])? {
    guard Responses.types.contains(id.type) else { return nil }
    let parts = id.name.utf8.split(separator: 0x2F, maxSplits: 1, omittingEmptySubsequences: false)
    guard id.type == Responses.reply || parts.count == 2 else { return nil }
    let object = id.type == Responses.reply ? id.name : Responses.part(parts[0])
    let names = names(id.type, object)
    guard let first = names.first else { return nil }
    func named(_ name: ByteString) -> ModelReference {
      if id.type == Responses.reply { return ModelReference(type: id.type, name: name) }
      return ModelReference(
        type: id.type, name: ByteString(utf8: Responses.name(name).utf8 + [0x2F] + Array(parts[1])))
    }
    return (named(first), first, names)
  }

  /// Under which identifier such a record is kept; the same for all others.
  func keptID(_ id: ModelReference) -> ModelReference { kept(id)?.id ?? id }

  /// The fields of such a record as they are kept; the same for all others.
  func keptFields(_ id: ModelReference, _ fields: MetadataTree) -> MetadataTree {
    guard Responses.types.contains(id.type), case .dictionary(var values) = fields else { return fields }
    let (kept, declared) = (kept(id), Responses.declared(id.type))
    let type: ByteString = id.type == Responses.participation ? "conversations" : "messages"
    for key in ["conversation", "message", "parent"] as [ByteString] where declared.contains(key) {
      guard case .reference(let target)? = values[key], target.type == type else { continue }
      var name = target.name
      if let kept, kept.names.contains(name) {
        name = kept.object
      } else if key == "parent" {
        name = message(named: name) ?? name
      }
      values[key] = .reference(ModelReference(type: type, name: name))
    }
    return .dictionary(values)
  }

  /// Keeps under a conversation's identifier what came before it, and by the other name that it has.
  func takeParticipations(_ conversation: ModelConversation) {
    guard let name = conversation.remoteID, name != conversation.identifier else { return }
    for record in records(of: Responses.participation, in: "conversation", to: [name]) { rename(record) }
  }

  /// Keeps under a message's identifier what was said of it by the other name that it has; what it does not take goes.
  func takeResponses(_ message: ModelMessage) {
    let others = [message.remoteID].compactMap(\.self).filter { $0 != message.identifier }
    let all = [message.identifier] + others
    for var record in records(of: Responses.reply, in: "parent", to: others) {
      guard case .dictionary(var values) = record.fields else { continue }
      let parent = MetadataTree.reference(ModelReference(type: "messages", name: message.identifier))
      values["parent"] = values["message"] == parent ? nil : parent
      record.fields = .dictionary(values)
      records[record.id] = record
      keep(record.id)
    }
    for type in [Responses.reaction, Responses.reply] {
      let isTaken = message.conversation != nil && (type == Responses.reply || message.deletedAt == nil)
      for record in records(of: type, in: "message", to: isTaken ? others : all) {
        if isTaken { rename(record) } else { remove(record) }
      }
    }
  }

  /// The records of a type that mean an object by one of some names, by ascending names.
  private func records(
    of type: ByteString, in field: ByteString, to names: [ByteString]
  ) -> [ModelRecord] {
    records.values.filter { record in
      guard record.id.type == type, case .reference(let target)? = record.values[field] else { return false }
      return names.contains(target.name)
    }.sorted { $0.id.name < $1.id.name }
  }

  /// Gives a record the name of its object that never changes. If there is one of that name, the two become one.
  private func rename(_ record: ModelRecord) {
    records[record.id] = nil
    let id = keptID(record.id)
    var fields = keptFields(record.id, record.fields)
    if case .dictionary(var values) = fields, values["parent"] == values["message"] {
      values["parent"] = nil
      fields = .dictionary(values)
    }
    let other = records[id]
    if let other { fields = joined(other.fields, fields) }
    records[id] = ModelRecord(
      creation: takeCreation(), id: id, owner: other?.owner ?? record.owner,
      createdAt: min(record.createdAt, other?.createdAt ?? .max),
      createdBy: other?.createdBy ?? record.createdBy,
      updatedAt: max(record.updatedAt, other?.updatedAt ?? .min),
      updatedBy: other?.updatedBy ?? record.updatedBy, fields: fields)
    keep(id)
  }

  private func joined(_ own: MetadataTree, _ others: MetadataTree) -> MetadataTree {
    guard case .dictionary(let own) = own, case .dictionary(let others) = others else { return own }
    var values = own
    for (key, value) in others where own[key] == nil {
      let flag: ByteString? =
        ["pinnedAt": "isPinned", "archivedAt": "isArchived", "mutedUntil": "isMuted"][key.string]
      if flag.map({ own[$0] == nil }) ?? true { values[key] = value }
    }
    if case .integer(let one)? = own["lastReadPosition"],
      case .integer(let other)? = others["lastReadPosition"]
    {
      values["lastReadPosition"] = .integer(max(one, other))
    }
    if others["state"] == .text("sent") { values["state"] = .text("sent") }
    return .dictionary(values)
  }

  /// The message of which a reaction or a reply says something, if it is there.
  func message(ofResponse id: ModelReference) -> ModelMessage? { kept(id).flatMap { messages[$0.names[0]] } }
}
