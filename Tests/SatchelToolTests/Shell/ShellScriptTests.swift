import Foundation
import Testing

/// `shell` with commands from a file or a pipe.
@Suite struct ShellScriptTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  private func shell(_ lines: String..., arguments: [String] = []) throws -> Tool.Result {
    try Tool.run(["shell", store] + arguments, input: lines.map { $0 + "\n" }.joined())
  }

  @Test func carriesOutLineByLine() throws {
    let result = try shell(
      "count messages", "", "   ", "# count conversations", "  # and",
      "count parts  --where mimeType = 'image/png'",
      "send lunch 'One?' \"Two?\" --id m4 --format table", "count messages",
      "query messages --where identifier = 'm4' --select identifiers", "mark-read messages m1 m3",
      "aggregate messages --by sender.userID")
    #expect(result.errors == "")
    #expect(
      result.lines == [
        "3", "1", "m4", "4", #""m4""#, "2", #"{"group":"alice","value":2}"#, #"{"group":"bob","value":2}"#,
      ])
    #expect(result.status == 0)
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// A line and the text of the message that it sends.
  static let words: [(line: String, text: String)] = [
    ("send lunch plain", "plain"), ("send lunch 'two words'", "two words"),
    (#"send lunch "a 'b' c""#, "a 'b' c"),
    (#"send lunch "\"a\\b\" \c""#, #""a\b" \c"#), (#"send lunch a\ b\'c"#, "a b'c"),
    ("send lunch a'b'\"c\"", "abc"),
    ("send\tlunch\t''", ""), ("send lunch '#1'", "#1"), ("send lunch #1", "#1"),
    ("send lunch '$HOME *'", "$HOME *"),
    ("send lunch 午後🎒", "午後🎒"), ("send lunch -- --as", "--as"), ("send lunch -- --where=x", "--where=x"),
    (#"send lunch 'a\nb'"#, #"a\nb"#),
    ("send lunch \u{3000}x\u{3000}", "x"),
  ]

  @Test func wordsAreThoseOfACommandLine() throws {
    for (line, text) in Self.words {
      let result = try shell(line)
      #expect(result.status == 0, "\(line): \(result.errors)")
      let identifier = result.output.filter { $0 != "\"" && $0 != "\n" }
      let parts = try Tool.run(
        "query", store, "parts", "--where", "message = '\(identifier)'", "--columns", "text")
      let object = try JSONSerialization.jsonObject(with: Data(parts.output.utf8)) as? [String: String]
      #expect(object?["text"] == text, "\(line)")
    }
  }

  /// Lines of `count messages` and their numbers.
  static let predicates: [(line: String, count: String)] = [
    ("--where isUnread = TRUE AND sender.userID != 'alice'", "2"),
    ("--where isUnread = TRUE AND position > 1 --sort -position", "1"),
    ("--where \"isUnread = TRUE\"", "2"), ("--where \"isUnread = TRUE\" --limit 1", "1"),
    ("--where 'sender.userID = \"bob\"'", "2"), ("--where=isUnread", "2"),
    ("--where=\"isUnread\" --limit 1", "1"),
    ("--where=isUnread = TRUE", "2"), ("--where parts.text = ' --limit 1' OR isUnread --limit 2", "2"),
    ("--limit 1 --where isUnread", "1"), ("--where 'text/plain' IN parts.mimeType", "3"),
    ("--where parts.text = 'it\\'s --where' OR position = 3", "1"), ("--where   TRUEPREDICATE   ", "3"),
    ("--where position < 0 OR position = -5 OR position > 2", "1"),
  ]

  @Test func predicatesNeedNoQuotationMarks() throws {
    for (line, count) in Self.predicates {
      let result = try shell("count messages \(line)")
      #expect(result.output == count + "\n", "\(line): \(result.errors)")
    }
  }

  /// What fails ends it, with the status of what has failed; what comes after is not done.
  static let failures: [(line: String, status: Int32, error: String)] = [
    ("delete messages m9", 1, "satchel: No message has that identifier (message: m9)"),
    ("count messages --where position =", 1, "satchel: The text does not follow the predicate language"),
    ("count pictures", 1, "satchel: No record type of that name is declared in the store"),
    ("count 'my pictures'", 64, "satchel: "),
    ("cuont messages", 64, "satchel: there is no command 'cuont': did you mean 'count'?"),
    ("frobnicate", 64, "satchel: there is no command 'frobnicate': import, export, query, "),
    ("shell", 64, "satchel: there is no command 'shell'"),
    ("generate --messages 5", 64, "satchel: there is no command"),
    ("send lunch 'open", 64, "satchel: column 12: a quotation mark that is not closed"),
    ("send lunch a\u{0}b", 64, "satchel: a NUL, which no argument can have"),
    ("exit 3", 64, "satchel: exit takes no arguments, but '3'"),
    ("help frobnicate", 64, "satchel: help takes the name"),
    ("count messages | head", 64, "satchel: "),
  ]

  @Test func endsWithTheFirstFailure() throws {
    for (line, status, error) in Self.failures {
      let result = try shell("count conversations", line, "delete messages m1")
      #expect(result.status == status, "\(line)")
      #expect(result.output == "1\n", "\(line)")
      #expect(result.errors.hasPrefix(error), "\(line): \(result.errors)")
      #expect(
        result.errors.hasSuffix("\nsatchel: line 2 has failed with status \(status)\n"), "\(result.errors)")
    }
    #expect(try Tool.run("count", store, "messages").output == "3\n")
  }

  @Test func goesOnIfItIsTold() throws {
    let result = try shell(
      "frobnicate", "count messages", "delete messages m9", "count conversations", arguments: ["--keep-going"]
    )
    #expect(result.status == 64)
    #expect(result.output == "3\n1\n")
    #expect(result.errors.contains("line 1 has failed with status 64\n"))
    #expect(result.errors.contains("line 3 has failed with status 1\n"))
  }

  @Test func endsWhereALineSaysSo() throws {
    for word in ["exit", "quit", " exit "] {
      let result = try shell("count messages", word, "count conversations")
      #expect(result.status == 0 && result.output == "3\n" && result.errors == "", "\(result)")
    }
    #expect(try shell().status == 0)
    // A last line without its end, and lines of other systems, are lines.
    #expect(try Tool.run(["shell", store], input: "count parts\r\ncount messages").output == "4\n3\n")
    #expect(try Tool.run(["shell", store], input: "\u{FEFF}count parts\n").output == "4\n")
  }

  /// No command takes the lines that follow for its input.
  @Test func commandsHaveNoInput() throws {
    let result = try shell("import -", "count messages", arguments: ["--keep-going"])
    #expect(result.output == "3\n")
    #expect(result.errors.contains("line 1 has failed"))
    #expect(try shell("query --batch", "count messages").output == "3\n")
  }

  @Test func bytesThatAreNoText() throws {
    let result = try Tool.shell(
      #"printf 'count messages\nsend lunch \377\ncount messages\n' | "$satchel" shell "$1""#, store)
    #expect(result.output == "3\n")
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("satchel: the line is not UTF-8: "), "\(result.errors)")
  }

  @Test func tellsItsCommands() throws {
    let result = try shell("help", "help count")
    #expect(result.status == 0)
    for name in ["query ", "count ", "mark-read ", "watch ", "exit "] {
      #expect(result.lines.contains { $0.hasPrefix(name) }, "\(name)")
    }
    #expect(!result.lines.contains { $0.hasPrefix("generate ") || $0.hasPrefix("shell ") })
    #expect(result.output.contains("USAGE: satchel count"))
  }

  @Test func opensOnlyWhatIsThere() throws {
    let none = try Tool.run(["shell", directory("none")], input: "count messages\n")
    #expect(none.status == 1 && none.output == "")
    #expect(none.errors.hasPrefix("satchel: There is no store at the path"), "\(none.errors)")
    #expect(!directory.exists("none"))
    let other = try shell("count messages", arguments: ["--as", "bob"])
    #expect(other.status == 1 && other.output == "")
    #expect(other.errors.hasPrefix("satchel: The store belongs to another user"), "\(other.errors)")
    #expect(try shell("count messages", arguments: ["--as", "alice"]).output == "3\n")
  }

  /// A path that looks like an option.
  @Test func aStoreMayHaveAnyName() throws {
    let result = try Tool.shell(
      #"cd "$1" && mv -- store -s && echo 'count messages' | "$satchel" shell -- -s"#, directory.path)
    #expect(result.output == "3\n", "\(result.errors)")
  }
}
