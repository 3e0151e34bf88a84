internal import LMDB
internal import RankedIndex
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// Checks the messages, their contents, and what conversations record of their messages.
extension Verifier {
  /// The derived values of a conversation, computed from its messages.
  private struct Tally {
    var messages: UInt64 = 0
    var unread: UInt64 = 0
    var last: StoredConversation.Last?
  }

  mutating func checkMessages() throws {
    var row: UInt32?
    var conversation: ConversationView?
    var tally = Tally()
    var withMessages = 0
    try scan(
      .messages, "messages",
      key: { bytes throws(CodingError) in unsafe try MessageKey(messages: bytes) }
    ) { verifier, key, value in
      if key.conversation != row {
        withMessages += try verifier.finish(conversation, tally)
        row = key.conversation
        tally = Tally()
        conversation = nil
        try verifier.attempt("conversations", "\(key.conversation)") { verifier in
          conversation = try verifier.snapshot.findConversation(key.conversation)
        }
      }
      unsafe try verifier.count(.messages, key.bytes, value, "\(key.conversation)/\(key.sequence)")
      let isStaged = verifier.staged.contains(.message(key))
      if !isStaged { verifier.countPurged(key) }
      try verifier.attempt("messages", "\(key.conversation)/\(key.sequence)") { verifier in
        let view = unsafe try MessageView(value, key: key)
        guard !isStaged else { return try verifier.check(message: view, isVisible: false) }
        guard let conversation else {
          if !verifier.isPurged(key) {
            verifier.report.add(
              "messages", "\(key.conversation)/\(key.sequence)", "its conversation is missing")
          }
          return
        }
        tally.messages += 1
        if view.isUnread { tally.unread += 1 }
        let last = StoredConversation.Last(
          sequence: key.sequence, position: view.position, sentAt: view.sentAt, receivedAt: view.receivedAt,
          isUnread: view.isUnread, sender: view.sender)
        if tally.last.map({ $0.orderKey < last.orderKey }) ?? true { tally.last = last }
        try verifier.check(message: view, isVisible: conversation.isVisible)
      }
    }
    withMessages += try finish(conversation, tally)
    try checkEmptyConversations(withMessages)
  }

  /// Compares a conversation's derived values with its messages. Returns 1 if it has messages, otherwise 0.
  private mutating func finish(_ conversation: ConversationView?, _ tally: Tally) throws -> Int {
    guard let conversation, tally.messages > 0 else { return 0 }
    let key = "\(conversation.row)"
    if conversation.messageCount != tally.messages {
      report.addDerived(
        "conversations", key, "it has \(tally.messages) messages, not \(conversation.messageCount)")
    }
    if conversation.unreadCount != tally.unread {
      report.addDerived(
        "conversations", key, "it has \(tally.unread) unread messages, not \(conversation.unreadCount)")
    }
    if conversation.last != tally.last {
      report.addDerived("conversations", key, "its last message is not the one that it says")
    }
    return 1
  }

  /// Checks that every conversation whose record says that it has messages has some: by comparing their number with the
  /// number of conversations with messages that were found.
  private mutating func checkEmptyConversations(_ withMessages: Int) throws {
    var claimed = 0
    try scanConversations { verifier, row, value in
      guard !verifier.staged.contains(.conversation(row)),
        let view = unsafe try? ConversationView(value, row: row)
      else { return }
      if view.messageCount > 0 || view.unreadCount > 0 || view.last != nil { claimed += 1 }
    }
    if claimed != withMessages {
      report.addDerived(
        "conversations", "", "\(claimed) say that they have messages, and \(withMessages) have some")
    }
  }

  /// Checks a message or announcement: its numbers, its contents and, unless it is staged, its entries in the indexes.
  mutating func check(message view: MessageView, isVisible: Bool) throws {
    let key = view.key
    let name = "\(key.conversation)/\(key.sequence)"
    if key.sequence >= snapshot.seal.nextSequence {
      report.addDerived("messages", name, "its number has not been given yet")
    }
    let users = snapshot.seal[nextID: .users]
    var largest = view.sender
    view.forEachRecipient { user, _ in largest = max(largest, user) }
    if largest >= users { report.add("messages", name, "user \(largest) is no number of the dictionary") }
    if unsafe !Self.isIdentifier([UInt8](view.identifierBytes)) {
      report.add("messages", name, "its identifier is none")
    }
    let metadata = try view.metadata.decode(in: .message)
    var types: Set<UInt32> = []
    try snapshot.forEachPart(of: view) { part, index in
      types.insert(part.mimeType)
      try checkContent(of: part, index, key)
    }
    if try snapshot.typeSets.members(view.typeSet) != types.sorted() {
      report.add("messages", name, "its set of types is not that of its parts")
    }
    guard !staged.contains(.message(key)) else { return }
    var indexed = IndexedMessage(view, isVisible: isVisible)
    if key.sequence < endOfMetadata, isVisible || key.isAnnouncement {
      indexed.metadata = try texts(metadata, "messages", name)
    }
    changes.change(from: nil, to: indexed)
    if isVisible || key.isAnnouncement {
      try addDeclared(.message(key))
    }
    try expectEntries(of: "messages", name)
  }
}
