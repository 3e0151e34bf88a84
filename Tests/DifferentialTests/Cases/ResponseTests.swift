import Testing

@Suite("Reactions, replies and participants' states of the model")
struct ResponseTests {
  private static func model(_ lines: String...) throws -> ReferenceModel {
    let model = SampleData.model()
    for line in lines { try model.apply(line) }
    try model.settle(isImport: false)
    return model
  }

  private func names(_ model: ReferenceModel, _ type: ByteString) -> [String] {
    model.snapshot.records[type, default: []].map(\.id.name.string)
  }

  private func message(_ model: ReferenceModel, _ name: ByteString) throws -> Snapshot.Message {
    try #require(model.snapshot.messages.first { $0.record.identifier == name })
  }

  private func unread(_ model: ReferenceModel) -> [Int] {
    model.snapshot.conversations.map { model.snapshot.unreadSinceLastRead(in: $0) }
  }

  @Test func whatComesAlongIsCounted() throws {
    let model = try Self.model()
    let snapshot = model.snapshot
    #expect(
      try snapshot.reactions(to: message(model, "m1")) == [
        .init(kind: "a/b", count: 1, isMine: false), .init(kind: "👍", count: 2, isMine: true),
      ])
    #expect(try snapshot.reactions(to: message(model, "m2")) == [])
    #expect(try snapshot.replies(to: message(model, "m1")) == .init(count: 2, last: "m3"))
    #expect(try snapshot.replies(to: message(model, "m8")) == .init(count: 0, last: nil))
    // In c1, m1 is behind position 5; m4 of c2, m6 of c5 and m7 of the last one are the only ones with a position, none of them Alice's.
    #expect(unread(model) == [1, 1, 1, 1])
  }

  /// Two names of a message are one message, and a user has one reaction of a kind to it.
  @Test func aMessageIsMeantByEachOfItsNames() throws {
    let fields = #""user":{"$reference":["identities","bob"]},"state":"sent""#
    let named = #"{"kind":"update","message":"m1","set":{"remoteID":"srv"}}"#
    // Bob has this one already, by the message's other name.
    #expect(throws: LineError.self) {
      try Self.model(
        named,
        #"{"kind":"record","type":"_reaction","identifier":"srv/👍/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","srv"]},"kind":"👍",\#(fields)}}"#
      )
    }
    let model = try Self.model(
      named,
      #"{"kind":"record","type":"_reaction","identifier":"srv/x/bob","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","srv"]},"kind":"x",\#(fields)}}"#,
      #"{"kind":"record","type":"_reply","identifier":"m7","createdAt":"2024-03-05T00:00:00Z","fields":{"message":{"$reference":["messages","m7"]},"parent":{"$reference":["messages","srv"]}}}"#
    )
    #expect(
      try model.snapshot.reactions(to: message(model, "m1")).map { "\($0.kind) \($0.count)" } == [
        "a/b 1", "x 1", "👍 2",
      ])
    #expect(try model.snapshot.replies(to: message(model, "m1")) == .init(count: 3, last: "m7"))
  }

  @Test func reactionsGoWithTheContentsAndRepliesStay() throws {
    let model = try Self.model(
      #"{"kind":"update","message":"m1","set":{"deletedAt":"2024-03-06T00:00:00Z"}}"#)
    #expect(names(model, Responses.reaction) == ["m7/👍/carol", "m5/👍/bob"])
    #expect(try model.snapshot.replies(to: message(model, "m1")).count == 2)
    let deleted = try Self.model(#"{"kind":"delete","message":"m1"}"#)
    #expect(names(deleted, Responses.reaction) == ["m7/👍/carol", "m5/👍/bob"])
    #expect(names(deleted, Responses.reply) == ["m2", "m3", "m8", "m9"])
    #expect(deleted.records[ModelReference(type: Responses.reply, name: "m2")]?.values["parent"] == nil)
  }

  @Test func nothingIsSaidOfWhoIsNoParticipant() throws {
    let model = try Self.model(
      #"{"kind":"update","conversation":"c1","set":{"participants":["alice","carol"]}}"#)
    #expect(
      names(model, Responses.participation) == ["c1/alice", "c2/alice", "c%2F6%2F😀/alice", "c3/alice"])
    let deleted = try Self.model(#"{"kind":"delete","conversation":"c1"}"#)
    #expect(names(deleted, Responses.participation) == ["c2/alice", "c%2F6%2F😀/alice", "c3/alice"])
  }

  @Test(arguments: [
    #""type":"_reaction","identifier":"m1/x/bob","fields":{"message":{"$reference":["messages","m1"]},"user":{"$reference":["identities","eve"]},"kind":"x","state":"sent"}"#,
    #""type":"_reaction","identifier":"m1//bob","fields":{"message":{"$reference":["messages","m1"]},"user":{"$reference":["identities","bob"]},"kind":"","state":"sent"}"#,
    #""type":"_reply","identifier":"m1","fields":{"message":{"$reference":["messages","m1"]},"parent":{"$reference":["messages","m1"]}}"#,
    #""type":"_participation","identifier":"c2/bob","fields":{"conversation":{"$reference":["conversations","c2"]},"user":{"$reference":["identities","bob"]},"isPinned":true}"#,
    #""type":"_participation","identifier":"c2/bob","fields":{"conversation":{"$reference":["conversations","c1"]},"user":{"$reference":["identities","bob"]}}"#,
  ])
  func aRecordThatSaysTwoThingsOfItselfIsRefused(_ members: String) {
    #expect(throws: LineError.self) {
      try Self.model(#"{"kind":"record","createdAt":"2024-03-05T00:00:00Z",\#(members)}"#)
    }
  }
}
