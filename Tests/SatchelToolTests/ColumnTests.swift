import Foundation
import Testing

/// `query` with `--columns`, `--format csv`, `--total` and `--rank`.
@Suite struct ColumnTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  private func query(_ arguments: String...) throws -> Tool.Result {
    let result = try Tool.run(["query", store] + arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return result
  }

  @Test func columnsForPeople() throws {
    let result = try query(
      "messages", "--columns", "identifier,position,sender.displayName,parts.mimeType", "--format", "table")
    #expect(
      result.lines == [
        "identifier  position  sender.displayName  parts.mimeType",
        "──────────  ────────  ──────────────────  ─────────────────────",
        "m1                 1  Bob 🎒              text/plain",
        "m2                 2  Alice               text/plain, image/png",
        "m3                 3  Bob 🎒              text/plain",
      ])
  }

  /// With the types that JSON has, in the order in which they are named.
  @Test func columnsForPrograms() throws {
    let message = try query(
      "messages", "--where", "identifier = 'm2'", "--columns",
      "position,isUnread,sentAt,receivedAt,parts.size,conversation.metadata,conversation.participants")
    #expect(
      message.lines == [
        #"{"position":2,"isUnread":false,"sentAt":"2024-01-02T12:00:00Z","receivedAt":null,"parts.size":[66,3],"#
          + #""conversation.metadata":{"title":"Lunch"},"conversation.participants":["alice","bob"]}"#
      ])
    #expect(
      try query("conversations", "--columns", "metadata.title,metadata.colour,lastMessage.position").lines
        == [#"{"metadata.title":"Lunch","metadata.colour":null,"lastMessage.position":3}"#])
    #expect(
      try query(
        "parts", "--where", "mimeType = 'image/png'", "--columns", "message.sender.userID,text,transferStatus"
      ).lines == [#"{"message.sender.userID":"alice","text":null,"transferStatus":"complete"}"#])
    #expect(
      try query("identities", "--columns", "userID,emailAddress,followed", "--sort", "-userID").lines
        == [
          #"{"userID":"bob","emailAddress":"bob@example.org","followed":false}"#,
          #"{"userID":"alice","emailAddress":null,"followed":false}"#,
        ])
    #expect(
      try query("announcements", "--columns", "sender.displayName,parts.text").lines
        == [#"{"sender.displayName":"Bob 🎒","parts.text":["All"]}"#])
  }

  @Test func keysThatAreNoNames() throws {
    let set = try Tool.run(
      "set", store, "conversations", "lunch", "metadata.'a.b'=one", "metadata.a.b=two",
      "metadata.readAt.'alice@example.org'=now",
      #"metadata.'it\'s'.'😀'=x"#, "metadata.'-x'.'=,'=y")
    #expect(set.status == 0, "\(set.errors)")
    #expect(
      try query(
        "conversations", "--columns",
        #"metadata.'a.b',metadata.a.b,metadata."readAt".'alice@example.org',metadata.'it\'s'.'😀',metadata.'-x'.'=,'"#
      ).lines == [
        #"{"metadata.'a.b'":"one","metadata.a.b":"two","metadata.readAt.'alice@example.org'":"now","#
          + #""metadata.'it\\'s'.'😀'":"x","metadata.'-x'.'=,'":"y"}"#
      ])
    #expect(
      try query("conversations", "--columns", "metadata", "--format", "csv").output.contains(
        #"'-x'.'=,'=y a.b=two 'a.b'=one 'it\'s'.'😀'=x readAt.'alice@example.org'=now title=Lunch"#))
    #expect(
      try Tool.run("count", store, "conversations", "--where", "metadata.readAt.'alice@example.org' = 'now'")
        .output == "1\n")
    let cleared = try Tool.run("set", store, "conversations", "lunch", "--clear", "metadata.'a.b'")
    #expect(cleared.status == 0, "\(cleared.errors)")
    #expect(
      try query("conversations", "--columns", "metadata.'a.b',metadata.a.b").lines
        == [#"{"metadata.'a.b'":null,"metadata.a.b":"two"}"#])
    let dump = try Tool.run("dump", store, "conversations", "--format", "hex").output
    #expect(dump.contains("metadata.readAt.'alice@example.org': \"now\""), "\(dump)")
    let paths = try Tool.run("dump", store, "dictionary.text", "--format", "json").output
    #expect(paths.contains(#""a\\.b""#) && paths.contains(#""readAt.alice@example\\.org""#), "\(paths)")
    let sort = try query("conversations", "--sort", "-metadata.'it\\'s'.'😀'", "--columns", "identifier")
    #expect(sort.lines.first == #"{"identifier":"lunch"}"#)
  }

  /// A date of metadata is told from a text that looks like it, in a column and within the whole of the metadata.
  @Test func aDateOfMetadataIsNoText() throws {
    let date = #"{"$date":"2024-01-03T12:00:00Z"}"#
    let set = try Tool.run(
      "set", store, "conversations", "lunch", "metadata.due:=\(date)", "metadata.seen=2024-01-03T12:00:00Z",
      #"metadata.odd:={"$$at":"noon"}"#)
    #expect(set.status == 0, "\(set.errors)")
    let lunch = ["conversations", "--where", "identifier = 'lunch'", "--columns"]
    #expect(
      try Tool.run(["query", store] + lunch + ["metadata.due,metadata.seen"]).lines == [
        #"{"metadata.due":\#(date),"metadata.seen":"2024-01-03T12:00:00Z"}"#
      ])
    let whole = try Tool.run(["query", store] + lunch + ["metadata"]).output
    #expect(whole.contains(#""due":\#(date)"#) && whole.contains(#""odd":{"$$at":"noon"}"#), "\(whole)")
    let table = try Tool.run(["query", store] + lunch + ["metadata.due", "--format", "csv"]).output
    #expect(table.contains("2024-01-03T12:00:00Z") && !table.contains("$date"), "\(table)")
  }

  /// What a column shows of an object is what a query for that value finds the object by.
  @Test func columnsShowWhatQueriesAskFor() throws {
    let kinds = [
      (
        "conversations",
        "identifier participantCount createdAt isDistinct hasUnreadMessages unreadCount messageCount lastMessage"
      ),
      (
        "messages",
        "identifier conversation position sender.userID sentAt isSent isUnread conversation.messageCount"
      ),
      ("parts", "identifier message index mimeType size text transferStatus message.isUnread"),
      ("announcements", "identifier sender.userID isUnread"),
      ("identities", "identifier userID displayName followed"),
    ]
    var compared = 0
    for (kind, names) in kinds {
      let names = names.split(separator: " ").map(String.init)
      for line in try query(kind, "--columns", names.joined(separator: ",")).lines {
        let values = try InspectionTests.object(line)
        for name in names {
          let value = try #require(values[name])
          let literal =
            switch value {
            case is NSNull: "nil"
            case let text as String: "'\(text.replacing("\u{1B}", with: #"\u{1B}"#))'"
            case let flag as Bool where line.contains("\"\(name)\":\(flag)"): flag ? "TRUE" : "FALSE"
            default: "\(value)"
            }
          let found = try query(kind, "--where", "\(name) = \(literal)", "--select", "identifiers")
          #expect(found.lines.contains("\"\(values["identifier"] ?? "")\""), "\(kind): \(name) = \(literal)")
          compared += 1
        }
      }
    }
    #expect(compared > 50)
  }

  @Test func commaSeparatedValues() throws {
    let lines = [
      Sample.header, #"{"kind":"identity","userID":"carol","displayName":"Carol \"C.\", really"}"#,
      #"{"kind":"identity","userID":"dave","displayName":"two\r\nlines"}"#,
      #"{"kind":"identity","userID":"erin","displayName":" spaces stay "}"#,
    ]
    try #require(try Tool.run("import", store, directory.write("more", lines: lines)).status == 0)
    let result = try query("identities", "--columns", "userID,displayName,followed", "--format", "csv")
    #expect(
      result.output
        == "userID,displayName,followed\r\nalice,Alice,false\r\nbob,Bob 🎒,false\r\n"
        + "carol,\"Carol \"\"C.\"\", really\",false\r\ndave,\"two\r\nlines\",false\r\nerin, spaces stay ,false\r\n"
    )
    // A record is never an empty line.
    #expect(
      try query("identities", "--where", "userID = 'alice'", "--columns", "phoneNumber", "--format", "csv")
        .output
        == "phoneNumber\r\n\"\"\r\n")
    #expect(
      try query("messages", "--select", "identifiers", "--format", "csv").output
        == "identifier\r\nm1\r\nm2\r\nm3\r\n")
  }

  /// The elements of a list can be told apart, whatever is in them, and an empty list from none.
  @Test func listsAreJSONInACell() throws {
    let lists = [("m1", #"["a, b","c"]"#), ("m2", #"["a","b, c","say \"no\""]"#), ("m3", "[]")]
    for (message, list) in lists {
      let set = try Tool.run("set", store, "messages", message, "metadata.tags:=\(list)")
      #expect(set.status == 0, "\(set.errors)")
    }
    let columns = ["--sort", "position", "--columns", "identifier,metadata.tags,metadata.none", "--format"]
    #expect(
      try Tool.run(["query", store, "messages"] + columns + ["csv"]).output.components(separatedBy: "\r\n")
        == [
          "identifier,metadata.tags,metadata.none", #"m1,"[""a, b"",""c""]","#,
          #"m2,"[""a"",""b, c"",""say \""no\""""]","#, "m3,[],", "",
        ])
  }

  /// Without `--columns`, every kind has some.
  @Test(arguments: ["conversations", "messages", "parts", "announcements", "identities"])
  func standardColumns(_ kind: String) throws {
    let records = try query(kind, "--format", "csv").output.components(separatedBy: "\r\n")
    #expect(records.first?.contains(kind == "identities" ? "userID" : "identifier") == true)
    #expect(records.count >= 3, "\(records)")
  }

  /// At a terminal, what would act on it is escaped in CSV as well.
  @Test func aTerminalGetsNothingUnsafe() throws {
    let arguments = ["query", store, "parts", "--columns", "message,text", "--format", "csv"]
    #expect(try Tool.run(arguments).output.contains("\u{1B}[31m"))
    let shown = try TerminalRun.run(arguments).text
    #expect(shown.contains(#"m1,Noon?\n\u{1B}[31mred"#), "\(shown)")
    DisplayTests.expectSafe(shown, arguments)
  }

  @Test func refusesColumnsThatThereAreNot() throws {
    let errors: [([String], Int32, String)] = [
      (
        ["parts", "--columns", "mimeType,colour"], 1,
        "There is no such queryable property (available: identifier message index mimeType size text transferStatus "
          + "message.NAME, kind: parts, property: colour)"
      ),
      (["messages", "--columns", "position,"], 1, "--columns takes key paths joined by commas, such as "),
      (["messages", "--columns", "-position"], 1, "--columns takes key paths joined by commas, such as "),
      (["messages", "--columns", "position,position"], 1, "--columns names position twice"),
      (["messages", "--columns", "position", "--select", "count"], 64, "--columns goes with objects"),
      (["messages", "--total", "--select", "count"], 64, "--total goes with objects and identifiers"),
      (["messages", "--rank", "m1", "--limit", "5"], 64, "--rank goes with --where and --sort alone"),
      (["messages", "--rank", "m1", "--after", "m1"], 64, "--rank goes with --where and --sort alone"),
      (["messages", "--rank", "m1", "--total"], 64, "--rank goes with --where and --sort alone"),
      (["--batch", "--total"], 64, "--batch takes its queries from standard input"),
    ]
    for (arguments, status, error) in errors {
      let result = try Tool.run(["query", store] + arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.output == "")
    }
  }

  @Test func aPageWithTheTotal() throws {
    let page = ["messages", "--sort", "-position", "--limit", "1", "--offset", "1", "--total"]
    func output(_ arguments: String...) throws -> Tool.Result {
      try Tool.run(["query", store] + page + arguments)
    }
    #expect(try output("--select", "identifiers").lines == ["\"m2\"", #"{"total":3}"#])
    #expect(try output("--columns", "position").lines == [#"{"position":2}"#, #"{"total":3}"#])
    #expect(try output().lines.last == #"{"total":3}"#)
    #expect(try output("--format", "table").lines.last == "1 of 3")
    #expect(
      try output("--after", "m3", "--columns", "position").lines == [#"{"position":1}"#, #"{"total":3}"#])
    let csv = try output("--columns", "position", "--format", "csv")
    #expect(csv.output == "position\r\n2\r\n")
    #expect(csv.errors == "satchel: 3 in all\n")
    // Of the members of a conversation, and of nobody else.
    let carol = [Sample.header, #"{"kind":"identity","userID":"carol"}"#]
    try #require(try Tool.run("import", store, directory.write("carol", lines: carol)).status == 0)
    let members = ["identities", "--members-of", "lunch", "--select", "identifiers"]
    #expect(
      try Tool.run(["query", store] + members + ["--limit", "1", "--total"]).lines
        == ["\"alice\"", #"{"total":2}"#])
  }

  @Test func thePlaceInTheList() throws {
    let places: [([String], String)] = [
      (["messages", "--rank", "m1"], "0"), (["messages", "--rank", "m3"], "2"),
      (["messages", "--sort", "-position", "--rank", "m1"], "2"),
      (["messages", "--where", "isUnread = TRUE", "--rank", "m3"], "1"),
      (["parts", "--rank", "m2/parts/1"], "2"),
      (["identities", "--sort", "-userID", "--rank", "alice"], "1"),
      (["announcements", "--rank", "a1"], "0"), (["conversations", "--rank", "lunch"], "0"),
    ]
    for (arguments, place) in places {
      let result = try Tool.run(["query", store] + arguments)
      #expect(result.output == place + "\n", "\(arguments): \(result.errors)")
      // What --offset takes to begin with it.
      let kind = try #require(arguments.first)
      let identifier = try #require(arguments.last)
      let list = Array(arguments.dropFirst().dropLast(2))
      let first = try Tool.run(
        ["query", store, kind] + list
          + ["--offset", place, "--limit", "1", "--select", "identifiers", "--format", "table"])
      #expect(first.output == identifier + "\n", "\(arguments)")
    }
    // Not there, not in this list, and not to be seen.
    for arguments in [
      ["--rank", "nobody"], ["--where", "isUnread = TRUE", "--rank", "m2"], ["--rank", "hidden"],
    ] {
      let result = try Tool.run(["query", store, "messages"] + arguments)
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("satchel: there is no \"\(arguments.last ?? "")\" in the list: "))
    }
  }
}
