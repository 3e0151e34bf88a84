import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// Imports into a new store, whose messages wait until many of them are written together.
@Suite struct GatheredImportTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/store" }

  init() throws { directory = try TemporaryDirectory() }

  private struct Line {
    let identifier: Message.ID
    /// The number of a conversation; nil for an announcement.
    let conversation: Int?
    var position: Int64?
    /// Marks the message as read instead of adding it.
    var isRead = false
  }

  /// Adds conversations, of which the store's user has not joined the last one, and then the lines.
  /// - Returns: The lines that were rejected.
  private func run(_ lines: [Line], conversations: Int, gathering: Int) throws -> [Int] {
    var index = -conversations
    var rejected: [Int] = []
    _ = try ImportSession.run(
      into: path, user: "me", gathering: gathering,
      next: { session in
        guard index < lines.count else { return false }
        defer { index += 1 }
        guard index >= 0 else {
          let number = index + conversations
          try session.addConversation(
            ConversationDraft(
              identifier: Conversation.ID("c\(number)"), participants: index == -1 ? ["bob"] : ["me"]),
            line: 1)
          return true
        }
        let line = lines[index]
        if line.isRead {
          try session.deferLine(Array(line.identifier.rawValue.utf8), line: 1)
          return true
        }
        // The text of every third message is no part of its record.
        let text = String(repeating: "x", count: index % 3 == 0 ? 3000 : 5)
        let draft = MessageDraft(
          identifier: line.identifier, sender: "bob", position: line.position, isUnread: true,
          parts: [.text(text)])
        do {
          if let conversation = line.conversation {
            try session.addMessage(draft, in: Conversation.ID("c\(conversation)"), line: 1)
          } else {
            try session.addAnnouncement(draft, line: 1)
          }
        } catch let error as SatchelError where error.code == .identifierExists {
          rejected.append(index)
        }
        return true
      },
      apply: { writer, _, bytes in
        try writer.markRead([Message.ID(String(decoding: bytes, as: UTF8.self))])
      })
    return rejected
  }

  private func lines(_ count: Int, conversations: Int, _ random: inout SeededGenerator) -> [Line] {
    var lines: [Line] = []
    for index in 0..<count {
      let isRepeated = index > 0 && random.oneIn(6)
      lines.append(
        Line(
          identifier: isRepeated ? lines[random.below(index)].identifier : Message.ID("m\(index)"),
          conversation: random.oneIn(8) ? nil : random.below(conversations),
          position: random.oneIn(4) ? nil : Int64(random.below(1000))))
    }
    return lines
  }

  /// However many wait: they are merged with those before, in tables and trees, and an identifier is found to be taken
  /// wherever its message is.
  @Test(arguments: [1, 7, 40, 1 << 20]) func messagesAreMergedWithThoseBefore(_ most: Int) throws {
    var random = SeededGenerator()
    let lines = lines(150, conversations: 5, &random)
    var taken: Set<String> = []
    var repeated: [Int] = []
    var counts = [Int](repeating: 0, count: 5)
    for (index, line) in lines.enumerated() {
      if !taken.insert(line.identifier.rawValue).inserted {
        repeated.append(index)
      } else if let conversation = line.conversation {
        counts[conversation] += 1
      }
    }
    #expect(try run(lines, conversations: 5, gathering: most) == repeated)
    let store = try openStore(path, create: false)
    defer { store.close() }
    try expectSound(store)
    try store.read { snapshot in
      for conversation in 0..<5 {
        let row = try #require(try snapshot.locateConversation("c\(conversation)"))
        #expect(try snapshot.makeConversation(row).messageCount == counts[conversation])
      }
      for identifier in taken { #expect(try snapshot.locateMessage(identifier) != nil) }
    }
  }

  /// A line that changes a message needs it in tables and trees, and so do all lines after it.
  @Test(arguments: [3, 1 << 20]) func aChangeFindsTheMessagesBeforeIt(_ most: Int) throws {
    var random = SeededGenerator()
    var lines = lines(60, conversations: 3, &random).filter { $0.conversation != nil }
    let first = lines[0].identifier
    let before = lines.count
    lines.append(Line(identifier: first, conversation: nil, isRead: true))
    lines.append(Line(identifier: "late", conversation: 0))
    lines.append(Line(identifier: first, conversation: 1))
    let rejected = try run(lines, conversations: 3, gathering: most)
    #expect(rejected.last == before + 2)
    let store = try openStore(path, create: false)
    defer { store.close() }
    try expectSound(store)
    try store.read { snapshot in
      let key = try #require(try snapshot.locateMessage(first.rawValue))
      #expect(try snapshot.message(key)?.isUnread == false)
      #expect(try snapshot.locateMessage("late") != nil)
    }
  }
}
