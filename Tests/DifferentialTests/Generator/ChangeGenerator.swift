import TestSupport

/// Random changes of what a model holds now: mostly of objects that are there, now and then of ones that are not.
struct ChangeGenerator {
  let model: ReferenceModel
  var random: SeededGenerator
  /// How many objects were created; names new ones.
  private var created = 0
  /// Identifiers that were deleted, to be given again.
  private var free: [String] = []

  init(_ model: ReferenceModel, seed: UInt64) {
    self.model = model
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> Change {
    switch random.below(140) {
    case 126...: return model.recordTypes[Responses.reaction] == nil ? recordChange() : responseChange()
    case 100...: return recordChange()
    case 0..<8: return .createIdentity(user: random.percent(70) ? newName("user") : user(), names: names())
    case 8..<16:
      return .createConversation(
        id: random.percent(5) ? conversation() : newName("c"),
        remoteID: random.percent(25) ? serverName() : nil, participants: participants(),
        createdAt: date(),
        metadata: settings())
    case 16..<38: return .createMessage(message())
    case 38..<46: return .updateIdentity(user: identity(), names: names(), edits: edits())
    case 46..<62:
      return .updateConversation(
        id: conversation(), participants: random.percent(60) ? participants() : nil, edits: edits())
    case 62..<86: return .updateMessage(messageEdit())
    case 86..<88: return .withdrawMessage(messageID(), at: date())
    case 88..<97:
      let id = messageID()
      free.append(id)
      return .deleteMessage(id)
    default: return .deleteConversation(conversation())
    }
  }

  // MARK: Names

  mutating func newName(_ prefix: String) -> String {
    created += 1
    return "\(random.pick([prefix, prefix + "/é", prefix + "/e\u{301}"]))/new/\(created)"
  }

  /// One of the keys, in an order that is the same in every run.
  private mutating func pick<Value>(_ objects: [ByteString: Value], else missing: String) -> String {
    objects.isEmpty || random.percent(2) ? missing : random.pick(objects.keys.sorted()).string
  }

  /// A new name, or now and then one that is taken.
  private mutating func serverName() -> String {
    random.percent(8) ? (random.percent(50) ? messageID() : conversation()) : newName("srv")
  }

  mutating func conversation() -> String { pick(model.conversations, else: "no conversation") }

  mutating func messageID() -> String { pick(model.messages, else: "no message") }

  private mutating func identity() -> String { pick(model.identities, else: "nobody") }

  mutating func user() -> String {
    random.percent(75) ? identity() : random.pick(["alice", "eve", "cafe\u{301}", "user 3", "never seen"])
  }

  private mutating func participants() -> [String] {
    let others = (0..<random.below(4)).map { _ in user() }
    return random.percent(75) ? others + ["alice"] : others
  }

  // MARK: Values

  private static let texts = [
    "Lunch", "lunch", "Café", "Cafe\u{301}", "", "a", "Zürich", "日本語", "50%", "x\ny",
  ]
  private static let paths: [[ByteString]] =
    ["title", "owner", "theme.color", "theme", "stream.id", "stream", "a.b.c", "in"].map {
      PropertyPath($0).components
    }
    + [
      ["a.b", "c"], ["readAt", "alice@example.org"], ["\\", "."], ["'\"", "two words"], ["caf\u{E9}"],
      ["cafe\u{301}"], ["😀", "NULL"], ["theme", "$date"], ["-x"], ["MIMEType"],
    ]

  mutating func text() -> String {
    random.percent(4) ? String(repeating: random.pick(["long ", "é"]), count: 300) : random.pick(Self.texts)
  }

  mutating func date() -> Int64 {
    1_700_000_000_000_000 + Int64(random.below(50)) * 3_600_000_000 + Int64(random.below(3))
      * 500_000
  }

  private mutating func names() -> [Change.Name] {
    ["displayName", "firstName", "lastName", "emailAddress", "phoneNumber"].compactMap { key in
      guard random.percent(50) else { return nil }
      return Change.Name(key: key, value: random.percent(25) ? nil : text())
    }
  }

  /// A value of metadata, of any type. What is equal in several spellings comes in each.
  mutating func value() -> MetadataTree {
    switch random.below(17) {
    // Users and names meet in comparisons of two properties.
    case 15: .text(ByteString(user()))
    case 16: .list([ByteString(user()), ByteString(user())])
    case 0..<5: .text(ByteString(text()))
    case 5, 6: .integer(random.pick([0, 1, 5, -5, 9_007_199_254_740_993, .max, .min]))
    case 7, 8: .number(random.pick([0, -0.0, 1, 5, 2.5, -5, 9_007_199_254_740_992, 0x1p63, -0x1p63, 1e300]))
    case 9, 10: .date(date())
    case 11, 12, 13: .list((0..<random.below(4)).map { _ in ByteString(text()) })
    default: .boolean(random.percent(50))
    }
  }

  /// Values at paths of one key, none twice, as metadata itself has them.
  private mutating func settings() -> [Change.Setting] {
    (["title", "owner", "in", "theme", "a.b", "a\\.b", "'", "😀", "two words"] as [ByteString]).compactMap {
      random.percent(25) ? Change.Setting(path: [$0], value: value()) : nil
    }
  }

  private mutating func edits() -> Change.MetadataEdits {
    var edits = Change.MetadataEdits()
    for path in Self.paths where random.percent(20) { edits.set.append(.init(path: path, value: value())) }
    for path in Self.paths where random.percent(8) { edits.remove.append(path) }
    return edits
  }

  private mutating func statuses(mayRemove: Bool) -> [Change.Status] {
    ["alice", "bob", "carol", "never seen"].compactMap { user in
      guard random.percent(25) else { return nil }
      return Change.Status(
        user: user, status: mayRemove && random.percent(30) ? nil : random.pick(recipientStatuses).string)
    }
  }

  private mutating func position() -> Int64? {
    random.percent(15)
      ? nil : random.percent(10) ? random.pick([.min, .max, 0, -1]) : Int64(random.below(4_000))
  }

  private mutating func message() -> Change.NewMessage {
    let isReused = !free.isEmpty && random.percent(15)
    let id = isReused ? random.pick(free) : random.percent(4) ? messageID() : newName("m")
    let parts = parts()
    let conversation = random.percent(10) ? nil : conversation()
    return Change.NewMessage(
      id: id, remoteID: conversation != nil && random.percent(25) ? serverName() : nil,
      conversation: conversation, sender: user(), position: position(),
      sentAt: date(), receivedAt: date(), isUnread: random.percent(50), parts: parts,
      statuses: statuses(mayRemove: false))
  }

  private mutating func parts() -> [Change.Part] {
    (0..<random.pick([0, 1, 1, 1, 2, 5])).map { _ in
      Change.Part(
        type: random.pick(["text/plain", "text/html", "image/png", "application/new"]), text: text(),
        transfer: random.percent(80) ? "complete" : random.pick(transferStatuses).string)
    }
  }

  private mutating func messageEdit() -> Change.MessageEdit {
    var edit = Change.MessageEdit(id: messageID())
    if random.percent(10), model.messages[ByteString(edit.id)]?.conversation != nil {
      let name = serverName()
      if name != edit.id { edit.remoteID = name }
    }
    if random.percent(30) { edit.position = .some(position()) }
    if random.percent(25) { edit.sentAt = .some(random.percent(25) ? nil : date()) }
    if random.percent(20) { edit.receivedAt = .some(random.percent(25) ? nil : date()) }
    if random.percent(20) { edit.isSent = random.percent(50) }
    if random.percent(50) { edit.isUnread = random.percent(40) }
    edit.statuses = statuses(mayRemove: true)
    // Of most messages, the first part; of few, the second; a message without it refuses the change.
    if random.percent(25) {
      edit.transfers = [.init(part: random.pick([0, 0, 0, 1]), status: random.pick(transferStatuses).string)]
    }
    if random.percent(20) {
      edit.parts = parts()
      edit.editedAt = date()
    }
    if random.percent(30) { edit.edits = edits() }
    return edit
  }
}
