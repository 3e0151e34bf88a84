import Testing

@Suite struct QueryTests {
  /// Arguments of `query STORE …` and what they give.
  static let answers: [(arguments: [String], output: [String])] = [
    (["messages", "--select", "count"], ["3"]),
    (["messages", "--select", "identifiers"], [#""m1""#, #""m2""#, #""m3""#]),
    (["messages", "--sort", "-sentAt", "--select", "identifiers"], [#""m3""#, #""m2""#, #""m1""#]),
    (
      ["messages", "--sort", "-sentAt", "--limit", "1", "--offset", "1", "--select", "identifiers"],
      [#""m2""#]
    ),
    (["messages", "--after", "m1", "--select", "identifiers"], [#""m2""#, #""m3""#]),
    (["messages", "--before", "m3", "--limit", "1", "--select", "identifiers"], [#""m2""#]),
    (["messages", "--around", "m2", "--limit", "2", "--select", "identifiers"], [#""m2""#, #""m3""#]),
    (
      ["messages", "--around", "m2", "--limit", "3", "--select", "identifiers"],
      [#""m1""#, #""m2""#, #""m3""#]
    ),
    (["messages", "--around", "m2", "--limit", "1", "--select", "identifiers"], [#""m2""#]),
    (["messages", "--around", "m2", "--limit", "0", "--select", "identifiers"], []),
    (["messages", "--around", "m2", "--select", "identifiers"], [#""m1""#, #""m2""#, #""m3""#]),
    (["messages", "--where", "isUnread = TRUE AND sender.userID != 'alice'", "--select", "count"], ["2"]),
    (["conversations", "--select", "identifiers"], [#""lunch""#]),
    (
      [
        "conversations", "--where", "metadata.title = 'Lunch'", "--select", "identifiers", "--format",
        "table",
      ], ["lunch"]
    ),
    (
      ["parts", "--where", "mimeType = 'image/png'"],
      [
        #"{"identifier":"m2/parts/1","message":"m2","index":1,"mimeType":"image/png","base64":"iVBO"}"#
      ]
    ),
    (
      ["messages", "--where", "identifier = 'm3'"],
      [
        #"{"kind":"message","identifier":"m3","conversation":"lunch","sender":"bob","position":3,"sentAt":"2024-01-03T12:00:00Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Fine"}]}"#
      ]
    ),
    (
      ["announcements"],
      [
        #"{"kind":"announcement","identifier":"a1","sender":"bob","parts":[{"mimeType":"text/plain","text":"All"}]}"#
      ]
    ),
    (
      ["identities", "--where", "displayName LIKE 'ali%'"],
      [#"{"kind":"identity","userID":"alice","displayName":"Alice"}"#]
    ),
    (
      ["conversations"],
      [
        #"{"kind":"conversation","identifier":"lunch","participants":["alice","bob"],"metadata":{"title":"Lunch"}}"#
      ]
    ),
  ]

  @Test func answers() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    for (arguments, output) in Self.answers {
      let result = try Tool.run(["query", store] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      #expect(result.lines == output, "\(arguments)")
    }
  }

  /// Questions that cannot be asked: one line on standard error, status 1.
  static let errors: [(arguments: [String], error: String)] = [
    (["messages", "--where", "color = 1"], "There is no such queryable property ("),
    (
      ["messages", "--where", "isUnread < TRUE"],
      "The property does not support the operator (accepted: = != IN NOT IN, "
    ),
    (
      ["messages", "--where", "position = 'a'"],
      "The property and the operator do not take the value (expected: a number, "
    ),
    (
      ["messages", "--where", "position = "],
      "The text does not follow the predicate language (column: 12, expected: a value or a property, found: the end)"
    ),
    (
      ["conversations", "--where", "lastMessage.sender.userID = alice"],
      "There is no such queryable property (available: identifier remoteID participants participantCount createdAt isDistinct "
        + "hasUnreadMessages unreadCount messageCount lastMessage updatedAt metadata metadata.KEY lastMessage.NAME, "
        + "expected: a text needs quotes: 'alice', kind: conversations, property: alice)"
    ),
    (
      ["messages", "--where", "sender.userID = alice@example.org"],
      "The text does not follow the predicate language (column: 22, expected: a name, a value, an operator or a "
        + "parenthesis; a text needs quotes, found: @)"
    ),
    (["messages", "--sort", "color"], "There is no such queryable property ("),
    (["conversations", "--sort", "-participants"], "Results sort by "),
    (["messages", "--sort", "a b"], "The text is not a sort key ("),
    (["messages", "--after", "nobody"], "The object that a query is anchored at does not exist ("),
  ]

  @Test func saysWhatIsWrong() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    for (arguments, error) in Self.errors {
      let result = try Tool.run(["query", store] + arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output == "")
    }
  }

  /// Arguments that do not parse: one line, status 64.
  @Test(arguments: [
    ["frobnicate"], ["query"], ["query", "store"], ["query", "store", "my pictures"],
    ["query", "store", "messages", "--limit", "many"], ["query", "store", "messages", "--limit", "-1"],
    ["query", "store", "messages", "--select", "some"],
    ["query", "store", "messages", "--format", "xml"], ["query", "store", "messages", "--color"],
    ["query", "store", "messages", "--after", "a", "--before", "b"],
    ["query", "store", "messages", "--batch"],
    ["import", "store"], ["generate"], ["generate", "--messages", "-5"], ["dump", "store", "--limit", "-1"],
  ])
  func argumentsThatDoNotParse(_ arguments: [String]) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("satchel: "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output == "")
  }

  @Test func helpIsNoError() throws {
    for arguments in [["--help"], ["query", "--help"], []] {
      let result = try Tool.run(arguments)
      #expect(result.status == 0)
      #expect(result.output.contains("USAGE: satchel"))
      #expect(result.errors == "")
    }
  }

  /// A table escapes what would act on a terminal, and counts wide characters as two columns.
  @Test func tablesFitTheTerminal() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run(["query", store, "messages", "--format", "table"], columns: 92)
    #expect(
      result.lines == [
        "sent                  conversation  position  sender     identifier  content",
        "────────────────────  ────────────  ────────  ──────  ─  ──────────  ───────────────────────",
        #"2024-01-01T12:00:00Z  lunch                1  bob     ●  m1          Noon?\n\u{1B}[31mred"#,
        "2024-01-02T12:00:00Z  lunch                2  alice      m2          午後はどうですか、駅前…",
        "2024-01-03T12:00:00Z  lunch                3  bob     ●  m3          Fine",
      ])
  }

  @Test func anEmptyTableHasItsTitles() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run("query", store, "parts", "--where", "size > 5000", "--format", "table")
    #expect(
      result.lines == ["identifier  type  size  content", "──────────  ────  ────  ───────", "no parts"])
  }
}
