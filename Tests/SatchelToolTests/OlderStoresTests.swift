import Foundation
import LMDB
import SatchelCoding
import TestSupport
import Testing

/// Stores that a program of each format wrote are read as they always were, become stores of the newest format when they
/// are opened for writing, and keep what they hold.
///
/// They were made once, by programs that wrote that format: an import, messages received and sent, metadata, consumers of
/// the log, aggregates (from format 2 on), deletions of which one is still in the purge queue, and an import that was
/// killed while it was staged. Every kind of record and every index is in them. The last commits of two of them are in the journal
/// alone, one of each version: the program that made them was killed. The store of format 8 is that of format 7, in which messages
/// were edited and deleted for everyone; that of format 9 is that of format 8 with what a server calls objects, and with deletions;
/// that of format 10 is that of format 9, in which messages with recipients, metadata and contents were changed and deleted;
/// that of format 11 is that of format 10, with values of metadata that are no texts; beside it is that of format 10 as it is in the middle
/// of getting the indexes of messages' metadata. That of format 12 is that of format 11, with indexes that were declared; that of format
/// 13 is that of format 12, with one that is unique; that of format 14 is that of format 13, with records of two types; that of
/// format 15 is that of format 14, with records whose references have actions, and with an index and an aggregate of them; that of
/// format 16 is that of format 15, with indexes of words.
@Suite struct OlderStoresTests {
  /// The format in which this program writes new stores.
  private static let newest: UInt32 = 16

  static let formats = [
    "1", "2", "3", "4", "5", "6", "6-journal", "7", "8", "9", "10", "11", "11-building", "12", "13",
    "14", "15", "16",
  ]

  /// A file of the goldens, which stand with those of the store's bytes.
  private static func golden(_ name: String) -> GoldenFile {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return GoldenFile("formats/" + name, besideFolderOf: tests.path + "/GoldenTests/Store/Tests.swift")
  }

  /// What an export of the store of a format says. The store of format 5 also has what came with that format, and later ones have
  /// some messages more.
  private static func export(_ format: String) -> String {
    ["1", "2", "3", "4"].contains(format) ? "export.jsonl" : "\(format).jsonl"
  }

  /// A copy of the store of a format.
  private static func copy(_ format: String, in directory: Tool.Directory) throws -> String {
    let store = directory("store")
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    for (file, name) in [("\(format).mdb.gz", "data.mdb"), ("\(format).journal.gz", "journal")] {
      let path = golden(file).url.path
      guard name == "data.mdb" || FileManager.default.fileExists(atPath: path) else { continue }
      let result = try Tool.shell("gunzip -c \"$1\" > \"$2\"", path, store + "/" + name)
      try #require(result.status == 0, "\(result.errors)")
    }
    return store
  }

  /// What the files of a store hold.
  private static func bytes(_ store: String) throws -> [Data?] {
    try ["data.mdb", "journal"].map { name in
      let path = store + "/" + name
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
  }

  private static func expectSound(_ store: String) throws {
    let result = try Tool.run("verify", store)
    #expect(result.status == 0 && result.lines.last?.hasSuffix(" 0 faults") == true, "\(result.output)")
  }

  private static func expect(_ text: String, isGolden name: String) throws {
    if let complaint = try golden(name).complaint(about: text) { Issue.record("\(complaint)") }
  }

  /// All records and the entries of all indexes, decoded.
  private static func dump(_ store: String, _ format: String) throws -> String {
    let withRecords = [
      "indexes", "declared.entries", "recordTypes", "records", "record.created", "record.identifier",
      "record.fields",
    ]
    let others = [
      "11-building": ["indexBuild", "message.metadata", "announcement.metadata"],
      "12": ["indexes", "declared.entries"], "13": ["indexes", "declared.entries"],
      "14": withRecords, "15": withRecords, "16": withRecords,
    ]
    var text = ""
    for table in (others[format] ?? []) + [
      "header", "seal", "messages", "conversations", "identities", "announcements", "bodies", "dictionaries",
      "log",
      "consumers", "purge", "staging", "aggregates", "message.created", "message.hidden", "message.place",
      "message.placeUnread", "message.when", "message.unread", "message.sender", "message.types",
      "message.identifier", "part.type", "conversation.rows", "conversation.created", "conversation.received",
      "conversation.sent", "conversation.unread", "conversation.member", "conversation.memberSet",
      "conversation.identifier", "identity.rows", "identity.user", "announcement.created",
      "announcement.when",
      "announcement.unread", "announcement.types", "message.identifierRecent", "message.placeSender",
      "message.unreadSender", "message.unsent", "message.received", "part.size", "conversation.metadata",
      "identity.name", "identity.metadata",
      "dictionary.text",
      "aggregate.totals", "deletions", "message.remoteID", "conversation.remoteID",
    ] {
      let result = try Tool.run("dump", store, table, "--format", "json")
      try #require(result.status == 0, "\(table): \(result.errors)")
      text += "# \(table)\n" + result.output
    }
    return text
  }

  @Test(arguments: formats) func isReadAsItAlwaysWas(_ format: String) throws {
    let directory = try Tool.Directory()
    let store = try Self.copy(format, in: directory)
    let before = try Self.bytes(store)
    try Self.expectSound(store)
    let export = try Tool.run("export", store)
    #expect(export.status == 0)
    try Self.expect(export.output, isGolden: Self.export(format))
    let dump = try Self.dump(store, format)
    try Self.expect(dump, isGolden: "\(format).dump")
    #expect(try Self.bytes(store) == before, "reading has changed the file")
  }

  @Test(arguments: formats) func becomesOneOfTheNewestFormat(_ format: String) throws {
    let directory = try Tool.Directory()
    let store = try Self.copy(format, in: directory)
    let line =
      #"{"kind":"message","identifier":"new","conversation":"lunch","sender":"bob","position":9000,"isUnread":true}"#
    let file = try directory.write("more.jsonl", lines: [Sample.header, line])
    let result = try Tool.run("import", store, file, "--as", "alice")
    try #require(result.status == 0, "\(result.errors)")
    try Self.expectSound(store)
    let header = try Tool.run("dump", store, "header", "--format", "json").output
    #expect(
      header.contains(#""format":\#(Self.newest),"minimumReader":\#(Self.newest),"indexSet":3"#), "\(header)")
    // What was deleted and what an import had not brought to its end is gone, the rest is what it was.
    #expect(try Tool.run("dump", store, "purge", "--format", "json").output == "")
    #expect(try Tool.run("dump", store, "staging", "--format", "json").output == "")
    // The messages are few, so that two commits have given the store the whole index of their metadata; or it was made without.
    #expect(try Tool.run("dump", store, "indexBuild", "--format", "json").output == "")
    let paths = try Tool.run("explain", store, "messages", "--where", "metadata.thread = 't2'").output
    #expect(
      paths.contains("message.metadata") == (!["11", "12", "13", "14", "15", "16"].contains(format)),
      "\(paths)")
    var expected = try Self.golden(Self.export(format)).read().split(separator: "\n").map(String.init)
    let last = try #require(expected.lastIndex { $0.hasPrefix(#"{"kind":"message""#) })
    expected.insert(line, at: last + 1)
    let found = try Tool.run("export", store).lines
    #expect(found.dropLast() == expected.dropLast()[...])
    #expect(found.count == expected.count)
    // Both ways to the unread messages of a sender agree: the index that conversion has built, and the records.
    let query = [
      "query", store, "messages", "--where", "sender.userID = 'bob' AND isUnread = TRUE", "--select", "count",
    ]
    let unread = found.count { $0.contains(#""sender":"bob""#) && $0.contains(#""isUnread":true"#) }
    #expect(try Tool.run(query).output.contains("\(unread)"))
  }

  /// Rewrites the header of a copy.
  private static func rewriteHeader(_ store: String, _ change: (inout StoreHeader) -> Void) throws {
    let environment = try Environment.open(
      directory: store, options: Environment.Options(databases: ["objects"], create: false))
    defer { environment.close() }
    let objects = try environment.database("objects")
    try environment.write { transaction in
      try ObjectKey.header.bytes.withUnsafeBytes { key in
        var header = try #require(try transaction.get(objects, key).map { try StoreHeader($0) })
        change(&header)
        try header.encode().withUnsafeBytes { try transaction.put(objects, key, $0) }
      }
    }
  }

  /// Each change of the header that makes it one of a later program.
  private static let later: [(String, @Sendable (inout StoreHeader) -> Void)] = [
    (
      "format",
      {
        $0.versions.format = newest + 1
        $0.versions.minimumReader = newest + 1
      }
    ),
    ("index set", { $0.versions.indexSet = 4 }),
  ]

  /// What a later program has written is refused by name, by every command, and not a byte of it changes.
  @Test(arguments: 0..<2) func aNewerOneIsRefusedByName(_ index: Int) throws {
    let directory = try Tool.Directory()
    let store = try Self.copy("5", in: directory)
    try Self.rewriteHeader(store, Self.later[index].1)
    let before = try Self.bytes(store)
    let file = try directory.write("more.jsonl", lines: [Sample.header])
    let format = index == 0 ? "\(Self.newest + 1)" : "5"
    for command in StoreErrorTests.commands.map({ $0.map { $0 == "STORE" ? store : $0 } })
      + [["import", store, file, "--as", "alice"]]
    {
      let result = try Tool.run(command)
      #expect(result.status != 0, "\(command)")
      let text = result.errors + result.output
      #expect(text.contains("A newer version of Satchel wrote the store"), "\(command): \(text)")
      #expect(
        text.contains("format: \(format)") && text.contains("supported: \(Self.newest)"),
        "\(command): \(text)")
    }
    #expect(try Self.bytes(store) == before)
  }

  /// A format that only adds what older programs need not know is read by this one, and stays what it is.
  @Test func aNewerOneThatThisProgramMayReadIsRead() throws {
    let directory = try Tool.Directory()
    let store = try Self.copy("5", in: directory)
    try Self.rewriteHeader(store) {
      $0.versions.format = Self.newest + 1
      $0.versions.minimumReader = Self.newest
    }
    try Self.expectSound(store)
    try Self.expect(try Tool.run("export", store).output, isGolden: Self.export("5"))
    let file = try directory.write("more.jsonl", lines: [Sample.header])
    #expect(try Tool.run("import", store, file, "--as", "alice").status == 0)
    let header = try Tool.run("dump", store, "header", "--format", "json").output
    #expect(header.contains(#""format":\#(Self.newest + 1),"minimumReader":\#(Self.newest)"#), "\(header)")
  }
}
