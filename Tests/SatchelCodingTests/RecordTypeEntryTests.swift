import SatchelCoding
import SatchelRecords
import Testing

/// Definitions of record types that no program has written, with checksums that fit.
@Suite struct RecordTypeEntryTests {
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
