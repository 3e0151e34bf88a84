import Satchel
import SatchelInterchange
import SatchelModel
import SatchelRecords
import SatchelStorage
import Testing

/// What becomes of references, in lines: the actions of fields, and deletions.
@Suite struct ReferenceLinesTests {
  private static let list = RecordType("list") { $0.reference("board", to: "board", onDelete: .cascade) }
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.reference("list", to: list, onDelete: .cascade)
    $0.reference("other", to: list)
    $0.reference("about", onDelete: .nullify)
    $0.reference("note", to: Reference.messages, onDelete: .restrict)
  }
  private static let types = [RecordType("board"), list, todo]

  private static func id(_ type: String, _ name: String) -> Record.ID { Record.ID(type: type, name: name) }
  private static let board = id("board", "b")

  /// A board with lists, each with tasks.
  private static func chat(lists: Int = 3, tasks: Int = 3) throws -> Chat {
    let chat = try Chat()
    try chat.store.write { tx in
      try tx.declare(types)
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m", position: 1)
      try tx.save(Record(id: board))
      for list in 0..<lists {
        let saved = try tx.save(Record(id: id("list", "\(list)"), ["board": .reference(board)]))
        for task in 0..<tasks {
          try tx.save(
            Record(
              id: id("todo", "\(list)-\(task)"),
              ["list": .reference(saved.id), "about": .reference(Message.ID("m"))]))
        }
      }
    }
    return chat
  }

  private static func lines(_ lines: [String]) -> [UInt8] {
    Chat.bytes([ImporterTests.header.replacing("\"version\":1", with: "\"version\":4")] + lines)
  }

  @Test func actionsGoOutAndComeIn() throws {
    let chat = try Self.chat()
    let bytes = try chat.exported()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""onDelete":{"about":"nullify","list":"cascade","note":"restrict"}}"#), "\(text)")
    #expect(text.contains("\"version\":4"))
    let copy = try Chat()
    #expect(try copy.store.importLines(from: .bytes(bytes)).unknownKeys == 0)
    #expect(try copy.store.types().map(\.type) == Self.types)
    #expect(try copy.exported() == bytes)
    let place = try TemporaryStore()
    _ = try Importer(.bytes(bytes)).run(into: place.path, user: "alice")
    let new = try MessageStore(path: place.path, user: "alice")
    defer { new.close() }
    #expect(try new.types().map(\.type) == Self.types)
    #expect(try place.verify() == 0)
  }

  @Test(
    arguments: [
      (
        #""fields":{"x":"reference"},"onDelete":{"x":"keep"}"#,
        #"onDelete.x takes one of restrict, nullify, cascade, not "keep""#
      ),
      (#""fields":{"x":"reference"},"onDelete":{"x":1}"#, "onDelete.x"),
      (#""fields":{"x":"text"},"onDelete":{"x":"cascade"}"#, "a field of references that the line declares"),
      (#""onDelete":{"x":"cascade"}"#, "a field of references that the line declares"),
      (#""fields":{"x":"reference"},"onDelete":"cascade""#, "onDelete"),
    ])
  func actionsThatAreNoneAreRefused(_ keys: String, _ reason: String) throws {
    let copy = try Chat()
    let line = #"{"kind":"recordType","name":"t",\#(keys)}"#
    let error = #expect(throws: SatchelError.self) {
      try copy.store.importLines(from: .bytes(Self.lines([line])))
    }
    #expect(error?.code == .rejectedLine && error?.description.contains(reason) == true, "\(error!)")
  }

  /// A deletion that something restricts, behind a cascade and something that would lose a field, leaves no trace.
  @Test func aRestrictedCascadeChangesNothing() throws {
    let chat = try Self.chat()
    try chat.store.write { tx in
      try tx.save(Record(id: Self.id("todo", "away"), ["about": .reference(Self.board)]))
      try tx.save(Record(id: Self.id("todo", "holds"), ["other": .reference(Self.id("list", "1"))]))
    }
    let before = try chat.exported()
    let sequence = try chat.store.read { $0.sequence }
    let error = #expect(throws: SatchelError.self) { try chat.store.write { try $0.delete(Self.board) } }
    #expect(error?.code == .referenced && error?.context["object"] == "list/1")
    #expect(error?.context["field"] == "other" && error?.context["record"] == "holds")
    #expect(try chat.exported() == before)
    #expect(try chat.store.read { $0.sequence } == sequence && chat.verify() == 0)
    try chat.store.write { tx in
      try tx.delete(Self.board)
      try tx.delete(Self.id("todo", "holds"))
    }
    #expect(try chat.store.recordCount(of: Self.list) == 0)
    #expect(try chat.store.record(Self.id("todo", "away"))?.fields.isEmpty == true)
    #expect(try chat.store.recordCount(of: Self.todo) == 1 && chat.verify() == 0)
  }

  /// An export of changes has what a cascade has deleted and nullified; so a copy comes to the same state.
  @Test func changesOfACascadeBringAStoreToTheSameState() throws {
    let chat = try Self.chat()
    let copy = try Chat()
    _ = try copy.store.importLines(from: .bytes(try chat.exported()))
    let since = try chat.store.read { $0.sequence }
    try chat.store.write {
      try $0.save(Record(id: Self.id("todo", "away"), ["about": .reference(Self.board)]))
    }
    try chat.store.write { tx in
      try tx.delete(Self.board)
      try tx.delete("m")
    }
    // What leads to what was gone by then is what the source has.
    try chat.store.write { tx in
      try tx.save(Record(id: Self.id("todo", "late"), ["other": .reference(Self.id("list", "1"))]))
      try tx.save(Record(id: Self.id("todo", "0-0"), ["list": .reference(Self.id("list", "0"))]))
    }
    var bytes: [UInt8] = []
    _ = try chat.store.export(to: { bytes += $0 }, since: since)
    _ = try copy.store.importLines(from: .bytes(bytes))
    #expect(try copy.exported() == chat.exported())
    #expect(try copy.verify() == 0)
  }

  private static func deletion(_ id: Record.ID) -> String {
    #"{"kind":"delete","record":["\#(id.type)","\#(id.name)"]}"#
  }

  /// Lines that delete, in any order, over more lines than one transaction of a new store takes.
  @Test func deletionsOfAnImportAreSettledWhenAllLinesAreCarriedOut() throws {
    let others = (0..<21_000).map { #"{"kind":"record","type":"board","identifier":"x\#($0)"}"# }
    let update = #"{"kind":"update","record":["board","b"],"set":{"owner":"bob"}}"#
    let chat = try Self.chat()
    try chat.store.write {
      try $0.save(Record(id: Self.id("todo", "holds"), ["other": .reference(Self.id("list", "1"))]))
    }
    let exported = String(decoding: try chat.exported(), as: UTF8.self).split(separator: "\n").map(
      String.init)
    // Without its header and its trailer.
    let whole = Array<String>(exported.dropFirst().dropLast())
    let first = Self.deletion(Self.id("list", "1"))
    for isComplete in [true, false] {
      let rest = isComplete ? [Self.deletion(Self.id("todo", "holds"))] : []
      let file = Self.lines(whole + [update, first] + others + rest)
      let place = try TemporaryStore()
      let copy = try Chat()
      if isComplete {
        _ = try Importer(.bytes(file)).run(into: place.path, user: "alice")
        _ = try copy.store.importLines(from: .bytes(file))
        let new = try MessageStore(path: place.path, user: "alice")
        defer { new.close() }
        for store in [new, copy.store] {
          #expect(
            try store.record(Self.id("todo", "1-0")) == nil && store.record(Self.id("todo", "0-0")) != nil)
          #expect(try store.recordCount(of: Self.todo) == 6 && store.recordCount(of: Self.list) == 2)
        }
        #expect(try place.verify() == 0 && copy.verify() == 0)
      } else {
        let error = #expect(throws: SatchelError.self) {
          try Importer(.bytes(file)).run(into: place.path, user: "alice")
        }
        let second = #expect(throws: SatchelError.self) { try copy.store.importLines(from: .bytes(file)) }
        #expect(error?.code == .referenced && error?.context["record"] == "holds", "\(error!)")
        #expect(second?.code == .referenced && second?.context["record"] == "holds", "\(second!)")
        // The first line is the header.
        for error in [error, second] { #expect(error?.context["line"] == "\(whole.count + 3)", "\(error!)") }
        #expect(try copy.store.types().isEmpty)
      }
    }
  }

  /// The line is named that deletes, and not what follows from it: behind a cascade, and of a conversation with its messages.
  @Test func aRestrictedDeletionNamesItsLine() throws {
    let types = [
      #"{"kind":"recordType","name":"a","fields":{"m":"reference to messages"},"onDelete":{"m":"restrict"}}"#,
      #"{"kind":"recordType","name":"b","fields":{"a":"reference to a"},"onDelete":{"a":"cascade"}}"#,
      #"{"kind":"recordType","name":"c","fields":{"b":"reference to b"},"onDelete":{"b":"restrict"}}"#,
    ]
    func record(_ type: String, _ field: String, _ target: String, _ name: String) -> String {
      #"{"kind":"record","type":"\#(type)","identifier":"\#(type)","fields":{"\#(field)":{"$reference":["\#(target)","\#(name)"]}}}"#
    }
    var before = Array<String>(Chat.lines(messages: 300).dropFirst()) + types
    before += [
      record("a", "m", "messages", "m7"), record("b", "a", "a", "a"), record("c", "b", "b", "b"),
      #"{"kind":"record","type":"a","identifier":"free"}"#, Self.deletion(Self.id("a", "free")),
      #"{"kind":"delete","message":"m200"}"#,
    ]
    let after = [#"{"kind":"record","type":"a","identifier":"late"}"#, Self.deletion(Self.id("a", "late"))]
    for (line, object) in [
      (Self.deletion(Self.id("a", "a")), "b/b"), (#"{"kind":"delete","conversation":"c"}"#, "messages/m7"),
      (#"{"kind":"delete","message":"m7"}"#, "messages/m7"),
    ] {
      let file = Self.lines(before + [line] + after)
      let place = try TemporaryStore()
      let copy = try Chat()
      let alone = #expect(throws: SatchelError.self) {
        try Importer(.bytes(file)).run(into: place.path, user: "alice")
      }
      let staged = #expect(throws: SatchelError.self) { try copy.store.importLines(from: .bytes(file)) }
      for error in [alone, staged] {
        #expect(error?.code == .referenced && error?.context["object"] == object, "\(line): \(error!)")
        #expect(error?.context["line"] == "\(before.count + 2)", "\(line): \(error!)")
      }
    }
    // A write has no lines.
    let chat = try Self.chat()
    try chat.store.write {
      try $0.save(Record(id: Self.id("todo", "holds"), ["other": .reference(Self.id("list", "1"))]))
    }
    let error = #expect(throws: SatchelError.self) { try chat.store.write { try $0.delete(Self.board) } }
    #expect(error?.code == .referenced && error?.context["line"] == nil, "\(error!)")
  }

  /// A conversation that lines delete from a new store, long before the last ones are carried out.
  @Test func aConversationOfAnImportGoesWithItsMessages() throws {
    let note =
      #"{"kind":"recordType","name":"n","fields":{"m":"reference to messages"},"onDelete":{"m":"cascade"}}"#
    let lines =
      Chat.lines(messages: 300).dropFirst() + [
        note,
        #"{"kind":"record","type":"n","identifier":"r","fields":{"m":{"$reference":["messages","m7"]}}}"#,
        #"{"kind":"record","type":"n","identifier":"s","fields":{"m":{"$reference":["messages","none"]}}}"#,
        #"{"kind":"delete","conversation":"c"}"#,
      ] + (0..<21_000).map { #"{"kind":"record","type":"n","identifier":"x\#($0)"}"# }
    let place = try TemporaryStore()
    _ = try Importer(.bytes(Self.lines(Array(lines)))).run(into: place.path, user: "alice")
    let copy = try Chat()
    _ = try copy.store.importLines(from: .bytes(Self.lines(Array(lines))))
    let new = try MessageStore(path: place.path, user: "alice")
    defer { new.close() }
    for store in [new, copy.store] {
      #expect(try store.record(Self.id("n", "r")) == nil && store.record(Self.id("n", "s")) != nil)
      #expect(try store.types().map(\.type.fields.count) == [1])
    }
    #expect(try place.verify() == 0 && copy.verify() == 0)
  }

  /// Lines of what is there change nothing of references; what they delete does.
  @Test func aFileThatIsThereAlreadyKeepsReferences() throws {
    let chat = try Self.chat()
    let bytes = try chat.exported()
    for existing in [ExistingMessage.merge, .ignore] {
      _ = try chat.store.importLines(from: .bytes(bytes), ifExists: existing)
      #expect(try chat.exported() == bytes)
    }
    let line = Self.deletion(Self.board)
    for _ in 0..<2 { _ = try chat.store.importLines(from: .bytes(Self.lines([line])), ifExists: .merge) }
    #expect(try chat.store.types().map(\.type) == Self.types)
    #expect(try chat.store.recordCount(of: Self.todo) == 0 && chat.verify() == 0)
  }
}
