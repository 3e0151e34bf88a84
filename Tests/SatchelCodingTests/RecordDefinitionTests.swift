import SatchelCoding
import Testing

/// Aggregates and declared indexes of records, which name the type.
@Suite struct RecordDefinitionTests {
  private func index(_ kind: AggregateEntry.Kind, _ type: String?) -> DeclaredIndexEntry {
    DeclaredIndexEntry(
      DeclaredIndexEntry.Definition(
        name: Array("open".utf8), kind: kind, recordType: type.map { Array($0.utf8) },
        predicate: Array("TRUEPREDICATE".utf8),
        columns: [DeclaredIndexEntry.Column(path: Array("order".utf8))]), .building(next: 300))
  }

  private func aggregate(_ kind: AggregateEntry.Kind, _ type: String?) -> AggregateEntry {
    AggregateEntry(
      name: Array("open".utf8), kind: kind, recordType: type.map { Array($0.utf8) },
      predicate: Array("TRUEPREDICATE".utf8), group: Array("list".utf8))
  }

  @Test func theTypeIsAPartOfTheDefinition() throws {
    for type in ["todo", "list", String(repeating: "t", count: 64)] {
      let index = index(.records, type)
      let decoded = try index.encode(id: 3).withUnsafeBytes { try DeclaredIndexEntry($0, id: 3) }
      #expect(decoded == index)
      let aggregate = aggregate(.records, type)
      #expect(try aggregate.encode(id: 3).withUnsafeBytes { try AggregateEntry($0, id: 3) } == aggregate)
    }
    #expect(index(.records, "todo") != index(.records, "list"))
    #expect(aggregate(.records, "todo") != aggregate(.records, "list"))
    #expect(Set([aggregate(.records, "todo"), aggregate(.records, "list")]).count == 2)
  }

  @Test(arguments: ["", "a b", "\u{e9}", "messages", "records", "parts", String(repeating: "t", count: 65)])
  func namesOfTypesThatAreNoneAreRejected(_ name: String) throws {
    #expect(throws: CodingError.self) {
      try index(.records, name).encode(id: 3).withUnsafeBytes { try DeclaredIndexEntry($0, id: 3) }
    }
    #expect(throws: CodingError.self) {
      try aggregate(.records, name).encode(id: 3).withUnsafeBytes { try AggregateEntry($0, id: 3) }
    }
  }

  /// Of another kind there is no type in the record.
  @Test func otherKindsAreAsTheyWere() {
    #expect(index(.messages, nil).encode(id: 3) == index(.messages, "todo").encode(id: 3))
    #expect(aggregate(.messages, nil).encode(id: 3) == aggregate(.messages, "todo").encode(id: 3))
  }
}
