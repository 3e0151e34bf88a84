import Foundation
import SatchelCoding
import Testing

@Suite struct ImportTests {
  @Test func saysWhatCame() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("in.jsonl", lines: Sample.lines)
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    #expect(result.status == 0)
    #expect(result.output == "4 messages, 2 conversations, 2 identities, 1 announcements, 0 lines rejected\n")
    #expect(
      result.errors
        == "satchel: 1 of the messages is not visible: alice does not participate in its conversation\n")
  }

  @Test func saysWhatWasChanged() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let changes = [
      #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#,
      #"{"kind":"update","identity":"bob","set":{"displayName":"Bob"}}"#,
      #"{"kind":"delete","message":"m3"}"#,
    ]
    func summary(_ lines: some Sequence<String>) throws -> String {
      try Tool.run("import", store, "-", input: ([Sample.header] + lines).map { $0 + "\n" }.joined()).output
    }
    let added = "0 messages, 0 conversations, 0 identities, 0 announcements, 0 lines rejected"
    #expect(try summary(changes) == "\(added), 2 updates, 1 deletes\n")
    #expect(try summary(changes.prefix(1)) == "\(added), 1 updates\n")
    #expect(try summary([#"{"kind":"delete","message":"m2"}"#]) == "\(added), 1 deletes\n")
  }

  @Test func readsStandardInput() throws {
    let directory = try Tool.Directory()
    let input = Sample.lines.map { $0 + "\n" }.joined()
    #expect(try Tool.run("import", directory("store"), "-", "--as", "alice", input: input).status == 0)
  }

  /// Identifiers of one hash are told apart while they are staged: the hash is no secret, so that anybody can make such ones.
  @Test func identifiersOfOneHash() throws {
    let pair = ["c000000000000550A123AK6DD456DN9G", "c000000000000550l0wKMWxMi5pNHRwN"]
    #expect(KeyWords.identifierHash(Array(pair[0].utf8)) == KeyWords.identifierHash(Array(pair[1].utf8)))
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    var lines = [Sample.header]
    for identifier in pair {
      lines.append(#"{"kind":"conversation","identifier":"\#(identifier)","participants":["alice","bob"]}"#)
    }
    for identifier in pair {
      lines.append(
        #"{"kind":"message","identifier":"\#(identifier)","conversation":"\#(identifier)","sender":"bob","position":1}"#
      )
    }
    let file = try directory.write("pair.jsonl", lines: lines)
    let result = try Tool.run("import", store, file)
    #expect(result.status == 0, "\(result.errors)")
    for identifier in pair {
      let found = try Tool.run(
        "query", store, "messages", "--where", "conversation.identifier = '\(identifier)'", "--format", "json"
      )
      #expect(found.output.contains(#""identifier":"\#(identifier)""#), "\(found.output)\(found.errors)")
    }
    for index in 3...4 {
      let again = try directory.write(
        "again\(index).jsonl", lines: [lines[0]] + lines[1...2] + [lines[index], lines[index]])
      #expect(try Tool.run("import", directory("new\(index)"), again, "--as", "alice").status != 0)
    }
    #expect(try Tool.run("verify", store).status == 0)
  }

  static let conversation = #"{"kind":"conversation","identifier":"c","participants":["alice","bob"]}"#
  static let message = #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob"}"#

  /// Lines that are rejected, each as the fourth of a file.
  static let badLines: [(line: String, reason: String)] = [
    (
      #"{"kind":"message","identifier":"n","conversation":"nowhere","sender":"bob"}"#,
      "No conversation has that identifier (conversation: nowhere)"
    ),
    (message, "A message or announcement with that identifier is in the store already (message: m)"),
    (
      #"{"kind":"conversation","identifier":"d","metadata":{"bad key":"x"}}"#,
      "metadata.'bad key' has a key of other characters than A-Z a-z 0-9 _ -, which needs version 2 of the format"
    ),
    (
      #"{"kind":"conversation","identifier":"d","metadata":{"k":"\#(String(repeating: "x", count: 2049))"}}"#,
      "A metadata value has at most 2048 UTF-8 bytes (bytes: 2049, keyPath: k)"
    ),
    (
      #"{"kind":"conversation","identifier":""}"#,
      "An identifier is at least one character and has no NUL (conversation: )"
    ),
    (#"{"kind":"picture"}"#, #"unknown kind "picture""#),
    (#"{"kind":"identity""#, "not JSON: column 19: expected ',' or '}', found the end"),
  ]

  @Test(arguments: badLines.indices) func aBadLineEndsIt(_ index: Int) throws {
    let (line, reason) = Self.badLines[index]
    let directory = try Tool.Directory()
    let file = try directory.write("in.jsonl", lines: [Sample.header, Self.conversation, Self.message, line])
    let strict = try Tool.run("import", directory("store"), file, "--as", "alice")
    #expect(strict.status == 1)
    #expect(strict.errors == "satchel: line 4: \(reason)\n")
    #expect(strict.output == "")
    #expect(!directory.exists("store"))

    let lenient = try Tool.run("import", directory("store"), file, "--as", "alice", "--skip-invalid")
    #expect(lenient.status == 3)
    #expect(lenient.errors == "line 4: \(reason)\n")
    #expect(
      lenient.output == "1 messages, 1 conversations, 0 identities, 0 announcements, 1 lines rejected\n")
  }

  @Test func textThatIsNotUTF8IsRejected() throws {
    let directory = try Tool.Directory()
    let line = Array(#"{"kind":"identity","userID":""#.utf8) + [0xC3] + Array(#""}"#.utf8)
    let file = try directory.write("in.jsonl", Array((Sample.header + "\n").utf8) + line)
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    #expect(result.status == 1)
    #expect(result.errors == "satchel: line 2: not JSON: column 30: expected UTF-8, found byte 0xC3\n")
  }

  /// A line over 64 MiB, made of a hole in the file.
  @Test func aLineOverTheLimitIsRejected() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("in.jsonl", lines: [Sample.header])
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    try handle.truncate(atOffset: 65 << 20)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\n\(Self.conversation)\n".utf8))
    try handle.close()
    let result = try Tool.run("import", directory("store"), file, "--as", "alice", "--skip-invalid")
    #expect(result.status == 3)
    #expect(result.errors == "line 2: longer than 67108864 bytes\n")
    #expect(result.output == "0 messages, 1 conversations, 0 identities, 0 announcements, 1 lines rejected\n")
  }

  @Test func warnsOfUnknownKeys() throws {
    let directory = try Tool.Directory()
    let file = try directory.write(
      "in.jsonl",
      lines: [
        Sample.header, #"{"kind":"identity","userID":"u","color":"red","size":1}"#,
        #"{"kind":"update","identity":"u","set":{"colour":"red","color":"blue"}}"#,
      ])
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    #expect(result.status == 0)
    #expect(
      result.errors
        == "satchel: warning: 4 unknown keys were ignored, first: color (line 2), size (line 2), colour (line 3)\n"
    )
  }

  @Test func aCutOffExportIsRefused() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let whole = try Tool.run("export", store)
    let lines = whole.lines.dropLast()
    let file = try directory.write("cut.jsonl", lines: Array(lines))
    let result = try Tool.run("import", directory("copy"), file, "--as", "alice")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "satchel: the file is cut off behind line \(lines.count): its header announces a trailer, and there is none\n"
    )
    #expect(!directory.exists("copy"))
  }

  @Test func theUserHasToBeRight() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("in.jsonl", lines: [Sample.header])
    let unnamed = try Tool.run("import", directory("new"), file)
    #expect(unnamed.status == 1)
    #expect(
      unnamed.errors
        == "satchel: there is no store at \(directory("new")): --as names the user of a new one\n")

    let store = try Sample.make(in: directory)
    let other = try Tool.run("import", store, file, "--as", "bob")
    #expect(other.status == 1)
    #expect(
      other.errors.hasPrefix(
        "satchel: The store belongs to another user: open it as that one (owner: alice, "))
    #expect(try Tool.run("import", store, file).status == 0)
    #expect(try Tool.run("import", store, file, "--as", "alice").status == 0)
  }

  @Test func changesGoThroughImport() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let changes = try directory.write(
      "changes.jsonl",
      lines: [
        Sample.header, #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#,
        #"{"kind":"delete","message":"m2"}"#,
        #"{"kind":"update","conversation":"lunch","metadata":{"set":{"theme.color":"red"},"remove":["title"]}}"#,
      ])
    #expect(try Tool.run("import", store, changes).status == 0)
    let unread = try Tool.run(
      "query", store, "messages", "--where", "isUnread = TRUE", "--select", "identifiers")
    #expect(unread.output == "\"m3\"\n")
    let red = try Tool.run(
      "query", store, "conversations", "--where", "metadata.theme.color = 'red' AND metadata.title = nil",
      "--select",
      "count")
    #expect(red.output == "1\n")
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func aFileThatCannotBeReadIsOneLine() throws {
    let directory = try Tool.Directory()
    let missing = try Tool.run("import", directory("store"), directory("none"), "--as", "alice")
    #expect(missing.status == 1)
    #expect(missing.errors == "satchel: cannot read \(directory("none")): No such file or directory\n")
    let folder = try Tool.run("import", directory("store"), directory.path, "--as", "alice")
    #expect(folder.status == 1)
    #expect(folder.errors.contains("it is a directory"))
  }

  /// A write that does not fit the disk leaves the store as it was; a limit on the size of files stands for the disk.
  @Test func aFullDiskLeavesTheStoreAsItWas() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let before = try Tool.run("export", store).output
    let chat = try Tool.run("generate", "--messages", "3000").output
    let file = try directory.write("chat.jsonl", chat.utf8)
    let result = try Tool.shell(
      "trap '' XFSZ; ulimit -f 600; \"$satchel\" import \"$1\" \"$2\"", store, file)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("satchel: "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try Tool.run("export", store).output == before)
    #expect(try Tool.run("verify", store).status == 0)
  }
}
