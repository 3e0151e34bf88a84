import Dispatch
import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelImport
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A line of an input, as an interchange layer would hand it over.
private enum Line {
  case conversation(Conversation.ID, [Identity.ID])
  case message(Message.ID, Conversation.ID, position: Int64?)
  case announcement(Message.ID)
  case identity(Identity.ID)
  case markRead(Message.ID)
  case delete(Conversation.ID)
  case fail
}

private func run(
  _ lines: [Line], into directory: String, skipping: Bool = false, during: (Int) throws -> Void = { _ in }
) throws -> (counts: ImportSession.Counts, rejected: [Int]) {
  var index = 0
  var rejected: [Int] = []
  var options = Store.Options()
  options.durability = .temporaryImport
  let counts = try ImportSession.run(
    into: directory, user: "me", options: options,
    next: { session in
      guard index < lines.count else { return false }
      defer { index += 1 }
      try during(index)
      do {
        let line = UInt64(index)
        switch lines[index] {
        case .conversation(let id, let users):
          try session.addConversation(ConversationDraft(identifier: id, participants: users), line: line)
        case .message(let id, let conversation, let position):
          try session.addMessage(
            MessageDraft(
              identifier: id, sender: "bob", position: position, isUnread: true,
              parts: [.text(id.rawValue), .data([UInt8](repeating: 1, count: 900), mimeType: "a/b")]),
            in: conversation, line: line)
        case .announcement(let id):
          try session.addAnnouncement(MessageDraft(identifier: id, sender: "bob"), line: line)
        case .identity(let id):
          try session.addIdentity(Identity(userID: id, displayName: id.rawValue), line: line)
        case .markRead(let id): try session.deferLine(Array("r\(id)".utf8), line: line)
        case .delete(let id): try session.deferLine(Array("d\(id)".utf8), line: line)
        case .fail: throw Failure(description: "a bad line")
        }
      } catch let error as SatchelError where skipping {
        _ = error
        rejected.append(index)
      }
      return true
    },
    apply: { writer, _, bytes in
      let id = String(decoding: bytes.dropFirst(), as: UTF8.self)
      if bytes.first == UInt8(ascii: "r") {
        try writer.markRead([Message.ID(id)])
      } else {
        try writer.deleteConversation(Conversation.ID(id))
      }
    },
    conflicts: ImportSession.Conflicts(reject: { line, error in
      guard skipping else { throw error }
      rejected.append(Int(line))
    }))
  return (counts, rejected)
}

private let basic: [Line] = [
  .identity("bob"), .conversation("c", ["me", "bob"]), .conversation("hidden", ["bob"]),
  .message("m1", "c", position: 4), .message("m2", "hidden", position: nil), .announcement("a1"),
  .message("m3", "c", position: 2), .markRead("m3"),
]

@Suite struct ImportTests {
  let directory: TemporaryDirectory
  var path: String { directory.path + "/store" }

  init() throws { directory = try TemporaryDirectory() }

  private func check(_ prefix: String = "", unread: Int = 1) throws {
    let store = try openStore(path, create: false)
    defer { store.close() }
    try expectSound(store)
    let (visible, hidden, conversation, identity) = try store.read { snapshot in
      (
        try snapshot.forest.count(IndexCatalog.messageCreated.tree),
        try snapshot.forest.count(IndexCatalog.messageHidden.tree),
        try snapshot.makeConversation(try #require(try snapshot.locateConversation(prefix + "c"))),
        try snapshot.makeIdentity(0)
      )
    }
    #expect(visible >= 2 && hidden >= 1)
    #expect(conversation.messageCount == 2)
    #expect(conversation.unreadCount == unread)
    #expect(conversation.lastMessage?.id.rawValue == prefix + "m1")
    #expect(identity.displayName == "bob")
  }

  @Test func intoANewStore() throws {
    let result = try run(basic, into: path)
    #expect(result.counts.messages == 3 && result.counts.conversations == 2)
    #expect(result.counts.identities == 1 && result.counts.announcements == 1)
    try check()
    #expect(!TemporaryDirectory.exists(path + ".importing"))
  }

  @Test func aFailureLeavesNoNewStore() throws {
    #expect(throws: Failure.self) { _ = try run(basic + [.fail], into: path) }
    #expect(!TemporaryDirectory.exists(path))
    #expect(!TemporaryDirectory.exists(path + ".importing"))
    _ = try run(basic, into: path)
    try check()
  }

  @Test func anEmptyDirectoryIsTakenAndAFullOneIsNot() throws {
    let full = try TemporaryDirectory()
    let inner = try openStore(full.path + "/inner")
    #expect(code { _ = try run(basic, into: full.path) } == .notAStore)
    #expect(try inner.sequence() == 1)
    let empty = try TemporaryDirectory()
    _ = try run(basic, into: empty.path + "/")
    try expectSound(try openStore(empty.path, create: false))
  }

  @Test func whatACrashLeavesIsRemoved() throws {
    // A temporary store of an import that ended in the middle: its lock is there and nobody holds it.
    let abandoned = try openStore(path + ".importing", user: "somebody else", journaled: false)
    try abandoned.write {
      _ = try $0.createConversation(ConversationDraft(identifier: "old", participants: []))
    }
    abandoned.close()
    try createFile(path + ".importing/importing.lock")
    try createFile(path + ".importing/records.spool")
    _ = try run(basic, into: path)
    try check()
    let store = try openStore(path)
    #expect(try store.read { try $0.locateConversation("old") } == nil)
    #expect(!TemporaryDirectory.exists(path + "/importing.lock"))
  }

  @Test func whatOthersHaveAtThePathOfTheTemporaryStoreStays() throws {
    let temporary = path + ".importing"
    // A store of that name.
    let other = try openStore(temporary, user: "somebody else", journaled: false)
    #expect(code { _ = try run(basic, into: path) } == .foreignFile)
    #expect(try other.sequence() == 1)
    other.close()
    // A store, or what a crash has left, with somebody's file in it.
    try createFile(temporary + "/importing.lock")
    try createFile(temporary + "/notes.txt")
    #expect(code { _ = try run(basic, into: path) } == .foreignFile)
    #expect(
      TemporaryDirectory.exists(temporary + "/notes.txt")
        && TemporaryDirectory.exists(temporary + "/data.mdb"))
    #expect(!TemporaryDirectory.exists(path))
    // A link to a directory.
    let linked = try TemporaryDirectory()
    try createFile(linked.path + "/importing.lock")
    try createFile(linked.path + "/data.mdb")
    let next = path + "-2"
    #expect(symlink(linked.path, next + ".importing") == 0)
    #expect(code { _ = try run(basic, into: next) } == .foreignFile)
    #expect(TemporaryDirectory.exists(linked.path + "/data.mdb") && !TemporaryDirectory.exists(next))
    _ = unlink(next + ".importing")
  }

  @Test func aLinkToAnEmptyDirectoryIsFollowed() throws {
    let empty = try TemporaryDirectory()
    #expect(symlink(empty.path, path) == 0)
    _ = try run(basic, into: path)
    try check()
    #expect(TemporaryDirectory.exists(empty.path + "/data.mdb"))
    _ = unlink(path)
    #expect(symlink(path + "-nowhere", path) == 0)
    #expect(code { _ = try run(basic, into: path) } == .io)
    _ = unlink(path)
  }

  @Test func rejectedObjectsLeaveTheSessionUsable() throws {
    let lines =
      basic[..<7] + [
        .identity("bob"), .conversation("c", []), .message("m1", "c", position: 1),
        .message("a1", "c", position: 1), .announcement("m2"), .message("x", "nowhere", position: nil),
        .message("", "c", position: nil),
      ] + basic[7...]
    let fresh = try run(Array(lines), into: path, skipping: true)
    #expect(fresh.rejected == Array(7..<14))
    try check()
    // Again, into what is there now: everything is there already, but for the conversation's name.
    let again = try run(Array(lines[..<14]), into: path, skipping: true)
    #expect(again.rejected == Array(0..<14))
    #expect(again.counts.messages == 0 && again.counts.conversations == 0)
    try check()
  }

  @Test func intoAnExistingStore() throws {
    _ = try run(basic, into: path)
    let more: [Line] = [
      .identity("carol"), .conversation("2c", ["me"]), .message("2m1", "2c", position: 4),
      .message("2m3", "2c", position: 2), .message("m9", "c", position: 1), .announcement("2a"),
      .markRead("2m3"),
      .markRead("m9"), .markRead("m1"),
    ]
    let watcher = try openStore(path)
    let before = try watcher.sequence()
    let result = try run(more, into: path)
    #expect(result.counts.messages == 3)
    let store = watcher
    try expectSound(store)
    let (first, second, changes) = try store.read { snapshot in
      (
        try snapshot.makeConversation(try #require(try snapshot.locateConversation("c"))),
        try snapshot.makeConversation(try #require(try snapshot.locateConversation("2c"))),
        try snapshot.changes(after: before)
      )
    }
    #expect(first.messageCount == 3 && first.unreadCount == 0 && first.lastMessage?.id == "m1")
    #expect(second.messageCount == 2 && second.unreadCount == 1)
    // One entry for the whole import, which lists so few objects; the message that was there before is among them.
    #expect(changes?.count == 1)
    let listed = changes?.first?.entry.changes ?? []
    #expect(changes?.first?.entry.ranges.isEmpty == true)
    #expect(listed.contains { $0.action == .created } && listed.contains { $0.action == .updated })
  }

  @Test func stagedObjectsAreInvisibleAndPurgedAfterAFailure() throws {
    _ = try run(basic, into: path)
    let store = try openStore(path)
    // Enough for several batches.
    var lines: [Line] = [.conversation("big", ["me"])]
    lines += (0..<5000).map { .message(Message.ID("big\($0)"), "big", position: Int64($0)) }
    lines += [.identity("eve"), .announcement("late"), .fail]
    var seen: [Int] = []
    #expect(throws: Failure.self) {
      _ = try run(lines, into: path) { index in
        if index == 4500 { seen.append(index) }
      }
    }
    #expect(seen == [4500])
    try expectSound(store)
    let (staged, found, messages) = try store.read { snapshot in
      (
        snapshot.seal[.staging].count, try snapshot.locateConversation("big"), snapshot.seal[.messages].count
      )
    }
    #expect(staged == 0 && found == nil && messages == 3)
    lines.removeLast()
    #expect(try run(lines, into: path).counts.messages == 5000)
    try expectSound(store)
    #expect(
      try store.read { try $0.makeConversation($0.locateConversation("big") ?? 99).messageCount } == 5000)
  }

  @Test func whatACrashHasStagedIsPurgedAtTheNextOpen() throws {
    _ = try run(basic, into: path)
    var lines: [Line] = [.conversation("big", ["me"])]
    lines += (0..<5000).map { .message(Message.ID("big\($0)"), "big", position: Int64($0)) }
    // What a process leaves that dies in its third batch is what the file holds then.
    let copy = directory.path + "/copy"
    _ = try run(lines, into: path) { index in
      if index == 4500 { try TemporaryDirectory.copyStore(path, to: copy) }
    }
    let environment = try Environment.open(
      directory: copy, options: Environment.Options(databases: ["objects", "messages"]))
    let records = try environment.read { try $0.statistics(of: environment.database("messages")).entries }
    environment.close()
    #expect(records == 3 + 3999)
    // Who opens the store while another process writes leaves it to the next one.
    let order = open(copy, O_RDONLY | O_DIRECTORY)
    defer { close(order) }
    try #require(flock(order, LOCK_EX) == 0)
    let release = DispatchWorkItem { _ = flock(order, LOCK_UN) }
    // It would wait for as long as the other one writes.
    DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: release)
    let early = try openStore(copy)
    let left = try early.read { $0.seal[.staging].count }
    #expect(left > 0)
    release.cancel()
    _ = flock(order, LOCK_UN)
    early.close()
    let store = try openStore(copy)
    let after = try store.read { snapshot in
      (
        staging: snapshot.seal[.staging].count, messages: snapshot.seal[.messages].count,
        big: try snapshot.locateConversation("big")
      )
    }
    #expect(after.staging == 0 && after.messages == 3 && after.big == nil)
    try expectSound(store)
    #expect(try run(lines, into: copy).counts.messages == 5000)
    try expectSound(store)
  }

  @Test func anImportAtWorkIsLeftAlone() throws {
    _ = try run(basic, into: path)
    var lines: [Line] = [.conversation("big", ["me"])]
    lines += (0..<5000).map { .message(Message.ID("big\($0)"), "big", position: nil) }
    let path = path
    let result = try run(lines, into: path) { index in
      guard index == 4500 else { return }
      // On another thread, since this one is inside a transaction.
      try onAnotherThread {
        let store = try openStore(path)
        let staged = try store.read { $0.seal[.staging].count }
        let report = try store.read { try Verifier.verify($0) }
        #expect(staged == 4000)
        #expect(try store.read { !$0.scansVisibleMessages })
        #expect(report.isSound && report.staged == 4000, "\(report.faults.prefix(5))")
        #expect(try store.read { try $0.locateMessage("big3") } == nil)
      }
    }
    #expect(result.counts.messages == 5000)
    try check()
  }

  @Test func conflictsWithOtherWritersAreFoundAtTheEnd() throws {
    _ = try run(basic, into: path)
    let path = path
    for skipping in [true, false] {
      let prefix = skipping ? "s" : "f"
      let first = Conversation.ID(prefix + "1")
      let second = Conversation.ID(prefix + "2")
      var lines: [Line] = [.conversation(first, ["me"]), .conversation(second, ["me"])]
      lines += (0..<9000).map {
        .message(Message.ID("\(prefix)m\($0)"), $0 < 10 ? "c" : first, position: nil)
      }
      // Another writer waits for its turn from the first batch on, and gets it after that batch.
      let other = OtherThread()
      let import_ = {
        try run(lines, into: path, skipping: skipping) { index in
          guard index == 1 else { return }
          other.start {
            let store = try openStore(path)
            try store.write { writer in
              _ = try writer.createConversation(ConversationDraft(identifier: second, participants: []))
              _ = try writer.send([], to: "c", identifier: Message.ID(prefix + "m3"))
            }
          }
        }
      }
      if skipping {
        let result = try import_()
        #expect(result.rejected.sorted() == [1, 5])
        #expect(result.counts.messages == 8999 && result.counts.conversations == 1)
      } else {
        #expect(throws: SatchelError.self) { _ = try import_() }
      }
      try other.finish()
      let store = try openStore(path)
      try expectSound(store)
      #expect(try store.read { try $0.locateConversation(first.rawValue) != nil } == skipping)
    }
  }

  @Test func messagesOfAConversationDeletedMeanwhileAreRejected() throws {
    _ = try run(basic, into: path)
    let path = path
    let lines: [Line] = (0..<9000).map {
      .message(Message.ID("n\($0)"), $0 < 7 ? "hidden" : "c", position: nil)
    }
    let other = OtherThread()
    let result = try run(lines, into: path, skipping: true) { index in
      guard index == 1 else { return }
      other.start {
        let store = try openStore(path)
        try store.write { try $0.deleteConversation("hidden") }
        for _ in 0..<3 { try store.write { _ = try $0.send([], to: "c") } }
      }
    }
    try other.finish()
    #expect(result.rejected.sorted() == Array(0..<7))
    let store = try openStore(path)
    try expectSound(store)
    #expect(try store.read { $0.seal[.purge].count } == 0)
  }
}
