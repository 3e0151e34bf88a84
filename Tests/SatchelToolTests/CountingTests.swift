import Foundation
import Testing

/// `count` and `aggregate`: numbers instead of objects.
@Suite struct CountingTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  static let counts: [(arguments: [String], count: String)] = [
    (["messages"], "3"), (["conversations"], "1"), (["parts"], "4"), (["announcements"], "1"),
    (["identities"], "2"), (["messages", "--where", "isUnread = TRUE"], "2"),
    (["messages", "--where", "parts.text CONTAINS 'Fine'"], "1"),
    (["messages", "--where", "sender.userID = 'nobody'"], "0"), (["messages", "--limit", "2"], "2"),
    (["messages", "--offset", "1"], "2"), (["messages", "--sort", "position", "--after", "m1"], "2"),
    (["messages", "--sort", "position", "--before", "m1"], "0"),
  ]

  @Test func counts() throws {
    for (arguments, count) in Self.counts {
      let result = try Tool.run(["count", store] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      #expect(result.output == count + "\n", "\(arguments)")
      #expect(
        try Tool.run(["query", store] + arguments + ["--select", "count"]).output == result.output,
        "\(arguments)")
    }
  }

  static let aggregates: [(arguments: [String], lines: [String])] = [
    (["messages"], ["3"]),
    (["messages", "--where", "isUnread = TRUE"], ["2"]),
    (["messages", "--where", "position = 77", "--sum", "position"], ["0"]),
    (["messages", "--sum", "position"], ["6"]),
    (
      ["messages", "--by", "sender.userID"],
      [#"{"group":"alice","value":1}"#, #"{"group":"bob","value":2}"#]
    ),
    (
      ["messages", "--by", "sender.userID", "--sum", "position", "--where", "position > 1"],
      [#"{"group":"alice","value":2}"#, #"{"group":"bob","value":3}"#]
    ),
    (
      ["messages", "--by", "isUnread"],
      [#"{"group":false,"value":1}"#, #"{"group":true,"value":2}"#]
    ),
    (
      ["messages", "--by", "sentAt", "--where", "position < 3"],
      [#"{"group":"2024-01-01T12:00:00Z","value":1}"#, #"{"group":"2024-01-02T12:00:00Z","value":1}"#]
    ),
    (
      ["messages", "--by", "position"],
      [#"{"group":1,"value":1}"#, #"{"group":2,"value":1}"#, #"{"group":3,"value":1}"#]
    ),
    (["messages", "--by", "conversation.metadata.team"], [#"{"group":null,"value":3}"#]),
    (
      ["parts", "--by", "mimeType"],
      [#"{"group":"image/png","value":1}"#, #"{"group":"text/plain","value":3}"#]
    ),
    (["messages", "--max", "position"], ["3"]),
    (["messages", "--min", "sentAt"], [#""2024-01-01T12:00:00Z""#]),
    (["messages", "--min", "sentAt", "--where", "position = 77"], ["null"]),
    (["messages", "--sum", "metadata.cost"], ["0"]), (["messages", "--max", "metadata.cost"], ["null"]),
    (["conversations", "--max", "metadata.title"], [#""Lunch""#]),
    (
      ["messages", "--by", "sender.userID", "--max", "sentAt"],
      [
        #"{"group":"alice","value":"2024-01-02T12:00:00Z"}"#,
        #"{"group":"bob","value":"2024-01-03T12:00:00Z"}"#,
      ]
    ),
    (
      ["identities", "--min", "emailAddress", "--by", "userID"],
      [#"{"group":"bob","value":"bob@example.org"}"#]
    ),
    (["announcements", "--by", "position"], [#"{"group":null,"value":1}"#]),
    (["identities", "--by", "emailAddress", "--where", "userID = 'nobody'"], []),
  ]

  /// Whether they are computed or kept, the numbers are the same.
  @Test func aggregates() throws {
    for (arguments, lines) in Self.aggregates {
      let computed = try Tool.run(["aggregate", store] + arguments)
      #expect(computed.status == 0, "\(arguments): \(computed.errors)")
      #expect(computed.lines == lines, "\(arguments)")
      let kept = try Tool.run(
        ["aggregate", store] + arguments + ["--declare", "numbers", "--replace", "--as", "alice"])
      #expect(kept.status == 0, "\(arguments): \(kept.errors)")
      #expect(kept.output == computed.output, "\(arguments)")
      #expect(
        try Tool.run("aggregate", store, "--named", "numbers").output == computed.output, "\(arguments)")
    }
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func declaredOnesFollowTheCommits() throws {
    let declare = ["--where", "isUnread = TRUE", "--by", "conversation", "--declare", "unread"]
    #expect(
      try Tool.run(["aggregate", store, "messages"] + declare).lines == [#"{"group":"lunch","value":2}"#])
    #expect(
      try Tool.run("aggregate", store, "parts", "--sum", "size", "--declare", "sizes").status == 0)
    #expect(
      try Tool.run("aggregate", store).lines == [
        #"{"name":"unread","from":"messages","where":"isUnread = TRUE","by":"conversation"}"#,
        #"{"name":"sizes","from":"parts","sum":"size"}"#,
      ])
    #expect(
      try Tool.run("aggregate", store, "--format", "table").lines == [
        "name    what it counts or adds up", "──────  " + String(repeating: "─", count: 46),
        "unread  messages where isUnread = TRUE by conversation", "sizes   sum of size of parts",
      ])
    let update = #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#
    let file = try directory.write("update.jsonl", lines: [Sample.header, update])
    #expect(try Tool.run("import", store, file).status == 0)
    #expect(
      try Tool.run("aggregate", store, "--named", "unread").lines == [#"{"group":"lunch","value":1}"#])
    #expect(try Tool.run("aggregate", store, "--named", "unread", "--group", "lunch").output == "1\n")
    #expect(try Tool.run("aggregate", store, "--named", "unread", "--group", "tea").output == "0\n")
    #expect(
      try Tool.run("aggregate", store, "--named", "unread", "--format", "table").lines == [
        "conversation  count", "────────────  ─────", "lunch             1",
      ])
    #expect(try Tool.run("aggregate", store, "--drop", "unread").status == 0)
    #expect(try Tool.run("aggregate", store).lines.count == 1)
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// Questions that cannot be answered: one line, status 1, and the store as it was.
  static let errors: [(arguments: [String], error: String)] = [
    (["count", "STORE", "messages", "--where", "color = 1"], "There is no such queryable property ("),
    (["count", "STORE", "messages", "--where", "position ="], "The text does not follow the predicate"),
    (["count", "STORE", "messages", "--after", "nobody"], "The object that a query is anchored at does not"),
    (["count", "STORE/none", "messages"], "There is no store at the path"),
    (["aggregate", "STORE", "messages", "--by", "parts.mimeType"], "Aggregates group by "),
    (["aggregate", "STORE", "messages", "--by", "color"], "There is no such queryable property ("),
    (
      ["aggregate", "STORE", "messages", "--by", "-position"],
      "--by takes one key path, such as conversation or metadata.title, not \"-position\""
    ),
    (["aggregate", "STORE", "messages", "--sum", "sentAt"], "Aggregates add up numbers that an object has"),
    (
      ["aggregate", "STORE", "conversations", "--sum", "participants"],
      "Aggregates add up numbers that an object has"
    ),
    (
      ["aggregate", "STORE", "messages", "--min", "parts.size"],
      "Aggregates have a minimum or a maximum of texts, identifiers, numbers, dates, Booleans and references that an object has one of"
    ),
    (
      ["aggregate", "STORE", "messages", "--max", "-position"],
      "--max takes one key path, such as conversation or metadata.title, not \"-position\""
    ),
    (
      ["aggregate", "STORE", "--named", "unread"],
      "no aggregate \"unread\" is declared, but per position"
    ),
    (
      ["aggregate", "STORE", "--named", "per position", "--group", "first"],
      "--group takes a whole number, since the groups are of position, not \"first\""
    ),
    (
      ["aggregate", "STORE", "messages", "--declare", "per position"],
      "An aggregate of that name is declared otherwise"
    ),
    (["aggregate", "STORE", "--drop", "unread"], "No aggregate of that name is declared"),
    (
      ["aggregate", "STORE", "messages", "--declare", "mine", "--as", "bob"],
      "The store belongs to another user: open it as that one (owner: alice, "
    ),
  ]

  @Test func saysWhatIsWrong() throws {
    let declare = ["aggregate", store, "messages", "--by", "position", "--declare", "per position"]
    #expect(try Tool.run(declare).status == 0)
    let before = try Tool.run("export", store).output
    for (arguments, error) in Self.errors {
      let result = try Tool.run(arguments.map { $0.replacing("STORE", with: store) })
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output == "")
    }
    #expect(try Tool.run("export", store).output == before)
    #expect(try Tool.run("aggregate", store).lines.count == 1)
  }

  @Test(arguments: [
    ["count", "store"], ["count", "store", "my pictures"],
    ["count", "store", "messages", "--select", "count"],
    ["aggregate", "store", "my pictures"], ["aggregate", "store", "--by", "position"],
    ["aggregate", "store", "messages", "--named", "a"],
    ["aggregate", "store", "--named", "a", "--drop", "a"],
    ["aggregate", "store", "messages", "--sum", "position", "--max", "position"],
    ["aggregate", "store", "--min", "position"], ["aggregate", "store", "messages", "--group", "a"],
    ["aggregate", "store", "messages", "--replace"],
    ["aggregate", "store", "messages", "--as", "alice"], ["aggregate", "store", "--where", "TRUEPREDICATE"],
  ])
  func argumentsThatDoNotParse(_ arguments: [String]) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("satchel: ") && result.errors.split(separator: "\n").count == 1)
    #expect(result.output == "")
  }
}
