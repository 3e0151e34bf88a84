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
