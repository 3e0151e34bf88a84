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

  /// Under which identifier such a record is kept, and by which name it means its object: by the one that never changes, unless there is
  /// one already by another name.
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
    let name = ([object] + names).first { records[named($0)] != nil } ?? first
    return (named(name), name, names)
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
    let reference = MetadataTree.reference(ModelReference(type: "conversations", name: name))
    let old = records.values.filter {
      $0.id.type == Responses.participation && $0.values["conversation"] == reference
    }
    for record in old.sorted(by: { $0.id.bytes < $1.id.bytes }) {
      records[record.id] = nil
      removed.insert(record.id)
      let id = keptID(record.id)
      guard records[id] == nil else { continue }
      records[id] = ModelRecord(
        creation: takeCreation(), id: id, owner: record.owner, createdAt: record.createdAt,
        createdBy: record.createdBy, updatedAt: record.updatedAt, updatedBy: record.updatedBy,
        fields: keptFields(record.id, record.fields))
      keep(id)
    }
  }

  /// The message of which a reaction or a reply says something, if it is there.
  func message(ofResponse id: ModelReference) -> ModelMessage? { kept(id).flatMap { messages[$0.names[0]] } }
}
