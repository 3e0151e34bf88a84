internal import LMDB
internal import RankedIndex
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// The messages, their contents, and what conversations know of them.
extension Verifier {
  /// What the messages of a conversation make of it.
  private struct Tally {
    var messages: UInt64 = 0
    var unread: UInt64 = 0
    var last: ConversationFields.Last?
  }

  mutating func checkMessages() throws {
    var row: UInt32?
    var conversation: ConversationView?
    var tally = Tally()
    var withMessages = 0
    try snapshot.scanMessages { key, value in
      if key.conversation != row {
        withMessages += try finish(conversation, tally)
        row = key.conversation
        tally = Tally()
        conversation = nil
        try attempt("conversations", "\(key.conversation)") { verifier in
          conversation = try verifier.snapshot.findConversation(key.conversation)
        }
      }
      unsafe try count(.messages, key.bytes, value, "\(key.conversation)/\(key.sequence)")
      try attempt("messages", "\(key.conversation)/\(key.sequence)") { verifier in
        let view = unsafe try MessageView(value, key: key)
        guard !verifier.staged.contains(.message(key)) else { return }
        guard let conversation else {
          if !verifier.isPurged(key) {
            verifier.report.add(
              "messages", "\(key.conversation)/\(key.sequence)", "its conversation is missing")
          }
          return
        }
        tally.messages += 1
        if view.isUnread { tally.unread += 1 }
        let last = ConversationFields.Last(
          sequence: key.sequence, position: view.position, sentAt: view.sentAt, receivedAt: view.receivedAt,
          isUnread: view.isUnread, sender: view.sender)
        if tally.last.map({ $0.place < last.place }) ?? true { tally.last = last }
        try verifier.check(message: view, isVisible: conversation.isVisible)
      }
      return true
    }
    withMessages += try finish(conversation, tally)
    try checkEmptyConversations(withMessages)
  }

  /// Compares a conversation's derived values with its messages; 1 when it has some.
  private mutating func finish(_ conversation: ConversationView?, _ tally: Tally) throws -> Int {
    guard let conversation, tally.messages > 0 else { return 0 }
    let key = "\(conversation.row)"
    if conversation.messageCount != tally.messages {
      report.add("conversations", key, "it has \(tally.messages) messages, not \(conversation.messageCount)")
    }
    if conversation.unreadCount != tally.unread {
      report.add(
        "conversations", key, "it has \(tally.unread) unread messages, not \(conversation.unreadCount)")
    }
    if conversation.last != tally.last {
      report.add("conversations", key, "its last message is not the one that it says")
    }
    return 1
  }

  /// A conversation that says it has messages has some: there are as many of them as were met.
  private mutating func checkEmptyConversations(_ withMessages: Int) throws {
    var claimed = 0
    try snapshot.scanObjects(from: .conversation(row: 0)) { key, value in
      guard case .conversation(let row) = key else { return false }
      guard !staged.contains(.conversation(row)), let view = unsafe try? ConversationView(value, row: row)
      else {
        return true
      }
      if view.messageCount > 0 || view.unreadCount > 0 || view.last != nil { claimed += 1 }
      return true
    }
    if claimed != withMessages {
      report.add("conversations", "", "\(claimed) say that they have messages, and \(withMessages) have some")
    }
  }

  func isPurged(_ key: MessageKey) -> Bool {
    purged.contains(key)
      || purged.contains(MessageKey(conversation: key.conversation, sequence: MessageKey.wholeConversation))
  }

  /// Checks a live message or announcement: its numbers, its contents, its entries in the indexes.
  mutating func check(message view: MessageView, isVisible: Bool) throws {
    let key = view.key
    guard !staged.contains(.message(key)) else { return }
    let name = "\(key.conversation)/\(key.sequence)"
    if key.sequence >= snapshot.seal.nextSequence {
      report.add("messages", name, "its number has not been given yet")
    }
    let users = snapshot.seal[nextID: .users]
    var largest = view.sender
    view.forEachRecipient { user, _ in largest = max(largest, user) }
    if largest >= users { report.add("messages", name, "user \(largest) is no number of the dictionary") }
    _ = try view.identifier()
    _ = try view.metadata.decode(in: .message)
    var types: Set<UInt32> = []
    try snapshot.forEachPart(of: view) { part, index in
      types.insert(part.mimeType)
      try checkContent(of: part, index, key)
    }
    if try snapshot.typeSets.members(view.typeSet) != types.sorted() {
      report.add("messages", name, "its set of types is not that of its parts")
    }
    changes.change(from: nil, to: IndexedMessage(view, isVisible: isVisible))
    try expectEntries(of: "messages", name)
  }

  private mutating func checkContent(of part: PartView, _ index: Int, _ key: MessageKey) throws {
    if part.mimeType >= snapshot.seal[nextID: .mimeTypes] {
      report.add(
        "messages", "\(key.conversation)/\(key.sequence)",
        "type \(part.mimeType) is no number of the dictionary")
    }
    guard let expected = part.storedDigest else { return }
    var digest: UInt64 = 0
    for piece in 0..<BodyLayout.pieceCount(length: part.length) {
      let body = BodyKey(
        message: key, part: UInt16(truncatingIfNeeded: index), piece: UInt32(truncatingIfNeeded: piece))
      guard let bytes = unsafe try snapshot.transaction.get(snapshot.databases.bodies, body.bytes) else {
        return report.add(
          "bodies", "\(key.conversation)/\(key.sequence)/\(index)/\(piece)",
          "its message names it, and it is missing")
      }
      digest &+= unsafe RecordFrame.storedChecksum(bytes)
    }
    if digest != expected {
      report.add(
        "bodies", "\(key.conversation)/\(key.sequence)/\(index)", "the content is not the one its message had"
      )
    }
  }

  /// Checks every piece of a content, and that a message has it.
  mutating func checkBodies() throws {
    var message: MessageKey?
    var pieces: [UInt64] = []
    var isExplained = false
    try snapshot.scanBodies { key, value in
      let name = "\(key.message.conversation)/\(key.message.sequence)/\(key.part)/\(key.piece)"
      unsafe try count(.bodies, key.bytes, value, name)
      if unsafe !RecordFrame.hasValidChecksum(value, key: key.bytes) {
        report.add("bodies", name, "the checksum does not match")
      }
      if message != key.message {
        message = key.message
        pieces = []
        isExplained = isPurged(key.message)
        try attempt("bodies", name) { verifier in
          guard let view = try verifier.snapshot.message(key.message) else { return }
          view.forEachPart { part in
            pieces.append(part.isStored ? BodyLayout.pieceCount(length: part.length) : 0)
          }
        }
      }
      let isNamed = Int(key.part) < pieces.count && UInt64(key.piece) < pieces[Int(key.part)]
      if !isNamed && !isExplained { report.add("bodies", name, "no message has it") }
      return true
    }
  }
}
