import TestSupport

extension SampleData {
  /// The hand-written lines and some four hundred messages more, with what real data has seldom and much of it: equal
  /// dates and positions, missing ones, long values that begin alike, both spellings of one text, conversations that
  /// are empty or not Alice's; and records, some of which are changed and deleted. The same for the same seed.
  static func generated(seed: UInt64, messages: Int = 400) -> String {
    var writer = SampleWriter(seed: seed)
    let lines = writer.lines(messages: messages)
    return ([accepted, rejected] + lines + writer.recordLines(messages * 2 / 5)).joined(separator: "\n")
  }
}

struct SampleWriter {
  var random: SeededGenerator
  private(set) var users: [String] = []
  private(set) var conversations: [String] = []
  /// The identifiers of messages and announcements.
  private(set) var messageNames: [String] = []
  /// The records that were written, also those that were deleted since.
  var recordNames: [ModelReference] = []
  /// The participants of distinct conversations.
  private var distinctSets: Set<Set<String>> = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func lines(messages: Int) -> [String] {
    // The first eight have their identities in the hand-written lines.
    users = ["alice", "bob", "carol", "dave", "café", "cafe\u{301}", "12345", "a/b c"]
    users += ["eve", "O'Hara, \"Jo\" \\", "😀"]
    users += (0..<12).map { "user \($0)" }
    users += ["\(Self.longPrefix)1", "\(Self.longPrefix)2", "\(String(Self.longPrefix.prefix(511)))"]
    var lines = users.dropFirst(8).enumerated().compactMap { index, user in
      index % 4 == 3 ? nil : identity(user)
    }
    for index in 0..<60 { lines.append(conversation(index)) }
    for index in 0..<messages {
      lines.append(message(index))
      if random.percent(3) { lines.append(announcement(index)) }
      if random.percent(2) { lines.append(conversation(1_000 + index)) }
      if random.percent(2) { lines.append(lines[random.below(lines.count)]) }
    }
    return lines
  }

  /// Longer than a key of the file may be, so that what follows it is what indexes must not lose.
  static let longPrefix = String(repeating: "long-prefix/", count: 84)

  private static let texts = [
    "Lunch", "lunch", "LUNCH", "Café", "Cafe\u{301}", "CAFÉ", "straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος",
    "İstanbul",
    "istanbul", "ıstanbul", "K", "\u{212A}", "k", "Å", "\u{212B}", "A\u{30A}", "日本語", "日本", "👩‍👩‍👧", "👩", "50%",
    "50_", "5\\0",
    "", " ", "a", "aa", "aaa", "ab", "z", "Zürich", "Zu\u{308}rich", "Zurich", "\u{1F600}", "가",
    "\u{1100}\u{1161}", "tab\there",
    "line\nbreak", "it's", "\"quoted\"", "q\u{323}\u{307}", "q\u{307}\u{323}", longPrefix + "a",
    longPrefix + "b", longPrefix, "it’s", "این\u{200C}ها", "اینها", "Donau\u{AD}dampf", "donaudampf",
    "a\u{200B}b",
  ]

  /// Keys that are no names, some of which are the same in another spelling or joined otherwise.
  private static let oddKeys = [
    "odd.a", "a.b", "a\\.b", "caf\u{E9}", "cafe\u{301}", "alice@example.org", "'\"", "two words", "😀", "AND",
    "$x",
    "MIMEType", "\\", String(repeating: "é", count: 128),
  ]

  /// Too long to be kept with their message, and different at the end only.
  private static let largeTexts = ["A", "B", "Ä", "A\u{308}"].map {
    String(repeating: "0123456789 ", count: 300) + $0
  }

  private static let mimeTypes = [
    "text/plain", "text/plain", "text/html", "image/png", "image/jpeg", "IMAGE/PNG", "application/pdf",
    "application/vnd.example+json", "text/plain; charset=utf-8",
  ]

  func line(_ kind: String, _ members: [(String, String?)]) -> String {
    "{\"kind\":\"\(kind)\",\(joined(members))}"
  }

  /// The members of an object that are there.
  func joined(_ members: [(String, String?)]) -> String {
    members.compactMap { key, value in value.map { "\(jsonQuoted(key)):\($0)" } }.joined(separator: ",")
  }

  mutating func text() -> String { jsonQuoted(random.pick(Self.texts)) }

  private mutating func identity(_ user: String) -> String {
    let names = ["displayName", "firstName", "lastName"].map { ($0, random.percent(75) ? text() : nil) }
    let address = random.percent(40) ? "\"user\(random.below(9))@example.org\"" : nil
    return line(
      "identity",
      [("userID", jsonQuoted(user))] + names + [
        ("emailAddress", address), ("avatarURL", random.percent(20) ? "\"https://example.org/a.png\"" : nil),
        ("metadata", random.percent(40) ? metadata() : nil),
      ])
  }

  private mutating func metadata() -> String {
    var members: [String] = []
    if random.percent(70) { members.append("\"title\":\(text())") }
    if random.percent(40) { members.append("\"theme\":{\"color\":\(text()),\"deep\":{\"er\":\(text())}}") }
    switch random.below(6) {
    case 0: members.append("\"stream\":\(text())")
    case 1: members.append("\"stream\":{\"id\":\"\(random.below(5))\"}")
    default: break
    }
    if random.percent(10) { members.append("\"in\":\(text())") }
    if random.percent(50) { members.append("\"value\":\(value())") }
    if random.percent(30) { members.append("\"theme2\":{\"size\":\(value())}") }
    if random.percent(10) { members.append("\"-x\":\(text())") }
    if random.percent(20) { members.append("\(jsonQuoted(random.pick(Self.oddKeys))):\(value())") }
    if random.percent(20) {
      let keys = (0..<1 + random.below(2)).map { Self.oddKeys[$0 * 7 + random.below(7)] }
      members.append("\"odd\":{\(keys.map { "\(jsonQuoted($0)):\(text())" }.joined(separator: ","))}")
    }
    if random.percent(40) { members.append("\"tags\":\(random.percent(90) ? list() : text())") }
    if random.percent(40) { members.append("\"owner\":\(owner())") }
    return "{\(members.joined(separator: ","))}"
  }

  /// A list of few distinct texts, some of them twice.
  mutating func list() -> String {
    "[" + (0..<random.below(4)).map { _ in text() }.joined(separator: ",") + "]"
  }

  /// A user, or a list of two: those of the hand-written lines, among them both spellings of "café", so that some of them are the sender or
  /// take part.
  mutating func owner() -> String {
    func user() -> String { jsonQuoted(users[random.below(8)]) }
    return random.percent(25) ? "[\(user()),\(user())]" : user()
  }

  /// A value of any type, few distinct ones.
  mutating func value() -> String {
    switch random.below(10) {
    case 9: list()
    case 0, 1:
      random.pick([
        "0", "1", "5", "-5", "42", "9007199254740993", "-9223372036854775808", "9223372036854775807",
      ])
    case 2, 3:
      random.pick([
        "0.0", "-0.0", "5.0", "2.5", "-2.5", "1e0", "9007199254740992.0", "9.223372036854775807e18", "1e300",
        "5e-324",
      ])
    case 4: random.pick(["true", "false"])
    case 5, 6: "{\"$date\":\(date())}"
    default: text()
    }
  }

  private mutating func conversation(_ index: Int) -> String {
    let identifier = random.pick([
      "c:\(index)", "c/\(index)/é", "c/\(index)/e\u{301}", "\(index)", "\(Self.longPrefix)\(index)",
    ])
    conversations.append(identifier)
    var members = (0..<random.below(4)).map { _ in random.pick(users) }
    if !random.percent(12) { members.append("alice") }
    let createdAt = random.percent(75) ? date() : nil
    // A second distinct conversation of the same participants would be a line that is not taken.
    let isDistinct = random.percent(30) && distinctSets.insert(Set(members)).inserted
    return line(
      "conversation",
      [
        ("identifier", jsonQuoted(identifier)),
        ("participants", "[\(members.map(jsonQuoted).joined(separator: ","))]"),
        ("createdAt", createdAt), ("isDistinct", isDistinct ? "true" : nil),
        ("metadata", random.percent(85) ? metadata() : nil),
      ])
  }

  /// Few distinct seconds, some with fractions, some before 1970.
  mutating func date() -> String {
    var microseconds = 1_700_000_000_000_000 + Int64(random.below(40)) * 3_600_000_000
    if random.percent(25) { microseconds += Int64(random.below(3)) - 1 }
    if random.percent(4) { microseconds = -microseconds }
    return jsonQuoted(Timestamp.format(microseconds))
  }

  private mutating func message(_ index: Int) -> String {
    // The first conversations get most of the messages, the last ones none.
    let share = random.below(45) * random.below(45) / 45
    let conversation = random.percent(3) ? "nowhere" : conversations[share]
    return line("message", [("conversation", jsonQuoted(conversation))] + content(index, prefix: "m"))
  }

  private mutating func announcement(_ index: Int) -> String {
    line("announcement", content(index, prefix: "a"))
  }

  private mutating func content(_ index: Int, prefix: String) -> [(String, String?)] {
    let identifier = random.pick([
      "\(prefix):\(index)", "\(prefix)/\(index)/😀", "\(prefix):é\(index)", "\(prefix):e\u{301}\(index)",
    ])
    messageNames.append(identifier)
    let isSent = !random.percent(12)
    let statuses = (0..<random.below(4)).map { user in
      "\(jsonQuoted(users[user * 2])):\"\(random.pick(recipientStatuses))\""
    }
    return [
      ("identifier", jsonQuoted(identifier)), ("sender", jsonQuoted(random.pick(users))),
      ("position", isSent ? position(index) : nil), ("sentAt", random.percent(85) ? date() : nil),
      ("receivedAt", random.percent(75) ? date() : nil), ("isSent", isSent ? nil : "false"),
      ("isUnread", random.percent(35) ? "true" : nil), ("parts", random.percent(90) ? parts() : nil),
      ("recipientStatus", random.percent(40) ? "{\(statuses.joined(separator: ","))}" : nil),
      ("metadata", random.percent(25) ? metadata() : nil),
    ]
  }

  private mutating func position(_ index: Int) -> String {
    switch random.below(20) {
    case 0: "\(Int64.max - Int64(random.below(3)))"
    case 1: "\(Int64.min + Int64(random.below(3)))"
    case 2: "\(9_007_199_254_740_990 + random.below(6))"
    case 3...5: "\(random.below(20) - 10)"
    default: "\(index * 10)"
    }
  }

  private mutating func parts() -> String {
    let parts = (0..<random.pick([0, 1, 1, 1, 1, 2, 2, 3, 12])).map { _ in part() }
    return "[\(parts.joined(separator: ","))]"
  }

  private mutating func part() -> String {
    guard random.percent(15) else { return content() }
    return content().dropLast() + ",\"transferStatus\":\"\(random.pick(transferStatuses).string)\"}"
  }

  private mutating func content() -> String {
    let type = jsonQuoted(random.pick(Self.mimeTypes))
    switch random.below(10) {
    case 0: return "{\"mimeType\":\(type),\"text\":\(jsonQuoted(random.pick(Self.largeTexts)))}"
    case 1..<7: return "{\"mimeType\":\(type),\"text\":\(text())}"
    case 7:
      return "{\"mimeType\":\(type),\"base64\":\"\(random.pick(["", "AA==", "AAE=", "AAEC", "/+8="]))\"}"
    case 8:
      return
        "{\"mimeType\":\(type),\"url\":\"https://example.org/x\",\"size\":\(random.below(4) * 1_000)}"
    default: return "{\"mimeType\":\(type),\"url\":\"https://example.org/x\"}"
    }
  }
}
