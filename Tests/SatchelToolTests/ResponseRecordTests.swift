import Foundation
import Satchel
import Testing

/// Reactions and replies at the command line: they are records as all others.
@Suite struct ResponseRecordTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    let opened = try MessageStore(existingAt: store)
    try opened.declare(StoreFeature.reactions.recordType, StoreFeature.threads.recordType)
    try opened.write { tx in
      for (user, kind) in [("bob", "👍"), ("alice", "👍"), ("alice", "a/b")] {
        try tx.save(
          Record(
            StoreFeature.reactions.recordType,
            name: "m1/\(kind.replacing("/", with: "%2F"))/\(user)",
            [
              "message": .reference(Message.ID("m1")), "user": .reference(Identity.ID(user)),
              "kind": .text(kind), "state": "pending",
            ]))
      }
      try tx.save(
        Record(
          StoreFeature.threads.recordType, name: "m3",
          ["message": .reference(Message.ID("m3")), "parent": .reference(Message.ID("m1"))]))
    }
    opened.close()
  }

  private func satchel(_ arguments: String...) throws -> Tool.Result {
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst())
    #expect(result.status == 0 && result.errors == "", "\(arguments): \(result.errors)")
    return result
  }

  @Test func theyAreQueriedCountedAndChanged() throws {
    #expect(
      try satchel("query", "_reaction", "--where", "kind = '👍'", "--select", "identifiers").lines
        == [#""m1/👍/bob""#, #""m1/👍/alice""#])
    #expect(
      try satchel("query", "_reaction", "--where", "message.sender.userID = 'bob'", "--select", "count")
        .output
        == "3\n")
    #expect(
      try satchel(
        "query", "_reply", "--where", "parent = REFERENCE('messages', 'm1')", "--select", "identifiers"
      )
      .lines == [#""m3""#])
    #expect(try satchel("count", "_reaction", "--by", "kind").lines.count == 2)
    _ = try satchel("set", "_reaction", "m1/👍/alice", "state=sent")
    #expect(
      try satchel("query", "_reaction", "--where", "state = 'sent'", "--select", "count").output == "1\n")
    let refused = try Tool.run("set", store, "_reaction", "m1/👍/alice", "kind=👎")
    #expect(refused.status == 1 && refused.errors.contains("m1/👎/alice"), "\(refused.errors)")
    // What is missing is named as it is typed.
    let lacking = try Tool.run("set", store, "_reply", "m2", "--create")
    #expect(
      lacking.status == 1 && lacking.errors.contains("message: a reference, such as messages/NAME")
        && !lacking.errors.contains("REFERENCE"), "\(lacking.errors)")
    _ = try satchel("set", "_reply", "m2", "--create", "message=messages/m2", "parent=messages/m1")
    #expect(
      try satchel("stats", "--format", "table").output.contains("_reply (message: reference to messages"))
    _ = try satchel("verify")
  }

  /// A server may give the message a name later.
  @Test func theyAreMeantByEachNameOfTheirMessage() throws {
    let opened = try MessageStore(existingAt: store)
    try opened.write { try $0.confirm(Message.ID("m1"), as: Message.ID("srv/1")) }
    opened.close()
    for (message, part) in [("m1", "m1"), ("srv/1", "srv%2F1")] {
      func names(_ type: String, _ arguments: String...) throws -> [String] {
        try Tool.run(["query", store, type, "--select", "identifiers"] + arguments).lines
      }
      #expect(try names("_reply", "--where", "parent = REFERENCE('messages', '\(message)')") == [#""m3""#])
      #expect(try names("_reaction", "--after", "\(part)/👍/alice") == [#""m1/a%2Fb/alice""#])
      #expect(try names("_reaction", "--before", "\(part)/👍/alice") == [#""m1/👍/bob""#])
      #expect(try satchel("query", "_reaction", "--rank", "\(part)/👍/alice").output == "1\n")
      #expect(try satchel("query", "messages", "--rank", message).output == "0\n")
      let line = #"{"from":"_reaction","id":["\#(part)/👍/alice","\#(part)/👎/bob"],"select":"identifiers"}"#
      #expect(
        try Tool.run("query", store, "--batch", input: line + "\n").lines
          == [#"{"identifiers":["m1/👍/alice"]}"#])
    }
  }

  /// What conversations are to the user is counted by, and shown in columns.
  @Test func conversationsAreCountedByWhatTheyAreToTheUser() throws {
    let opened = try MessageStore(existingAt: store)
    let type = StoreFeature.participations.recordType
    try opened.declare(type)
    try opened.write { tx in
      try tx.save(
        Record(
          type, name: "lunch/alice",
          [
            "conversation": .reference(Conversation.ID("lunch")), "user": .reference(Identity.ID("alice")),
            "role": "admin", "isPinned": true,
            "pinnedAt": .date(Timestamp(microseconds: 1_704_283_200_000_000)),
          ]))
    }
    opened.close()
    for (arguments, line) in [
      (["conversations", "--by", "my.role"], #"{"group":"admin","value":1}"#),
      (["conversations", "--by", "my.isMuted"], #"{"group":false,"value":1}"#),
      (["messages", "--by", "conversation.my.role"], #"{"group":"admin","value":3}"#),
      (
        ["conversations", "--by", "day", "--date", "my.pinnedAt"],
        #"{"group":"2024-01-03","from":"2024-01-03T00:00:00Z","value":1}"#
      ),
    ] { #expect(try Tool.run(["count", store] + arguments).lines == [line], "\(arguments)") }
    #expect(
      try satchel("query", "messages", "--columns", "conversation.my.role", "--limit", "1").lines == [
        #"{"conversation.my.role":"admin"}"#
      ])
    // A message has it by its conversation; what is declared has it not at all.
    let column = try Tool.run("query", store, "messages", "--columns", "my.role")
    #expect(column.status == 1 && column.errors.contains("conversation.my.role"), "\(column.errors)")
    let declared = try Tool.run("aggregate", store, "conversations", "--by", "my.role", "--declare", "roles")
    #expect(
      declared.status == 1 && declared.errors.contains("no declared index and no aggregate has it"),
      "\(declared.errors)")
    let file = try directory.write(
      "index.jsonl",
      lines: [
        SampleRecords.header,
        #"{"kind":"index","name":"roles","from":"conversations","columns":["my.role"]}"#,
      ])
    let imported = try Tool.run("import", store, file)
    #expect(
      imported.status == 1 && imported.errors.contains("no declared index and no aggregate has it"),
      "\(imported.errors)")
  }

  /// The store keeps reactions and replies, and nothing else of the library's.
  @Test(arguments: [
    ["query", "conversations", "--where", "my.isPinned = TRUE"],
    ["query", "conversations", "--columns", "identifier,my.isPinned"],
    ["query", "messages", "--columns", "conversation.my.role", "--where", "FALSEPREDICATE"],
    ["query", "conversations", "--sort", "my.pinnedAt"], ["query", "_participation"],
    ["count", "conversations", "--by", "my.role"], ["set", "_participation", "c/alice", "role=admin"],
  ])
  func whatIsOffIsNamed(_ arguments: [String]) throws {
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst())
    #expect(result.status == 1 && result.output == "", "\(arguments): \(result)")
    #expect(
      result.errors.contains("The store keeps no states of participants: switch them on first")
        && result.errors.contains("store.enable(.participations)"), "\(arguments): \(result.errors)")
  }

  @Test func theyGoOutAndIn() throws {
    let lines = try satchel("export").lines
    #expect(lines.filter { $0.contains(#""type":"_reaction""#) }.count == 3)
    let copy = directory("copy")
    let result = try Tool.run("import", copy, directory.write("chat.jsonl", lines: lines), "--as", "alice")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try Tool.run("export", copy).lines.filter { $0.contains("_re") } == lines.filter { $0.contains("_re") })
    // Another type of such a name is refused.
    let other = try directory.write(
      "other.jsonl",
      lines: [SampleRecords.header, #"{"kind":"recordType","name":"_mine","fields":{"title":"text"}}"#])
    let refused = try Tool.run("import", store, other)
    #expect(refused.status == 1 && refused.errors.contains("_mine"), "\(refused.errors)")
    // One of the library's that is declared otherwise is refused by what differs.
    let reply = lines.first { $0.contains(#""name":"_reply""#) } ?? ""
    let differing = reply.replacing(#","onDelete":{"message":"cascade"}"#, with: "")
    let file = try directory.write("reply.jsonl", lines: [SampleRecords.header, differing])
    let otherwise = try Tool.run("import", store, file)
    #expect(differing != reply && otherwise.status == 1)
    #expect(
      otherwise.errors.contains("onDelete: nullify") && otherwise.errors.contains("onDelete: cascade")
        && !otherwise.errors.contains("parent"), "\(otherwise.errors)")
  }
}
