import SatchelModel
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The coded form of objects and their values.
@Suite struct ModelCodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  /// Encodes, compares with the text, decodes, and compares with the value.
  private func check<Value: Codable & Equatable>(
    _ value: Value, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try json(value) == text, sourceLocation: location)
    #expect(try decode(Value.self, text) == value, sourceLocation: location)
  }

  @Test func values() throws {
    try check(
      [Timestamp(microseconds: 250_000), Timestamp(microseconds: -1)],
      #"["1970-01-01T00:00:00.25Z","1969-12-31T23:59:59.999999Z"]"#)
    #expect(
      try decode([Timestamp].self, #"["2026-06-30T14:00:00+02:00"]"#)
        == [Timestamp(microseconds: 1_782_820_800_000_000)])
    for microseconds in [Int64.min, .max, 0, RFC3339.range.lowerBound - 1, RFC3339.range.upperBound + 1] {
      let date = Timestamp(microseconds: microseconds)
      #expect(try decode([Timestamp].self, json([date])) == [date])
    }
    try check([Message.ID("é"), Message.ID("e\u{301}")], "[\"é\",\"e\u{301}\"]")
    try check([Identity.ID("bob"): 1, "alice": 2], #"{"alice":2,"bob":1}"#)
    try check(RecipientStatus.allCases, #"["pending","sent","delivered","read"]"#)
    try check(PresenceStatus.allCases, #"["offline","available","busy","away","invisible"]"#)
    try check(
      TransferStatus.allCases,
      #"["awaitingUpload","uploading","readyForDownload","downloading","complete"]"#)
  }

  @Test func messages() throws {
    try check(
      Message(id: "m", conversation: "c", sender: "bob"),
      #"{"conversation":"c","identifier":"m","sender":"bob"}"#)
    let parts: [MessagePart.Draft] = [
      .text("Hi"), .data([0x89, 0x50, 0x4E, 0x47], mimeType: "image/png"),
      .url("https://example.org/v", mimeType: "video/mp4", size: 7, transferStatus: .readyForDownload),
    ]
    let date = Date(Timestamp(microseconds: 1_782_820_800_250_000))
    let message = Message(
      id: "m", conversation: "c", sender: "bob", position: -3, sentAt: date, receivedAt: date, isSent: false,
      isUnread: true, parts: parts, recipientStatus: ["zoë": .pending, "alice": .read],
      metadata: ["a": ["b": "c"]])
    let rest =
      #""isSent":false,"isUnread":true,"metadata":{"a":{"b":"c"}},"parts":[{"mimeType":"text/plain","text":"Hi"},"#
      + #"{"base64":"iVBORw==","mimeType":"image/png"},{"mimeType":"video/mp4","size":7,"#
      + #""transferStatus":"readyForDownload","url":"https://example.org/v"}],"position":-3,"#
      + #""receivedAt":"2026-06-30T12:00:00.25Z","recipientStatus":{"alice":"read","zoë":"pending"},"#
      + #""sender":"bob","sentAt":"2026-06-30T12:00:00.25Z"}"#
    try check(message, #"{"conversation":"c","identifier":"m","# + rest)
    try check(
      Announcement(
        id: "m", sender: "bob", position: -3, sentAt: date, receivedAt: date, isSent: false, isUnread: true,
        parts: parts, recipientStatus: ["zoë": .pending, "alice": .read], metadata: ["a": ["b": "c"]]),
      #"{"identifier":"m","# + rest)
    try check(
      Conversation(
        id: "c", participants: ["bob", "alice"], createdAt: date, isDistinct: true, metadata: ["a": "b"],
        lastMessage: message, unreadCount: 1, messageCount: 2),
      #"{"createdAt":"2026-06-30T12:00:00.25Z","identifier":"c","isDistinct":true,"lastMessage":"#
        + #"{"conversation":"c","identifier":"m","# + rest
        + #","messageCount":2,"metadata":{"a":"b"},"participants":["alice","bob"],"unreadCount":1}"#)
    try check(Conversation(id: "c", participants: []), #"{"identifier":"c"}"#)
    #expect(
      try decode(
        Message.self,
        #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob","parts":null,"metadata":null}"#
      )
        == Message(id: "m", conversation: "c", sender: "bob"))
  }

  @Test func parts() throws {
    try check(
      MessagePart(.text("Hi"), index: 2, of: "m"),
      #"{"identifier":"m/parts/2","index":2,"message":"m","mimeType":"text/plain","text":"Hi"}"#)
    for content in [MessagePart.Content.storedText, .storedData] {
      let part = MessagePart(
        message: "m", index: 0, mimeType: "x/y", content: content, size: 5000, transferStatus: .complete)
      let name = content == .storedText ? "text" : "data"
      try check(
        part,
        #"{"identifier":"m/parts/0","index":0,"message":"m","mimeType":"x/y","size":5000,"stored":"\#(name)"}"#
      )
    }
  }

  /// What follows from the parts is not among the keys; the preview of a text that is not here is.
  @Test func previews() throws {
    let rest = #""conversation":"c","identifier":"m","parts":"#
    try check(
      Message(id: "m", conversation: "c", sender: "bob", parts: [.text("Hi")]),
      "{" + rest + #"[{"mimeType":"text/plain","text":"Hi"}],"sender":"bob"}"#)
    let stored = try decode(
      Message.self,
      "{" + rest + #"[{"mimeType":"text/plain","size":900,"stored":"text"}],"preview":"Hi","sender":"bob"}"#)
    #expect(stored.preview == "Hi" && stored.text == nil)
    try check(
      stored,
      "{" + rest + #"[{"mimeType":"text/plain","size":900,"stored":"text"}],"preview":"Hi","sender":"bob"}"#)
    // The first text is not here, and so it is not the second one.
    let two = try decode(
      Message.self,
      "{" + rest
        + #"[{"mimeType":"text/plain","size":900,"stored":"text"},{"mimeType":"text/plain","text":"B"}],"#
        + #""preview":"A","sender":"bob"}"#)
    #expect(two.preview == "A" && two.text == nil)
    let other = try decode(
      Message.self,
      "{" + rest + #"[{"mimeType":"text/plain","size":900,"stored":"text"}],"preview":"Ho","sender":"bob"}"#)
    #expect(stored != other && stored.description.hasSuffix(": Hi"))
  }

  @Test func identities() throws {
    try check(Identity(userID: "bob"), #"{"userID":"bob"}"#)
    let identity = Identity(
      userID: "bob", displayName: "Bob", firstName: "B", lastName: "O", emailAddress: "b@example.org",
      phoneNumber: "+1", avatarURL: "https://example.org/b", publicKey: "k", followed: true,
      lastSeenAt: Date(Timestamp(microseconds: 1)), presenceStatus: .away, metadata: ["a": "b"])
    try check(
      identity,
      #"{"avatarURL":"https://example.org/b","displayName":"Bob","emailAddress":"b@example.org","firstName":"B","#
        + #""followed":true,"lastName":"O","lastSeenAt":"1970-01-01T00:00:00.000001Z","metadata":{"a":"b"},"#
        + #""phoneNumber":"+1","presenceStatus":"away","publicKey":"k","userID":"bob"}"#)
    #expect(ObjectField.ofIdentities.allSatisfy { identity[$0] != Identity(userID: "bob")[$0] })
  }

  @Test(arguments: [
    #"{"identifier":"m","conversation":"c"}"#, #"{"conversation":"c","sender":"b"}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","sentAt":"yesterday"}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","sentAt":5}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","recipientStatus":{"a":"lost"}}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y"}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"text":"a"}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y","text":"a","url":"b"}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y","base64":"iVB ORw=="}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y","base64":"iVBORw"}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y","stored":"url"}]}"#,
    #"{"identifier":"m","conversation":"c","sender":"b","parts":[{"mimeType":"x/y","url":"u","size":-1}]}"#,
  ])
  func whatIsNoMessageIsNotDecoded(_ json: String) {
    #expect(throws: DecodingError.self) { try decode(Message.self, json) }
  }

  @Test func whatIsNoPartOrIdentityIsNotDecoded() {
    #expect(throws: DecodingError.self) {
      try decode(MessagePart.self, #"{"message":"m","index":-1,"mimeType":"x/y","text":"a"}"#)
    }
    #expect(throws: DecodingError.self) { try decode(MessagePart.self, #"{"mimeType":"x/y","text":"a"}"#) }
    #expect(throws: DecodingError.self) {
      try decode(Identity.self, #"{"userID":"bob","presenceStatus":"gone"}"#)
    }
  }

  /// An encoder's dictionary would lose one of them.
  @Test func recipientsThatEncodersCannotTellApart() {
    let message = Message(
      id: "m", conversation: "c", sender: "b", recipientStatus: ["é": .read, "e\u{301}": .sent])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(message) }
  }
}
