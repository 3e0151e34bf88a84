import Foundation
import Testing

/// What steers a terminal, turns the direction of text or cannot be seen reaches no terminal, whatever shows it; programs
/// get it as it is.
@Suite struct DisplayTests {
  /// Written out, not computed as the program does.
  static let unsafe: [UInt32] =
    Array(1...31) + [0x7F] + Array(0x80...0x9F) + [0xAD, 0x34F, 0x61C, 0x115F, 0x3164]
    + Array(0x200B...0x200F) + [0x2028, 0x2029] + Array(0x202A...0x202E) + [0x2060, 0x2061]
    + Array(0x2066...0x2069) + [0xFEFF, 0xFFF9, 0xFFA0, 0xE0001] + Array(0xE0020...0xE007F)

  static var text: String {
    var scalars = String.UnicodeScalarView()
    for value in unsafe { if let scalar = Unicode.Scalar(value) { scalars.append(scalar) } }
    return "<" + String(scalars) + "é午🎒❤️>"
  }

  /// A store all of whose texts and identifiers have every such character.
  static func make(in directory: Tool.Directory) throws -> String {
    func json(_ value: Any) throws -> String {
      String(
        decoding: try JSONSerialization.data(withJSONObject: value, options: [.withoutEscapingSlashes]),
        as: UTF8.self)
    }
    let lines = [
      Sample.header,
      try json(["kind": "identity", "userID": "u" + text, "displayName": text]),
      try json([
        "kind": "conversation", "identifier": "c" + text, "participants": ["alice", "u" + text],
        "metadata": ["title": text],
      ]),
      try json([
        "kind": "message", "identifier": "m" + text, "conversation": "c" + text, "sender": "u" + text,
        "position": 1,
        "isUnread": true, "parts": [["mimeType": "text/plain", "text": text]],
      ]),
      try json([
        "kind": "announcement", "identifier": "a" + text, "sender": "u" + text,
        "parts": [["mimeType": "text/plain", "text": text]],
      ]),
    ]
    let result = try Tool.run(
      "import", directory("store"), directory.write("chat.jsonl", lines: lines), "--as", "alice")
    try #require(result.status == 0, "\(result.errors)")
    return directory("store")
  }

  static func expectSafe(_ text: String, _ arguments: [String]) {
    let found = text.unicodeScalars.filter { $0 != "\n" && unsafe.contains($0.value) }
    #expect(found.isEmpty, "\(arguments): \(found.prefix(5).map { String($0.value, radix: 16) })")
  }

  static let views: [[String]] =
    ["conversations", "messages", "parts", "announcements", "identities"].flatMap { kind in
      [
        ["query", "STORE", kind, "--format", "table"], ["query", "STORE", kind, "--format", "json"],
        ["query", "STORE", kind, "--select", "identifiers", "--format", "table"],
        ["query", "STORE", kind, "--select", "identifiers", "--format", "json"],
      ]
    }
    + ["messages", "conversations", "identities", "announcements", "dictionaries", "log", "identity.name"]
    .flatMap {
      table in ["table", "json", "hex"].map { ["dump", "STORE", table, "--format", $0] }
    }
    + [
      ["stats", "STORE", "--format", "table"], ["stats", "STORE", "--format", "json"], ["export", "STORE"],
      ["verify", "STORE"],
      ["explain", "STORE", "messages", "--where", "text CONTAINS 'TEXT'", "--format", "table"],
      ["explain", "STORE", "messages", "--where", "text CONTAINS 'TEXT'", "--format", "json"],
      ["query", "STORE", "messages", "--where", "nothing = 'TEXT'"],
      ["query", "STORE", "TEXT"], ["query", "STORE TEXT", "messages"], ["export", "STORE", "/nowhere/TEXT"],
      ["import", "STORE", "/nowhere/TEXT"], ["dump", "STORE", "TEXT"],
    ]

  @Test func everyViewAtATerminalIsSafe() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    for view in Self.views {
      let arguments = view.map {
        $0.replacing("STORE", with: store).replacing("TEXT", with: String(Self.text.dropFirst(1)))
      }
      let result = try TerminalRun.run(arguments)
      #expect(!result.text.isEmpty)
      Self.expectSafe(result.text, view)
    }
    let batch =
      #"{"from":"messages","select":"objects"}"# + "\n" + #"{"from":"\#(Self.text.filter { $0 > " " })"}"#
      + "\n"
    let result = try TerminalRun.run(["query", store, "--batch"], input: batch)
    #expect(result.text.split(separator: "\n").count == 2)
    Self.expectSafe(result.text, ["--batch"])
  }

  /// At a terminal it is the same JSON; elsewhere it is the text itself, except what JSON escapes.
  @Test func jsonMeansTheSame() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    for arguments in [
      ["query", store, "messages", "--format", "json"], ["dump", store, "messages", "--format", "json"],
      ["query", store, "identities", "--format", "json"],
    ] {
      let shown = try TerminalRun.run(arguments).text
      let piped = try Tool.run(arguments).output
      #expect(piped.unicodeScalars.contains("\u{202E}") && piped.unicodeScalars.contains("\u{9B}"))
      #expect(shown != piped)
      func values(_ text: String) throws -> [NSObject] {
        try text.split(separator: "\n").map {
          try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSObject)
        }
      }
      #expect(try values(shown) == values(piped))
    }
    // An export at a terminal is one that an import takes: its hash is that of what is shown.
    let shown = try TerminalRun.run(["export", store]).text
    let again = try Tool.run(
      "import", directory("again"), directory.write("shown.jsonl", shown.utf8), "--as", "alice")
    #expect(again.status == 0, "\(again.errors)")
    #expect(
      try Tool.run("export", directory("again")).output == Tool.run("export", store).output)
  }

  /// Also an export of changes, which programs get as it is.
  @Test func changesAtATerminalAreSafe() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    let statistics = try JSONSerialization.jsonObject(with: Data(Tool.run("stats", store).output.utf8))
    let since = try #require((statistics as? [String: Any])?["sequence"] as? Int)
    let line = try JSONSerialization.data(withJSONObject: [
      "kind": "conversation", "identifier": "d" + Self.text, "participants": ["alice"],
    ])
    let file = try directory.write("more", lines: [Sample.header, String(decoding: line, as: UTF8.self)])
    #expect(try Tool.run("import", store, file).status == 0)
    let arguments = ["export", store, "--since", String(since)]
    let shown = try TerminalRun.run(arguments).text
    Self.expectSafe(shown, arguments)
    #expect(shown.contains(#""kind":"conversation""#))
    #expect(try Tool.run(arguments).output.unicodeScalars.contains("\u{202E}"))
  }

  /// Errors are one line also where standard error is none of a terminal, with the path as it is but for such characters.
  @Test func errorsNameFilesSafely() throws {
    let directory = try Tool.Directory()
    let name = directory("no\u{202E}such\u{9B}31m\u{200B}")
    let result = try Tool.run("query", name, "messages")
    #expect(result.status == 1)
    #expect(result.errors.contains(#"no\u{202E}such\u{9B}31m\u{200B}"#), "\(result.errors)")
    Self.expectSafe(result.errors, ["query"])
  }
}
