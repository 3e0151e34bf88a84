import Satchel
import SatchelExecution
import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

/// Declarations of indexes as lines: out of a store and into others.
@Suite struct DeclaredIndexLinesTests {
  private static let indexes = [
    Index(named: "tickets", on: Message.self, where: { $0.metadata.kind == "it's a \"ticket\"" }) {
      [$0.metadata.priority.number.descending, $0.sentAt]
    },
    Index(named: "\u{e9}\n", on: Message.self) { [$0.metadata.tags.list, $0.position.descending] },
    Index(named: "e\u{301}\n", on: Conversation.self) { [$0.metadata[["a b.c"]], $0.unreadCount] },
    Index(named: "types", on: Message.self) {
      [$0.parts.each { $0.mimeType }, $0.recipientStatus["bob@x.y"]]
    },
    Index(named: "names", on: Identity.self, unique: true) { [$0.displayName] },
    Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }),
    Index(
      named: "tags", on: Message.self, where: { $0.metadata.kind == "note" }, wordsOf: { $0.metadata.tags }),
  ]

  private static func chat(_ messages: Int) throws -> Chat {
    let chat = try Chat()
    try chat.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c", metadata: ["a b.c": "x"])
      for number in 0..<messages {
        try tx.receive(
          [.text("x")], in: "c", from: "bob", id: Message.ID("m\(number)"), position: Int64(number),
          metadata: [
            "kind": number % 2 == 0 ? "it's a \"ticket\"" : "note", "priority": .integer(Int64(number % 5)),
            "tags": .list(["t\(number % 4)", "all"]),
          ])
      }
    }
    for index in indexes { try chat.store.declare(index) }
    return chat
  }

  private static func line(_ index: String, version: Int = 3) -> [UInt8] {
    Chat.bytes([ImporterTests.header.replacing("\"version\":1", with: "\"version\":\(version)"), index])
  }

  /// Into a store that is open, where the last commit declares them.
  @Test func anImportDeclaresWhatAnExportHas() throws {
    let chat = try Self.chat(50)
    let bytes = try chat.exported()
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"version\":3"))
    let copy = try Chat()
    let report = try copy.store.importLines(from: .bytes(bytes))
    #expect(report.indexes == 7 && report.messages == 50 && report.unknownKeys == 0)
    #expect(try copy.store.indexes() == chat.store.indexes())
    #expect(try copy.store.indexes().map(\.index) == Self.indexes)
    #expect(try copy.exported() == bytes)
    #expect(try copy.verify() == 0)
    for index in Self.indexes { try chat.store.dropIndex(named: index.name) }
    #expect(try String(decoding: chat.exported(), as: UTF8.self).contains("\"version\":2"))
  }

  /// Into a new store, which has them complete, of whatever size.
  @Test(arguments: [50, 3000]) func aNewStoreHasThemComplete(messages: Int) throws {
    let chat = try Self.chat(messages)
    let bytes = try chat.exported()
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let place = try TemporaryStore()
    let summary = try Importer(.bytes(bytes)).run(into: place.path, user: "alice", options: options)
    #expect(summary.indexes == 7 && summary.messages == messages)
    #expect(try place.verify() == 0)
    let copy = try MessageStore(path: place.path, user: "alice")
    defer { copy.close() }
    let found = try copy.indexes()
    #expect(found.map(\.index) == Self.indexes && found.allSatisfy(\.isComplete))
    #expect(
      found.map(\.entries)
        // Of each text its word and its length, of each list two words, its length, and that it is of two texts; and the two sums.
        == [messages / 2, 3 * messages, 1, messages, 0, 2 * messages + 1, 2 * messages + 1])
    var again: [UInt8] = []
    try copy.export(to: { again += $0 })
    #expect(again == bytes)
  }

  /// Lines that share what is to be there once: the file is refused with its reason, or, where the store is new, the index is.
  @Test func aUniqueIndexOverDoublesIsRefused() throws {
    let lines = [
      ImporterTests.header.replacing("\"version\":1", with: "\"version\":3"),
      #"{"kind":"identity","userID":"bob","displayName":"Bob"}"#,
      #"{"kind":"identity","userID":"rob","displayName":"Bob"}"#,
      #"{"kind":"index","name":"names","from":"identities","columns":["displayName"],"unique":true}"#,
    ]
    let chat = try Chat()
    let error = #expect(throws: SatchelError.self) {
      try chat.store.importLines(from: .bytes(Chat.bytes(lines)))
    }
    #expect(error?.code == .rejectedLine && error?.context["line"] == "4", "\(error as Any)")
    #expect(error?.description.contains("bob = rob") == true, "\(error as Any)")
    #expect(try chat.store.count(Identity.all) == 0)
    let wrong = #expect(throws: SatchelError.self) {
      try chat.store.importLines(
        from: .bytes(
          Self.line(#"{"kind":"index","name":"a","from":"identities","columns":["displayName"],"unique":1}"#))
      )
    }
    #expect(wrong?.description.contains("unique") == true, "\(wrong as Any)")
  }

  /// Of an index that is to take the place of another, the export has the one that is to stay.
  @Test func aReplacementIsOneLine() throws {
    let chat = try Self.chat(2000)
    let other = Index(named: "tickets", on: Message.self) { [$0.sentAt] }
    try chat.store.declare(other, replacing: true)
    let lines = try String(decoding: chat.exported(), as: UTF8.self).split(separator: "\n").filter {
      $0.contains(#""kind":"index","name":"tickets""#)
    }
    #expect(lines == [#"{"kind":"index","name":"tickets","from":"messages","columns":["sentAt"]}"#])
  }

  /// Nor has it one that was refused, but the one that has stayed in use.
  @Test func whatWasRefusedIsNoLine() throws {
    let chat = try Self.chat(2000)
    try chat.store.base.completeIndexes {}
    try chat.store.declare(
      Index(named: "tickets", on: Message.self, unique: true) { [$0.metadata.kind] }, replacing: true)
    try chat.store.base.completeIndexes {}
    #expect(try chat.store.indexes().map(\.isRefused) == Self.indexes.map { _ in false } + [true])
    let copy = try Chat()
    #expect(try copy.store.importLines(from: .bytes(chat.exported())).indexes == 7)
    #expect(try copy.store.indexes().map(\.index) == Self.indexes)
  }

  /// The same declaration again changes nothing; another one is refused, passed over, or takes the place.
  @Test func declarationsThatAreThere() throws {
    let chat = try Self.chat(10)
    let sequence = try chat.store.read { $0.sequence }
    let same = #"{"kind":"index","name":"names","from":"identities","columns":["displayName"],"unique":true}"#
    #expect(try chat.store.importLines(from: .bytes(Self.line(same))).indexes == 1)
    #expect(try chat.store.indexes().map(\.index) == Self.indexes)
    let other = Self.line(#"{"kind":"index","name":"names","from":"identities","columns":["-userID"]}"#)
    let error = #expect(throws: SatchelError.self) { try chat.store.importLines(from: .bytes(other)) }
    #expect(error?.code == .rejectedLine && error?.context["line"] == "2")
    #expect(error?.context["reason"]?.hasPrefix("An index of that name is declared otherwise") == true)
    #expect(try chat.store.importLines(from: .bytes(other), ifExists: .ignore).ignored == 1)
    #expect(try chat.store.indexes().map(\.index) == Self.indexes)
    #expect(try chat.store.importLines(from: .bytes(other), ifExists: .merge).merged == 1)
    #expect(try chat.store.indexes().last?.index.columns.map(\.description) == ["-userID"])
    #expect(try chat.store.importLines(from: .bytes(other), ifExists: .merge).merged == 0)
    #expect(try chat.store.read { $0.sequence } > sequence)
    #expect(try chat.verify() == 0)
  }

  /// A line that cannot be taken says why, whether its form is wrong or no store can have such an index.
  @Test(arguments: [
    (#"{"kind":"index","from":"messages","columns":["sentAt"]}"#, "name is missing"),
    (#"{"kind":"index","name":"x","columns":["sentAt"]}"#, "from is missing"),
    (#"{"kind":"index","name":"x","from":"messages"}"#, "columns is missing"),
    (#"{"kind":"index","name":"x","from":"parts","columns":["size"]}"#, "from takes conversations, "),
    (#"{"kind":"index","name":"x","from":"messages","columns":[1]}"#, "columns[0] takes a property"),
    (#"{"kind":"index","name":"x","from":"messages","columns":["sentAt","a b"]}"#, "columns[1]: "),
    (#"{"kind":"index","name":"x","from":"messages","columns":["sentAt"],"where":"isUnread ="}"#, "where: "),
    (#"{"kind":"index","name":"x","from":"messages","columns":[]}"#, ""),
    (#"{"kind":"index","name":"","from":"messages","columns":["sentAt"]}"#, ""),
    (#"{"kind":"index","name":"x","from":"messages","columns":["nothing"]}"#, ""),
    (#"{"kind":"index","name":"x","from":"messages","columns":["participants"]}"#, ""),
    (#"{"kind":"index","name":"x","from":"messages","columns":["parts.text"]}"#, ""),
    (
      #"{"kind":"index","name":"x","from":"messages","where":"sender.displayName = 'a'","columns":["sentAt"]}"#,
      ""
    ),
  ])
  func whatCannotBeDeclaredIsRefused(_ line: String, _ reason: String) throws {
    let chat = try Chat()
    let error = #expect(throws: SatchelError.self) {
      try chat.store.importLines(from: .bytes(Self.line(line)))
    }
    #expect(error?.code == .rejectedLine && error?.context["line"] == "2", "\(String(describing: error))")
    #expect(error?.context["reason"]?.hasPrefix(reason) == true, "\(String(describing: error))")
    let lines = Self.line(line) + Chat.bytes([#"{"kind":"identity","userID":"u"}"#])
    let report = try chat.store.importLines(from: .bytes(lines), skippingInvalid: true)
    #expect(report.identities == 1 && report.rejectedLineCount == 1 && report.indexes == 0)
    // A new store is made without the line, or not at all.
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let place = try TemporaryStore()
    #expect(throws: Importer.Failure.self) {
      try Importer(.bytes(lines)).run(into: place.path, user: "alice", options: options)
    }
    #expect(!place.exists)
    let summary = try Importer(.bytes(lines), skipsInvalid: true).run(
      into: place.path, user: "alice", options: options)
    #expect(summary.identities == 1 && summary.rejected == 1 && summary.indexes == 0)
  }

  @Test func olderVersionsHaveNone() throws {
    let chat = try Chat()
    let line = #"{"kind":"index","name":"x","from":"messages","columns":["sentAt"]}"#
    for version in [1, 2] {
      let error = #expect(throws: SatchelError.self) {
        try chat.store.importLines(from: .bytes(Self.line(line, version: version)))
      }
      #expect(error?.context["reason"] == "a line of kind index needs version 3 of the format")
    }
    #expect(try chat.store.importLines(from: .bytes(Self.line(line))).indexes == 1)
  }

  /// One of the records of a type names it, where record types are known.
  @Test func anIndexOfRecordsNamesTheirType() throws {
    let chat = try Chat()
    let todo = RecordType("todo") { $0.boolean("done") }
    let open = Index(named: "open", on: todo, unique: true, where: { $0.done == false }) {
      [$0.order.descending, $0.tags.list]
    }
    try chat.store.declare(todo)
    try chat.store.declare(open)
    try chat.store.write { tx in
      for number in 0..<20 {
        try tx.save(
          Record(
            todo, name: "t\(number)",
            ["done": .boolean(number % 4 == 0), "order": .integer(Int64(number)), "tags": ["a", "b"]]))
      }
    }
    let bytes = try chat.exported()
    #expect(
      String(decoding: bytes, as: UTF8.self).contains(
        #"{"kind":"index","name":"open","from":"todo","where":"done = FALSE","columns":["-order","each tags"],"unique":true}"#
      ))
    let copy = try Chat()
    #expect(try copy.store.importLines(from: .bytes(bytes)).indexes == 1)
    #expect(try copy.store.indexes() == chat.store.indexes())
    #expect(try copy.exported() == bytes && copy.verify() == 0)
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let place = try TemporaryStore()
    #expect(try Importer(.bytes(bytes)).run(into: place.path, user: "alice", options: options).indexes == 1)
    #expect(try place.verify() == 0)
    // The entries follow an import into a store that has the index already.
    let more = Chat.bytes([
      ImporterTests.header.replacing("\"version\":1", with: "\"version\":4"),
      #"{"kind":"record","type":"todo","identifier":"x","fields":{"done":false,"order":100}}"#,
      #"{"kind":"update","record":["todo","t1"],"set":{"fields":{"done":true}}}"#,
      #"{"kind":"delete","record":["todo","t2"]}"#,
    ])
    _ = try copy.store.importLines(from: .bytes(more))
    // Each record has an entry for each of its two tags and for the list; that without tags has one.
    #expect(try copy.store.indexes().map(\.entries) == [13 * 3 + 1])
    #expect(try copy.verify() == 0)
  }

  @Test func anIndexOfATypeThatIsNotThereIsRefused() throws {
    let chat = try Chat()
    let line = #"{"kind":"index","name":"x","from":"todo","columns":["order"]}"#
    for (version, reason) in [
      (3, "from takes conversations, "), (4, "No record type of that name is declared"),
    ] {
      let error = #expect(throws: SatchelError.self) {
        try chat.store.importLines(from: .bytes(Self.line(line, version: version)))
      }
      #expect(error?.code == .rejectedLine && error?.context["line"] == "2")
      #expect(error?.context["reason"]?.hasPrefix(reason) == true, "\(error as Any)")
    }
    #expect(try chat.store.indexes().isEmpty)
  }

  /// An export of changes has objects alone.
  @Test func changesHaveNoDeclarations() throws {
    let chat = try Self.chat(10)
    var bytes: [UInt8] = []
    let report = try chat.store.export(to: { bytes += $0 }, since: 0)
    #expect(report.indexes == 0 && report.messages == 10)
    #expect(!String(decoding: bytes, as: UTF8.self).contains(#""kind":"index""#))
  }
}
