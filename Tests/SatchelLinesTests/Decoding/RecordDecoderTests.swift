import SatchelLines
import SatchelModel
import SatchelWriting
import Testing

@Suite struct RecordDecoderTests {
  /// What one line says, and how many of its keys are unknown.
  static func decode(_ line: String) throws -> (line: InterchangeLine, unknownKeys: Int) {
    var decoder = RecordDecoder()
    let result = try decoder.decode(Array(line.utf8))
    return (result, decoder.unknownKeys)
  }

  static func record(_ line: String) throws -> InterchangeRecord? {
    guard case .record(let record) = try decode(line).line else { return nil }
    return record
  }

  @Test func readsEveryKeyOfAnIdentity() throws {
    let line = """
      {"kind":"identity","userID":"alice","displayName":"Alice A","firstName":"Alice","lastName":"A",\
      "emailAddress":"a@example.org","phoneNumber":"+1","avatarURL":"https://example.org/a.png",\
      "metadata":{"team":"x","a":{"b":"c"}},"followed":true}
      """
    let expected = Identity(
      userID: "alice", displayName: "Alice A", firstName: "Alice", lastName: "A",
      emailAddress: "a@example.org",
      phoneNumber: "+1", avatarURL: "https://example.org/a.png", followed: true,
      metadata: ["team": "x", "a": ["b": "c"]])
    #expect(try Self.record(line) == .identity(expected))
    #expect(try Self.decode(line).unknownKeys == 0)
  }

  /// What a record has is what its line says: an integer is digits alone, and −0.0 is not 0.0.
  @Test func readsMetadataOfEveryType() throws {
    let line = """
      {"kind":"identity","userID":"u","metadata":{"a":5,"b":-5,"c":5.0,"d":-0.0,"e":-0,"f":1e2,"g":true,"h":null,\
      "i":{"$date":"1970-01-01T00:00:01.5Z"},"j":{"$date":"-000001-01-01T00:00:00Z"},"k":{"l":false,"m":{}},\
      "n":9223372036854775807,"o":9223372036854775808,"p":1e-999,"q":0.1}}
      """
    let expected: Metadata = [
      "a": 5, "b": -5, "c": 5.0, "d": -0.0, "e": 0, "f": 100.0, "g": true,
      "i": Timestamp(microseconds: 1_500_000),
      "j": Timestamp(microseconds: -62_198_755_200_000_000), "k": ["l": false, "m": [:]], "n": Int64.max,
      "o": 0x1p63, "p": 0.0, "q": 0.1,
    ]
    guard case .identity(let identity)? = try Self.record(line) else {
      Issue.record("no identity")
      return
    }
    #expect(identity.metadata.hasSameBytes(as: expected), "\(identity.metadata)")
    // A message goes another way, where its line is an ordinary one.
    let message = line.replacing(
      #""kind":"identity","userID":"u""#,
      with: #""kind":"message","identifier":"m","conversation":"c","sender":"u""#)
    guard case .message(let draft, _)? = try Self.record(message) else {
      Issue.record("no message")
      return
    }
    #expect(draft.metadata.hasSameBytes(as: expected), "\(draft.metadata)")
  }

  /// In version 1 other values than texts are refused, wherever they stand, and other keys than names.
  @Test(arguments: [
    #"{"kind":"identity","userID":"u","metadata":{"a":VALUE}}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"u","metadata":{"a":VALUE}}"#,
    #"{"kind":"update","message":"m","metadata":{"set":{"a":VALUE}}}"#,
  ])
  func versionOneHasTextsOnly(_ line: String) throws {
    var decoder = RecordDecoder()
    _ = try decoder.decode(Array(#"{"kind":"header","format":"satchel-interchange","version":1}"#.utf8))
    for value in ["1", "1.5", "true", #"["a"]"#] {
      let error = #expect(throws: LineError.self) {
        try decoder.decode(Array(line.replacing("VALUE", with: value).utf8))
      }
      #expect(
        error?.reason.hasSuffix(
          "takes a text or an object of texts: other values need version 2 of the format") == true)
    }
    for key in ["$date", "a b", "a.b", "é"] {
      let error = #expect(throws: LineError.self) {
        try decoder.decode(Array(line.replacing("VALUE", with: #"{"\#(key)":"x"}"#).utf8))
      }
      #expect(
        error?.reason.hasSuffix(
          "a.'\(key)' has a key of other characters than A-Z a-z 0-9 _ -, which needs version 2 of the format"
        )
          == true)
    }
  }

  /// An only key that begins with `$` is a mark, unless it begins with two.
  @Test(
    arguments: [
      (#"{"$$date":"x"}"#, ["$date": "x"]), (#"{"$$$date":"x"}"#, ["$$date": "x"]), (#"{"$x":1}"#, ["$x": 1]),
      (#"{"$$date":"x","b":1}"#, ["$$date": "x", "b": 1]), (#"{"$date":"x","b":1}"#, ["$date": "x", "b": 1]),
      (#"{"a":{"$$":true}}"#, ["a": ["$": true]]),
      (
        #"{"$$date":{"$date":"1970-01-01T00:00:00Z"}}"#,
        ["$date": Timestamp(microseconds: 0)]
      ),
    ] as [(String, Metadata)])
  func dictionariesThatLookLikeMarks(_ json: String, _ expected: Metadata) throws {
    let line = #"{"kind":"identity","userID":"u","metadata":{"a":\#(json)}}"#
    guard case .identity(let identity) = try Self.record(line) else { return }
    #expect(identity.metadata.hasSameBytes(as: ["a": expected]))
    let update = #"{"kind":"update","message":"m","metadata":{"set":{"a":\#(json)}}}"#
    guard case .messageUpdate(_, let change) = try Self.record(update) else { return }
    #expect(change.metadata == [.set(.dictionary(expected), at: MetadataPath(["a"]))])
  }

  @Test func readsEveryKeyOfAConversation() throws {
    let line = """
      {"kind":"conversation","identifier":"c","participants":["alice","bob"],"createdAt":"1970-01-01T00:00:01.5Z",\
      "isDistinct":true,"metadata":{"title":"Lunch"}}
      """
    let expected = ConversationDraft(
      identifier: "c", participants: ["alice", "bob"], createdAt: Timestamp(microseconds: 1_500_000),
      isDistinct: true, metadata: ["title": "Lunch"])
    #expect(try Self.record(line) == .conversation(expected))
  }

  @Test func readsEveryKeyOfAMessage() throws {
    let line = """
      {"kind":"message","identifier":"m","conversation":"c","sender":"bob","position":-9223372036854775808,\
      "sentAt":"1970-01-01T00:00:00Z","receivedAt":"1970-01-01T02:00:00.0000005+02:00","isSent":false,"isUnread":true,\
      "parts":[{"mimeType":"text/plain","text":"Hi"},{"mimeType":"image/png","base64":"iVBO"},\
      {"mimeType":"image/png","url":"https://example.org/a.png"},\
      {"mimeType":"image/png","url":"https://example.org/b.png","size":12}],\
      "recipientStatus":{"alice":"read","carol":null},"metadata":{"a":"b"}}
      """
    let expected = MessageDraft(
      identifier: "m", sender: "bob", position: .min, sentAt: Timestamp(microseconds: 0),
      receivedAt: Timestamp(microseconds: 1), isSent: false, isUnread: true,
      parts: [
        .text("Hi"), .data([0x89, 0x50, 0x4E], mimeType: "image/png"),
        .url("https://example.org/a.png", mimeType: "image/png"),
        .url("https://example.org/b.png", mimeType: "image/png", size: 12),
      ],
      recipientStatus: [RecipientStatusEntry(user: "alice", status: .read)], metadata: ["a": "b"])
    #expect(try Self.record(line) == .message(expected, in: "c"))
  }

  /// Absent keys and `null` mean the same.
  @Test(arguments: [
    (
      #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob"}"#,
      InterchangeRecord.message(MessageDraft(identifier: "m", sender: "bob"), in: "c")
    ),
    (
      """
      {"kind":"message","identifier":"m","conversation":"c","sender":"bob","position":null,"sentAt":null,\
      "receivedAt":null,"isSent":null,"isUnread":null,"parts":null,"recipientStatus":null,"metadata":null}
      """,
      .message(MessageDraft(identifier: "m", sender: "bob"), in: "c")
    ),
    (
      #"{"sender":"bob","identifier":"a","kind":"announcement"}"#,
      .announcement(MessageDraft(identifier: "a", sender: "bob"))
    ),
    (
      #"{"kind":"conversation","identifier":"c","participants":null,"createdAt":null,"isDistinct":null,"metadata":null}"#,
      .conversation(ConversationDraft(identifier: "c", participants: []))
    ),
    (
      #"{"kind":"identity","userID":"u","displayName":null,"followed":null,"metadata":{"gone":null}}"#,
      .identity(Identity(userID: "u"))
    ),
  ])
  func fillsInDefaults(_ line: String, _ expected: InterchangeRecord) throws {
    #expect(try Self.record(line) == expected)
  }

  @Test func keepsTheBytesOfIdentifiersApart() throws {
    let composed = try Self.record(#"{"kind":"identity","userID":"\u00e9"}"#)
    let decomposed = try Self.record(#"{"kind":"identity","userID":"e\u0301"}"#)
    #expect(composed != decomposed)
  }

  @Test(arguments: [
    (#"{"kind":"identity","userID":"u","color":"red","shape":{}}"#, 2),
    (#"{"kind":"conversation","identifier":"c","sender":"x"}"#, 1),
    (#"{"kind":"announcement","identifier":"a","sender":"x","conversation":"c"}"#, 1),
    (
      #"{"kind":"message","identifier":"m","conversation":"c","sender":"x","parts":[{"mimeType":"a/b","text":"","size":3,"x":1}]}"#,
      2
    ),
    (#"{"kind":"header","format":"satchel-interchange","version":1,"made":"by hand"}"#, 1),
    (#"{"kind":"delete","message":"m","why":"spam"}"#, 1),
    (#"{"kind":"update","message":"m","set":{"color":"red"},"metadata":{"merge":{}},"by":"x"}"#, 3),
  ])
  func countsUnknownKeys(_ line: String, _ count: Int) throws {
    #expect(try Self.decode(line).unknownKeys == count)
  }

  @Test func readsHeaderAndTrailer() throws {
    #expect(
      try Self.decode(#"{"kind":"header","format":"satchel-interchange","version":1}"#).line
        == .header(FileHeader(announcesTrailer: false)))
    #expect(
      try Self.decode(#"{"kind":"header","format":"satchel-interchange","version":1.0,"trailer":true}"#).line
        == .header(FileHeader(announcesTrailer: true)))
    #expect(
      try Self.decode(#"{"kind":"trailer","counts":{"message":2},"sha256":"00ff"}"#).line
        == .trailer(FileTrailer(counts: ["message": 2], sha256: "00ff")))
    #expect(try Self.decode(#"{"kind":"trailer"}"#).line == .trailer(FileTrailer()))
  }

  @Test func countsLinesByKind() throws {
    var decoder = RecordDecoder()
    _ = try decoder.decode(Array(#"{"kind":"identity","userID":"u"}"#.utf8))
    #expect(throws: LineError.self) { try decoder.decode(Array(#"{"kind":"identity"}"#.utf8)) }
    _ = try decoder.decode(Array(#"{"kind":"delete","message":"m"}"#.utf8))
    #expect(decoder.lines == [.identity: 2, .delete: 1])
  }
}
