import Foundation
import Testing

/// `count --by`: a number a group.
@Suite struct GroupCountTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    let more = [
      #"{"kind":"header","format":"satchel-interchange","version":2}"#,
      #"{"kind":"message","identifier":"n1","conversation":"lunch","sender":"bob","sentAt":"2024-03-30T22:59:59Z","metadata":{"kind":"ticket","due":{"$date":"2024-04-01T10:00:00Z"}}}"#,
      #"{"kind":"message","identifier":"n2","conversation":"lunch","sender":"bob","sentAt":"2024-03-30T23:00:00Z","metadata":{"kind":5}}"#,
      #"{"kind":"message","identifier":"n3","conversation":"lunch","sender":"alice","sentAt":"2024-03-31T21:59:59Z"}"#,
      #"{"kind":"message","identifier":"n4","conversation":"lunch","sender":"bob"}"#,
    ]
    let result = try Tool.run("import", store, directory.write("more.jsonl", lines: more))
    try #require(result.status == 0, "\(result.errors)")
  }

  static let counts: [(arguments: [String], lines: [String])] = [
    (
      ["--by", "day", "--where", "sentAt >= 2024-03-01T00:00:00Z"],
      [
        #"{"group":"2024-03-30","from":"2024-03-30T00:00:00Z","value":2}"#,
        #"{"group":"2024-03-31","from":"2024-03-31T00:00:00Z","value":1}"#,
      ]
    ),
    (
      [
        "--by", "day", "--time-zone", "Europe/Berlin", "--where",
        "sentAt >= 2024-03-01T00:00:00Z OR sentAt = NULL",
      ],
      [
        #"{"group":null,"value":1}"#,
        #"{"group":"2024-03-30","from":"2024-03-29T23:00:00Z","value":1}"#,
        #"{"group":"2024-03-31","from":"2024-03-30T23:00:00Z","value":2}"#,
      ]
    ),
    (
      ["--by", "hour", "--time-zone", "Asia/Kathmandu", "--where", "sentAt < 2024-01-03T00:00:00Z"],
      [
        #"{"group":"2024-01-01T17:00+05:45","from":"2024-01-01T11:15:00Z","value":1}"#,
        #"{"group":"2024-01-02T17:00+05:45","from":"2024-01-02T11:15:00Z","value":1}"#,
      ]
    ),
    (
      ["--by", "month"],
      [
        #"{"group":null,"value":1}"#, #"{"group":"2024-01","from":"2024-01-01T00:00:00Z","value":3}"#,
        #"{"group":"2024-03","from":"2024-03-01T00:00:00Z","value":3}"#,
      ]
    ),
    (
      ["--by", "week", "--where", "isUnread = TRUE"],
      [#"{"group":"2024-01-01","from":"2024-01-01T00:00:00Z","value":2}"#]
    ),
    (
      ["--by", "year", "--where", "sentAt != NULL"],
      [#"{"group":"2024","from":"2024-01-01T00:00:00Z","value":6}"#]
    ),
    (
      ["--by", "day", "--date", "metadata.due", "--where", "metadata.due != NULL"],
      [#"{"group":"2024-04-01","from":"2024-04-01T00:00:00Z","value":1}"#]
    ),
    (["--by", "sender"], [#"{"group":"alice","value":2}"#, #"{"group":"bob","value":5}"#]),
    (["--by", "sender", "--sort", "sentAt", "--limit", "2"], [#"{"group":"bob","value":2}"#]),
    (
      ["--by", "metadata.kind"],
      [#"{"group":null,"value":5}"#, #"{"group":5,"value":1}"#, #"{"group":"ticket","value":1}"#]
    ),
    (["--by", "conversation"], [#"{"group":"lunch","value":7}"#]),
    (["--by", "sender", "--where", "sender.userID = 'nobody'"], []),
  ]

  @Test func groups() throws {
    for (arguments, lines) in Self.counts {
      let result = try Tool.run(["count", store, "messages"] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      #expect(result.lines == lines, "\(arguments)")
    }
    #expect(
      try Tool.run("count", store, "parts", "--by", "mimeType").lines == [
        #"{"group":"image/png","value":1}"#, #"{"group":"text/plain","value":3}"#,
      ])
  }

  /// Each value of metadata is told from those of other types, in both forms, and `--group` takes what a table shows.
  @Test func valuesOfSeveralTypes() throws {
    let values = [
      "3", "\"3\"", "true", "\"true\"", #"{"$date":"2024-01-03T12:00:00Z"}"#, "\"2024-01-03T12:00:00Z\"",
      "\"null\"",
      "\"(none)\"", "\"\"", "\"a\"", "\"'a'\"", "2.5", #"["a","b"]"#,
    ]
    let lines = values.enumerated().map { number, value in
      #"{"kind":"message","identifier":"v\#(number)","conversation":"lunch","sender":"bob","metadata":{"v":\#(value)}}"#
    }
    let header = #"{"kind":"header","format":"satchel-interchange","version":2}"#
    let added = try Tool.run("import", store, directory.write("values.jsonl", lines: [header] + lines))
    try #require(added.status == 0, "\(added.errors)")
    let expected: [(json: String, cell: String)] = [
      ("null", "(none)"), ("true", "true"), ("2.5", "2.5"), ("3", "3"),
      (#"{"$date":"2024-01-03T12:00:00Z"}"#, "2024-01-03T12:00:00Z"), (#""""#, "''"),
      (#""'a'""#, #"'\'a\''"#),
      (#""(none)""#, "'(none)'"), (#""2024-01-03T12:00:00Z""#, "'2024-01-03T12:00:00Z'"), (#""3""#, "'3'"),
      (#""a""#, "a"), (#""null""#, "'null'"), (#""true""#, "'true'"),
    ]
    let which = ["messages", "--by", "metadata.v", "--where", "identifier BEGINSWITH 'v'"]
    for command in [["count", store] + which, ["aggregate", store] + which + ["--declare", "v"]] {
      let result = try Tool.run(command)
      #expect(result.lines == expected.map { #"{"group":\#($0.json),"value":1}"# }, "\(result.errors)")
    }
    for command in [["count", store] + which, ["aggregate", store, "--named", "v"]] {
      let table = try Tool.run(command + ["--format", "table"]).lines.dropFirst(2)
      let cells = table.map { line in
        #expect(line.hasSuffix(" 1"))
        return String(line.dropLast().reversed().drop { $0 == " " }.reversed())
      }
      #expect(cells == expected.map(\.cell))
    }
    for group in expected.map(\.cell) + ["null", "NIL", "'3'", "\"3\"", "TRUE", "2.50", "\"a\""] {
      let result = try Tool.run("aggregate", store, "--named", "v", "--group", group)
      #expect(result.lines == ["1"], "\(group): \(result.errors)")
    }
    for group in ["b", "'2.5'", "4", "false"] {
      #expect(try Tool.run("aggregate", store, "--named", "v", "--group", group).lines == ["0"], "\(group)")
    }
  }

  /// A property of one type needs quotation marks only where a text is that there is no value.
  @Test func groupsOfOneType() throws {
    for (name, by) in [("senders", "sender.userID"), ("dates", "sentAt")] {
      let declared = try Tool.run("aggregate", store, "messages", "--by", by, "--declare", name)
      #expect(declared.status == 0, "\(declared.errors)")
    }
    func value(_ name: String, _ group: String) throws -> String {
      let result = try Tool.run("aggregate", store, "--named", name, "--group", group)
      return result.status == 0 ? result.lines.joined() : result.errors
    }
    #expect(try value("senders", "bob") == "5")
    #expect(try value("senders", "'bob'") == "5")
    #expect(try value("senders", "5") == "0")
    #expect(try value("senders", "null") == "0")
    #expect(try value("dates", "null") == "1")
    #expect(try value("dates", "(none)") == "1")
    #expect(try value("dates", "2024-03-30T23:00:00Z") == "1")
    #expect(try value("dates", "today").contains("--group takes a date such as 2024-01-03T12:00:00Z"))
    let table = try Tool.run("count", store, "messages", "--by", "sentAt", "--format", "table")
    #expect(table.lines.last?.hasPrefix("2024-03-31T21:59:59Z ") == true, "\(table.output)")
    let dates = try Tool.run("count", store, "messages", "--by", "sentAt")
    #expect(dates.lines.last == #"{"group":"2024-03-31T21:59:59Z","value":1}"#)
  }

  @Test func aTableForPeople() throws {
    let result = try Tool.run(
      "count", store, "messages", "--by", "day", "--time-zone", "America/St_Johns", "--format", "table")
    #expect(
      result.lines == [
        "day         count", "──────────  ─────", "(none)          1", "2024-01-01      1",
        "2024-01-02      1",
        "2024-01-03      1", "2024-03-30      2", "2024-03-31      1",
      ], "\(result.output)")
    let none = try Tool.run(
      "count", store, "messages", "--by", "day", "--where", "isUnread = FALSE AND isUnread = TRUE",
      "--format",
      "table")
    #expect(none.lines.last == "no groups")
  }

  static let errors: [(arguments: [String], error: String)] = [
    (
      ["--by", "color"],
      "--by takes hour, day, week, month, year or a property of messages, such as sender or metadata.kind, not \"color\""
    ),
    (["--by", "parts.color"], "There is no such queryable property ("),
    (
      ["--by", "parts.mimeType"],
      "Objects are counted by a text, an identifier, a number, a date or a Boolean that each of them has one of (property: parts.mimeType)"
    ),
    (
      ["--by", "day", "--date", "position"],
      "Only dates are counted by hour, day, week, month or year (period: day, property: position)"
    ),
    (
      ["--by", "-sentAt"], "--by takes one key path, such as conversation or metadata.title, not \"-sentAt\""
    ),
    (
      ["--by", "day", "--time-zone", "Europe/Berlin2"],
      "--time-zone takes a zone that the system knows, such as Europe/Berlin, not \"Europe/Berlin2\""
    ),
    (
      ["--by", "day", "--time-zone", "../zoneinfo/UTC"],
      "--time-zone takes a zone that the system knows, such as Europe/Berlin, not \"../zoneinfo/UTC\""
    ),
    (
      ["--by", "day", "--time-zone", "zone.tab"],
      "--time-zone takes a zone that the system knows, such as Europe/Berlin, not \"zone.tab\""
    ),
    (
      ["--by", "day", "--time-zone", "Europe"],
      "--time-zone takes a zone that the system knows, such as Europe/Berlin, not \"Europe\""
    ),
  ]

  @Test func saysWhatIsWrong() throws {
    for (arguments, error) in Self.errors {
      let result = try Tool.run(["count", store, "messages"] + arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.output == "" && result.errors.split(separator: "\n").count == 1)
    }
    for arguments in [["--date", "sentAt"], ["--by", "sender", "--time-zone", "UTC"]] {
      let result = try Tool.run(["count", store, "messages"] + arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(
        result.errors.contains("--date and --time-zone go with --by hour, day, week, month or year"),
        "\(result.errors)")
    }
  }
}
