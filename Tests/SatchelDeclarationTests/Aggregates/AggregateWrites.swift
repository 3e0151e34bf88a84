import Satchel
import SatchelScenes
import TestSupport

/// Random changes of everything that aggregates can look at.
struct AggregateWrites {
  var random: SeededGenerator
  private var rooms: [Conversation.ID] = []
  private var messages: [(id: Message.ID, room: Conversation.ID)] = []
  private var announcements: [Announcement.ID] = []
  private var made = 0
  private static let users: [Identity.ID] = ["alice", "bob", "carol", "dave", "é"]

  init(_ random: SeededGenerator) { self.random = random }

  /// One change of an object, or of several.
  mutating func change(_ tx: WriteTransaction) throws {
    switch random.below(100) {
    case 0..<8: try createRoom(tx)
    case 8..<40: try receive(tx)
    case 40..<50: if let message = pick(messages) { try tx.markAsRead(message.id) }
    case 50..<54: if let room = pick(rooms) { try tx.markAsRead(room) }
    case 54..<58: try update(tx)
    case 58..<64: try moveUser(tx)
    case 64..<72: try tag(tx)
    case 72..<78:
      if let index = index(of: messages) { try tx.delete(messages.remove(at: index).id) }
    case 78..<80:
      guard let index = index(of: rooms) else { return }
      let room = rooms.remove(at: index)
      messages.removeAll { $0.room == room }
      try tx.delete(room)
    case 80..<88:
      try tx.put(Identity(userID: user(), displayName: pick(["Bob", "Caro\u{301}l", "Carol", nil]) ?? nil))
    case 88..<91: try tx.setFollowed(random.percent(50), user())
    case 91..<95:
      made += 1
      announcements.append(
        try tx.announce(
          [.text("News")], from: user(), id: Announcement.ID("a\(made)"), isUnread: random.percent(70)))
    case 95..<97: if let announcement = pick(announcements) { try tx.markAsRead(announcement) }
    default: if let room = pick(rooms) { try send(tx, room) }
    }
  }

  private mutating func createRoom(_ tx: WriteTransaction) throws {
    made += 1
    let room = Conversation.ID("r\(made)")
    var metadata: Metadata = random.percent(50) ? ["team": .text(team())] : [:]
    if random.percent(40) { try metadata.set(value(), at: "amount") }
    if random.percent(50) { try metadata.set(owner(), at: "owner") }
    try tx.createConversation(with: [user(), user()], id: room, metadata: metadata)
    rooms.append(room)
  }

  private mutating func receive(_ tx: WriteTransaction) throws {
    guard let room = pick(rooms) else { return try createRoom(tx) }
    made += 1
    var parts: [MessagePart.Draft] = []
    if random.percent(60) { parts.append(.text(random.percent(40) ? "Look, @alice" : "Nothing")) }
    if random.percent(30) { parts.append(.data([1, 2, 3], mimeType: "image/png")) }
    if random.percent(10) {
      parts.append(
        .url(
          "https://example.org", mimeType: "image/gif",
          size: random.percent(50) ? Int64(random.below(9)) : nil
        ))
    }
    let id = Message.ID("m\(made)")
    var metadata: Metadata = random.percent(60) ? ["amount": value()] : [:]
    if random.percent(40) { try metadata.set(owner(), at: "owner") }
    try tx.receive(
      parts, in: room, from: user(), id: id,
      position: random.percent(80) ? Int64(random.below(100) - 20) : nil,
      receivedAt: random.percent(70) ? date(Double(random.below(5))) : nil,
      isUnread: random.percent(60), recipientStatus: random.percent(30) ? ["bob": .read] : [:],
      metadata: metadata)
    messages.append((id, room))
  }

  private mutating func send(_ tx: WriteTransaction, _ room: Conversation.ID) throws {
    made += 1
    let id = Message.ID("m\(made)")
    try tx.send([.text("@alice herself")], to: room, id: id)
    messages.append((id, room))
  }

  private mutating func update(_ tx: WriteTransaction) throws {
    guard let message = pick(messages) else { return }
    let position = Int64(random.below(100))
    let isUnread = random.percent(50)
    let seconds = Double(random.below(5))
    try tx.update(message.id) {
      $0.position = position
      $0.isUnread = isUnread
      $0.sentAt = date(seconds)
      $0.recipientStatus = ["bob": .read]
    }
  }

  private mutating func moveUser(_ tx: WriteTransaction) throws {
    guard let room = pick(rooms) else { return }
    let who = random.percent(60) ? "alice" : user()
    if random.percent(50) {
      try tx.removeParticipants([who], from: room)
    } else {
      try tx.addParticipants([who], to: room)
    }
  }

  private mutating func tag(_ tx: WriteTransaction) throws {
    guard let room = pick(rooms) else { return }
    switch random.below(10) {
    case 6, 7: try tx.setMetadata(owner(), at: "owner", of: .conversation(room))
    case 8: try tx.removeMetadata(at: "owner", of: .conversation(room))
    case 9:
      if let message = pick(messages) { try tx.setMetadata(owner(), at: "owner", of: .message(message.id)) }
    case 0: try tx.setMetadata(.text(team()), at: "team", of: .conversation(room))
    case 3: try tx.setMetadata(value(), at: "amount", of: .conversation(room))
    case 4:
      if let message = pick(messages) { try tx.setMetadata(value(), at: "amount", of: .message(message.id)) }
    case 5: if let message = pick(messages) { try tx.removeMetadata(at: "amount", of: .message(message.id)) }
    case 1: try tx.setMetadata(random.percent(50) ? "yes" : "no", at: "muted", of: .conversation(room))
    default: try tx.removeMetadata(at: "team", of: .conversation(room))
    }
  }

  /// A value of metadata of any type, most often a number.
  private mutating func value() -> MetadataValue {
    switch random.below(12) {
    case 0: .text(pick(["", "5", "z", "e\u{301}", "\u{E9}", "a\0b"]) ?? "")
    case 1: .date(Timestamp(microseconds: Int64(random.below(5))))
    case 2: .boolean(random.percent(50))
    case 3: .list(["5"])
    case 4: .dictionary(["amount": 5])
    case 5..<8: .integer(random.percent(20) ? .max - Int64(random.below(3)) : Int64(random.below(9)) - 4)
    default: .number(random.finiteDouble())
    }
  }

  /// A user, a name, or a list of such: in either form of "é", of which one is the user's.
  private mutating func owner() -> MetadataValue {
    let texts = ["alice", "bob", "carol", "e\u{301}", "\u{E9}", "Bob", "Carol"]
    if random.percent(25) { return .list([pick(texts) ?? "", pick(texts) ?? ""]) }
    return .text(pick(texts) ?? "")
  }

  private mutating func user() -> Identity.ID { pick(Self.users) ?? "bob" }
  private mutating func team() -> String { pick(["red", "blue", "", "re\u{301}d", "r\u{E9}d"]) ?? "" }
  private mutating func index<Element>(of list: [Element]) -> Int? {
    list.isEmpty ? nil : random.below(list.count)
  }
  private mutating func pick<Element>(_ list: [Element]) -> Element? { index(of: list).map { list[$0] } }
}
