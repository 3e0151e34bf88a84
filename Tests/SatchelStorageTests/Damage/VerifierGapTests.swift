import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

/// Promises of the format that no checksum keeps: each is broken once, with every checksum and count right, and verification
/// names it. What follows from the records is then repaired.
@Suite struct VerifierGapTests {
  let planted: PlantedStore

  init() throws { planted = try PlantedStore() }

  @Test func nextNumbersOfTheDirectory() throws {
    let changes: [(inout Directory) -> Void] = [
      { $0.nextInner = 1 }, { $0.nextLeaf = 1 << 48 }, { $0.nextContinuation = 1 },
    ]
    // An index of two levels, so that there is an inner node.
    try planted.store.write { writer in
      for index in 0..<1000 {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("n\(index)"), sender: "bob", position: Int64(index)), in: "c")
      }
    }
    for change in changes {
      try planted.changeDirectory(change)
      try planted.expectFault("nodes", "has not been given yet")
      try planted.expectRepair()
      // What is written next overwrites nothing.
      try planted.store.write { _ = try $0.send([.text("on")], to: "c") }
      try expectSound(planted.store)
    }
  }

  @Test func theDirectoryIsOfTheSealsCommit() throws {
    try planted.changeDirectory { $0.sequence -= 1 }
    try planted.expectFault("nodes", "the directory is of commit")
    try planted.expectRepair()
  }

  @Test func treesThatNoIndexIs() throws {
    try planted.changeDirectory {
      $0.trees.append(DirectoryEntry(id: 99, kind: 1, height: 1, root: 1 << 48, count: 1))
    }
    try planted.expectFault("nodes", "no index is")
    try planted.expectRepair()
  }

  @Test func databasesThatTheFormatDoesNotHave() throws {
    let environment = try Environment.open(
      directory: planted.directory.path,
      options: Environment.Options(databases: ["strange"], create: true, durability: .temporaryImport))
    environment.close()
    try planted.expectFault("databases", "no database of this name")
  }

  @Test func continuationsOfNothing() throws {
    func number(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    try planted.changeDirectory { $0.nextContinuation = 1000 }
    let text = Array("text".utf8)[...]
    let cases: [(UInt64, [UInt8], String)] = [
      (900, TextContinuation.encode(text, number: 900, tree: 77), "damaged, or of no index"),
      (901, [1, 2, 3], "damaged, or of no index"),
      (902, TextContinuation.encode(text, number: 5, tree: 22), "damaged, or of no index"),
      (1001, TextContinuation.encode(text, number: 1001, tree: 77), "has not been given yet"),
      (903, TextContinuation.encode(text, number: 903, tree: 22), "continuations were expected"),
    ]
    for (key, value, finding) in cases {
      try planted.put("texts", number(key), value)
      let faults = try planted.report.faults
      #expect(faults.contains { $0.finding.contains(finding) }, "\(key): \(faults)")
      try planted.put("texts", number(key), nil)
      try expectSound(planted.store)
    }
    try planted.put("texts", [1, 2], [3])
    try planted.expectFault("nodes", "has a key of 2 bytes")
    try planted.expectRepair()
  }

  @Test func keysThatTheFormatDoesNotHave() throws {
    for (database, key) in [
      ("objects", [0x11, 0, 0]), ("objects", [0x90, 1]), ("objects", [0x40, 9, 0, 0, 0, 1]),
      ("messages", [1, 2, 3, 4, 5]), ("bodies", [7]),
    ] as [(String, [UInt8])] {
      try planted.put(database, key, [1, 2, 3])
      try planted.expectFault(database, "no such key")
      try planted.expectRepair()
    }
  }

  @Test func aQueueThatWouldRemoveWhatIsThere() throws {
    let whole = MessageKey(conversation: 0, sequence: MessageKey.wholeConversation)
    let entry = PurgeEntry(commit: 1, remaining: 40)
    try planted.plant(.purge, .purge(whole), entry.encode(key: whole))
    try planted.expectFault("purge", "has not been deleted")
    let message = MessageKey(conversation: 1, sequence: 5)
    try planted.plant(.purge, .purge(message), PurgeEntry(commit: 1, remaining: 0).encode(key: message))
    #expect(try planted.report.faultCount >= 2)
    try planted.expectRepair()
    for _ in 0..<3 { try planted.store.write { _ = try $0.send([], to: "c") } }
    try expectSound(planted.store)
    #expect(try planted.store.read { $0.seal[.messages].count } == 53)
  }

  @Test func aQueueThatCountsWrong() throws {
    try planted.store.write { try $0.deleteConversation("c") }
    let whole = MessageKey(conversation: 0, sequence: MessageKey.wholeConversation)
    try planted.plant(
      .purge, .purge(whole), PurgeEntry(commit: 2, remaining: 7, nextSequence: 20).encode(key: whole))
    try planted.expectFault("purge", "7 messages are to be removed")
    try planted.expectFault("purge", "was to be removed already")
    try planted.plant(.purge, .purge(whole), PurgeEntry(commit: 99, remaining: 40).encode(key: whole))
    try planted.expectFault("purge", "after the last one")
    try planted.expectRepair()
    for _ in 0..<3 { try planted.store.write { _ = try $0.send([], to: "d") } }
    try expectSound(planted.store)
    #expect(try planted.store.read { $0.seal[.messages].count } == 13)
  }

  @Test func whatAnImportHasStaged() throws {
    let staged = StagingEntry(line: 1, content: .created(.identity(77)))
    try planted.plant(
      .staging, .staging(importNumber: 5, ordinal: 0), staged.encode(importNumber: 5, ordinal: 0))
    try planted.expectFault("staging", "has not been given yet")
    try planted.expectFault("staging", "is missing")
    try planted.plant(
      .staging, .staging(importNumber: 5, ordinal: 1), staged.encode(importNumber: 5, ordinal: 1))
    try planted.expectFault("staging", "staged before")
    try planted.expectRepair()
  }

  @Test func piecesOfAnotherSize() throws {
    let key = MessageKey(conversation: 0, sequence: 7)
    let first = BodyKey(message: key, part: 1, piece: 0)
    let old = try #require(try planted.bytes("bodies", first.bytes.array))
    let content = [UInt8](repeating: 9, count: 100)
    let short = BodyLayout.encode(content.span.bytes, key: first)
    try planted.plant(.bodies, "bodies", first.bytes, short)
    try planted.changeMessage(key) { fields in
      guard case .stored(let length, let digest) = fields.parts[1].content else { return }
      fields.parts[1].content = .stored(
        length: length,
        digest: digest &- RecordFrame.storedChecksum(old) &+ RecordFrame.storedChecksum(short))
    }
    try planted.expectFault("bodies", "it has 108 bytes")
    let report = try Store.repair(directory: planted.directory.path, options: PlantedStore.options)
    #expect(report.isRefused && report.actions.isEmpty)
    #expect(report.refusal.contains { $0.location == "bodies" })
  }

  @Test func textsThatAreNone() throws {
    let key = MessageKey(conversation: 0, sequence: 7)
    try planted.changeMessage(key) { $0.parts[0].content = .inline([0xFF, 0x41, 0x41, 0x41]) }
    try planted.expectFault("messages", "the text is not UTF-8")
    // One that is cut into pieces within a scalar is sound.
    try planted.changeMessage(key) { $0.parts[0].content = .inline(Array("text".utf8)) }
    try planted.store.write { writer in
      _ = try writer.send([.text(String(repeating: "a\u{E9}\u{1F392}\u{4E2D}", count: 3000))], to: "c")
    }
    try expectSound(planted.store)
  }

  @Test func entriesOfDictionaries() throws {
    for (kind, text) in [
      (DictionaryKind.metadataPaths, "a..b"), (.metadataPaths, ""), (.metadataPaths, "a\\"),
      (.metadataPaths, "a\\b"), (.metadataPaths, "\\\\\\"), (.metadataPaths, "a.b\0"),
      (.metadataPaths, String(repeating: "é", count: 129)), (.users, "a\0b"), (.mimeTypes, ""),
    ] {
      let planted = try PlantedStore()
      let id = try planted.store.read { $0.seal[nextID: kind] }
      try planted.plant(
        .dictionaries, .dictionary(kind, id: id), DictionaryEntry.text(Array(text.utf8)).encode(kind, id: id))
      try planted.changeSeal { $0[nextID: kind] = id + 1 }
      try planted.expectFault("dictionaries", "none that the dictionary can have")
    }
  }

  @Test func entriesOfTheLog() throws {
    let commit = try planted.store.sequence()
    let changes: [ChangeLogEntry] = [
      ChangeLogEntry(changes: [LoggedChange(.conversation(99), .updated, properties: [])]),
      ChangeLogEntry(changes: [
        LoggedChange(
          .conversation(0), .updated, properties: LoggedProperties(.lastSender),
          before: [BeforeValue(.lastSender, .word(500))])
      ]),
      ChangeLogEntry(ranges: [RangeChange(.importNumber(40), .created, sequences: 1...3, count: 3)]),
    ]
    for entry in changes {
      let key = ObjectKey.changeLog(commit: commit)
      let old = try #require(try planted.bytes("objects", key.bytes.array))
      let record = entry.encode(commit: commit)
      try planted.plant(.changeLog, key, record)
      try planted.changeSeal { $0.log.bytes = $0.log.bytes - UInt64(old.count) + UInt64(record.count) }
      let faults = try planted.report.faults
      #expect(faults.count == 1 && faults.first?.location == "changeLog", "\(faults)")
    }
    try planted.expectRepair()
  }

  @Test func aggregatesOfOneName() throws {
    let entry = AggregateEntry(
      name: Array("n".utf8), kind: .identities, predicate: Array("followed = TRUE".utf8))
    for id in 0..<2 as Range<UInt32> {
      try planted.plant(.aggregates, .aggregate(id: id), entry.encode(id: id))
    }
    try planted.expectFault("aggregates", "another one has its name")
  }

  @Test func theHeadersVersions() throws {
    var header = planted.store.header
    header.versions.indexSet = 1
    try planted.put("objects", ObjectKey.header.bytes.array, header.encode())
    try planted.expectFault("header", "is not that of format")
    header.versions.indexSet = 3
    header.versions.minimumReader = 9
    header.versions.format = 5
    try planted.put("objects", ObjectKey.header.bytes.array, header.encode())
    try planted.expectFault("header", "cannot be read from format 9")
  }

  /// Two of what there may be one of. The indexes are built from the records, so that everything else is right.
  @Test func whatMayBeThereOnce() throws {
    let cases: [(PlantedStore) throws -> (String, String)] = [
      { planted in
        let key = MessageKey(conversation: 1, sequence: 5)
        try planted.changeMessage(key) { $0.identifier = Array("m9".utf8) }
        return ("messages", "has its identifier")
      },
      { planted in
        let old = try #require(try planted.bytes("objects", ObjectKey.conversation(row: 1).bytes.array))
        var fields = try old.withUnsafeBytes { try ConversationView($0, row: 1).fields() }
        fields.identifier = Array("c".utf8)
        try planted.plant(.conversations, .conversation(row: 1), fields.encode(row: 1))
        return ("conversations", "has its identifier")
      },
      { planted in
        let old = try #require(try planted.bytes("objects", ObjectKey.identity(row: 0).bytes.array))
        let fields = try old.withUnsafeBytes { try IdentityView($0, row: 0).fields() }
        try planted.plant(.identities, .identity(row: 1), fields.encode(row: 1))
        return ("identities", "has its user id")
      },
      { planted in
        let key = MessageKey(announcement: 7)
        let fields = StoredMessage(identifier: Array("b".utf8), sender: 0, typeSet: try planted.emptyTypeSet)
        try planted.plant(.announcements, "objects", key.bytes, fields.encode(key: key))
        return ("messages", "another message has it as well")
      },
      { planted in
        let id = try planted.store.read { $0.seal[nextID: .mimeTypes] }
        let type = try planted.store.read { try $0.mimeTypes.utf8(0) }
        try planted.plant(
          .dictionaries, .dictionary(.mimeTypes, id: id),
          DictionaryEntry.text(type).encode(.mimeTypes, id: id))
        return ("dictionaries", "is equal to it")
      },
    ]
    for plant in cases {
      let planted = try PlantedStore()
      let (place, finding) = try plant(planted)
      // The repair builds the indexes; that there are two it cannot mend.
      _ = try Store.repair(directory: planted.directory.path, options: PlantedStore.options)
      try planted.expectFault(place, finding)
    }
  }
}

extension PlantedStore {
  /// The number of the set without types, which the announcement of the store has.
  fileprivate var emptyTypeSet: UInt32 {
    get throws { try #require(try store.read { try $0.typeSets.number(of: []) }) }
  }
}
