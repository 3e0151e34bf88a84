import Foundation
import Satchel
import Testing

/// `satchel index`, as people use it.
@Suite struct IndexCommandTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    let lines =
      [Sample.header.replacing("\"version\":1", with: "\"version\":2")]
      + (0..<20).map { number in
        #"{"kind":"message","identifier":"t\#(number)","conversation":"lunch","sender":"bob","metadata":{"kind":"\#(number % 2 == 0 ? "ticket" : "note")","priority":\#(number % 5),"tags":["a","t\#(number % 3)"]}}"#
      }
    try #require(try Tool.run("import", store, directory.write("tickets", lines: lines)).status == 0)
  }

  private func index(_ arguments: String...) throws -> Tool.Result { try Tool.run(["index"] + arguments) }

  private static let tickets =
    #"{"name":"tickets","from":"messages","where":"metadata.kind = 'ticket'","columns":["-metadata.priority","sentAt"],"entries":10,"isComplete":true,"progress":1.0}"#

  @Test func anIndexIsDeclaredListedUsedAndDropped() throws {
    #expect(try index("list", store).output == "")
    #expect(try index("list", store, "--format", "table").lines.last == "no indexes")
    let declared = try index(
      "declare", store, "tickets", "messages", "--where", "metadata.kind = \"ticket\"", "--columns",
      "-metadata.priority, sentAt")
    #expect(declared.status == 0 && declared.lines == [Self.tickets], "\(declared.errors)")
    let tags = try index("declare", store, "tags", "messages", "--columns", "each metadata.tags,position")
    #expect(tags.status == 0, "\(tags.errors)")
    #expect(
      try index("list", store).lines == [
        Self.tickets,
        #"{"name":"tags","from":"messages","columns":["each metadata.tags","position"],"entries":63,"isComplete":true,"progress":1.0}"#,
      ])
    let table = try index("list", store, "--format", "table").lines
    #expect(
      table[0].hasPrefix("name") && table[2].hasPrefix("tickets       10  100 %  messages where"), "\(table)")
    #expect(table.last?.hasSuffix("messages by each metadata.tags, position") == true, "\(table)")
    let plan = try Tool.run(
      "explain", store, "messages", "--where", "metadata.kind = 'ticket'", "--sort",
      "-metadata.priority,sentAt", "--format", "table")
    #expect(plan.output.contains("* tickets"), "\(plan.output)")
    let again = try index(
      "declare", store, "tickets", "messages", "--where", "metadata.kind = 'ticket'", "--columns",
      "-metadata.priority,sentAt")
    #expect(again.lines == [Self.tickets])
    let other = try index("declare", store, "tickets", "messages", "--columns", "sentAt")
    #expect(other.status == 1 && other.errors.contains("declared otherwise"), "\(other.errors)")
    let replaced = try index("declare", store, "tickets", "messages", "--columns", "sentAt", "--replacing")
    #expect(
      replaced.lines.map { $0.contains(#""columns":["sentAt"],"entries":23"#) } == [true], "\(replaced)")
    let dropped = try index("drop", store, "tickets")
    #expect(dropped.status == 0 && dropped.output == "", "\(dropped.errors)")
    #expect(try index("list", store).lines.count == 1)
    let missing = try index("drop", store, "tickets")
    #expect(missing.status == 1 && missing.errors.contains("No index of that name"), "\(missing.errors)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func anIndexOfWordsIsDeclaredAndShown() throws {
    let declared = try index("declare", store, "kinds", "messages", "--columns", "words metadata.kind")
    let line =
      #"{"name":"kinds","from":"messages","columns":["words metadata.kind"],"entries":41,"isComplete":true,"progress":1.0}"#
    #expect(declared.lines == [line], "\(declared.errors)")
    #expect(try index("list", store).lines == [line])
    let dump = try Tool.run("dump", store, "declared.entries", "--format", "table").output
    #expect(dump.contains("kinds, terms") && dump.contains("kinds, lengths"), "\(dump)")
    #expect(dump.contains("kinds, totalLength") && dump.contains("ticket"), "\(dump)")
    #expect(try Tool.run("dump", store, "indexes", "--format", "table").output.contains("words"))
    let wrong = try index("declare", store, "both", "messages", "--columns", "words metadata.kind, sentAt")
    #expect(wrong.status == 1 && wrong.errors.contains("no other column"), "\(wrong.errors)")
    #expect(try Tool.run("verify", store).status == 0)
    #expect(try index("drop", store, "kinds").status == 0)
    #expect(try Tool.run("dump", store, "declared.entries").output.isEmpty)
  }

  @Test func anAdviceIsWhatTheIndexThenDoes() throws {
    let opened = try MessageStore(existingAt: store)
    try opened.write { tx in
      for number in 0..<500 {
        try tx.receive(
          [], in: "lunch", from: "bob", id: Message.ID("n\(number)"), position: Int64(number),
          metadata: ["kind": number % 10 == 0 ? "ticket" : "note"])
      }
    }
    opened.close()
    let question = ["messages", "--where", "metadata.kind = 'ticket'", "--sort", "sentAt", "--limit", "5"]
    let table = try Tool.run(["explain", store] + question + ["--advise"])
    #expect(
      table.lines.last?.hasPrefix(
        "advice: declare an index of messages by metadata.kind, sentAt: 60 of its 523 entries, ") == true,
      "\(table.output)")
    let json = try Tool.run(["explain", store] + question + ["--advise", "--format", "json"]).output
    #expect(
      json.contains(#""advice":{"columns":["metadata.kind","sentAt"],"entries":523,"path":{"index":"#),
      "\(json)")
    #expect(
      try index("declare", store, "kinds", "messages", "--columns", "metadata.kind, sentAt").status == 0)
    let after = try Tool.run(["explain", store] + question + ["--advise"])
    #expect(after.output.contains("* kinds"), "\(after.output)")
    #expect(after.lines.last == "advice: no index would be of more use", "\(after.output)")
  }

  /// More objects than a declaration looks at: the command goes on until all have their entries.
  @Test func aLargeIndexIsBuiltToItsEnd() throws {
    let opened = try MessageStore(existingAt: store)
    try opened.write { tx in
      for number in 0..<5000 {
        try tx.receive([], in: "lunch", from: "bob", id: Message.ID("n\(number)"), position: Int64(number))
      }
    }
    opened.close()
    let built = try index("declare", store, "all", "messages", "--columns", "position", "--build")
    #expect(built.status == 0, "\(built.errors)")
    #expect(built.output.contains(#""entries":5023,"isComplete":true"#), "\(built.output)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func aUniqueIndexIsDeclaredKeptAndRefused() throws {
    let opened = try MessageStore(existingAt: store)
    try opened.write { tx in
      for number in 0..<1500 {
        try tx.receive(
          [], in: "lunch", from: "bob", id: Message.ID("n\(number)"),
          metadata: ["order": .integer(Int64(number % 1499))])
      }
    }
    opened.close()
    let refused = try index(
      "declare", store, "orders", "messages", "--columns", "metadata.order", "--unique", "--build")
    #expect(refused.status == 1 && refused.errors.contains("n0 = n1499"), "\(refused)")
    let listed = try index("list", store)
    #expect(listed.output.contains(#""doubles":[["n0","n1499"]],"isRefused":true"#), "\(listed.output)")
    let table = try index("list", store, "--format", "table").lines
    #expect(table.contains { $0.contains("refused  unique messages by metadata.order") }, "\(table)")
    #expect(try Tool.run("dump", store, "indexes").output.contains("doubles[0].first"))
    try #require(try Tool.run("delete", store, "messages", "n1499").status == 0)
    let built = try index(
      "declare", store, "orders", "messages", "--columns", "metadata.order", "--unique", "--build")
    #expect(built.status == 0 && built.output.contains(#""unique":true"#), "\(built)")
    let sent = try Tool.run("set", store, "messages", "n7", "metadata.order:=8")
    #expect(sent.status == 1 && sent.errors.contains("n8"), "\(sent)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// What is of the records of a type is declared by the type's name.
  @Test func aRecordTypeStandsWhereAKindDoes() throws {
    let opened = try MessageStore(existingAt: store)
    let todo = RecordType("todo") { $0.boolean("done") }
    try opened.declare(todo)
    try opened.write { tx in
      for number in 0..<6 {
        try tx.save(
          Record(
            todo, name: "t\(number)",
            [
              "done": .boolean(number % 3 == 0), "order": .integer(Int64(number)),
              "list": .reference(Reference(type: "list", name: "l\(number % 2)")),
            ]))
      }
    }
    opened.close()
    let declared = try index(
      "declare", store, "open", "todo", "--where", "done = FALSE", "--columns", "list,-order")
    #expect(
      declared.lines == [
        #"{"name":"open","from":"todo","where":"done = FALSE","columns":["list","-order"],"entries":4,"isComplete":true,"progress":1.0}"#
      ], "\(declared.errors)")
    let plan = try Tool.run(
      "explain", store, "todo", "--where", "done = FALSE", "--sort", "list,-order", "--format", "table")
    #expect(plan.output.contains("* open"), "\(plan)")
    let table = try index("list", store, "--format", "table").lines
    #expect(table.last?.hasSuffix("todo where done = FALSE by list, -order") == true, "\(table)")
    let unknown = try index("declare", store, "x", "tood", "--columns", "order")
    #expect(unknown.status == 1 && unknown.errors.contains("No record type of that name"), "\(unknown)")
    let counted = try Tool.run(
      "aggregate", store, "todo", "--where", "done = FALSE", "--by", "list", "--declare", "open")
    #expect(
      counted.lines == [
        #"{"group":{"$reference":["list","l0"]},"value":2}"#,
        #"{"group":{"$reference":["list","l1"]},"value":2}"#,
      ], "\(counted)")
    #expect(
      try Tool.run("aggregate", store).lines == [
        #"{"name":"open","from":"todo","where":"done = FALSE","by":"list"}"#
      ])
    let groups = try Tool.run("aggregate", store, "--named", "open", "--format", "table").lines
    #expect(groups.last?.split(separator: "  ").first == "REFERENCE('list', 'l1')", "\(groups)")
    let group = try Tool.run("aggregate", store, "--named", "open", "--group", "REFERENCE('list', 'l1')")
    #expect(group.lines == ["2"], "\(group)")
    let stats = try Tool.run("stats", store, "--format", "table").output
    #expect(stats.contains("aggregate open: todo where done = FALSE by list, 2 groups"), "\(stats)")
    #expect(stats.contains("declared  open: todo where done = FALSE by list, -order"), "\(stats)")
    for table in ["indexes", "aggregates"] {
      let dump = try Tool.run("dump", store, table, "--format", "hex").output
      #expect(dump.contains(#"# recordType: "todo""#), "\(dump)")
    }
    #expect(try Tool.run("dump", store, "aggregate.totals").output.contains("l0"))
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func wrongArgumentsSayWhatWouldBeRight() throws {
    for (arguments, expected) in [
      (["list", store, "tickets"], "index list takes no name"),
      (["list", store, "--as", "alice"], "--as and --wait go with index declare and index drop"),
      (["list", store, "--build"], "--build goes with index declare"),
      (["drop", store, "a", "--unique"], "--unique goes with index declare"),
      (["drop", store], "satchel index drop STORE NAME"),
      (["drop", store, "a", "--columns", "sentAt"], "--columns goes with index declare"),
      (["declare", store, "a", "messages"], "satchel index declare STORE NAME messages --columns sentAt"),
      (["make", store], "list"),
    ] {
      let result = try Tool.run(["index"] + arguments)
      #expect(result.status == 64 && result.errors.contains(expected), "\(arguments): \(result.errors)")
    }
    for (columns, expected) in [
      ("", "not a column"), ("sentAt,", "not a column"), ("parts.text", "no texts of parts"),
      ("sender.displayName", "properties of the object itself"), ("nothing", "nothing"),
    ] {
      let result = try index("declare", store, "a", "messages", "--columns", columns)
      #expect(result.status == 1 && result.errors.contains(expected), "\(columns): \(result.errors)")
    }
    let ofParts = try index("declare", store, "a", "parts", "--columns", "size")
    #expect(ofParts.status == 1 && !ofParts.errors.isEmpty)
    let user = try index("declare", store, "a", "messages", "--columns", "sentAt", "--as", "bob")
    #expect(user.status == 1, "\(user.errors)")
    #expect(try index("list", store).output == "")
  }

  /// In the shell the store stands where the command wants it, whatever comes first.
  @Test func theShellPutsTheStoreInItsPlace() throws {
    let result = try Tool.run(
      ["shell", store, "--as", "alice"],
      input: """
        index declare tags messages --columns 'each metadata.tags, position'
        index --format json list
        index drop tags
        index list

        """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.count == 2 && result.lines.first == result.lines.last, "\(result.output)")
    #expect(result.lines.first?.contains(#""name":"tags""#) == true)
  }
}
