import Foundation
import Testing

/// `send`, `mark-read`, `edit`, `set` and `delete`: writes of one commit each.
@Suite struct WritingTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  private func satchel(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments.map { $0 == "STORE" ? store : $0 })
  }

  private func lines(_ kind: String, _ predicate: String, columns: String) throws -> [String] {
    let result = try satchel(
      "query", "STORE", kind, "--where", predicate, "--columns", columns, "--format", "csv")
    #expect(result.status == 0, "\(result.errors)")
    return result.output.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst().map(String.init)
  }

  /// Does not write anything, and yet succeeds.
  private func expectSilence(_ result: Tool.Result) {
    #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
  }

  private func expectSound() throws {
    let result = try satchel("verify", "STORE")
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func sends() throws {
    let sent = try satchel("send", "STORE", "lunch", "One o'clock?", "Or two?", "--as", "alice")
    #expect(sent.status == 0, "\(sent.errors)")
    let identifier = try #require(sent.lines.first?.dropFirst().dropLast())
    #expect(sent.lines == ["\"\(identifier)\""])
    let columns = "conversation,sender.userID,isSent,isUnread,parts.text"
    #expect(
      try lines("messages", "identifier = '\(identifier)'", columns: columns) == [
        #"lunch,alice,false,false,"[""One o'clock?"",""Or two?""]""#
      ])
    // An identifier of one's own, as a line for people.
    let chosen = try satchel(
      "send", "STORE", "lunch", "Three", "--id", "m\u{1B}4", "--format", "table")
    #expect(chosen.output == "m\\u{1B}4\n")
    try expectSound()
  }

  @Test func sendsToPeople() throws {
    let with = ["send", store, "--with", "bob", "--with", "carol"]
    #expect(try Tool.run(with + ["Three of us", "--id", "first"]).status == 0)
    #expect(try Tool.run(with + ["Still three", "--id", "second"]).status == 0)
    let rows = try lines("messages", "identifier IN {'first', 'second'}", columns: "conversation")
    #expect(rows.count == 2 && Set(rows).count == 1)
    #expect(
      try lines("conversations", "identifier = '\(rows.first ?? "")'", columns: "participants,isDistinct")
        == [#""[""alice"",""bob"",""carol""]",true"#])
    try expectSound()
  }

  @Test func marksAsRead() throws {
    #expect(try satchel("mark-read", "STORE", "messages", "m1", "m2").output == "1\n")
    #expect(try satchel("mark-read", "STORE", "messages", "m1").output == "0\n")
    #expect(try satchel("count", "STORE", "messages", "--where", "isUnread = TRUE").output == "1\n")
    #expect(try satchel("mark-read", "STORE", "conversations", "lunch").output == "1\n")
    #expect(try satchel("count", "STORE", "messages", "--where", "isUnread = TRUE").output == "0\n")
    #expect(try satchel("set", "STORE", "announcements", "a1", "isUnread=true").status == 0)
    #expect(try satchel("mark-read", "STORE", "announcements", "a1").output == "1\n")
    try expectSound()
  }

  @Test func edits() throws {
    func texts() throws -> [String] {
      try lines("messages", "identifier = 'm2'", columns: "parts.mimeType,parts.text")
    }
    expectSilence(try satchel("edit", "STORE", "m2", "Where?", "--part", "0"))
    #expect(try texts() == [#""[""text/plain"",""image/png""]","[""Where?""]""#])
    expectSilence(try satchel("edit", "STORE", "m2", "And when?", "--append", "--remove", "1"))
    #expect(try texts() == [#""[""text/plain"",""text/plain""]","[""Where?"",""And when?""]""#])
    expectSilence(try satchel("edit", "STORE", "m2", "Never mind"))
    #expect(try texts() == [#""[""text/plain""]","[""Never mind""]""#])
    expectSilence(try satchel("edit", "STORE", "m2", "--remove", "0"))
    #expect(try texts() == ["[],[]"])
    #expect(try satchel("count", "STORE", "messages", "--where", "editedAt != nil").output == "1\n")
    expectSilence(try satchel("edit", "STORE", "a1", "All of you"))
    #expect(
      try lines("announcements", "TRUEPREDICATE", columns: "parts.text")
        == [#""[""All of you""]""#])
    try expectSound()
  }

  @Test func setsProperties() throws {
    expectSilence(
      try satchel(
        "set", "STORE", "messages", "m1", "position=77", "isUnread=FALSE", "receivedAt=2024-05-06T07:08:09Z",
        "recipientStatus.bob=delivered", "recipientStatus.'b.c'=read", "metadata.theme.color=a = 'b'",
        "metadata.empty=", "--clear", "sentAt"))
    let columns =
      "position,isUnread,receivedAt,sentAt,recipientStatus.bob,recipientStatus.'b.c',metadata.theme.color"
    #expect(
      try lines("messages", "identifier = 'm1'", columns: columns) == [
        "77,false,2024-05-06T07:08:09Z,,delivered,read,a = 'b'"
      ])
    #expect(
      try satchel("count", "STORE", "messages", "--where", "metadata.empty = ''").output == "1\n")
    expectSilence(
      try satchel(
        "set", "STORE", "messages", "m1", "--clear", "metadata.theme", "--clear", "recipientStatus.bob"))
    let left = "metadata.theme.color = nil AND recipientStatus.bob = nil AND recipientStatus.'b.c' = 'read'"
    #expect(try satchel("count", "STORE", "messages", "--where", left).output == "1\n")
    #expect(
      try lines("messages", "identifier = 'm1'", columns: columns) == [
        "77,false,2024-05-06T07:08:09Z,,,read,"
      ])
    expectSilence(
      try satchel(
        "set", "STORE", "conversations", "lunch", "participants=alice, bob ,carol", "metadata.title=Supper"))
    #expect(
      try lines("conversations", "identifier = 'lunch'", columns: "participants,metadata.title") == [
        #""[""alice"",""bob"",""carol""]",Supper"#
      ])
    expectSilence(
      try satchel(
        "set", "STORE", "identities", "bob", "displayName=Bob", "followed=true", "--clear", "emailAddress"))
    #expect(
      try lines("identities", "userID = 'bob'", columns: "displayName,followed,emailAddress") == [
        "Bob,true,"
      ])
    expectSilence(try satchel("set", "STORE", "announcements", "a1", "position=5"))
    #expect(try lines("announcements", "TRUEPREDICATE", columns: "position") == ["5"])
    try expectSound()
  }

  @Test func deletes() throws {
    expectSilence(try satchel("delete", "STORE", "messages", "m1", "--for-everyone"))
    #expect(
      try lines("messages", "deletedAt != nil", columns: "identifier,position,parts.text") == ["m1,1,[]"])
    expectSilence(try satchel("delete", "STORE", "messages", "m2", "m3", "m2"))
    #expect(try satchel("count", "STORE", "messages").output == "1\n")
    expectSilence(try satchel("delete", "STORE", "announcements", "a1"))
    #expect(try satchel("count", "STORE", "announcements").output == "0\n")
    expectSilence(try satchel("delete", "STORE", "conversations", "lunch"))
    #expect(try satchel("count", "STORE", "conversations").output == "0\n")
    try expectSound()
  }

  /// What cannot be written: one line, status 1, and the store as it was.
  static let errors: [(arguments: [String], error: String)] = [
    (["send", "STORE", "supper", "Hello"], "No conversation has that identifier (conversation: supper)"),
    (["send", "STORE", "lunch", "Hello", "--id", "m1"], "A message or announcement"),
    (
      ["send", "STORE", "lunch", "Hello", "--as", "bob"], "The store belongs to another user: open it as that"
    ),
    (["send", "STORE/none", "lunch", "Hello"], "There is no store at the path"),
    (["send", "STORE/none", "lunch", "Hello", "--as", "alice"], "There is no store at the path"),
    (["mark-read", "STORE", "messages", "m1", "m9"], "No message has that identifier (message: m9)"),
    (["mark-read", "STORE", "messages", "a1"], "No message has that identifier (message: a1)"),
    (["mark-read", "STORE", "conversations", "supper"], "No conversation has that identifier"),
    (["edit", "STORE", "m9", "Hello"], "No message has that identifier (message: m9)"),
    (["edit", "STORE", "m1", "Hello", "--part", "7"], "The message has no part"),
    (["delete", "STORE", "messages", "m1", "m9"], "No message has that identifier (message: m9)"),
    (["delete", "STORE", "announcements", "m1"], "No announcement has that identifier"),
    (["set", "STORE", "messages", "m9", "position=1"], "No message has that identifier (message: m9)"),
    (["set", "STORE", "announcements", "m1", "position=1"], "No announcement has that identifier"),
    (
      ["set", "STORE", "identities", "eve", "displayName=Eve"], "No identity has that user id (identity: eve)"
    ),
    (
      ["set", "STORE", "messages", "m1", "position=first"],
      "position takes a whole number of 64 bits, not \"first\""
    ),
    (
      ["set", "STORE", "messages", "m1", "position=1.5"],
      "position takes a whole number of 64 bits, not \"1.5\""
    ),
    (["set", "STORE", "messages", "m1", "isUnread=1"], "isUnread takes true or false, not \"1\""),
    (["set", "STORE", "messages", "m1", "parts=x"], "parts are changed by satchel edit"),
    (["set", "STORE", "messages", "m1", "--clear", "parts"], "parts are changed by satchel edit"),
    // What always has a value is not cleared, and who is out of a conversation would see none of it.
    (["set", "STORE", "messages", "m1", "--clear", "isSent"], "isSent always has a value"),
    (["set", "STORE", "messages", "m1", "--clear", "isUnread"], "isUnread always has a value"),
    (["set", "STORE", "identities", "bob", "--clear", "followed"], "followed always has a value"),
    (
      ["set", "STORE", "conversations", "lunch", "--clear", "participants"], "participants always has a value"
    ),
    (
      ["set", "STORE", "conversations", "lunch", "participants="],
      "participants without alice, whose store it is"
    ),
    (
      ["set", "STORE", "conversations", "lunch", "participants= ,"],
      "participants without alice, whose store it is"
    ),
    (
      ["set", "STORE", "conversations", "lunch", "participants=bob"],
      "participants without alice, whose store it is"
    ),
    (
      ["set", "STORE", "messages", "m1", "sentAt=noon"], "sentAt takes a date such as 2024-09-14T02:11:00Z: "
    ),
    (
      ["set", "STORE", "messages", "m1", "recipientStatus.bob=eaten"],
      "recipientStatus.bob takes "
    ),
    (["set", "STORE", "messages", "m1", "sender=bob"], "sender: the sender of a message cannot be changed"),
    (
      ["set", "STORE", "messages", "m1", "positon=1"],
      "messages have no property \"positon\" that can be set: did you mean position?"
    ),
    (
      ["set", "STORE", "conversations", "lunch", "colour=red"],
      "conversations have no property \"colour\" that can be set: metadata.KEY, participants, remoteID, updatedAt"
    ),
    (
      ["set", "STORE", "messages", "m1", "metadata=x"], "metadata takes a name behind it: metadata.KEY=VALUE"
    ),
    (
      ["set", "STORE", "messages", "m1", "metadata.a b=x"],
      "\"metadata.a b\" is no name of a property: a key of other characters "
    ),
    (["set", "STORE", "messages", "m1", "position"], "a property is set by its name, = and a value, "),
    (["set", "STORE", "messages", "m1", "position=1", "position=2"], "position is set twice"),
  ]

  @Test func saysWhatIsWrong() throws {
    let before = try satchel("export", "STORE").output
    for (arguments, error) in Self.errors {
      let result = try Tool.run(arguments.map { $0.replacing("STORE", with: store) })
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output == "")
    }
    #expect(try satchel("export", "STORE").output == before)
  }

  @Test(arguments: [
    ["send", "store"], ["send", "store", "lunch"], ["send", "store", "--with", "bob"],
    ["mark-read", "store", "messages"], ["mark-read", "store", "parts", "p"], ["edit", "store", "m1"],
    ["edit", "store", "m1", "a", "b", "--part", "0"], ["edit", "store", "m1", "a", "--remove", "0"],
    ["edit", "store", "m1", "a", "--part", "0", "--append"],
    ["set", "store", "messages", "m1"], ["set", "store", "parts", "p", "text=a"],
    ["delete", "store", "messages"], ["delete", "store", "identities", "bob"],
    ["delete", "store", "conversations", "lunch", "--for-everyone"],
    ["send", "store", "lunch", "a", "--wait", "-1"],
  ])
  func argumentsThatDoNotParse(_ arguments: [String]) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("satchel: ") && result.errors.split(separator: "\n").count == 1)
    #expect(result.output == "")
  }
}
