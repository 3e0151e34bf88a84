internal import SatchelModel
internal import SatchelRecords
package import SatchelWriting

/// Reactions, replies, states of participants and relations between users: records of the types that the library brings. They are no part of
/// `step`, so that seeds on record stand for the operations that they stood for.
extension RandomOperations {
  private static let kinds = ["\u{1F44D}", "a/b%", "caf\u{E9}", "cafe\u{301}"]

  /// One random operation on them; the first one switches them on.
  package mutating func changeResponses(_ writer: Writer?) throws {
    let missing = StoreFeature.allCases.map(\.recordType).filter { type in
      !model.recordTypes.contains { $0.name == type.name }
    }
    guard missing.isEmpty else {
      try writer?.declare(missing)
      return model.declare(missing)
    }
    switch generator.draw(below: 12) {
    case 0..<4: try react(writer)
    case 4, 5: try answer(writer)
    case 6..<8: try participate(writer)
    case 8: try relate(writer)
    case 9: try refuseResponse(writer)
    default: try takeBack(writer)
    }
  }

  /// A message of a conversation, by one of its names.
  private mutating func someName() -> (message: ReferenceStore.Message, name: Message.ID)? {
    guard case (_?, let message)? = someMessage() else { return nil }
    let isRemote = generator.chance(40)
    return (message, isRemote ? message.remoteID ?? message.id : message.id)
  }

  private mutating func react(_ writer: Writer?) throws {
    guard let (message, given) = someName() else { return }
    let (kind, user) = (generator.draw(from: Self.kinds), generator.draw(from: Self.users))
    var fields: Metadata = [
      "message": .reference(Reference(given)), "user": .reference(Reference(user)), "kind": .text(kind),
      "state": generator.chance(60) ? "sent" : "pending",
    ]
    if generator.chance(70) {
      fields.set(
        .date(Timestamp(microseconds: Int64(generator.draw(below: 1000)) * 1_000_000)), forKey: "date")
    }
    func name(_ message: Message.ID) -> String {
      ReactionName.name(message: message.rawValue, kind: kind, user: user.rawValue)
    }
    if message.isDeleted {
      let id = Record.ID(type: StoreFeature.reactions.recordType.name, name: name(given))
      return try expectRefused(writer, [.invalidValue], "\(id)") { try $0.save(Record(id: id, fields)) }
    }
    var kept = fields
    kept.set(.reference(Reference(message.id)), forKey: "message")
    try say(.reactions, name(given), fields, as: (name(message.id), kept), writer)
  }

  private mutating func answer(_ writer: Writer?) throws {
    guard let (message, given) = someName(), let (other, parent) = someName(), message.id != other.id
    else { return }
    var fields: Metadata = ["message": .reference(Reference(given))]
    var kept: Metadata = ["message": .reference(Reference(message.id))]
    if generator.chance(85) {
      fields.set(.reference(Reference(parent)), forKey: "parent")
      kept.set(.reference(Reference(other.id)), forKey: "parent")
    }
    try say(.threads, given.rawValue, fields, as: (message.id.rawValue, kept), writer)
  }

  private mutating func participate(_ writer: Writer?) throws {
    guard let conversation = someConversation() else { return }
    let user = generator.chance(50) ? "me" : generator.draw(from: Self.users)
    var fields: Metadata = [
      "conversation": .reference(Reference(conversation)), "user": .reference(Reference(user)),
    ]
    let date = MetadataValue.date(Timestamp(microseconds: Int64(generator.draw(below: 1000)) * 1_000_000))
    for (flag, name) in [("isPinned", "pinnedAt"), ("isArchived", "archivedAt"), ("isMuted", "mutedUntil")]
    where generator.chance(30) {
      fields.set(true, forKey: flag)
      fields.set(date, forKey: name)
    }
    if generator.chance(40) {
      fields.set(.text(generator.draw(from: ["admin", "guest"])), forKey: "role")
    }
    if generator.chance(60) {
      fields.set(.integer(Int64(generator.draw(below: 40)) - 20), forKey: "lastReadPosition")
    }
    let name = ParticipationName.name(conversation: conversation.rawValue, user: user.rawValue)
    try say(.participations, name, fields, writer)
  }

  private mutating func relate(_ writer: Writer?) throws {
    let kind = RelationKind(generator.draw(from: ["following", "friend", "team"]))
    let (from, to) = (generator.draw(from: Self.users), generator.draw(from: Self.users))
    guard from != to else { return }
    func name(_ from: Identity.ID, _ to: Identity.ID) -> String {
      RelationName.name(kind, from: from.rawValue, to: to.rawValue)
    }
    try say(
      .relations, name(from, to),
      [
        "kind": .text(kind.rawValue), "from": .reference(Reference(from)), "to": .reference(Reference(to)),
        "inverse": .text(name(to, from)),
      ], writer)
  }

  /// - Parameter kept: The record as it is kept; nil if that is as it is given.
  private mutating func say(
    _ feature: StoreFeature, _ name: String, _ fields: Metadata,
    as kept: (name: String, fields: Metadata)? = nil,
    _ writer: Writer?
  ) throws {
    let type = feature.recordType.name
    let found = try writer?.save(Record(id: Record.ID(type: type, name: name), fields))
    let id = Record.ID(type: type, name: kept?.name ?? name)
    model.save(id, owner: nil, kept?.fields ?? fields)
    try compare(found, id)
    if found.map({ $0.id != id }) ?? false { throw ModelError("\(name) is kept as \(found?.id.name ?? "")") }
  }

  private mutating func takeBack(_ writer: Writer?) throws {
    let ids = model.records.keys.filter(\.isOfLibrary).sorted()
    guard !ids.isEmpty else { return }
    let id = generator.draw(from: ids)
    try writer?.delete(record: id)
    model.records[id] = nil
  }

  /// One that says two things of itself, which changes nothing.
  private mutating func refuseResponse(_ writer: Writer?) throws {
    guard let (_, message) = someName() else { return }
    let id = Record.ID(type: StoreFeature.threads.recordType.name, name: message.rawValue + "?")
    try expectRefused(writer, [.invalidValue], "\(id)") {
      try $0.save(Record(id: id, ["message": .reference(Reference(message))]))
    }
  }
}

extension Record.ID {
  /// Whether the record is of a type that the library brings.
  package var isOfLibrary: Bool { RecordType.isLibraryName(type) }
}
