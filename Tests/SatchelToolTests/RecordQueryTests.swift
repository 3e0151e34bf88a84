import Foundation
import Testing

/// `query`, `count`, `explain` and batches of records.
@Suite struct RecordQueryTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try SampleRecords.make(in: directory)
  }

  private func satchel(_ arguments: String..., input: String = "") throws -> Tool.Result {
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst(), input: input)
    #expect(result.status == 0 && result.errors == "", "\(arguments): \(result.errors)")
    return result
  }

  @Test func objectsAreLinesOfTheInterchangeFormat() throws {
    // In the order of creation, with their fields in the order of their names.
    let all = try satchel("query", "todo").lines
    #expect(
      all.map { $0.contains(#""kind":"record","type":"todo""#) } == [true, true, true], "\(all)")
    let first: String =
      #"{"kind":"record","type":"todo","identifier":"write","owner":"alice","createdAt":"2024-01-01T08:00:00Z","#
      + #""createdBy":"alice","updatedAt":"2024-02-01T08:00:00Z","updatedBy":"alice","fields":{"done":false,"#
      + #""due":{"$date":"2024-03-01T12:00:00Z"},"estimate":2.5,"list":{"$reference":["list","work"]},"order":3,"#
      + #""tags":["urgent","late"],"title":"Write"}}"#
    #expect(all.first == first)
    func names(_ arguments: String...) throws -> [String] {
      try Tool.run(["query", store, "todo", "--select", "identifiers"] + arguments).lines
    }
    #expect(try names("--where", "list = REFERENCE('list', 'work')") == [#""write""#])
    #expect(try names("--where", "done = FALSE", "--sort", "-order") == [#""shop""#, #""write""#])
    #expect(try names("--sort", "order", "--after", "rest", "--limit", "1") == [#""write""#])
    #expect(try names("--where", "plan.steps = 2 OR estimate > 2") == [#""write""#, #""rest""#])
    #expect(try satchel("query", "note", "--format", "table").lines.last == "no records of the type note")
    #expect(try satchel("query", "todo", "--sort", "order", "--rank", "shop").output == "2\n")
    #expect(
      try names("--sort", "order", "--limit", "1", "--offset", "1", "--total")
        == [#""write""#, #"{"total":3}"#])
  }

  @Test func aTableShowsFields() throws {
    let lines = try Tool.run(
      ["query", store, "todo", "--sort", "order", "--format", "table"], columns: 200
    ).lines
    try #require(lines.count == 5)
    #expect(lines[0] == "identifier  owner  updated               fields")
    #expect(lines[2] == "rest        bob    2024-02-02T08:00:00Z  done=true order=1 plan.steps=2 title=Rest")
    #expect(
      lines[3]
        == "write       alice  2024-02-01T08:00:00Z  done=false due=2024-03-01T12:00:00Z estimate=2.5 list=list/work order=3 tags=urgent, late title=Write"
    )
  }

  @Test func columnsAreWhatEveryRecordHasAndWhatIsDeclared() throws {
    #expect(
      try satchel("query", "todo", "--sort", "order", "--format", "csv").output
        == [
          "identifier,owner,createdAt,createdBy,updatedAt,updatedBy,done,due,list,order,share,tags,title",
          "rest,bob,2024-01-02T08:00:00Z,alice,2024-02-02T08:00:00Z,alice,true,,,1,,,Rest",
          #"write,alice,2024-01-01T08:00:00Z,alice,2024-02-01T08:00:00Z,alice,false,2024-03-01T12:00:00Z,list/work,3,,"[""urgent"",""late""]",Write"#,
          #"shop,alice,2024-01-03T08:00:00Z,alice,2024-02-03T08:00:00Z,alice,false,,list/home,12,,,"Shop, or not""#,
          "",
        ].joined(separator: "\r\n"))
    #expect(
      try satchel("query", "note", "--format", "csv").output
        == "identifier,owner,createdAt,createdBy,updatedAt,updatedBy\r\n")
    #expect(
      try satchel(
        "query", "todo", "--where", "identifier = 'write'", "--columns",
        "title,order,due,tags,list,estimate,share,plan.steps,owner"
      ).lines == [
        #"{"title":"Write","order":3,"due":{"$date":"2024-03-01T12:00:00Z"},"tags":["urgent","late"],"#
          + #""list":{"$reference":["list","work"]},"estimate":2.5,"share":null,"plan.steps":null,"owner":"alice"}"#
      ])
    // Numbers of declared fields stand at the right.
    #expect(
      try satchel(
        "query", "todo", "--sort", "order", "--columns", "order,title,plan.steps", "--format", "table"
      ).lines
        == [
          "order  title         plan.steps", "─────  ────────────  ──────────", "    1  Rest          2",
          "    3  Write", "   12  Shop, or not",
        ])
  }

  @Test func countsByFields() throws {
    #expect(try satchel("count", "todo").output == "3\n")
    #expect(try satchel("count", "todo", "--where", "done = FALSE").output == "2\n")
    #expect(
      try satchel("count", "todo", "--by", "done").lines
        == [#"{"group":false,"value":2}"#, #"{"group":true,"value":1}"#])
    #expect(
      try satchel("count", "todo", "--by", "day").lines
        == (1...3).map {
          #"{"group":"2024-01-0\#($0)","from":"2024-01-0\#($0)T00:00:00Z","value":1}"#
        })
    #expect(
      Set(try satchel("count", "todo", "--by", "list").lines) == [
        #"{"group":null,"value":1}"#, #"{"group":{"$reference":["list","home"]},"value":1}"#,
        #"{"group":{"$reference":["list","work"]},"value":1}"#,
      ])
    #expect(
      try satchel("count", "todo", "--by", "owner", "--format", "table").lines
        == ["owner  count", "─────  ─────", "alice      2", "bob        1"])
  }

  @Test func explains() throws {
    let lines = try satchel("explain", "todo", "--where", "title = 'Rest'", "--run").lines
    #expect(lines.first == "todo where title = 'Rest'", "\(lines)")
    #expect(lines.contains { $0.hasPrefix("plan: ") && $0.contains("record") }, "\(lines)")
    let json = try satchel("explain", "todo", "--where", "done = TRUE", "--format", "json").output
    #expect(json.hasPrefix(#"{"plan":"todo where done = TRUE"#), "\(json)")
  }

  @Test func batchesNameTypes() throws {
    let exchanges = [
      (#"{"from":"todo","select":"count"}"#, #"{"count":3}"#),
      (
        #"{"from":"todo","where":"done = FALSE","sort":["-order"],"select":"identifiers"}"#,
        #"{"identifiers":["shop","write"]}"#
      ),
      (#"{"from":"todo","where":"order < 3"}"#, #"{"objects":[\#(SampleRecords.rest)]}"#),
      (#"{"from":"todo","id":["rest","none","work"]}"#, #"{"objects":[\#(SampleRecords.rest)]}"#),
      (#"{"from":"list","id":"work","select":"identifiers"}"#, #"{"identifiers":["work"]}"#),
      (#"{"from":"note"}"#, #"{"objects":[]}"#),
    ]
    let input = exchanges.map { $0.0 + "\n" }.joined()
    let lines = try satchel("query", "--batch", input: input).lines
    // Fields come in the order of their names.
    func sorted(_ line: String) throws -> NSDictionary {
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
    try #require(lines.count == exchanges.count)
    for (line, exchange) in zip(lines, exchanges) {
      #expect(try sorted(line) == sorted(exchange.1), "\(exchange.0): \(line)")
    }
  }

  static let errors: [([String], Int32, String)] = [
    (
      ["query", "tood"], 1,
      "satchel: No record type of that name is declared in the store (declared: list note todo, recordType: tood): "
        + "did you mean 'todo'?\n"
    ),
    (
      ["query", "tood", "--format", "csv"], 1,
      "No record type of that name is declared in the store (declared: list note todo"
    ),
    (["query", "tood", "--select", "count"], 1, "No record type of that name is declared in the store"),
    (["count", "mesages"], 1, "recordType: mesages): did you mean 'messages'?\n"),
    (
      ["count", "pictures"], 1,
      "recordType: pictures): other objects are conversations, messages, parts, announcements, identities\n"
    ),
    (["count", "tood"], 1, "No record type of that name is declared in the store"),
    (["explain", "tood"], 1, "No record type of that name is declared in the store"),
    (["watch", "tood"], 1, "No record type of that name is declared in the store"),
    (
      ["set", "tood", "x", "a=b"], 1,
      "No record type of that name is declared in the store (declared: list note todo"
    ),
    (
      ["delete", "tood", "x"], 1,
      "No record type of that name is declared in the store (declared: list note todo"
    ),
    (["query", "todo", "--where", "owner.name = 'x'"], 1, "There is no such queryable property"),
    (["query", "todo", "--columns", "createdAt.x"], 1, "There is no such queryable property"),
    (["query", "my todo"], 64, "'my todo' is invalid"),
    (["query", "todo", "--members-of", "lunch"], 1, "The members of a conversation are identities"),
    (["query", "todo", "--rank", "none"], 1, "there is no \"none\" in the list"),
  ]

  @Test(arguments: errors) func errorsSayWhatThereIs(
    _ arguments: [String], _ status: Int32, _ error: String
  ) throws {
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst())
    #expect(result.status == status && result.output == "", "\(arguments): \(result)")
    #expect(result.errors.contains(error) && !result.errors.isEmpty, "\(arguments): \(result.errors)")
  }

  /// Whatever takes the name of a record type takes no other word for records, and says which names there are.
  @Test(arguments: [
    ["query"], ["query", "--select", "count"], ["count"], ["explain"], ["watch"], ["aggregate"],
    ["aggregate", "--declare", "all"], ["set", "x", "a=b"], ["set", "x", "--create"], ["delete", "x"],
    ["index", "declare", "order", "--columns", "order"],
  ])
  func recordsAreNamedByTheirType(_ words: [String]) throws {
    var arguments = words
    arguments.insert(contentsOf: [store], at: words[0] == "index" ? 2 : 1)
    arguments.insert("records", at: words[0] == "index" ? 4 : 2)
    let result = try Tool.run(arguments)
    #expect(result.status == 64 && result.output == "", "\(arguments): \(result)")
    #expect(
      result.errors.contains(
        "'records' says of no type whose records are meant: give the name of a record type: list, note, todo\n"
      ),
      "\(arguments): \(result.errors)")
    // Without a store there are no names to tell.
    arguments[words[0] == "index" ? 2 : 1] = store + " none"
    let alone = try Tool.run(arguments)
    #expect(alone.status == 64, "\(arguments): \(alone)")
    #expect(alone.errors.contains("give the name of a record type\n"), "\(arguments): \(alone.errors)")
  }

  @Test func aLineOfABatchNamesTheTypeToo() throws {
    let result = try Tool.run(
      "query", store, "--batch",
      input: #"{"from":"records"}"# + "\n" + #"{"from":"records","id":"write"}"# + "\n")
    #expect(result.status == 0 && result.lines.count == 2)
    for line in result.lines {
      #expect(
        line.contains(#"{"error":{"code":"invalidValue","message":"A query for records names their type"#))
      #expect(line.contains("declared: list note todo"))
    }
  }

  @Test func watchesRecords() async throws {
    let watch = try await RunningWatch.start([store, "todo", "--where", "done = FALSE", "--sort", "order"])
    let changes: [(arguments: [String], printed: String)] = [
      (
        ["set", store, "todo", "rest", "done=false"],
        #""delete":[],"insert":[[0,"rest"]],"move":[],"update":[]"#
      ),
      (["set", store, "todo", "rest", "order=5"], #""delete":[],"insert":[],"move":[[0,1]],"update":[]"#),
      (["set", store, "todo", "write", "title=Written"], #""delete":[],"insert":[],"move":[],"update":[0]"#),
      (["delete", store, "todo", "write"], #""delete":[0],"insert":[],"move":[],"update":[]"#),
    ]
    for (count, change) in changes.enumerated() {
      let result = try Tool.run(change.arguments)
      #expect(result.status == 0, "\(result.errors)")
      let lines = try await watch.lines(atLeast: count + 2)
      #expect(lines.last?.contains(change.printed) == true, "\(change.arguments): \(lines.last ?? "")")
    }
    let lines = try watch.lines
    #expect(lines[0].hasSuffix(#""total":2,"identifiers":["write","shop"]}}"#), "\(lines[0])")
    #expect(try watch.list().identifiers == ["rest", "shop"])
    #expect(watch.end() == 0)
  }

  @Test func watchShowsRows() async throws {
    let watch = try await RunningWatch.start(
      [store, "todo", "--sort", "order", "--window", "1"], format: "table")
    #expect(try Tool.run("set", store, "todo", "rest", "title=Sleep").status == 0)
    let lines = try await watch.lines(atLeast: 5)
    #expect(watch.end() == 0)
    #expect(lines[0].hasPrefix("time          change   identifier  owner     updated"), "\(lines)")
    #expect(lines[2].hasSuffix("done=true order=1 plan.steps=2 title=Rest"), "\(lines)")
    #expect(lines[3].hasSuffix("3 in all"), "\(lines)")
    #expect(lines[4].contains("  * 0 ") && lines[4].hasSuffix("title=Sleep"), "\(lines)")
  }
}
