import SatchelCoding
import SatchelRecords
import Testing

/// Definitions of record types that no program has written, with checksums that fit.
@Suite struct RecordTypeEntryTests {
  /// The definition of a type with one field of references, with any version and any action.
  private func bytes(version: UInt8, target: String, action: UInt8?) -> [UInt8] {
    let head: [UInt8] = [RecordKind.recordType.rawValue, version, 0, 0, 1, 0x74, 1, 1, 0x72]
    let field = [FieldType.reference(to: nil).number, UInt8(target.utf8.count)] + Array(target.utf8)
    let body = head + field + (action.map { [$0] } ?? [])
    return AnyRecord.recordType(1, RecordTypeEntry(RecordType("t"))).resealed(
      body + Array(repeating: 0, count: 8))
  }

  /// What is usual is spelled in one way: as no action, and, if no field has another one, in version 1.
  @Test(arguments: ["", "list", "messages"]) func actionsHaveOneSpelling(_ target: String) throws {
    func decoded(_ version: UInt8, _ action: UInt8?) throws -> RecordType.Field? {
      try bytes(version: version, target: target, action: action).withUnsafeBytes {
        try RecordTypeEntry($0, id: 1)
      }.type.fields.first
    }
    let type = FieldType.reference(to: target.isEmpty ? nil : target)
    #expect(try decoded(1, nil) == RecordType.Field(name: "r", type: type))
    for action in ReferenceAction.allCases {
      if action == type.standardAction {
        #expect(throws: CodingError.self) { try decoded(2, action.number) }
        continue
      }
      let field = RecordType.Field(name: "r", type: type, onDelete: action)
      #expect(try decoded(2, action.number) == field)
      let entry = RecordTypeEntry(RecordType("t", fields: [field]))
      #expect(entry.encode(id: 1) == bytes(version: 2, target: target, action: action.number))
    }
    for (version, action) in [(2, 0), (2, 4), (2, 255), (2, nil), (1, 3), (3, 3)] as [(UInt8, UInt8?)] {
      #expect(throws: CodingError.self, "\(version) \(action ?? 0)") { try decoded(version, action) }
    }
  }

  private func decoded(_ type: RecordType) throws -> RecordType {
    let bytes = RecordTypeEntry(type).encode(id: 1)
    return try bytes.withUnsafeBytes { try RecordTypeEntry($0, id: 1) }.type
  }

  @Test(arguments: ["", "a b", "\u{e9}", "messages", "records", "parts", String(repeating: "t", count: 65)])
  func namesOfTypesThatAreNoneAreRejected(_ name: String) throws {
    #expect(throws: CodingError.self) { try decoded(RecordType(name)) }
    let referring = RecordType("t") { $0.reference("r", to: name) }
    // No name is any type, and messages may be referred to.
    if name.isEmpty || name == "messages" {
      let target: String? = name.isEmpty ? nil : name
      #expect(try decoded(referring).fields.map(\.type) == [.reference(to: target)])
    } else {
      #expect(throws: CodingError.self) { try decoded(referring) }
    }
  }

  @Test(arguments: ["", "a.b", "owner", "identifier", "updatedAt", String(repeating: "f", count: 257)])
  func namesOfFieldsThatAreNoneAreRejected(_ name: String) {
    #expect(throws: CodingError.self) { try decoded(RecordType("t") { $0.text(name) }) }
  }
}
