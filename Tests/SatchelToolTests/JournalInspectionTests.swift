import Foundation
import Satchel
import Testing

/// What inspectors say of a store whose last commits are in its journal.
@Suite struct JournalInspectionTests {
  /// A store with five messages, of which each came with a commit. It is open, so that the last of them are in the journal.
  private static func makeStore(_ path: String) throws -> MessageStore {
    let store = try MessageStore(at: URL(fileURLWithPath: path), user: "alice")
    let conversation = try store.write { transaction in try transaction.conversation(with: ["bob"]).id }
    for number in 1...5 {
      try store.write { transaction in
        _ = try transaction.receive([.text("message \(number)")], in: conversation, from: "bob")
      }
    }
    return store
  }

  private static func objects(_ arguments: String...) throws -> [[String: Any]] {
    let result = try Tool.run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try result.lines.map(InspectionTests.object)
  }

  @Test func bothSealsAreShown() throws {
    let directory = try Tool.Directory()
    let path = directory("store")
    let store = try Self.makeStore(path)
    let last = Int(try store.read { $0.sequence })
    let seals = try Self.objects("dump", path, "seal")
    #expect(seals.map { $0["in"] as? String } == ["data.mdb", "journal"])
    #expect(seals.last?["commit"] as? Int == last)
    #expect(seals.last?["messages.count"] as? Int == 5)
    // FORMAT.md, 5.8: the journal's last record, which is not a part of the trees.
    for seal in seals {
      #expect(seal["journal.last.commit"] is Int)
      #expect((seal["journal.last.chain"] as? String)?.count == 16)
    }
    #expect(seals.last?["undecoded"] == nil && seals.last?["undecodedFrom"] == nil)
    let first = try #require(seals.first?["commit"] as? Int)
    #expect(first < last)
    let stats = try #require(try Self.objects("stats", path).first)
    #expect(stats["sequence"] as? Int == last)
    #expect(stats["dataSequence"] as? Int == first)
    let lines = try Tool.run("stats", path, "--format", "table").lines
    #expect(lines.contains("journal   has \(last - first) commits after \(first), the last one of data.mdb"))
    let table = try Tool.run("dump", path, "seal", "--format", "table").lines
    #expect(table.map { $0.hasPrefix("seal  in=data.mdb ") } == [true, false])
    #expect(table.last?.hasPrefix("seal  in=journal ") == true)
    #expect(try Tool.run("dump", path, "seal", "--format", "hex").output.contains(" in journal)\n"))
    store.close()
    // The last process to close it has taken all commits to data.mdb.
    let seal = try Self.objects("dump", path, "seal")
    #expect(seal.count == 1 && seal.first?["commit"] as? Int == last)
    #expect(seal.first?["in"] == nil)
    #expect(seal.first?["journal.last.commit"] == nil)
    #expect(seal.first?["trees"] as? String != nil)
    #expect(try Self.objects("stats", path).first?["dataSequence"] as? Int == last)
  }

  /// Whatever of the journal is damaged: its first sector, its length.
  @Test(arguments: ["header", "0", "300", "4096", "5000"]) func aDamagedJournalIsAFaultForVerify(
    _ kind: String
  ) throws {
    let directory = try Tool.Directory()
    let store = try Self.makeStore(directory("live"))
    defer { store.close() }
    let path = directory("left")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in ["data.mdb", "journal"] {
      try FileManager.default.copyItem(atPath: directory("live/" + name), toPath: path + "/" + name)
    }
    #expect(try Tool.run("verify", path).status == 0)
    var journal = try Data(contentsOf: URL(fileURLWithPath: path + "/journal"))
    if let length = Int(kind) { journal = journal.prefix(length) } else { journal[100] ^= 1 }
    try journal.write(to: URL(fileURLWithPath: path + "/journal"))
    let verify = try Tool.run("verify", path)
    #expect(verify.status == 4 && verify.lines.count == 2, "\(verify.output)\(verify.errors)")
    let json = try Tool.run("verify", path, "--format", "json")
    #expect(json.status == 4 && json.output.contains("satchel salvage"), "\(json.output)")
    for command in [["query", path, "messages"], ["export", path], ["stats", path]] {
      let result = try Tool.run(command)
      #expect(result.status == 1 && result.errors.hasPrefix("satchel: The journal is damaged"), "\(command)")
    }
    for text in [verify.output, try Tool.run("stats", path).errors] {
      #expect(text.contains("satchel salvage") && text.contains(path + "/journal"), "\(text)")
      #expect(!text.contains("move"), "\(text)")
    }
    // Without the head, nothing tells that all has been taken.
    let saved = try Tool.run("salvage", path, directory("saved"))
    #expect(saved.status == 3, "\(saved.output)\(saved.errors)")
  }

  @Test func everyRecordAndRowSaysWhereItIs() throws {
    let directory = try Tool.Directory()
    let path = directory("store")
    let store = try Self.makeStore(path)
    defer { store.close() }
    let messages = try Self.objects("dump", path, "messages")
    let places = messages.map { $0["in"] as? String }
    #expect(messages.count == 5)
    #expect(places.first == "data.mdb" && places.last == "journal")
    let rows = try Self.objects("dump", path, "message.created")
    #expect(rows.map { $0["in"] as? String } == places)
    let texts = try Self.objects("dump", path, "dictionary.text")
    #expect(texts.map { $0["in"] as? String } == Array(repeating: "data.mdb", count: texts.count))
    for node in try Self.objects("dump", path, "nodes") { #expect(node["in"] as? String == "data.mdb") }
    // The conversation's record has the number of its messages.
    #expect(try Self.objects("dump", path, "conversations").first?["in"] as? String == "journal")
    let stats = try #require(try Self.objects("stats", path).first)
    let indexes = try #require(stats["indexes"] as? [String: [String: Int]])
    #expect(indexes["message.created"]?["entries"] == 5)
  }
}
