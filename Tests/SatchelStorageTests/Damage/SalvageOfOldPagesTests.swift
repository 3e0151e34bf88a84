import LMDBPages
import SatchelCoding
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

/// What pages that were given up, or name others wrongly, do not do to a salvage.
extension SalvageTests {
  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  /// Overwrites the root of the main table, as the newer meta page names it.
  private func destroyMainTable(_ bytes: inout [UInt8]) {
    let metas = [0, Self.pageSize]
    let meta = word(bytes, metas[0] + 144) > word(bytes, metas[1] + 144) ? metas[0] : metas[1]
    let root = Int(word(bytes, meta + 128)) * Self.pageSize
    for offset in root..<root + Self.pageSize { bytes[offset] = 0 }
  }

  /// Brings messages into a store by an import, which has staged them on the way.
  private func importMessages(_ path: String) throws {
    var index = 0
    _ = try ImportSession.run(
      into: path, user: nil,
      next: { session in
        guard index < 100 else { return false }
        try session.addMessage(
          MessageDraft(identifier: Message.ID("i\(index)"), sender: "bob"), in: "c1", line: UInt64(index))
        index += 1
        return true
      }, apply: { _, _, _ in })
  }

  /// Old versions of the pages of objects tell of a staging that has ended, and of deletions: the first is history, the
  /// others are true for ever.
  @Test func whatWasStagedOnceIsSavedAndWhatWasDeletedIsNot() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    try importMessages(path)
    let whole = try identifiers(path)
    #expect(whole.contains("i99") && whole.count == 880)
    var damaged = try bytes(path)
    destroyMainTable(&damaged)
    try write(damaged, directory.path + "/damaged")
    let report = try salvage(directory.path + "/damaged", directory.path + "/new")
    let saved = try identifiers(directory.path + "/new")
    #expect(whole.subtracting(saved).isEmpty, "\(whole.subtracting(saved).sorted().prefix(5))")
    #expect(saved.subtracting(whole).isEmpty, "\(saved.subtracting(whole).sorted().prefix(5))")
    #expect(!report.isComplete && report.lost?.objects == 0)
  }

  /// Without meta pages the tables of the last commit are found, so that everything is as it was.
  @Test func metaPagesAreLost() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    try importMessages(path)
    let store = try openStore(path, create: false)
    // Two versions of each record, the newer one on pages further in front or behind.
    try store.write { writer in
      for index in 100..<150 { try writer.updateMessage(Message.ID("m2/\(index)"), Self.read) }
    }
    store.close()
    let whole = try identifiers(path)
    var damaged = try bytes(path)
    for offset in 0..<2 * Self.pageSize { damaged[offset] = 0 }
    try write(damaged, directory.path + "/damaged")
    let report = try salvage(directory.path + "/damaged", directory.path + "/new")
    #expect(!report.isComplete && report.uncertain == 0 && report.lost?.objects == 0, "\(report.losses)")
    #expect(try identifiers(directory.path + "/new") == whole)
    let new = try openStore(directory.path + "/new", create: false)
    defer { new.close() }
    try new.read { snapshot in
      let key = try #require(try snapshot.locateMessage("m2/120"))
      #expect(try snapshot.message(conversation: key.conversation, sequence: key.sequence).isUnread)
    }
  }

  /// One meta page is left, of the commit before the last: the last one's tables are found all the same.
  @Test(arguments: [false, true]) func aMetaPageIsLost(isNewer: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let store = try openStore(path, create: false)
    try store.write { writer in
      _ = try writer.insertMessage(MessageDraft(identifier: "last", sender: "bob"), in: "c1")
      try writer.deleteMessage("m3/7")
    }
    store.close()
    let whole = try identifiers(path)
    var damaged = try bytes(path)
    let first = word(damaged, 144) > word(damaged, Self.pageSize + 144)
    let start = first == isNewer ? 0 : Self.pageSize
    for offset in start..<start + Self.pageSize { damaged[offset] = 0 }
    try write(damaged, directory.path + "/damaged")
    let report = try salvage(directory.path + "/damaged", directory.path + "/new")
    #expect(try identifiers(directory.path + "/new") == whole)
    #expect(!report.isComplete && report.uncertain == 0)
  }

  private static var read: MessageUpdate {
    var update = MessageUpdate()
    update.isUnread = true
    return update
  }

  /// Nodes of contents that name pages of the messages as theirs: the pages remain those of the messages.
  @Test func damagedNodesTakeNoPagesOfOthers() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let whole = try identifiers(path)
    var damaged = try bytes(path)
    let pages = 2..<damaged.count / Self.pageSize
    let messages = pages.filter { shape(damaged, $0).flags == 2 && shape(damaged, $0).keyBytes == 12 }
    var next = 0
    for page in pages where shape(damaged, page).flags == 2 && shape(damaged, page).keyBytes == 18 {
      let start = page * Self.pageSize
      let lower = Int(damaged[start + 12]) | Int(damaged[start + 13]) << 8
      for slot in stride(from: 16, to: lower, by: 2) {
        let node = start + (Int(damaged[start + slot]) | Int(damaged[start + slot + 1]) << 8)
        guard damaged[node + 4] == 1 else { continue }
        for byte in 0..<8 {
          damaged[node + 26 + byte] = UInt8(truncatingIfNeeded: messages[next % messages.count] >> (8 * byte))
        }
        next += 1
      }
    }
    #expect(next >= messages.count && messages.count > 10)
    try write(damaged, directory.path + "/damaged")
    let report = try salvage(directory.path + "/damaged", directory.path + "/new")
    #expect(try identifiers(directory.path + "/new").isSuperset(of: whole))
    #expect(report.losses.contains { $0.contains("5000 bytes, is lost") })
  }

  /// A file that is written meanwhile is not one state.
  @Test func somebodyWritesMeanwhile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    let store = try openStore(path, create: false)
    defer { store.close() }
    for writes in [false, true] {
      var hasWritten = !writes
      let salvage = try PageSalvage(
        path: path + "/data.mdb", tables: ["messages"], isIntact: { _, _ in true }, table: { _ in nil },
        version: PageSalvage.Version(table: "messages", key: []) { _ in nil },
        found: { _ in
          guard !hasWritten else { return }
          hasWritten = true
          try store.write { _ = try $0.send([.text("now")], to: "c1") }
        })
      #expect(try salvage.run().wasWritten == writes)
    }
  }
}
