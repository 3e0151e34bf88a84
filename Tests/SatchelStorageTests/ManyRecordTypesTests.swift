import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelStorage
import SatchelWriting
import Testing

/// Thousands of record types, each declared by itself, as an import does it: in one write.
@Suite struct ManyRecordTypesTests {
  private static let names = (0..<3000).map { "t\($0)" }

  @Test func noDeclarationReadsTheOthersAgain() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    try store.write { try $0.declare([RecordType("first") { $0.text("title") }]) }
    let id = Record.ID(type: Self.names[2999], name: "x")
    try store.write { writer in
      for name in Self.names { try writer.declare([RecordType(name) { $0.reference("first", to: "first") }]) }
      // Each once more, with more fields.
      for name in Self.names.reversed() {
        try writer.declare([
          RecordType(name) {
            $0.integer("order"); $0.reference("other", to: "t7", onDelete: .cascade)
          }
        ])
      }
      #expect(writer.flushed.read { $0.metrics.recordTypesRead } <= 1)
      // They are what later operations of the write go by.
      try writer.save(Record(id: Record.ID(type: "t7", name: "seven")))
      try writer.save(
        Record(id: id, ["order": 5, "other": .reference(Record.ID(type: "t7", name: "seven"))]))
      let refused = #expect(throws: SatchelError.self) {
        try writer.save(Record(id: Record.ID(type: "t8", name: "y"), ["order": "five"]))
      }
      #expect(refused?.code == .invalidValue && refused?.context["field"] == "order")
      let differs = #expect(throws: SatchelError.self) {
        try writer.declare([RecordType("new"), RecordType("t9") { $0.text("order") }])
      }
      #expect(differs?.code == .recordTypeDiffers && differs?.context["recordType"] == "t9")
      let missing = #expect(throws: SatchelError.self) {
        try writer.declare([RecordType("t10") { $0.reference("to", to: "new") }])
      }
      #expect(missing?.code == .unknownRecordType && missing?.context["target"] == "new")
    }
    try store.write { try $0.delete(record: Record.ID(type: "t7", name: "seven")) }
    #expect(try store.read { try $0.locateRecord(id) } == nil)
    try expectSound(store)
    store.close()
    let reopened = try openStore(directory.path)
    defer { reopened.close() }
    let types = try reopened.read { try $0.recordTypes() }
    #expect(types.map(\.id) == (0...3000).map { UInt32($0) })
    #expect(types.map(\.type.name) == ["first"] + Self.names)
    #expect(types.dropFirst().allSatisfy { $0.type.fields.map(\.name) == ["first", "order", "other"] })
  }
}
