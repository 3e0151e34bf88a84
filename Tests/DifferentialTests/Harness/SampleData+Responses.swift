import TestSupport

extension SampleData {
  /// Reactions to messages, which message answers which, and what conversations are to their participants, whose answers the rule tables
  /// give by hand.
  static let responses = #"""
    {"kind":"recordType","name":"_reaction","fields":{"date":"date","kind":"text","message":"reference to messages","remoteID":"text","state":"text","user":"reference to identities"},"onDelete":{"message":"cascade"}}
    {"kind":"recordType","name":"_reply","fields":{"message":"reference to messages","parent":"reference to messages"},"onDelete":{"message":"cascade"}}
    {"kind":"recordType","name":"_participation","fields":{"archivedAt":"date","conversation":"reference to conversations","isArchived":"boolean","isHidden":"boolean","isMuted":"boolean","isPinned":"boolean","joinedAt":"date","lastReadPosition":"integer","mutedUntil":"date","pinnedAt":"date","role":"text","user":"reference to identities"},"onDelete":{"conversation":"cascade"}}
    {"kind":"record","type":"_reaction","identifier":"m1/👍/alice","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m1"]},"user":{"$reference":["identities","alice"]},"kind":"👍","state":"pending","date":{"$date":"2024-03-04T00:00:00Z"}}}
    {"kind":"record","type":"_reaction","identifier":"m1/👍/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m1"]},"user":{"$reference":["identities","bob"]},"kind":"👍","state":"sent","date":{"$date":"2024-03-04T00:00:00Z"},"remoteID":"r-1"}}
    {"kind":"record","type":"_reaction","identifier":"m1/a%2Fb/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m1"]},"user":{"$reference":["identities","bob"]},"kind":"a/b","state":"sent","date":{"$date":"2024-03-04T00:00:00Z"}}}
    {"kind":"record","type":"_reaction","identifier":"m7/👍/carol","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m7"]},"user":{"$reference":["identities","carol"]},"kind":"👍","state":"sent","date":{"$date":"2024-03-04T00:00:00Z"}}}
    {"kind":"record","type":"_reaction","identifier":"m5/👍/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m5"]},"user":{"$reference":["identities","bob"]},"kind":"👍","state":"sent","date":{"$date":"2024-03-04T00:00:00Z"}}}
    {"kind":"record","type":"_reply","identifier":"m2","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m2"]},"parent":{"$reference":["messages","m1"]}}}
    {"kind":"record","type":"_reply","identifier":"m3","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m3"]},"parent":{"$reference":["messages","m1"]}}}
    {"kind":"record","type":"_reply","identifier":"m8","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m8"]},"parent":{"$reference":["messages","m7"]}}}
    {"kind":"record","type":"_reply","identifier":"m9","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m9"]},"parent":{"$reference":["messages","nowhere"]}}}
    {"kind":"record","type":"_participation","identifier":"c1/alice","createdAt":"2024-03-05T00:00:00Z","fields":{"conversation":{"$reference":["conversations","c1"]},"user":{"$reference":["identities","alice"]},"isPinned":true,"pinnedAt":{"$date":"2024-03-01T00:00:00Z"},"role":"admin","lastReadPosition":5}}
    {"kind":"record","type":"_participation","identifier":"c2/alice","createdAt":"2024-03-05T00:00:00Z","fields":{"conversation":{"$reference":["conversations","c2"]},"user":{"$reference":["identities","alice"]},"isMuted":true,"mutedUntil":{"$date":"2024-05-01T00:00:00Z"},"role":"Cafe\u0301"}}
    {"kind":"record","type":"_participation","identifier":"c%2F6%2F😀/alice","createdAt":"2024-03-05T00:00:00Z","fields":{"conversation":{"$reference":["conversations","c/6/😀"]},"user":{"$reference":["identities","alice"]},"isArchived":true,"archivedAt":{"$date":"2024-02-01T00:00:00Z"},"isHidden":true,"isMuted":false}}
    {"kind":"record","type":"_participation","identifier":"c1/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"conversation":{"$reference":["conversations","c1"]},"user":{"$reference":["identities","bob"]},"isMuted":true,"role":"owner"}}
    {"kind":"record","type":"_participation","identifier":"c3/alice","createdAt":"2024-03-05T00:00:00Z","fields":{"conversation":{"$reference":["conversations","c3"]},"user":{"$reference":["identities","alice"]},"isPinned":true,"pinnedAt":{"$date":"2024-01-01T00:00:00Z"}}}
    """#
}

extension SampleWriter {
  /// Reactions and replies, some to what is not there or not seen, and states of participants, mostly of the store's user.
  mutating func responseLines(_ count: Int) -> [String] {
    var names: Set<ModelReference> = []
    return (0..<count).compactMap { index in
      let type = [
        Responses.reaction, Responses.participation, Responses.reaction, Responses.participation,
        Responses.reply,
      ][index % 5]
      let (name, fields) =
        switch type {
        case Responses.reaction: reaction()
        case Responses.reply: reply()
        default: participation()
        }
      guard names.insert(ModelReference(type: type, name: name)).inserted else { return nil }
      return line(
        "record",
        [
          ("type", jsonQuoted(type.string)), ("identifier", jsonQuoted(name.string)), ("createdAt", date()),
          ("fields", "{\(joined(fields))}"),
        ])
    }
  }

  private func reference(_ type: String, _ name: ByteString) -> String {
    "{\"$reference\":[\"\(type)\",\(jsonQuoted(name.string))]}"
  }

  /// A message; some have most of what is said.
  private mutating func message() -> ByteString {
    if random.percent(4) { return "nowhere" }
    return ByteString(random.pick(random.percent(40) ? Array(messageNames.prefix(12)) : messageNames))
  }

  private mutating func reaction() -> (name: ByteString, fields: [(String, String?)]) {
    let (message, user) = (
      message(), ByteString(random.percent(35) ? SampleData.user : users[random.below(8)])
    )
    let kind = random.pick(ChangeGenerator.reactionKinds)
    let fields: [(String, String?)] = [
      ("message", reference("messages", message)), ("user", reference("identities", user)),
      ("kind", jsonQuoted(kind.string)), ("state", random.percent(75) ? "\"sent\"" : "\"pending\""),
      ("remoteID", random.percent(40) ? "\"r \(random.below(9))\"" : nil),
      ("date", random.percent(90) ? "{\"$date\":\(date())}" : nil),
    ]
    return (Responses.name(message, kind, user), fields)
  }

  private mutating func reply() -> (name: ByteString, fields: [(String, String?)]) {
    let message = message()
    var parent: ByteString? = random.percent(92) ? self.message() : nil
    if parent == message { parent = nil }
    let fields: [(String, String?)] = [
      ("message", reference("messages", message)), ("parent", parent.map { reference("messages", $0) }),
    ]
    return (message, fields)
  }

  private mutating func participation() -> (name: ByteString, fields: [(String, String?)]) {
    let conversation = ByteString(random.pick(conversations))
    let user = ByteString(random.percent(75) ? SampleData.user : users[random.below(8)])
    let (pinned, archived) = (random.percent(35), random.percent(30))
    let muted: Bool? = random.percent(40) ? true : random.percent(10) ? false : nil
    let roles = ChangeGenerator.roles
    let fields: [(String, String?)] = [
      ("conversation", reference("conversations", conversation)), ("user", reference("identities", user)),
      ("isPinned", pinned ? "true" : nil), ("pinnedAt", pinned ? "{\"$date\":\(date())}" : nil),
      ("isArchived", archived ? "true" : random.percent(5) ? "false" : nil),
      ("archivedAt", archived ? "{\"$date\":\(date())}" : nil), ("isMuted", muted.map { "\($0)" }),
      ("mutedUntil", muted == true && random.percent(50) ? "{\"$date\":\(date())}" : nil),
      ("isHidden", random.percent(20) ? "true" : nil),
      ("joinedAt", random.percent(30) ? "{\"$date\":\(date())}" : nil),
      ("role", random.percent(50) ? jsonQuoted(random.pick(roles).string) : nil),
      ("lastReadPosition", random.percent(50) ? "\(random.below(30))" : nil),
    ]
    return (Responses.name(conversation, user), fields)
  }
}
