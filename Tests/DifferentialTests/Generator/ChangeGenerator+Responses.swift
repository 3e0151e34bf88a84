import TestSupport

/// Changes of reactions, replies and participations.
extension ChangeGenerator {
  static let reactionKinds: [ByteString] = ["👍", "🎉", "a/b%", "caf\u{E9}", "cafe\u{301}"]
  static let roles: [ByteString] = ["admin", "owner", "guest", "caf\u{E9}", "cafe\u{301}"]

  /// One comes, mostly, is changed, or goes.
  mutating func responseChange() -> Change {
    let type = random.pick(Responses.types)
    let known = model.records.keys.filter { $0.type == type }.sorted { $0.bytes < $1.bytes }
    if !known.isEmpty, random.percent(25) { return .deleteRecord(random.pick(known)) }
    if !known.isEmpty, random.percent(30) {
      let id = random.pick(known)
      let fields = changed(model.records[id]?.values ?? [:], of: type)
      return .updateRecord(content(of: id, fields))
    }
    var fields = newFields(of: type)
    // Now and then one that says two things of itself, which is refused.
    let name =
      random.percent(4) ? "other/name" : Responses.expectedName(of: type, fields) ?? "nothing"
    if random.percent(2) { fields["pinnedAt"] = type == Responses.participation ? nil : .text("x") }
    return .createRecord(content(of: ModelReference(type: type, name: name), fields))
  }

  private mutating func content(
    of id: ModelReference, _ fields: [ByteString: MetadataTree]
  ) -> Change.RecordContent {
    Change.RecordContent(
      id: id, owner: nil, createdAt: date(), createdBy: nil, updatedAt: date(), updatedBy: nil,
      fields: .dictionary(fields), isSaved: random.percent(60))
  }

  private mutating func newFields(of type: ByteString) -> [ByteString: MetadataTree] {
    func reference(_ type: ByteString, _ name: ByteString) -> MetadataTree {
      .reference(ModelReference(type: type, name: name))
    }
    switch type {
    case Responses.reaction:
      return [
        "message": reference("messages", respondedName()),
        "user": reference("identities", ByteString(user())),
        "kind": .text(random.pick(Self.reactionKinds)), "date": .date(date()),
        "state": .text(random.percent(70) ? "sent" : "pending"),
      ]
    case Responses.reply:
      let message = respondedName()
      var fields: [ByteString: MetadataTree] = ["message": reference("messages", message)]
      if let parent = parent(of: message) { fields["parent"] = reference("messages", parent) }
      return fields
    default:
      let name = respondedConversation()
      let isOwn = random.percent(60)
      return changed(
        [
          "conversation": reference("conversations", name),
          "user": reference("identities", isOwn ? model.user : ByteString(user())),
        ], of: type)
    }
  }

  /// The same about something else that is said of it.
  private mutating func changed(
    _ fields: [ByteString: MetadataTree], of type: ByteString
  ) -> [ByteString: MetadataTree] {
    var fields = fields
    switch type {
    case Responses.reaction:
      fields["state"] = .text("sent")
      if random.percent(60) { fields["remoteID"] = .text(ByteString("r \(random.below(5))")) }
    case Responses.reply:
      guard case .reference(let message)? = fields["message"] else { break }
      fields["parent"] = parent(of: message.name).map {
        .reference(ModelReference(type: "messages", name: $0))
      }
    default:
      for _ in 0..<1 + random.below(3) { changeState(&fields) }
    }
    return fields
  }

  private mutating func changeState(_ fields: inout [ByteString: MetadataTree]) {
    func set(_ flag: ByteString, _ date: ByteString?, _ value: MetadataTree?) {
      fields[flag] = value == nil ? nil : .boolean(true)
      if let date { fields[date] = value }
    }
    let (isOn, time) = (random.percent(75), MetadataTree.date(date()))
    switch random.below(7) {
    case 0: set("isPinned", "pinnedAt", isOn ? time : nil)
    case 1: set("isArchived", "archivedAt", isOn ? time : nil)
    case 2:
      set("isMuted", nil, isOn ? time : nil)
      fields["mutedUntil"] = isOn && random.percent(50) ? time : nil
    case 3: set("isHidden", nil, isOn ? time : nil)
    case 4: fields["role"] = isOn ? .text(random.pick(Self.roles)) : nil
    case 5: fields["joinedAt"] = isOn ? time : nil
    default: fields["lastReadPosition"] = isOn ? .integer(Int64(random.below(4_000))) : nil
    }
  }

  /// A message, mostly by the identifier that never changes.
  private mutating func respondedName() -> ByteString {
    let name = ByteString(messageID())
    guard let remoteID = model.messages[name]?.remoteID, random.percent(25) else { return name }
    return remoteID
  }

  /// A conversation, mostly by the identifier that never changes.
  private mutating func respondedConversation() -> ByteString {
    let name = ByteString(conversation())
    guard let remoteID = model.conversations[name]?.remoteID, random.percent(25) else { return name }
    return remoteID
  }

  /// A message that another one may answer, mostly of its conversation; now and then none.
  private mutating func parent(of message: ByteString) -> ByteString? {
    if random.percent(8) { return nil }
    let name = model.message(named: message) ?? message
    let others = model.messages.values.filter {
      $0.identifier != name && $0.conversation == model.messages[name]?.conversation
    }.map(\.identifier).sorted()
    if !others.isEmpty, random.percent(80) { return random.pick(others) }
    return random.percent(50) ? "nowhere" : respondedName()
  }
}
