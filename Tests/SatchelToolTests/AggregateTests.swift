import Foundation
import Satchel
import Testing

/// Aggregates that one process has declared, and another one's writes.
@Suite struct AggregateTests {
  private static let unread = Aggregate(
    named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation)

  private static let more = [
    Sample.header,
    #"{"kind":"conversation","identifier":"tea","participants":["alice","bob"]}"#,
    #"{"kind":"message","identifier":"m4","conversation":"tea","sender":"bob","isUnread":true}"#,
    #"{"kind":"message","identifier":"m5","conversation":"lunch","sender":"bob","isUnread":true}"#,
    #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#,
  ]

  private static func declared(in directory: Tool.Directory) throws -> MessageStore {
    let store = try MessageStore(existingAt: Sample.make(in: directory))
    try store.declare(unread)
    return store
  }

  @Test func anImportOfAnotherProcessIsCounted() throws {
    let directory = try Tool.Directory()
    let store = try Self.declared(in: directory)
    #expect(try store.values(of: Self.unread) == [AggregateValue(group: "lunch", value: 2)])
    let file = try directory.write("more.jsonl", lines: Self.more)
    let result = try Tool.run("import", directory("store"), file)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try store.count(Message.filter { $0.isUnread }) == 3)
    #expect(
      try store.values(of: Self.unread) == [
        AggregateValue(group: "lunch", value: 2), AggregateValue(group: "tea", value: 1),
      ])
    #expect(try Tool.run("verify", directory("store")).status == 0)
  }

  /// Numbers of metadata: computed, declared, followed, shown and dropped.
  @Test func sumsAndExtremesOfMetadata() throws {
    let directory = try Tool.Directory()
    let path = try Sample.make(in: directory)
    let values = ["0.1", "0.2", "9007199254740993", "\"text\"", "{\"$date\":\"2024-01-03T12:00:00Z\"}", "-5"]
    let file = try directory.write(
      "costs.jsonl",
      lines: [Sample.header.replacing("\"version\":1", with: "\"version\":2")]
        + values.enumerated().map { number, value in
          #"{"kind":"message","identifier":"c\#(number)","conversation":"lunch","sender":"bob","metadata":{"cost":\#(value),"team":"\#(number < 2 ? "a" : "b")"}}"#
        })
    #expect(try Tool.run("import", path, file).status == 0)
    func aggregate(_ arguments: String...) throws -> [String] {
      let result = try Tool.run(["aggregate", path] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      return result.lines
    }
    let sum = ["messages", "--by", "metadata.team", "--sum", "metadata.cost"]
    let sums = [#"{"group":"a","value":0.30000000000000004}"#, #"{"group":"b","value":9007199254740988}"#]
    #expect(try Tool.run(["aggregate", path] + sum).lines == sums)
    #expect(try Tool.run(["aggregate", path] + sum + ["--declare", "cost"]).lines == sums)
    #expect(try aggregate("--named", "cost") == sums)
    #expect(try aggregate("--named", "cost", "--group", "a") == ["0.30000000000000004"])
    #expect(try aggregate("--named", "cost", "--group", "z") == ["0"])
    #expect(try aggregate("messages", "--min", "metadata.cost", "--declare", "least") == ["-5"])
    #expect(try aggregate("messages", "--max", "metadata.cost", "--declare", "greatest") == [#""text""#])
    #expect(try aggregate("--named", "greatest", "--format", "table") == ["text"])
    #expect(try Tool.run("delete", path, "messages", "c5", "c3").status == 0)
    #expect(try aggregate("--named", "least") == ["0.1"])
    #expect(try aggregate("--named", "greatest") == [#"{"$date":"2024-01-03T12:00:00Z"}"#])
    #expect(try aggregate("--named", "cost", "--group", "b") == ["9007199254740993"])
    #expect(
      try aggregate("--named", "cost", "--format", "table") == [
        "metadata.team  sum of metadata.cost", "─────────────  ────────────────────",
        "a               0.30000000000000004", "b                  9007199254740993",
      ])
    #expect(
      try aggregate() == [
        #"{"name":"cost","from":"messages","by":"metadata.team","sum":"metadata.cost"}"#,
        #"{"name":"least","from":"messages","min":"metadata.cost"}"#,
        #"{"name":"greatest","from":"messages","max":"metadata.cost"}"#,
      ])
    let dump = try Tool.run("dump", path, "aggregate.totals", "--format", "table").output
    #expect(dump.contains("a, limb 44") && dump.contains("without a value, value 0.1"), "\(dump)")
    let definition = try Tool.run("dump", path, "aggregates", "--key", "cost", "--format", "hex")
    #expect(definition.output.contains("# flags: 5, grouped exactSum"), "\(definition.output)")
    let stats = try Tool.run("stats", path, "--format", "table").output
    #expect(stats.contains("aggregate cost: sum of metadata.cost of messages by metadata.team, 2 groups\n"))
    #expect(stats.contains("aggregate least: minimum of metadata.cost of messages, 1 groups\n"), "\(stats)")
    #expect(try Tool.run("verify", path).status == 0)
    #expect(try Tool.run("aggregate", path, "--drop", "greatest").status == 0)
    #expect(try Tool.run("verify", path).status == 0)
  }

  /// A sum beyond the greatest Double is a number all the same.
  @Test func aSumBeyondADouble() throws {
    let directory = try Tool.Directory()
    let path = try Sample.make(in: directory)
    let lines = ["1.5e308", "1.5e308", "-1.5e308"].enumerated().map { number, value in
      #"{"kind":"message","identifier":"c\#(number)","conversation":"lunch","sender":"bob","metadata":{"cost":\#(value)}}"#
    }
    let header = Sample.header.replacing("\"version\":1", with: "\"version\":2")
    #expect(try Tool.run("import", path, directory.write("costs.jsonl", lines: [header] + lines)).status == 0)
    let sum = ["aggregate", path, "messages", "--sum", "metadata.cost", "--where"]
    for (condition, json, text) in [
      ("metadata.cost > 0", "1e999", "inf"), ("metadata.cost != nil", "1.5e+308", "1.5e+308"),
    ] {
      #expect(try Tool.run(sum + [condition]).lines == [json])
      #expect(try Tool.run(sum + [condition, "--format", "table"]).lines == [text])
      let groups = try Tool.run(sum + [condition, "--by", "conversation"])
      #expect(groups.lines == [#"{"group":"lunch","value":\#(json)}"#])
    }
  }

  @Test func dumpAndStatsShowThem() throws {
    let directory = try Tool.Directory()
    let store = try Self.declared(in: directory)
    store.close()
    let path = directory("store")
    let definition = try Tool.run("dump", path, "aggregates", "--key", "unread", "--format", "hex")
    #expect(definition.output.contains("# predicate: \"isUnread = TRUE\""), "\(definition.output)")
    let totals = try Tool.run("dump", path, "aggregate.totals", "--format", "json")
    #expect(totals.lines.count == 1)
    let fields = try #require(
      try JSONSerialization.jsonObject(with: Data(totals.output.utf8)) as? [String: Any])
    #expect(fields["text"] as? String == "lunch" && fields["total"] as? Int == 2, "\(totals.output)")
    let stats = try Tool.run("stats", path, "--format", "table").output
    #expect(stats.contains("aggregate unread: messages where isUnread = TRUE by conversation, 1 groups\n"))
    #expect(stats.contains("aggregate.totals"), "\(stats)")
  }
}
