import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

@Suite struct ImporterTests {
  static let header = #"{"kind":"header","format":"satchel-interchange","version":1}"#
  static let announcing = #"{"kind":"header","format":"satchel-interchange","version":1,"trailer":true}"#
  static let conversation = #"{"kind":"conversation","identifier":"c","participants":["alice","bob"]}"#
  static let message = #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob","position":1}"#

  /// Imports lines into a store of alice's.
  static func run(
    _ lines: [String], into store: TemporaryStore, skipsInvalid: Bool = false, lineLimit: Int = 1 << 20,
    rejected: @escaping (Int, String) -> Void = { _, _ in }
  ) throws -> Importer.Summary {
    let file = try TemporaryFile(Array((lines.joined(separator: "\n") + "\n").utf8))
    let importer = Importer(
      .descriptor(file.descriptor), skipsInvalid: skipsInvalid, lineLimit: lineLimit, onRejection: rejected)
    return try importer.run(into: store.path, user: "alice")
  }

  @Test func takesAllLines() throws {
    let store = try TemporaryStore()
    let lines = [
      Self.header, #"{"kind":"identity","userID":"bob"}"#, Self.conversation, "", Self.message,
      #"{"kind":"announcement","identifier":"a","sender":"bob"}"#,
    ]
    let summary = try Self.run(lines, into: store)
    #expect(
      summary == Importer.Summary(messages: 1, conversations: 1, identities: 1, announcements: 1))
    #expect(try store.export().count == 6)
  }

  /// The first bad line ends the import and leaves no store, whichever line it is.
  @Test(arguments: [
    (
      #"{"kind":"message","identifier":"n","conversation":"x","sender":"bob"}"#,
      "No conversation has that identifier (conversation: x)"
    ),
    (message, "A message or announcement with that identifier is in the store already (message: m)"),
    (
      #"{"kind":"announcement","identifier":"m","sender":"bob"}"#,
      "A message or announcement with that identifier is in the store already (message: m)"
    ),
    (conversation, "A conversation with that identifier is in the store already (conversation: c)"),
    (
      #"{"kind":"conversation","identifier":"d","metadata":{"a b":"x"}}"#,
      "metadata.'a b' has a key of other characters than A-Z a-z 0-9 _ -, which needs version 2 of the format"
    ),
    (
      #"{"kind":"conversation","identifier":"d","metadata":{"a":{"":"x"}}}"#,
      "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys (found: an empty key, keyPath: a.'')"
    ),
    (
      "{\"kind\":\"identity\",\"userID\":\"u\",\"metadata\":{\"a\":{\"b\":\"\(String(repeating: "x", count: 2049))\"}}}",
      "A metadata value has at most 2048 UTF-8 bytes (bytes: 2049, keyPath: a.b)"
    ),
    (
      #"{"kind":"identity","userID":""}"#,
      "An identifier is at least one character and has no NUL (identity: )"
    ),
    (header, "a header can only be the first line"),
    (#"{"kind":"delete","message":"x"}"#, "No message or announcement has that identifier (message: x)"),
    (#"{"kind":"update","conversation":"x"}"#, "No conversation has that identifier (conversation: x)"),
    (#"{"kind":"picture"}"#, #"unknown kind "picture""#),
  ])
  func isAllOrNothing(_ line: String, _ reason: String) throws {
    let store = try TemporaryStore()
    let lines = [Self.header, Self.conversation, Self.message, line]
    #expect(throws: Importer.Failure.self) { try Self.run(lines, into: store) }
    #expect(!store.exists)

    var rejected: [String] = []
    let summary = try Self.run(lines, into: store, skipsInvalid: true) { rejected.append("\($0): \($1)") }
    #expect(summary == Importer.Summary(messages: 1, conversations: 1, rejected: 1))
    #expect(rejected == ["4: \(reason)"])

    // Into the store that is there now, nothing comes either.
    let before = try store.export()
    let more = [Self.header, #"{"kind":"identity","userID":"carol"}"#, line]
    #expect(throws: Importer.Failure.self) { try Self.run(more, into: store) }
    #expect(try store.export() == before)
  }

  @Test func saysTheLine() throws {
    let store = try TemporaryStore()
    #expect(throws: Importer.Failure(line: 3, reason: #"unknown kind "x""#)) {
      try Self.run([Self.header, Self.conversation, #"{"kind":"x"}"#], into: store)
    }
  }

  @Test func refusesLongLinesAndGoesOnBehindThem() throws {
    let store = try TemporaryStore()
    let long = #"{"kind":"identity","userID":"\#(String(repeating: "x", count: 300))"}"#
    var rejected: [String] = []
    let summary = try Self.run(
      [Self.header, long, Self.conversation], into: store, skipsInvalid: true, lineLimit: 200
    ) { rejected.append("\($0): \($1)") }
    #expect(rejected == ["2: longer than 200 bytes"])
    #expect(summary.conversations == 1)
  }

  @Test(arguments: [
    ([], "the file is empty: its first line has to be a header"),
    (["{}"], "line 1: the first line has to be a header: kind is missing"),
    (
      [conversation],
      #"line 1: the first line has to be {"kind":"header","format":"satchel-interchange","version":1}"#
    ),
    (
      [#"{"kind":"header","format":"satchel-interchange","version":5}"#],
      "line 1: the first line has to be a header: version 5 of the format is newer than 4, the newest that this program reads"
    ),
    (
      [announcing, conversation],
      "the file is cut off behind line 2: its header announces a trailer, and there is none"
    ),
    (
      [announcing, conversation, #"{"kind":"trailer","counts":{"conversation":2}}"#],
      "line 3: the file is damaged: its trailer counts 2 lines of kind conversation, there are 1"
    ),
    (
      [announcing, conversation, #"{"kind":"trailer","counts":{}}"#],
      "line 3: the file is damaged: its trailer counts 0 lines of kind conversation, there are 1"
    ),
    (
      [header, #"{"kind":"trailer","sha256":"00"}"#],
      "line 2: the file is damaged: the SHA-256 of the lines before its trailer is "
        + "1deb4892226a6efa21c8a2d8d8ef0b36c45123b031f3cf1fd43d5d57ef9caefc, not 00"
    ),
  ])
  func refusesFilesThatAreNotWhole(_ lines: [String], _ reason: String) throws {
    let store = try TemporaryStore()
    // Damage of the file as a whole is no line that could be left out.
    for skipsInvalid in [false, true] {
      let file = try TemporaryFile(Array(lines.map { $0 + "\n" }.joined().utf8))
      let importer = Importer(.descriptor(file.descriptor), skipsInvalid: skipsInvalid)
      do {
        let summary = try importer.run(into: store.path, user: "alice")
        Issue.record("taken: \(summary)")
      } catch let error as Importer.Failure {
        #expect(error.description == reason)
      }
      #expect(!store.exists)
    }
  }

  @Test func nothingStandsBehindTheTrailer() throws {
    let store = try TemporaryStore()
    #expect(throws: Importer.Failure(line: 3, reason: "nothing can stand behind the trailer")) {
      try Self.run([Self.header, #"{"kind":"trailer"}"#, Self.conversation], into: store)
    }
  }

  @Test func carriesChangesOutInTheOrderOfLines() throws {
    let lines = [
      Self.conversation, Self.message,
      #"{"kind":"update","message":"m","set":{"isUnread":true,"position":null,"sentAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-02T00:00:00Z"}}"#,
      #"{"kind":"message","identifier":"n","conversation":"c","sender":"alice","position":2}"#,
      #"{"kind":"update","message":"n","set":{"recipientStatus":{"bob":"read"},"updatedAt":"2024-01-03T00:00:00Z"},"metadata":{"set":{"a.b":"c"}}}"#,
      #"{"kind":"update","conversation":"c","set":{"participants":["alice"],"updatedAt":"2024-01-04T00:00:00Z"},"metadata":{"set":{"title":"T"}}}"#,
      #"{"kind":"identity","userID":"bob","displayName":"B"}"#,
      #"{"kind":"update","identity":"bob","set":{"displayName":null,"followed":true}}"#,
      #"{"kind":"message","identifier":"o","conversation":"c","sender":"alice"}"#,
      #"{"kind":"delete","message":"o"}"#,
    ]
    let expected = [
      #"{"kind":"identity","userID":"bob","followed":true}"#,
      #"{"kind":"conversation","identifier":"c","participants":["alice"],"updatedAt":"2024-01-04T00:00:00Z","metadata":{"title":"T"}}"#,
      #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob","sentAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-02T00:00:00Z","isUnread":true}"#,
      #"{"kind":"message","identifier":"n","conversation":"c","sender":"alice","position":2,"updatedAt":"2024-01-03T00:00:00Z","recipientStatus":{"bob":"read"},"metadata":{"a":{"b":"c"}}}"#,
    ]
    let counts = Importer.Summary(
      messages: 3, conversations: 1, identities: 1, updates: 4, deletions: 1)
    let fresh = try TemporaryStore()
    #expect(try Self.run([Self.header] + lines, into: fresh) == counts)
    #expect(try fresh.export().dropFirst().dropLast() == expected[...])

    // The same into a store that exists already: staged first, carried out by the last commit.
    let existing = try TemporaryStore()
    _ = try Self.run([Self.header], into: existing)
    #expect(try Self.run([Self.header] + lines, into: existing) == counts)
    #expect(try existing.export().dropFirst().dropLast() == expected[...])
    #expect(try existing.verify() == 0)
  }

  @Test func aRejectedChangeCanBeLeftOut() throws {
    let store = try TemporaryStore()
    _ = try Self.run([Self.header, Self.conversation], into: store)
    var rejected: [String] = []
    let summary = try Self.run(
      [
        Self.header, #"{"kind":"delete","message":"x"}"#, Self.message,
        #"{"kind":"delete","conversation":"y"}"#,
      ],
      into: store, skipsInvalid: true
    ) { rejected.append("\($0): \($1)") }
    #expect(summary == Importer.Summary(messages: 1, rejected: 2))
    #expect(rejected.map { $0.prefix(2) } == ["2:", "4:"])
  }

  @Test func refusesAnotherUsersStore() throws {
    let store = try TemporaryStore()
    _ = try Self.run([Self.header], into: store)
    let file = try TemporaryFile(Array(Self.header.utf8))
    let error = #expect(throws: SatchelError.self) {
      try Importer(.descriptor(file.descriptor)).run(into: store.path, user: "bob")
    }
    #expect(error?.code == .wrongUser)
  }
}
