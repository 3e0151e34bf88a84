import Foundation
import Satchel
import Testing

/// `explain`, `stats`, `dump` and `verify`.
@Suite struct InspectionTests {
  static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func statsTellWhereTheBytesGo() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let space = try Self.object(try Tool.run("stats", store, "--space", "--format", "json").output)
    let parts = try #require(space["parts"] as? [String: [String: Int]])
    let file = try FileManager.default.attributesOfItem(atPath: store + "/data.mdb")
    #expect(parts.values.reduce(0) { $0 + ($1["bytes"] ?? 0) } == space["fileBytes"] as? Int)
    #expect(space["fileBytes"] as? Int == file[.size] as? Int)
    #expect((parts["messages"]?["used"] ?? 0) > 0)
    #expect((parts["message.place"]?["used"] ?? 0) > 0)
    let table = try Tool.run("stats", store, "--space", "--format", "table").output
    #expect(table.contains("message.place"))
    #expect(table.contains(" bytes of free pages"))
  }

  @Test func explainShowsPathsAndTheChosenOne() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let plan = try Self.object(
      try Tool.run(
        "explain", store, "messages", "--where", "sentAt > '2024-01-01T18:00:00Z'", "--format", "json"
      ).output)
    let paths = try #require(plan["paths"] as? [[String: Any]])
    let chosen = try #require(plan["chosen"] as? Int)
    #expect(paths.indices.contains(chosen))
    for path in paths {
      for key in ["index", "bounds", "cardinality", "cost"] { #expect(path[key] != nil) }
    }
    #expect((plan["plan"] as? String)?.contains("plan: ") == true)
    #expect(plan["seconds"] == nil)

    let run = try Self.object(
      try Tool.run(
        "explain", store, "messages", "--where", "sentAt > '2024-01-01T18:00:00Z'", "--run", "--format",
        "json"
      ).output)
    #expect(run["returned"] as? Int == 2)
    for key in ["nodesRead", "entriesRead", "recordsRead", "seconds"] { #expect(run[key] != nil) }
  }

  /// Also in a pipe: a plan is for people, who pass it on to `less` or into a report.
  @Test func explainReadsWell() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let lines = try Tool.run("explain", store, "messages", "--select", "count", "--run").lines
    #expect(lines.first == "count messages")
    #expect(lines.contains { $0.hasPrefix("plan: ") })
    #expect(lines.contains { $0.hasPrefix("* ") })
    #expect(lines.last?.hasPrefix("read: ") == true)
  }

  @Test func statsCountsTablesAndIndexes() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let stats = try Self.object(try Tool.run("stats", store).output)
    let tables = try #require(stats["tables"] as? [String: [String: Int]])
    let indexes = try #require(stats["indexes"] as? [String: [String: Int]])
    #expect(tables["messages"]?["entries"] == 4)
    #expect(tables["conversations"]?["entries"] == 2)
    #expect(indexes["message.created"]?["entries"] == 3)
    #expect(indexes["message.hidden"]?["entries"] == 1)
    for part in tables.merging(indexes, uniquingKeysWith: { first, _ in first }).values {
      #expect(Set(part.keys) == ["entries", "bytes", "height"])
    }
    for key in ["fileBytes", "freeBytes", "sequence", "readers"] { #expect(stats[key] is Int) }
    let paths = try #require(stats["metadataPaths"] as? [String: Int])
    #expect(
      paths == [
        "registered": 1, "conversation.metadata": 1, "identity.metadata": 0, "message.metadata": 0,
        "announcement.metadata": 0,
      ])
    let table = try Tool.run("stats", store, "--format", "table")
    #expect(
      table.lines.contains {
        $0.hasPrefix("paths     1 of metadata, ") && $0.contains("1 of them in conversation.metadata")
          && $0.contains("0 of them in message.metadata")
      })
    #expect(table.lines.contains { $0.hasPrefix("message.created ") })
    #expect(table.lines.contains("user      alice"))
    for column in ["entries", "bytes", "height"] {
      #expect(table.lines.contains { $0.contains("\(column): ") }, "\(column) is not explained")
      #expect(try Tool.run("stats", "--help").output.contains("\(column) "))
    }
  }

  /// All declared indexes are in one tree: each tells of its part.
  @Test func statsTellWhatEachDeclaredIndexTakes() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    for (name, columns) in [("by date", "sentAt"), ("texts", "words parts.text")] {
      let result = try Tool.run("index", "declare", store, name, "messages", "--columns", columns)
      try #require(result.status == 0, "\(result.errors)")
    }
    // Bytes are those of data.mdb, into which this brings what the journal has.
    try #require(try Tool.run("compact", store).status == 0)
    let stats = try Self.object(try Tool.run("stats", store).output)
    let declared = try #require(stats["declaredIndexes"] as? [String: [String: Int]])
    let tree = try #require((stats["indexes"] as? [String: [String: Int]])?["declared.entries"])
    let (dates, texts) = (try #require(declared["by date"]), try #require(declared["texts"]))
    #expect(Set(dates.keys) == ["entries", "aboutBytes"])
    #expect(Set(texts.keys) == ["entries", "aboutBytes", "objects", "words"])
    #expect(dates["entries"] == 3 && texts["objects"] == 3, "\(declared)")
    #expect(try #require(texts["words"]) > 10 && #require(texts["entries"]) > 10, "\(declared)")
    #expect(try #require(dates["aboutBytes"]) > 0, "\(declared)")
    #expect(try #require(texts["aboutBytes"]) > #require(dates["aboutBytes"]), "\(declared)")
    let sum = try #require(texts["aboutBytes"]) + #require(dates["aboutBytes"])
    #expect(abs(sum - (try #require(tree["bytes"]))) <= 10, "\(declared), \(tree)")
    let table = try Tool.run("stats", store, "--format", "table").lines
    #expect(
      table.contains {
        $0.hasPrefix("declared  texts: messages by words parts.text, complete, ")
          && $0.contains(" entries, about \(texts["aboutBytes"] ?? -1) bytes, of ")
          && $0.hasSuffix(" words in 3 objects")
      }, "\(table)")
    #expect(
      table.contains { $0.hasPrefix("declared  by date: ") && $0.hasSuffix(" bytes") }, "\(table)")
  }

  @Test func consumersAreShown() throws {
    let directory = try Tool.Directory()
    let path = try Sample.make(in: directory)
    let store = try MessageStore(existingAt: path)
    let consumer = try store.consumer(named: "search index")
    try store.write { tx in try tx.setFollowed(true, "carol") }
    let read = try consumer.acknowledged
    store.close()
    let stats = try Self.object(try Tool.run("stats", path).output)
    let consumers = try #require(stats["consumers"] as? [[String: Any]])
    #expect(consumers.count == 1)
    #expect(consumers[0]["name"] as? String == "search index")
    #expect(consumers[0]["readCommit"] as? Int == Int(read))
    #expect(consumers[0]["isBehind"] as? Bool == false)
    let log = try #require(stats["log"] as? [String: Int])
    #expect(log["first"] == 1)
    #expect(log["entries"] == 2)
    let lines = try Tool.run("stats", path, "--format", "table").lines
    #expect(lines.contains { $0.hasPrefix("log       from commit 1 on, 2 entries, ") })
    #expect(lines.contains("consumer  search index has read commit \(read), 1 behind"))
    let dump = try Tool.run("dump", path, "consumers", "--key", "search index")
    #expect(try Self.object(dump.output)["readCommit"] as? Int == Int(read))
    #expect(try Tool.run("dump", path, "consumers", "--key", "1").output == dump.output)
    #expect(try Tool.run("dump", path, "consumers", "--key", "search").status == 1)
    #expect(try Tool.run("verify", path).status == 0)
  }

  @Test func recordTypesAreShown() throws {
    let directory = try Tool.Directory()
    let path = try Sample.make(in: directory)
    #expect(try Tool.run("stats", path).output.contains(#","types":[],"#))
    let store = try MessageStore(existingAt: path)
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.reference("list", to: list)
      $0.number("share")
    }
    try store.declare(list, todo, RecordType("note"))
    try store.write { tx in
      for name in ["a", "b"] { try tx.save(Record(todo, name: name, ["share": 0.5])) }
      try tx.save(Record(list, name: "work"))
    }
    try store.declare(Index(named: "tasks", on: todo) { [$0.list, $0.share.descending, $0.tags.list] })
    try store.declare(Index(named: "tickets", on: Message.self) { [$0.sentAt] })
    try store.declare(Aggregate(named: "per list", counting: todo.query, groupedBy: { $0.list.reference }))
    store.close()
    let lines = try Tool.run("stats", path, "--format", "table").lines
    #expect(
      lines.filter { $0.hasPrefix("type ") } == [
        "type      list (title: text), 1 records",
        "type      todo (list: reference to list, share: number), 2 records; "
          + "index tasks (list, -share, each tags); aggregate per list",
        "type      note, 0 records",
      ])
    let types =
      #"[{"name":"list","fields":{"title":"text"},"records":1,"indexes":[],"aggregates":[]},"#
      + #"{"name":"todo","fields":{"list":"reference to list","share":"number"},"records":2,"#
      + #""indexes":[{"name":"tasks","columns":["list","-share","each tags"]}],"aggregates":["per list"]},"#
      + #"{"name":"note","fields":{},"records":0,"indexes":[],"aggregates":[]}]"#
    #expect(try Tool.run("stats", path).output.contains(#","types":\#(types),"#))
    // Record by record, of the file.
    let dump = try Tool.run("dump", path, "recordTypes", "--format", "hex").output
    let shown = [
      #"# name: "todo""#, #"# fields[0].name: "list""#, "# fields[0].type: 6, reference",
      #"# fields[0].to: "list""#, #"# fields[1].name: "share""#, "# fields[1].type: 2, number",
    ]
    for text in shown {
      #expect(dump.contains(text), "\(text) of \(dump)")
    }
    for (table, name) in [("indexes", "tasks"), ("aggregates", "per list")] {
      let dump = try Tool.run("dump", path, table, "--key", name, "--format", "hex").output
      #expect(dump.contains(#"# recordType: "todo""#) && dump.contains(#"# name: "\#(name)""#), "\(dump)")
    }
  }

  @Test func dumpExplainsARecordByteByByte() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run("dump", store, "messages", "--key", "m3", "--format", "hex")
    #expect(
      result.lines.dropLast() == [
        "0/3  (57 bytes)",
        "     0  01                                   # kind: message",
        "     1  02                                   # version 2",
        "     2  0f                                   # flags: 15, isSent isUnread hasPosition hasSentAt",
        "     3  00                                   # reserved",
        "     4  01000000                             # sender: 1, bob",
        "     8  03000000 00000000                    # position: 3",
        "    16  0090bb5a 090e0600                    # sentAt: 2024-01-03T12:00:00Z",
        "    24  00000000 00000000                    # no receivedAt",
        "    32  00000000                             # typeSet: 0, text/plain",
        "    36  02                                   # 2 bytes of the identifier",
        "    37  00                                   # 0 bytes of the recipients",
        "    38  00                                   # 0 bytes of the metadata",
        "    39  01                                   # 1 parts",
        "    40  6d33                                 # identifier: \"m3\"",
        "    42  08                                   # parts[0]: text",
        "    43  00                                   # parts[0].mimeType: 0, text/plain",
        "    44  04                                   # parts[0].length: 4",
        "    45  46696e65                             # parts[0].content: \"Fine\"",
      ])
    #expect(result.lines.last?.contains("# checksum: ") == true)
  }

  @Test func dumpShowsEveryTableInEveryFormat() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let stats = try Self.object(try Tool.run("stats", store).output)
    let indexes = try #require(stats["indexes"] as? [String: [String: Int]])
    let tables = [
      "header": 1, "seal": 1, "messages": 4, "conversations": 2, "identities": 2, "announcements": 1,
      "bodies": 0,
      "log": 1, "consumers": 0, "purge": 0, "staging": 0, "aggregates": 0, "deletions": 0,
    ]
    for (table, count) in tables.merging(
      indexes.mapValues { $0["entries"] ?? 0 }, uniquingKeysWith: { first, _ in first })
    {
      let json = try Tool.run("dump", store, table)
      #expect(json.status == 0, "\(table): \(json.errors)")
      #expect(json.lines.count == count, "\(table)")
      for line in json.lines { #expect(try Self.object(line)["key"] != nil) }
      #expect(try Tool.run("dump", store, table, "--format", "table").lines.count == count)
      #expect(try Tool.run("dump", store, table, "--format", "hex").status == 0)
      #expect(try Tool.run("dump", store, table, "--limit", "1").lines.count == min(count, 1))
      // Every key that is printed is one that finds its record.
      if let first = json.lines.first, let key = try Self.object(first)["key"] as? String,
        !table.contains(".")
      {
        #expect(try Tool.run("dump", store, table, "--key", key).lines == [first])
      }
    }
    #expect(try Tool.run("dump", store).lines.count == 2)
    let nodes = try Tool.run("dump", store, "nodes", "--format", "hex")
    #expect(!nodes.output.contains("undecodedFrom"))
  }

  @Test func dumpSaysWhatItDoesNotFind() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let table = try Tool.run("dump", store, "pictures")
    #expect(table.status == 1)
    #expect(
      table.errors.hasPrefix("satchel: there is no table or index \"pictures\": header, seal, messages, "))
    let key = try Tool.run("dump", store, "messages", "--key", "nobody")
    #expect(key.status == 1)
    #expect(key.errors == "satchel: there is nothing under the key \"nobody\"\n")
  }

  @Test func verifyCountsWhatIsSound() throws {
    let directory = try Tool.Directory()
    let result = try Tool.run("verify", try Sample.make(in: directory))
    #expect(result.status == 0)
    #expect(result.lines.count == 1)
    #expect(result.output.hasPrefix("checked: "))
    #expect(result.output.hasSuffix(" nodes; 0 faults\n"))
    let json = try Tool.run("verify", directory("store"), "--format", "json")
    #expect(json.status == 0 && json.lines.count == 1)
    let report = try Self.object(json.output)
    #expect(Set(report.keys) == ["records", "indexEntries", "nodes", "faultCount", "faults"])
    let counts = ["records", "indexEntries", "nodes"].map { report[$0] as? Int ?? -1 }
    #expect(
      result.output
        == "checked: \(counts[0]) records, \(counts[1]) index entries, \(counts[2]) nodes; 0 faults\n")
    #expect((report["faults"] as? [Any])?.isEmpty == true)
  }

  /// A changed byte of a text: verify names the record and ends with 4, dump still shows it.
  @Test func verifyFindsDamage() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = URL(fileURLWithPath: store + "/data.mdb")
    var content = try Data(contentsOf: file)
    while let range = content.range(of: Data("Fine".utf8)) { content[range.lowerBound] = UInt8(ascii: "f") }
    try content.write(to: file)
    let result = try Tool.run("verify", store)
    #expect(result.status == 4)
    #expect(result.errors == "")
    #expect(result.lines.contains { $0.hasPrefix("messages 0/3: ") })
    #expect(result.lines.last?.hasPrefix("checked: ") == true)
    #expect(result.lines.last?.hasSuffix(" 0 faults") == false)
    let json = try Tool.run("verify", store, "--format", "json")
    #expect(json.status == 4 && json.lines.count == 1)
    let report = try Self.object(json.output)
    let faults = try #require(report["faults"] as? [[String: String]])
    #expect(report["faultCount"] as? Int == faults.count)
    #expect(
      result.lines.dropLast()
        == faults.map { "\($0["location"] ?? "") \($0["key"] ?? ""): \($0["finding"] ?? "")" })
    let dump = try Tool.run("dump", store, "messages", "--key", "0/3", "--format", "hex")
    #expect(dump.output.contains("\"fine\""))
    #expect(dump.lines.last?.hasSuffix(", wrong") == true)
    let query = try Tool.run("query", store, "messages")
    #expect(query.status == 1)
    #expect(query.errors.hasPrefix("satchel: The store is damaged: "))
  }
}
