import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

/// Two distinct conversations of the same participants in a file, or in a file and a store.
@Suite struct DistinctImportTests {
  private static func conversation(_ id: String, _ users: String, isDistinct: Bool = true) -> String {
    let mark = isDistinct ? ",\"isDistinct\":true" : ""
    return "{\"kind\":\"conversation\",\"identifier\":\"\(id)\",\"participants\":[\(users)]\(mark)}"
  }

  private static let pair = #""alice","bob""#
  private static func reason(_ existing: String) -> String {
    "A distinct conversation of these participants exists: use that one, or make one that is not distinct "
      + "(conversation: \(existing))"
  }

  @Test(arguments: [false, true]) func theSecondLineIsRejected(isStaged: Bool) throws {
    let store = try TemporaryStore()
    let header = ImporterTests.header
    if isStaged {
      _ = try ImporterTests.run([header, Self.conversation("old", #""alice","carol""#)], into: store)
    }
    let lines = [
      header, Self.conversation("a", Self.pair), Self.conversation("b", #""bob","alice","bob""#),
      Self.conversation("c", Self.pair, isDistinct: false), Self.conversation("d", #""bob""#),
      Self.conversation("e", #""alice","carol""#), Self.conversation("f", #""carol","alice""#),
      // From here on lines are carried out behind all before them.
      #"{"kind":"delete","conversation":"a"}"#, Self.conversation("g", Self.pair),
      Self.conversation("h", Self.pair),
      #"{"kind":"update","conversation":"g","set":{"participants":["alice","bob","dave"]}}"#,
      Self.conversation("i", Self.pair), Self.conversation("i", Self.pair),
    ]
    var expected = ["3: " + Self.reason("a")]
    if isStaged { expected.append("6: " + Self.reason("old")) }
    expected.append("7: " + Self.reason(isStaged ? "old" : "e"))
    expected.append("10: " + Self.reason("g"))
    expected.append("13: A conversation with that identifier is in the store already (conversation: i)")

    let before = isStaged ? try store.export() : []
    let failure = #expect(throws: Importer.Failure.self) { try ImporterTests.run(lines, into: store) }
    #expect(failure?.line == 3 && failure?.reason == Self.reason("a"))
    #expect(isStaged ? try store.export() == before : !store.exists)

    var rejected: [String] = []
    let summary = try ImporterTests.run(lines, into: store, skipsInvalid: true) {
      rejected.append("\($0): \($1)")
    }
    #expect(rejected == expected)
    #expect(summary.rejected == expected.count)
    #expect(try store.verify() == 0)
    let distinct = try store.export().filter { $0.contains("\"isDistinct\":true") }
    #expect(distinct.count == 3)
    // What is exported is taken again.
    let copy = try TemporaryStore()
    _ = try ImporterTests.run(try store.export(), into: copy)
    #expect(try copy.exportedBytes() == store.exportedBytes())
  }
}
