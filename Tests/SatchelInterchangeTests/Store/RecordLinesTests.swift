import Satchel
import SatchelInterchange
import SatchelModel
import SatchelRecords
import SatchelStorage
import Testing

/// Record types and records as lines: out of a store and into others, whole and by their changes.
@Suite struct RecordLinesTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.number("share")
    $0.reference("list", to: list)
    $0.reference("about")
  }

  private static func chat(records: Int) throws -> Chat {
    let chat = try Chat()
    try chat.store.declare(list, todo)
    try chat.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m", position: 1)
      let work = try tx.save(Record(list, name: "work", ["title": "Work"]))
      for number in 0..<records {
        try tx.save(
          Record(
            todo, name: "t\(number)", owner: number % 2 == 0 ? "bob" : nil,
            [
              "title": "T \"\(number)\"", "share": .number(5), "list": .reference(work.id),
              "about": .reference(Message.ID("m")),
              "free": ["in": .reference(work.id), "n": .integer(Int64(number))],
              "mark": ["$reference": "no"],
            ]))
      }
    }
    return chat
  }

  private static func lines(_ lines: [String], version: Int = 4) -> [UInt8] {
    Chat.bytes([ImporterTests.header.replacing("\"version\":1", with: "\"version\":\(version)")] + lines)
  }

  private static let declared =
    #"{"kind":"recordType","name":"todo","fields":{"title":"text","list":"reference to list","any":"reference"}}"#
  private static let declaredList = #"{"kind":"recordType","name":"list"}"#

  @Test(arguments: [0, 3, 700]) func anExportIsImportedAsItWas(records: Int) throws {
    let chat = try Self.chat(records: records)
    let bytes = try chat.exported()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\"version\":4") && text.contains("\"recordType\":2,\"record\":\(records + 1)"))
    // Into a store that is open, where the last commit brings them.
    let copy = try Chat()
    let report = try copy.store.importLines(from: .bytes(bytes))
    #expect(report.records == records + 1 && report.recordTypes == 2 && report.unknownKeys == 0)
    #expect(try copy.exported() == bytes)
    #expect(try copy.verify() == 0)
    // Into a new one.
    let place = try TemporaryStore()
    let summary = try Importer(.bytes(bytes)).run(into: place.path, user: "alice")
    #expect(summary.records == records + 1 && summary.recordTypes == 2 && summary.messages == 1)
    #expect(try place.verify() == 0)
    let new = try MessageStore(path: place.path, user: "alice")
    defer { new.close() }
    var again: [UInt8] = []
    try new.export(to: { again += $0 })
    #expect(again == bytes)
  }

  @Test func changesBringAStoreToTheSameState() throws {
    let chat = try Self.chat(records: 5)
    let copy = try Chat()
    _ = try copy.store.importLines(from: .bytes(try chat.exported()))
    let since = try chat.store.read { $0.sequence }
    try chat.store.declare(RecordType("todo") { $0.boolean("done") })
    try chat.store.write { tx in
      try tx.update(Record.ID(type: "todo", name: "t1")) {
        $0["done"] = true; $0["title"] = nil; $0.owner = "dan"
      }
      try tx.delete(Record.ID(type: "todo", name: "t2"))
      try tx.save(Record(Self.todo, name: "new", ["about": .reference(Conversation.ID("c"))]))
      try tx.save(Record(Self.list, name: "gone"))
      try tx.delete(Record.ID(type: "list", name: "gone"))
    }
    // Changed and changed back: the date of the change is what differs.
    for title in ["other", nil] as [MetadataValue?] {
      try chat.store.write { _ = try $0.update(Record.ID(type: "todo", name: "t3")) { $0["extra"] = title } }
    }
    var bytes: [UInt8] = []
    let report = try chat.store.export(to: { bytes += $0 }, since: since)
    #expect(report.updates == 2 && report.deletions == 1 && report.records == 1 && report.recordTypes == 2)
    let changes = try copy.store.importLines(from: .bytes(bytes))
    #expect(changes.updates == 2 && changes.deletions == 1 && changes.records == 1)
    #expect(try copy.exported() == chat.exported())
    #expect(try copy.verify() == 0)
  }

  /// The copy still has values of other types in the field that was declared when these had gone.
  @Test func changesDeclareAFieldWhenTheValuesOfOtherTypesHaveGone() throws {
    let chat = try Self.chat(records: 3)
    let copy = try Chat()
    _ = try copy.store.importLines(from: .bytes(try chat.exported()))
    let since = try chat.store.read { $0.sequence }
    try chat.store.write { tx in
      try tx.update(Record.ID(type: "todo", name: "t0")) { $0["mark"] = "text" }
      try tx.update(Record.ID(type: "todo", name: "t1")) { $0["mark"] = nil }
      try tx.delete(Record.ID(type: "todo", name: "t2"))
      try tx.declare(RecordType("todo") { $0.text("mark") })
      try tx.save(Record(Self.todo, name: "t3", ["mark": "new"]))
    }
    var bytes: [UInt8] = []
    _ = try chat.store.export(to: { bytes += $0 }, since: since)
    _ = try copy.store.importLines(from: .bytes(bytes))
    #expect(try copy.exported() == chat.exported())
    #expect(try copy.verify() == 0)
  }

  /// A type that refers to a later one, two that refer to each other, and one that refers to itself.
  @Test func typesThatReferToLaterOnesAreImportedAsTheyWere() throws {
    let chat = try Chat()
    let types = [
      RecordType("todo") {
        $0.text("title"); $0.reference("list", to: "list"); $0.reference("parent", to: "todo")
      },
      RecordType("list") {
        $0.reference("first", to: "todo"); $0.reference("board", to: "board")
      },
      RecordType("board"),
    ]
    try chat.store.write { try $0.declare(types) }
    let since = try chat.store.read { $0.sequence }
    try chat.store.write { tx in
      let work = try tx.save(Record(types[1], name: "work"))
      try tx.save(Record(types[0], name: "a", ["list": .reference(work.id)]))
    }
    let bytes = try chat.exported()
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"recordType\":5,\"record\":2"))
    var changes: [UInt8] = []
    _ = try chat.store.export(to: { changes += $0 }, since: since)
    for lines in [bytes, changes] {
      let copy = try Chat()
      #expect(try copy.store.importLines(from: .bytes(lines)).recordTypes == 5)
      #expect(try copy.store.types().map(\.type) == types)
      #expect(try copy.exported() == bytes)
      #expect(try copy.verify() == 0)
    }
    let place = try TemporaryStore()
    #expect(try Importer(.bytes(bytes)).run(into: place.path, user: "alice").records == 2)
    #expect(try place.verify() == 0)
  }

  @Test func aFileThatIsThereAlreadyIsMergedOrSkipped() throws {
    let chat = try Self.chat(records: 3)
    let bytes = try chat.exported()
    let copy = try Chat()
    _ = try copy.store.importLines(from: .bytes(bytes))
    for existing in [ExistingMessage.merge, .ignore] {
      _ = try copy.store.importLines(from: .bytes(bytes), ifExists: existing)
      #expect(try copy.exported() == bytes)
    }
    let line = #"{"kind":"record","type":"todo","identifier":"t0","fields":{"title":"new"}}"#
    _ = try copy.store.importLines(from: .bytes(Self.lines([line])), ifExists: .ignore)
    #expect(try copy.exported() == bytes)
    _ = try copy.store.importLines(from: .bytes(Self.lines([line])), ifExists: .merge)
    let inner = #"{"kind":"record","type":"todo","identifier":"t0","fields":{"plan":{"a":"1","b":{"c":2}}}}"#
    let more = #"{"kind":"record","type":"todo","identifier":"t0","fields":{"plan":{"b":{"d":3}}}}"#
    for line in [inner, more] {
      _ = try copy.store.importLines(from: .bytes(Self.lines([line])), ifExists: .merge)
    }
    let merged = try #require(try copy.store.record(Record.ID(type: "todo", name: "t0")))
    #expect(merged["title"] == "new" && merged["share"] == .number(5) && merged.owner == "bob")
    // As the metadata of other objects.
    #expect(merged["plan"] == .dictionary(["a": "1", "b": ["c": 2, "d": 3]]))
    #expect(try copy.verify() == 0)
  }

  @Test(
    arguments: [
      ([declared], "A field refers to a record type that is not declared"),
      (
        [#"{"kind":"recordType","name":"a","fields":{"x":"words"}}"#],
        #"reference or "reference to TYPE", not "words""#
      ),
      ([#"{"kind":"record","type":"none","identifier":"x"}"#], "No record type of that name is declared"),
      ([declaredList, #"{"kind":"record","type":"list"}"#], "identifier is missing"),
      (
        [declaredList, declared, #"{"kind":"record","type":"todo","identifier":"x","fields":{"title":5}}"#],
        "The value has another type than the field was declared with"
      ),
      (
        [
          declaredList,
          #"{"kind":"record","type":"list","identifier":"x","fields":{"r":{"$reference":["a"]}}}"#,
        ],
        "fields.r.$reference takes an array of two texts"
      ),
      ([#"{"kind":"delete","record":["list","x"]}"#], "No record type of that name is declared"),
      ([declaredList, #"{"kind":"delete","record":["list","x"]}"#], "No record of the type has that name"),
      (
        [#"{"kind":"update","record":["list","x"],"set":{"createdBy":"bob"}}"#],
        "the createdBy of a record cannot"
      ),
      (
        [#"{"kind":"identity","userID":"u","metadata":{"r":{"$reference":["a","b"]}}}"#],
        "A reference is a field of a record, and no value of metadata"
      ),
    ] as [([String], String)])
  func linesThatCannotBeAreRefusedWithTheReason(_ lines: [String], _ reason: String) throws {
    for isNew in [true, false] {
      let copy = try Chat()
      let place = try TemporaryStore()
      do {
        if isNew {
          _ = try Importer(.bytes(Self.lines(lines))).run(into: place.path, user: "alice")
        } else {
          _ = try copy.store.importLines(from: .bytes(Self.lines(lines)))
        }
        Issue.record("\(lines) were taken")
      } catch { #expect("\(error)".contains(reason), "\(error)") }
      #expect(try copy.store.types().isEmpty)
    }
  }

  @Test(
    arguments: [
      (declaredList, "a line of kind recordType needs version 4 of the format"),
      (
        #"{"kind":"record","type":"list","identifier":"x"}"#,
        "a line of kind record needs version 4 of the format"
      ),
      (
        #"{"kind":"update","record":["list","x"],"set":{"owner":"bob"}}"#,
        "the key record needs version 4 of the format"
      ),
      (#"{"kind":"delete","record":["list","x"]}"#, "the key record needs version 4 of the format"),
    ])
  func olderVersionsHaveNone(_ line: String, _ reason: String) throws {
    let chat = try Chat()
    let store = chat.store
    try store.declare(Self.list)
    try store.write { try $0.save(Record(Self.list, name: "x")) }
    let found = #expect(throws: SatchelError.self) {
      try store.importLines(from: .bytes(Self.lines([line], version: 3)))
    }
    #expect(found?.description.contains(reason) == true, "\(found?.description ?? "")")
    #expect(try store.record(Record.ID(type: "list", name: "x"))?.owner == "alice")
  }
}
