import Foundation
import SatchelModel
import SatchelRecords
import TestSupport
import Testing

@Suite struct RecordTypeTests {
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.number("share")
    $0.boolean("done")
    $0.date("due")
    $0.texts("tags")
    $0.reference("list", to: "list")
    $0.reference("about")
  }

  private func error(_ body: () throws -> Void) -> SatchelError? {
    do {
      try body()
      return nil
    } catch { return error as? SatchelError }
  }

  @Test(arguments: ObjectKind.allCases.map(\.rawValue)) func noTypeHasTheNameOfAKind(_ name: String) {
    #expect(!Reference.isRecordType(name))
  }

  @Test func fieldsAreInTheOrderOfTheirNamesEachOnce() {
    let type = RecordType("t") {
      $0.text("b")
      $0.text("a")
      $0.integer("b")
    }
    #expect(type.fields.map(\.name) == ["a", "b"] && type.field(named: "b")?.type == .integer)
    #expect(
      type
        == RecordType("t") {
          $0.integer("b"); $0.text("a")
        })
    #expect(type.field(named: "c") == nil)
    #expect(Self.todo.description.contains("list: reference to list"))
  }

  @Test(arguments: [
    "", "a b", "ä", "todo.x", String(repeating: "x", count: 65), "messages", "parts", "records",
  ])
  func namesThatAreNoneAreRefused(_ name: String) {
    let found = error { try RecordType(name).validate() }
    #expect(found?.code == .invalidKey && found?.context["recordType"] == name)
    let target = error { try RecordType("t") { $0.reference("r", to: name) }.validate() }
    // Messages may be referred to, and have no records.
    #expect((target == nil) == (name == "messages"), "\(name)")
  }

  @Test(arguments: ["", "a b", "a.b", "identifier", "owner", "createdAt", "updatedBy"])
  func namesOfFieldsThatAreNoneAreRefused(_ name: String) {
    let found = error { try RecordType("t") { $0.text(name) }.validate() }
    #expect(found?.code == .invalidKey && found?.context["field"] == name)
  }

  @Test func everyTypeTakesItsOwnValuesAlone() throws {
    let values: [(String, MetadataValue)] = [
      ("title", .text("x")), ("order", .integer(1)), ("share", .number(0.5)), ("done", .boolean(true)),
      ("due", .date(Timestamp(microseconds: 1))), ("tags", .list(["a"])),
      ("list", .reference(Reference(type: "list", name: "w"))),
      ("about", .reference(Reference(Message.ID("m")))), ("other", .dictionary(["a": 1])),
    ]
    for field in Self.todo.fields {
      for (name, value) in values {
        let isTaken =
          field.name == name || field.name == "share" && name == "order"
          || field.name == "about" && name == "list"
        let found = error { try Self.todo.check(Metadata([(field.name, value)])) }
        #expect((found == nil) == isTaken, "\(field.name) \(value)")
        guard let found else { continue }
        #expect(found.code == .invalidValue && found.context["field"] == field.name)
        #expect(found.context["expected"] == field.type.description && found.context["recordType"] == "todo")
      }
    }
    // What is not declared has any type, at any depth.
    try Self.todo.check(Metadata(values))
    try Self.todo.check(["x": ["y": .reference(Message.ID("m"))]])
  }

  @Test func fieldsWithNamesThatEveryRecordHasAreRefused() {
    let found = error { try Self.todo.check(["owner": "bob"]) }
    #expect(found?.code == .invalidKey && found?.context["field"] == "owner")
  }

  @Test func aDeclarationAddsFieldsAndChangesNone() throws {
    let more = RecordType("todo") {
      $0.text("title"); $0.text("note")
    }
    let merged = try Self.todo.adding(more)
    #expect(merged.fields.count == Self.todo.fields.count + 1 && merged.field(named: "note")?.type == .text)
    #expect(try merged.adding(Self.todo) == merged)
    let found = error { _ = try Self.todo.adding(RecordType("todo") { $0.text("order") }) }
    #expect(found?.code == .recordTypeDiffers)
    #expect(found?.context["declared"] == "integer" && found?.context["found"] == "text")
    let other = error { _ = try Self.todo.adding(RecordType("todo") { $0.reference("list", to: "board") }) }
    #expect(
      other?.context["declared"] == "reference to list" && other?.context["found"] == "reference to board")
  }
}

@Suite struct ReferenceTests {
  @Test func referencesCompareByTheirBytes() {
    let composed = Reference(type: "t", name: "\u{e9}")
    #expect(composed != Reference(type: "t", name: "e\u{301}"))
    #expect(Reference(type: "a", name: "z") < Reference(type: "ab", name: "a"))
    #expect(Set([composed, Reference(type: "t", name: "\u{e9}")]).count == 1)
    #expect(Reference(Conversation.ID("c")).type == "conversations")
  }

  @Test func bytesOfReferencesAreReadBack() {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestEnvironment.rounds(2000) {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        ([0, 0x41, 0x2D, 0x20, 0xC3, 0xA9] as [UInt8]).randomElement(using: &random)!
      }
      let reference = bytes.withUnsafeBytes { Reference(keyBytes: $0) }
      if let reference { #expect(reference.keyBytes == bytes, "seed \(seed): \(bytes)") }
      let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
      let isOne =
        parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && parts[0].allSatisfy(Metadata.isNameByte)
        && String(validating: parts[1], as: UTF8.self) != nil
      #expect((reference != nil) == isOne, "seed \(seed): \(bytes)")
    }
  }

  @Test func metadataOfOtherObjectsHasNone() throws {
    let metadata: Metadata = ["about": .reference(Message.ID("m"))]
    #expect(throws: SatchelError.self) { try metadata.validate() }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(metadata) }
    // What would be a reference in a record is a key as any other.
    let text = #"{"x":{"$reference":["a","b"]}}"#
    let decoded = try JSONDecoder().decode(Metadata.self, from: Data(text.utf8))
    #expect(decoded == ["x": ["$reference": ["a", "b"]]])
    #expect(try JSONDecoder().decode(Metadata.self, from: JSONEncoder().encode(decoded)) == decoded)
  }
}

@Suite struct RecordCodingTests {
  @Test func recordsAreCodedAndReadBack() throws {
    var record = Record(
      id: Record.ID(type: "todo", name: "write"), owner: "bob",
      [
        "title": "Write", "share": .number(2), "due": .date(Timestamp(microseconds: 1_500_000)),
        "list": .reference(Reference(type: "list", name: "work")), "tags": ["a", "b"],
        "nested": ["inner": .reference(Message.ID("m1"))], "mark": ["$reference": "no"],
      ])
    record.createdTimestamp = Timestamp(microseconds: 1)
    record.createdBy = "alice"
    let data = try JSONEncoder().encode(record)
    #expect(String(decoding: data, as: UTF8.self).contains(#""$reference":["list","work"]"#))
    let decoded = try JSONDecoder().decode(Record.self, from: data)
    #expect(decoded == record && decoded.fields.hasSameBytes(as: record.fields))
    #expect(decoded["list"]?.referenceValue?.name == "work")
  }

  @Test func newRecordsHaveNamesOfTheirOwn() {
    let type = RecordType("t")
    #expect(Record(type).id != Record(type).id)
    var record = Record(type, name: "a", ["x": 1])
    record["x"] = nil
    #expect(record.fields.isEmpty && record.id == Record.ID(type: "t", name: "a"))
  }

  /// What is usual is the same whether it is spelled out or not, and another declaration replaces it.
  @Test func fieldsOfReferencesHaveActions() throws {
    let list = RecordType("list")
    func todo(_ action: ReferenceAction?) -> RecordType {
      RecordType("todo") {
        $0.text("title")
        $0.reference("about", onDelete: action)
        $0.reference("list", to: list, onDelete: action)
        $0.reference("note", to: Reference.messages, onDelete: action)
      }
    }
    #expect(todo(nil).fields.map(\.onDelete) == [nil, .restrict, .nullify, nil])
    #expect(todo(nil).fields.map(\.declaredAction) == [nil, nil, nil, nil])
    #expect(todo(.restrict).fields.map(\.declaredAction) == [.restrict, nil, .restrict, nil])
    #expect(todo(.nullify).fields.map(\.declaredAction) == [.nullify, .nullify, nil, nil])
    #expect(todo(nil).field(named: "list") == todo(.restrict).field(named: "list"))
    #expect(todo(nil) != todo(.restrict))
    #expect(
      todo(.cascade).description
        == "todo (about: reference (cascade), list: reference to list (cascade), note: reference to messages (cascade), title: text)"
    )
    #expect(todo(nil).field(named: "about")?.action(for: Reference.messages) == .nullify)
    #expect(todo(nil).field(named: "about")?.action(for: "list") == .restrict)
    #expect(try todo(.cascade).adding(todo(nil)) == todo(nil))
    #expect(try todo(nil).adding(RecordType("todo") { $0.integer("order") }).fields.count == 5)
    #expect(throws: SatchelError.self) {
      try todo(nil).adding(RecordType("todo") { $0.reference("list", onDelete: .cascade) })
    }
  }
}
