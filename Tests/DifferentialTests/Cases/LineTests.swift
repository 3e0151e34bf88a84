import Testing

@Suite("Lines of the interchange format")
struct LineTests {
  @Test func linesThatRepeatOrReferToNothingAreRejected() {
    let model = ReferenceModel(user: "alice")
    let accepted = SampleData.accepted.utf8.split(separator: 0x0A).count
    let rejected = model.load(Array((SampleData.accepted + "\n" + SampleData.rejected).utf8))
    #expect(rejected.map(\.number) == (1...12).map { accepted + $0 })
    #expect(model.messages.count == 11)
    #expect(model.messages["m1"]?.position == 10)
    #expect(model.identities["bob"]?.names["displayName"] == "Bob")
  }

  private func answer(_ model: ReferenceModel, _ kind: String, _ predicate: String?, sort: [String] = [])
    throws
    -> EngineAnswer
  {
    try model.snapshot.answer(GeneratedQuery(kind: kind, predicate: predicate, sort: sort))
  }

  @Test func anUpdateChangesWhatItNames() throws {
    let model = SampleData.model()
    try model.apply(#"{"kind":"update","message":"m3","set":{"position":12,"isSent":true,"isUnread":true}}"#)
    try model.apply(
      #"{"kind":"update","message":"m7","set":{"recipientStatus":{"bob":"read"},"sentAt":null}}"#)
    #expect(try answer(model, "conversations", "unreadCount = 2") == .identifiers(["c1", "c/6/😀"]))
    #expect(try answer(model, "messages", "recipientStatus.bob = 'read'") == .identifiers(["m7"]))
    #expect(try answer(model, "messages", "recipientStatus.alice = 'read'") == .identifiers(["m7"]))
    #expect(try answer(model, "messages", "sentAt = nil") == .identifiers(["m3", "m6", "m7", "m9"]))
    #expect(
      try answer(model, "messages", "conversation = 'c1'", sort: ["position"])
        == .identifiers(["m2", "m1", "m3"]))
    try model.apply(#"{"kind":"update","message":"m1","set":{"position":null}}"#)
    #expect(try answer(model, "conversations", "lastMessage = 'm1'") == .identifiers(["c1"]))
  }

  @Test func participantsDecideWhatIsSeen() throws {
    let model = SampleData.model()
    try model.apply(#"{"kind":"update","conversation":"c3","set":{"participants":["alice","bob"]}}"#)
    try model.apply(#"{"kind":"update","conversation":"c1","set":{"participants":["bob"]}}"#)
    #expect(try answer(model, "conversations", nil) == .identifiers(["c2", "c3", "c5", "c/6/😀"]))
    #expect(
      try answer(model, "messages", nil) == .identifiers(["m4", "m5", "m6", "m7", "m8", "m9"]))
    #expect(try answer(model, "parts", "message = 'm5'") == .identifiers(["m5/parts/0"]))
  }

  @Test func metadataIsSetAndRemovedByKeyPath() throws {
    let model = SampleData.model()
    try model.apply(
      #"{"kind":"update","conversation":"c1","metadata":{"set":{"theme.font.name":"serif"},"remove":["title"]}}"#
    )
    #expect(try answer(model, "conversations", "metadata.title = 'Lunch'") == .identifiers([]))
    #expect(
      try answer(model, "conversations", "metadata = {'theme': {'color': 'red', 'font': {'name': 'serif'}}}")
        == .identifiers(["c1"]))
    try model.apply(#"{"kind":"update","conversation":"c1","metadata":{"set":{"theme":"plain"}}}"#)
    #expect(try answer(model, "conversations", "metadata = {'theme': 'plain'}") == .identifiers(["c1"]))
  }

  @Test func aConversationAppearsWithItsFirstMessageAndGoesWithItsLast() throws {
    let model = SampleData.model()
    try model.apply(#"{"kind":"message","identifier":"m20","conversation":"c4","sender":"bob","position":1}"#)
    #expect(try answer(model, "conversations", nil) == .identifiers(["c1", "c2", "c4", "c5", "c/6/😀"]))
    try model.apply(#"{"kind":"delete","message":"m4"}"#)
    try model.apply(#"{"kind":"delete","message":"m9"}"#)
    #expect(try answer(model, "conversations", nil) == .identifiers(["c1", "c4", "c5", "c/6/😀"]))
    #expect(try answer(model, "conversations", "lastMessage = 'm8'") == .identifiers(["c/6/😀"]))
    try model.apply(#"{"kind":"delete","conversation":"c1"}"#)
    #expect(try answer(model, "messages", nil) == .identifiers(["m6", "m7", "m8", "m20"]))
  }

  @Test func aSenderIsNamedByItsIdentity() throws {
    let model = SampleData.model()
    try model.apply(#"{"kind":"update","identity":"bob","set":{"displayName":"Robert"}}"#)
    #expect(try answer(model, "messages", "sender.displayName = 'Robert'") == .identifiers(["m1", "m9"]))
    try model.apply(#"{"kind":"identity","userID":"eve","displayName":"Eve"}"#)
    #expect(try answer(model, "messages", "sender.displayName = 'Eve'") == .identifiers(["m6"]))
  }

  @Test(arguments: [
    #"{"kind":"update","message":"m1","set":{"isUnread":false,"position":"x"}}"#,
    #"{"kind":"update","message":"m1","set":{"isUnread":false},"metadata":{"set":{"a b":"x"}}}"#,
    #"{"kind":"update","message":"m0","set":{"isUnread":false}}"#,
    #"{"kind":"update","conversation":"c1","set":{"participants":[""]}}"#,
    #"{"kind":"delete","message":"m0"}"#,
    #"{"kind":"delete","conversation":"c0"}"#,
    #"{"kind":"delete","message":"m1""#,
  ])
  func aWrongChangeChangesNothing(_ line: String) throws {
    let model = SampleData.model()
    #expect(throws: (any Error).self) { try model.apply(line) }
    #expect(try answer(model, "messages", "identifier = 'm1' AND isUnread") == .identifiers(["m1"]))
    #expect(try answer(model, "conversations", "participants = {'bob'}") == .identifiers(["c1"]))
  }
}
