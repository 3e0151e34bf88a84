import SatchelModel
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys of metadata: which there are, how paths of them are stored and spelled.
@Suite struct MetadataKeyTests {
  private static let long = String(repeating: "n", count: 257)

  /// Keys that no write takes, with what an error says of them.
  static let wrong: [(keys: [String], keyPath: String, found: String)] = [
    ([], "", "no key"),
    ([""], "''", "an empty key"),
    (["a", ""], "a.''", "an empty key"),
    (["", "a"], "''.a", "an empty key"),
    (["a", "", "b"], "a.''.b", "an empty key"),
    (["\0"], "'\\u{0}'", "a key with NUL: '\\u{0}'"),
    (["a", "b\0c"], "a.'b\\u{0}c'", "a key with NUL: 'b\\u{0}c'"),
    ([long], long, "a key of 257 bytes"),
    (
      ["a", String(repeating: "é", count: 129)], "a.'\(String(repeating: "é", count: 129))'",
      "a key of 258 bytes"
    ),
    ([String(repeating: ".", count: 300)], "'\(String(repeating: ".", count: 300))'", "a key of 300 bytes"),
    (
      Array(repeating: "k", count: 65), Array(repeating: "k", count: 65).joined(separator: "."),
      "more than 64 keys"
    ),
  ]

  /// Keys that a store of names does not take.
  static let noNames: [(keys: [String], keyPath: String, found: String)] = [
    (["a b"], "'a b'", "a key that is no name: 'a b'"),
    (["a", "b.c"], "a.'b.c'", "a key that is no name: 'b.c'"),
    (["é", "b"], "'é'.b", "a key that is no name: 'é'"),
    (["\\"], "'\\\\'", "a key that is no name: '\\\\'"),
    (["a", "it's"], "a.'it\\'s'", "a key that is no name: 'it\\'s'"),
    (["😀"], "'😀'", "a key that is no name: '😀'"),
  ]

  private func expect(
    _ error: SatchelError?, _ keyPath: String, _ found: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == .invalidKey, sourceLocation: sourceLocation)
    #expect(error?.context == ["keyPath": keyPath, "found": found], sourceLocation: sourceLocation)
  }

  @Test(arguments: wrong)
  func wrongKeysAreRefused(_ keys: [String], _ keyPath: String, _ found: String) throws {
    var metadata: Metadata = ["a": "x"]
    expect(#expect(throws: SatchelError.self) { try metadata.set("x", at: keys) }, keyPath, found)
    expect(
      #expect(throws: SatchelError.self) { try MetadataEdit.set("x", at: MetadataPath(keys)).validate(.any) },
      keyPath,
      found)
    // What a record may have may be removed.
    if keys != [Self.long] {
      expect(#expect(throws: SatchelError.self) { try metadata.remove(at: keys) }, keyPath, found)
    } else {
      try metadata.remove(at: keys)
    }
    #expect(metadata == ["a": "x"])
    guard (1...64).contains(keys.count) else { return }
    // Of dictionaries the first key that is wrong is named, with the keys around it.
    let first = try #require(keys.indices.first { MetadataPath([keys[$0]]).fault(.any) != nil })
    let inner = keys[...first].map { $0 }.spelledPath
    let nested = keys.reversed().reduce(MetadataValue.text("x")) { .dictionary(Metadata([($1, $0)])) }
    guard case .dictionary(let dictionary) = nested else { return }
    expect(#expect(throws: SatchelError.self) { try dictionary.validate() }, inner, found)
    expect(#expect(throws: SatchelError.self) { try metadata.merge(dictionary) }, inner, found)
    expect(
      #expect(throws: SatchelError.self) { try MetadataEdit.replace(dictionary).validate(.any) }, inner, found
    )
    let message = #expect(throws: SatchelError.self) { try dictionary.validate() }?.message
    #expect(message == "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys")
  }

  @Test(arguments: noNames)
  func whatIsNoNameIsRefusedWhereNamesAreAsked(_ keys: [String], _ keyPath: String, _ found: String) throws {
    let path = MetadataPath(keys)
    let error = #expect(throws: SatchelError.self) { try MetadataEdit.set("x", at: path).validate(.names) }
    expect(error, keyPath, found)
    #expect(
      error?.message
        == "A metadata key of this store is 1 to 256 of A-Z a-z 0-9 _ -, a key path has 1 to 64 keys")
    try MetadataEdit.set("x", at: path).validate(.any)
    try MetadataEdit.remove(at: path).validate(.names)
    var metadata = Metadata()
    try metadata.set("x", at: keys)
    #expect(metadata[keys] == "x" && !metadata.hasOnlyNames)
    let first = try #require(keys.indices.first { !Metadata.isName(keys[$0]) })
    expect(
      #expect(throws: SatchelError.self) { try metadata.validate(.names) },
      keys[...first].map { $0 }.spelledPath,
      found)
  }

  @Test func theLastThatIsTaken() throws {
    var metadata = Metadata()
    for key in [
      String(repeating: "n", count: 256), String(repeating: "é", count: 128), ".", "\\", " ", "\u{1}",
    ] {
      try metadata.set("x", at: [key])
      #expect(metadata[[key]] == "x" && Metadata.isStoredKey(key))
    }
    try metadata.validate()
    #expect(metadata.entries.count == 6)
  }

  /// A name of any length may be in a record of an older store: it is read, and not written.
  @Test func longNames() throws {
    let metadata = Metadata([(Self.long, .dictionary(["x": "y"]))])
    #expect(throws: SatchelError.self) { try metadata.validate(.any) }
    #expect(throws: SatchelError.self) { try metadata.validate(.names) }
    try metadata.validate(.stored)
    #expect(metadata["\(Self.long).x"] == "y" && metadata.hasOnlyNames)
    let path = MetadataPath([Self.long, "x"])
    #expect(MetadataPath(stored: path.stored) == path && path.stored == "\(Self.long).x")
    let encoded = try JSONEncoder().encode(metadata)
    #expect(try JSONDecoder().decode(Metadata.self, from: encoded) == metadata)
  }

  @Test(arguments: [
    (["a", "b"], "a.b", "a.b"), (["a.b"], "a\\.b", "'a.b'"), (["a\\", "b"], "a\\\\.b", "'a\\\\'.b"),
    (["a\\.b"], "a\\\\\\.b", "'a\\\\.b'"), (["-a", "1", "in"], "-a.1.in", "'-a'.1.in"),
    (["it's", "\"x\"", "two words"], "it's.\"x\".two words", "'it\\'s'.'\"x\"'.'two words'"),
    (["😀", "caf\u{E9}", "cafe\u{301}"], "😀.caf\u{E9}.cafe\u{301}", "'😀'.'caf\u{E9}'.'cafe\u{301}'"),
    (["readAt", "alice@example.org"], "readAt.alice@example\\.org", "readAt.'alice@example.org'"),
    (["\n"], "\n", "'\\n'"),
  ])
  func pathsAreStoredAndSpelled(_ keys: [String], _ stored: String, _ spelled: String) throws {
    let path = MetadataPath(keys)
    #expect(Array(path.stored.utf8) == Array(stored.utf8) && path.storedBytes == Array(stored.utf8))
    #expect(path.description == spelled)
    let split = try #require(MetadataPath(stored: stored))
    #expect(split == path && split.hashValue == path.hashValue)
    #expect(split.keys.map { Array($0.utf8) } == keys.map { Array($0.utf8) })
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "\\", "a\\", "a.b\\", "\\a", "a\\b.c", "\\\\\\", "a\\ .b", "a\0", "a.\0",
    String(repeating: "é", count: 129), "a." + String(repeating: "x", count: 256) + "\\.",
    Array(repeating: "k", count: 65).joined(separator: "."),
  ])
  func textsThatDoNotSplit(_ stored: String) {
    #expect(MetadataPath(stored: stored) == nil)
  }

  /// Any text either does not split, or is what its keys are joined to; and any keys come back.
  @Test func storedPathsAreOneToOne() {
    var random = SeededGenerator()
    let pieces = ["a", "b", ".", "\\", "é", "e\u{301}", "😀", "\0", "'"]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined()
    }
    var split = 0
    for _ in 0..<TestEnvironment.rounds(20_000) {
      let stored = text(&random)
      if let path = MetadataPath(stored: stored) {
        split += 1
        #expect(path.storedBytes == Array(stored.utf8), "\(stored)")
      }
      let keys = (0..<1 + random.below(3)).map { _ in text(&random) }
      let isSound = keys.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) }
      let path = MetadataPath(keys)
      #expect((MetadataPath(stored: path.stored) == path) == isSound, "\(keys)")
      #expect((path.fault(.any) == nil) == isSound, "\(keys)")
    }
    #expect(split > 100)
  }

  /// Keys are compared by their bytes.
  @Test func spellingsOfOneTextAreTwoKeys() throws {
    var metadata = Metadata()
    try metadata.set("1", at: ["caf\u{E9}"])
    try metadata.set("2", at: ["cafe\u{301}"])
    #expect(metadata.entries.count == 2)
    #expect(metadata[["caf\u{E9}"]] == "1" && metadata["cafe\u{301}"] == "2")
    #expect(MetadataPath(["caf\u{E9}"]) != MetadataPath(["cafe\u{301}"]))
    let properties = try ["caf\u{E9}", "cafe\u{301}"].map {
      try ObjectProperty(path: ["metadata", $0], of: .messages)
    }
    #expect(properties[0] != properties[1])
  }

  @Test func dottedTextsAndArraysOfKeys() throws {
    var metadata: Metadata = ["a": ["b": "two"], "a.b": "one"]
    #expect(metadata["a.b"] == "two" && metadata[["a", "b"]] == "two" && metadata[["a.b"]] == "one")
    metadata[["a.b"]] = nil
    #expect(metadata == ["a": ["b": "two"]])
    metadata[["readAt", "alice@example.org"]] = "now"
    #expect(metadata.value(at: ["readAt", "alice@example.org"]) == "now")
    #expect(metadata.value(at: "readAt.alice@example.org") == nil)
    try metadata.set(5, at: ["x.y", "z"])
    try metadata.remove(at: ["a"])
    #expect(metadata == ["readAt": ["alice@example.org": "now"], "x.y": ["z": 5]])
    #expect(metadata.value(at: [] as [String]) == nil && metadata[[]] == nil)
  }

  @Test(arguments: [
    ("metadata.''", "an empty key"), ("metadata.a.''", "an empty key"),
    ("conversation.metadata.'\\u{0}'", "a key with NUL: '\\u{0}'"),
    ("metadata.'\(String(repeating: "é", count: 129))'", "a key of 258 bytes"),
    ("metadata." + Array(repeating: "k", count: 65).joined(separator: "."), "more than 64 keys"),
  ])
  func keysThatNoQueryTakes(_ spelled: String, _ found: String) {
    let keys = spelled.components(separatedBy: ".").map {
      $0.replacing("'", with: "").replacing("\\u{0}", with: "\0")
    }
    let error = #expect(throws: SatchelError.self) { try ObjectProperty(path: keys, of: .messages) }
    #expect(error?.code == .unqueryableProperty)
    #expect(error?.context == ["property": spelled, "kind": "messages", "found": found])
  }

  @Test(
    arguments: [
      [:], ["$date": "x"], ["$date": 5], ["$number": "5.0"], ["$$date": "x"], ["$x": "y"],
      ["$date": "x", "b": 1], ["$": ["$$": true]],
      ["$date": ["$date": ["$number": Timestamp(microseconds: 0)]]], ["a.b": 1, "a": ["b": 5.0]],
      ["😀": "x", "'": false],
    ] as [Metadata])
  func codedAsItIs(_ metadata: Metadata) throws {
    for whole in [metadata, ["inner": metadata]] as [Metadata] {
      let decoded = try JSONDecoder().decode(Metadata.self, from: JSONEncoder().encode(whole))
      #expect(decoded.hasSameBytes(as: whole), "\(decoded)")
    }
  }
}
