import SatchelLines
import SatchelModel
import SatchelWriting
import Testing

@Suite struct RecordDecoderChangeTests {
  @Test func readsDeletions() throws {
    #expect(try RecordDecoderTests.record(#"{"kind":"delete","message":"m"}"#) == .messageDeletion("m"))
    #expect(
      try RecordDecoderTests.record(#"{"kind":"delete","conversation":"c"}"#) == .conversationDeletion("c"))
  }

  @Test func readsAnUpdateOfAMessage() throws {
    var expected = MessageUpdate()
    expected.position = .set(12)
    expected.sentAt = .set(Timestamp(microseconds: 250_000))
    expected.receivedAt = .clear
    expected.isSent = true
    expected.isUnread = false
    expected.recipientStatus = ["bob": .read, "carol": nil]
    expected.transferStatus = [0: .uploading, 2: .complete]
    let line = """
      {"kind":"update","message":"m","set":{"position":12,"sentAt":"1970-01-01T00:00:00.25Z","receivedAt":null,\
      "isSent":true,"isUnread":false,"recipientStatus":{"bob":"read","carol":null},
      "transferStatus":{"0":"uploading","2":null}}}
      """
    #expect(try RecordDecoderTests.record(line) == .messageUpdate("m", expected))
  }

  /// `null` clears: an optional property goes missing, another takes what an absent key means.
  @Test func nullClears() throws {
    var message = MessageUpdate()
    message.position = .clear
    message.sentAt = .clear
    message.isSent = true
    message.isUnread = false
    #expect(
      try RecordDecoderTests.record(
        #"{"kind":"update","message":"m","set":{"position":null,"sentAt":null,"isSent":null,"isUnread":null}}"#
      )
        == .messageUpdate("m", message))
    var conversation = ConversationUpdate()
    conversation.participants = .replace([])
    #expect(
      try RecordDecoderTests.record(#"{"kind":"update","conversation":"c","set":{"participants":null}}"#)
        == .conversationUpdate("c", conversation))
    var identity = IdentityUpdate()
    identity.values = [.displayName: .text(nil), .followed: .boolean(false)]
    #expect(
      try RecordDecoderTests.record(
        #"{"kind":"update","identity":"u","set":{"displayName":null,"followed":null}}"#)
        == .identityUpdate("u", identity))
  }

  @Test func readsEditsOfMetadataInOrder() throws {
    var expected = ConversationUpdate()
    expected.participants = .replace(["alice"])
    expected.metadata = [
      .set("red", at: MetadataPath(dotted: "theme.color")),
      .set(["x": "1"], at: MetadataPath(dotted: "theme.size")), .remove(at: MetadataPath(dotted: "old")),
      .remove(at: MetadataPath(dotted: "title")),
    ]
    let line = """
      {"kind":"update","conversation":"c","set":{"participants":["alice"]},\
      "metadata":{"set":{"theme.color":"red","theme.size":{"x":"1"},"old":null},"remove":["title"]}}
      """
    #expect(try RecordDecoderTests.record(line) == .conversationUpdate("c", expected))
  }

  @Test(arguments: [
    ("title", ["title"]), ("a.b", ["a", "b"]), ("-a.1", ["-a", "1"]), ("a..b", ["a", "", "b"]),
    ("readAt.'alice@example.org'", ["readAt", "alice@example.org"]),
    (#"'a.b'."c d".e"#, ["a.b", "c d", "e"]),
    (#"'\\'.'\''.'\u{1F600}'"#, ["\\", "'", "😀"]), ("'a'.in", ["a", "in"]),
  ])
  func readsKeyPaths(_ text: String, _ keys: [String]) throws {
    var writer = JSONWriter()
    writer.string(text)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    let line = #"{"kind":"update","message":"m","metadata":{"set":{\#(json):1},"remove":[\#(json)]}}"#
    guard case .messageUpdate(_, let update) = try RecordDecoderTests.record(line) else { return }
    #expect(update.metadata == [.set(1, at: MetadataPath(keys)), .remove(at: MetadataPath(keys))])
  }

  @Test(arguments: [
    "alice@example.org", "a b", "a.'b", "a.'b'c", "'a'.", "a.%K", "'a\\q'", "a.-b c", " ", "a/b",
  ])
  func refusesWhatIsNoKeyPath(_ text: String) throws {
    var writer = JSONWriter()
    writer.string(text)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    for (place, edits) in [("set", "\"set\":{\(json):1}"), ("remove[1]", "\"remove\":[\"a\",\(json)]")] {
      let error = #expect(throws: LineError.self) {
        try RecordDecoderTests.record("{\"kind\":\"update\",\"message\":\"m\",\"metadata\":{\(edits)}}")
      }
      #expect(
        error?.reason
          == "metadata.\(place) takes key paths, with what is no name in quotation marks such as readAt.'a@b.c', not \(text.quoted)"
      )
    }
  }

  @Test func readsAnUpdateOfAnIdentity() throws {
    var expected = IdentityUpdate()
    expected.values = [
      .displayName: .text("Bob"), .emailAddress: .text("b@example.org"), .followed: .boolean(true),
    ]
    let line =
      #"{"kind":"update","identity":"u","set":{"displayName":"Bob","emailAddress":"b@example.org","followed":true}}"#
    #expect(try RecordDecoderTests.record(line) == .identityUpdate("u", expected))
  }
}
