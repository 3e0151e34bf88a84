import Foundation
import LMDB
import Satchel
import SatchelCoding
import SatchelStorage
import Testing

/// `backup`, `export --since`, `verify --repair` and `salvage`, as people use them.
@Suite struct RescueTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  /// Changes the store's file through its own databases.
  private func change(_ database: String, _ key: KeyBytes, _ change: ([UInt8]) -> [UInt8]?) throws {
    var options = Store.Options()
    options.create = false
    let opened = try Store.open(directory: store, user: nil, options: options)
    defer { opened.close() }
    try opened.environment.write { transaction in
      let database = try opened.environment.database(database)
      try key.withUnsafeBytes { key in
        let old = try [UInt8](#require(try transaction.get(database, key)))
        if let new = change(old) {
          try new.withUnsafeBytes { try transaction.put(database, key, $0) }
        } else {
          _ = try transaction.delete(database, key)
        }
      }
    }
  }

  @Test(arguments: [[], ["--compact"], ["--no-verify"]]) func backup(_ flags: [String]) throws {
    let result = try Tool.run(["backup", store, directory("copy")] + flags)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.count == 1 && result.output.contains("up to commit"))
    #expect(result.output.contains("verified") == !flags.contains("--no-verify"))
    #expect(try Tool.run("export", directory("copy")).output == Tool.run("export", store).output)
    #expect(try Tool.run("verify", directory("copy")).status == 0)
    let again = try Tool.run("backup", store, directory("copy"))
    #expect(again.status == 1 && again.errors.contains("where nothing is"))
  }

  /// A place that cannot be one is refused before anything is made beside it.
  @Test func emptyPathsAreRefused() throws {
    let copy = "A copy of a store needs a path where nothing is"
    for (arguments, expected) in [
      (["backup", store, ""], copy), (["salvage", store, ""], copy),
      (["salvage", "", directory("copy")], "The path of a store is not empty"),
    ] {
      let result = try Tool.run(arguments)
      #expect(result.status == 1 && result.errors.contains(expected), "\(arguments): \(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: directory("copy")))
    let taken = try Tool.run("salvage", store, store)
    #expect(taken.status == 1 && taken.errors.contains(copy), "\(taken.errors)")
  }

  @Test func changesBringACopyUpToDate() throws {
    #expect(try Tool.run("backup", store, directory("copy")).status == 0)
    let nothing = try Tool.run("export", directory("copy"), "--since", "100000")
    #expect(nothing.status == 1 && nothing.output.isEmpty)
    let last = try Self.sequence(store)
    let changes = [
      Sample.header,
      #"{"kind":"message","identifier":"m4","conversation":"lunch","sender":"bob","parts":[{"mimeType":"text/plain","text":"new"}]}"#,
      #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#,
      #"{"kind":"delete","message":"m3"}"#,
    ]
    #expect(try Tool.run("import", store, directory.write("changes", lines: changes)).status == 0)
    let result = try Tool.run("export", store, directory("difference"), "--since", String(last))
    #expect(result.status == 0 && result.errors.contains("3 changes up to commit"), "\(result.errors)")
    #expect(result.errors.contains("--since \(try Self.sequence(store))"))
    let applied = try Tool.run("import", directory("copy"), directory("difference"))
    #expect(applied.status == 0 && applied.errors.isEmpty, "\(applied.errors)")
    #expect(try Tool.run("export", directory("copy")).output == Tool.run("export", store).output)
  }

  private static func sequence(_ store: String) throws -> Int {
    let statistics = try JSONSerialization.jsonObject(with: Data(Tool.run("stats", store).output.utf8))
    return try #require((statistics as? [String: Any])?["sequence"] as? Int)
  }

  @Test func repair() throws {
    let before = try Tool.run("export", store).output
    let sound = try Tool.run("verify", store, "--repair")
    #expect(sound.status == 0 && !sound.output.contains("repaired"), "\(sound.output)")
    try change("objects", ObjectKey.conversation(row: 0).bytes) { bytes in
      try? bytes.withUnsafeBytes { bytes in
        var fields = try ConversationView(bytes, row: 0).fields()
        fields.unreadCount = 40
        return fields.encode(row: 0)
      }
    }
    #expect(try Tool.run("verify", store).status == 4)
    let result = try Tool.run("verify", store, "--repair")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.lines.contains { $0.hasPrefix("conversations 0: ") })
    #expect(result.lines.contains { $0.hasPrefix("repaired: ") })
    #expect(result.lines.last?.hasSuffix("; 0 faults") == true)
    #expect(try Tool.run("export", store).output == before)
  }

  @Test func repairForPrograms() throws {
    func report(_ arguments: String...) throws -> (status: Int32, report: [String: Any]) {
      let result = try Tool.run(["verify", store, "--format", "json"] + arguments)
      return (result.status, try InspectionTests.object(result.output))
    }
    try change("objects", ObjectKey.conversation(row: 0).bytes) { bytes in
      try? bytes.withUnsafeBytes { bytes in
        var fields = try ConversationView(bytes, row: 0).fields()
        fields.unreadCount = 40
        return fields.encode(row: 0)
      }
    }
    let found = try report()
    #expect(found.status == 4 && found.report["repair"] == nil)
    let repaired = try report("--repair")
    #expect(repaired.status == 0 && repaired.report["faultCount"] as? Int == 0)
    let repair = try #require(repaired.report["repair"] as? [String: Any])
    #expect(repair["before"] as? NSDictionary == found.report as NSDictionary)
    #expect((repair["actions"] as? [String])?.isEmpty == false)
    #expect((repair["refusal"] as? [Any])?.isEmpty == true)
  }

  /// The page is lost on which every search for a node of an index begins.
  @Test func repairWithoutTheRootOfTheIndexes() throws {
    let declared = try Tool.run(
      "index", "declare", store, "words", "messages", "--columns", "words parts.text", "--build")
    #expect(declared.status == 0, "\(declared.errors)")
    let questions = [
      ["export", store, "-"], ["query", store, "messages", "--select", "count"],
      ["search", store, "noon", "--format", "json"],
      ["query", store, "messages", "--where", "identifier = 'm2'", "--format", "json"],
    ]
    let before = try questions.map { try Tool.run($0).output }
    let file = URL(fileURLWithPath: store + "/data.mdb")
    var bytes = [UInt8](try Data(contentsOf: file))
    let root = try Self.root(of: "nodes", in: bytes) * 4096
    bytes.replaceSubrange(root..<root + 4096, with: repeatElement(0, count: 4096))
    try Data(bytes).write(to: file)
    let found = try Tool.run("verify", store)
    #expect(found.status == 4)
    #expect(found.lines.contains { $0.hasPrefix("database nodes : page ") }, "\(found.output)")
    let result = try Tool.run("verify", store, "--repair")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      result.lines.contains { $0.hasPrefix("repaired: ") && $0.contains(" pages were given up") },
      "\(result.output)")
    #expect(result.lines.last?.hasSuffix("; 0 faults") == true)
    #expect(try questions.map { try Tool.run($0).output } == before)
  }

  /// The root page of one of LMDB's databases, in a file whose table of databases has one page.
  private static func root(of name: String, in bytes: [UInt8]) throws -> Int {
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: T.Type) -> Int {
      bytes.withUnsafeBytes { Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }
    let meta = number(144, UInt64.self) > number(4096 + 144, UInt64.self) ? 0 : 4096
    let table = number(meta + 128, UInt64.self) * 4096
    let nodes = (0..<(number(table + 12, UInt16.self) - 16) / 2).map { slot in
      table + number(table + 16 + 2 * slot, UInt16.self)
    }
    let key = Array(name.utf8)
    let node = try #require(
      nodes.first { Array(bytes[$0 + 8..<$0 + 8 + number($0 + 6, UInt16.self)]) == key })
    return number(node + 8 + key.count + 40, UInt64.self)
  }

  @Test func whatNoRepairMends() throws {
    try change("messages", MessageKey(conversation: 0, sequence: 2).bytes) { bytes in
      var bytes = bytes
      bytes[bytes.count - 10] ^= 1
      return bytes
    }
    let result = try Tool.run("verify", store, "--repair")
    #expect(result.status == 4 && result.output.contains("satchel salvage"), "\(result.output)")
    let json = try Tool.run("verify", store, "--repair", "--format", "json")
    let report = try InspectionTests.object(json.output)
    #expect(json.status == 4 && report["faultCount"] as? Int != 0)
    let refusal = (report["repair"] as? [String: Any])?["refusal"] as? [[String: String]]
    #expect(refusal?.first?["location"] == "messages", "\(json.output)")
    let saved = try Tool.run("salvage", store, directory("new"))
    #expect(saved.status == 3, "\(saved.errors)")
    #expect(saved.lines.contains { $0.contains("conversation 0, message 2 is damaged") }, "\(saved.output)")
    // The version before the damage is still in a page that the damage's commit gave up.
    #expect(saved.lines.contains("saved: 4 messages, 2 conversations, 2 identities, 1 announcements"))
    #expect(saved.lines.contains { $0.hasSuffix("0 announcements, 1 uncertain") })
    #expect(try Tool.run("verify", directory("new")).status == 0)
  }

  @Test func salvageOfASoundStore() throws {
    let result = try Tool.run("salvage", store, directory("new"))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(try Tool.run("export", directory("new")).output == Tool.run("export", store).output)
    #expect(try Tool.run("salvage", directory("none"), directory("other")).status == 1)
    #expect(!directory.exists("other"))
  }

  /// The journal's end is gone, of a store that a process had open: how far it went is in its head.
  @Test(arguments: [false, true]) func salvageOfAJournalWithoutItsEnd(isCut: Bool) throws {
    let live = try MessageStore(at: URL(fileURLWithPath: directory("live")), user: "alice")
    defer { live.close() }
    let conversation = try live.write { transaction in try transaction.conversation(with: ["bob"]).id }
    for number in 1...40 {
      try live.write { transaction in
        _ = try transaction.receive([.text("message \(number)")], in: conversation, from: "bob")
      }
    }
    let last = try live.read { $0.sequence }
    try FileManager.default.createDirectory(atPath: directory("left"), withIntermediateDirectories: false)
    for name in ["data.mdb", "journal", "journal.head"] {
      try FileManager.default.copyItem(atPath: directory("live/" + name), toPath: directory("left/" + name))
    }
    let whole = try Tool.run("salvage", directory("left"), directory("whole"))
    #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
    let journal = URL(fileURLWithPath: directory("left/journal"))
    var bytes = try Data(contentsOf: journal)
    if isCut { bytes = bytes.prefix(4096) } else { bytes.resetBytes(in: 4096 + 20 * 512..<bytes.count) }
    try bytes.write(to: journal)
    let saved = try Tool.run("salvage", directory("left"), directory("saved"))
    #expect(saved.status == 3, "\(saved.output)\(saved.errors)")
    let lost = saved.lines.first { $0.hasPrefix("lost: journal: commits ") }
    #expect(lost?.hasSuffix(" to \(last) are lost") == true, "\(saved.output)")
    #expect(saved.lines.last?.hasPrefix("lost: nobody knows how many") == true, "\(saved.output)")
  }

  @Test func salvageOfAFileWithoutABeginning() throws {
    let file = directory("store") + "/data.mdb"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    for index in 0..<8192 { bytes[index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    #expect(try Tool.run("verify", store).status != 0)
    let result = try Tool.run("salvage", store, directory("new"))
    #expect(result.status == 3, "\(result.errors)")
    #expect(try Tool.run("query", directory("new"), "messages", "--select", "count").output == "3\n")
  }
}
