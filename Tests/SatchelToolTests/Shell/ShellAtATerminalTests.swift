import Foundation
import Testing

/// `shell` at a terminal: what somebody types, sees and gets.
@Suite struct ShellAtATerminalTests {
  private let directory: Tool.Directory
  private let store: String
  private let state: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    state = directory("state")
  }

  private func start(_ arguments: String..., columns: Int = 80) async throws -> ShellSession {
    try await ShellSession.start(store, state: state, arguments: arguments, columns: columns)
  }

  /// The texts of messages that were sent with an identifier.
  private func text(of identifier: String) throws -> String? {
    let parts = try Tool.run(
      "query", store, "parts", "--where", "message = '\(identifier)'", "--columns", "text")
    let object = try JSONSerialization.jsonObject(with: Data(parts.output.utf8)) as? [String: String]
    return object?["text"]
  }

  @Test func carriesOutWhatIsTyped() async throws {
    let session = try await start("--as", "alice")
    #expect(try await session.enter("count messages --where isUnread = TRUE") == ["2"])
    let rows = try await session.enter("query messages --columns identifier,position --sort -position")
    #expect(
      rows == [
        "identifier  position", "──────────  ────────", "m3                 3", "m2                 2",
        "m1                 1",
      ])
    #expect(
      try await session.enter("send lunch 'One o\\'clock' --id m4").first?.hasPrefix("satchel: column 12")
        == true)
    #expect(try await session.enter("send lunch \"One o'clock\" --id m4") == ["m4"])
    #expect(try await session.enter("count messages") == ["4"])
    #expect(try await session.enter("") == [])
    session.type("exit\r")
    #expect(try await session.status() == 0)
    #expect(session.hasUsualMode)
    #expect(try text(of: "m4") == "One o'clock")
  }

  /// An error of the language stands below the place where it is.
  @Test func showsWhereAPredicateIsWrong() async throws {
    let session = try await start(columns: 60)
    let lines = try await session.enter("count messages --where position > 1 AND AND isUnread")
    try #require(lines.count > 2)
    #expect(Array(lines.prefix(2)) == ["  position > 1 AND AND isUnread", "                   ^"])
    #expect(
      lines.dropFirst(2).joined().hasPrefix(
        "satchel: The text does not follow the predicate language (column: 18"))
    session.resize(20)
    let long =
      "count messages --where " + Array(repeating: "position > 1", count: 30).joined(separator: " AND ")
      + " ) = 1"
    let narrow = try await session.enter(long)
    #expect(narrow.count > 2 && narrow.allSatisfy { $0.count <= 20 })
    let place = try #require(narrow.dropFirst().first?.prefix { $0 != "^" }.count)
    #expect(narrow.first?.dropFirst(place).first == ")")
  }

  /// Keys, and the text that is sent in the end.
  static let edits: [(keys: String, text: String)] = [
    ("abc\u{7F}d", "abd"), ("abc\u{1B}[D\u{1B}[Dx", "axbc"), ("abc\u{02}\u{02}\u{06}x", "abxc"),
    ("bc\u{1B}[D\u{1B}[D\u{1B}[3~a", "ac"), ("one two\u{17}three", "one three"),
    ("one two\u{1B}bx\u{1B}f y", "one xtwo y"),
    ("one\u{0B}\u{1B}[D\u{0B}\u{05}\u{19}\u{19}", "onee"), ("午後です\u{7F}\u{1B}[D\u{1B}[D前", "午前後で"),
    ("a🎒b\u{1B}[D\u{7F}c", "acb"), ("e\u{301}x\u{1B}[D\u{7F}y", "yx"), ("👍🏽👩‍👧z\u{1B}[D\u{7F}", "👍🏽z"),
    ("ab\u{1B}[1;5Dx", "xab"), ("a\u{1B}[99;99~\u{1B}[Z\u{0F}b", "ab"),
  ]

  @Test func editsLines() async throws {
    let session = try await start(columns: 120)
    for (index, (keys, text)) in Self.edits.enumerated() {
      // What is typed stands between marks, so that the rest of the line is out of the way.
      session.type("send lunch --id e\(index) '")
      session.type(keys)
      session.type("\u{05}'")
      let lines = try await session.enter("")
      #expect(lines == ["e\(index)"], "\(keys.debugDescription)")
      #expect(try self.text(of: "e\(index)") == text, "\(keys.debugDescription)")
    }
    // To the beginning of all of it, and to its end.
    session.type("essages\u{1B}OHcount m\u{01}\u{05} --limit 2\u{1B}[H\u{1B}[F")
    #expect(try await session.enter("") == ["2"])
    session.type("count conversations\u{15}count messages --where\u{0B}")
    try await session.waits { $0.line == "satchel> count messages --where" }
    session.type("\u{03}")
    try await session.waits { $0.line == ShellSession.prompt }
    #expect(try await session.enter("count parts") == ["\(Self.edits.count + 4)"])
    #expect(session.screen.unknown == [])
  }

  /// However long a line is and however wide its characters are, one row shows the part around the cursor, and the cursor in it.
  @Test(arguments: [20, 21, 40]) func staysInItsRow(_ columns: Int) async throws {
    let session = try await start(columns: columns)
    let rows = session.screen.lines.count
    let text = "send lunch --id wide '" + String(repeating: "午後e\u{301}🎒ab", count: 12) + "'"
    session.type(text)
    try await session.waits { $0.line.hasSuffix("'") }
    for (keys, isReached) in [
      ("\u{01}", { (screen: Screen) in screen.line.contains("send") }),
      ("\u{05}", { $0.line.hasSuffix("'") }), ("\u{1B}[D\u{1B}[D\u{1B}[D", { $0.cursor < columns }),
    ] as [(String, (Screen) -> Bool)] {
      session.type(keys)
      let screen = try await session.waits(for: isReached)
      #expect(screen.lines.count == rows)
      #expect(screen.cursor < columns)
    }
    session.resize(columns + 30)
    try await session.waits { $0.line.count > columns }
    #expect(try await session.enter("") == ["wide"])
    #expect(try self.text(of: "wide") == String(repeating: "午後e\u{301}🎒ab", count: 12))
  }

  // MARK: History

  @Test func remembersLines() async throws {
    let first = try await start()
    for line in ["count messages", "count parts", "count parts", " count identities"] {
      try await first.enter(line)
    }
    first.type("\u{1B}[A")
    try await first.waits { $0.line == "satchel> count parts" }
    first.type("\u{1B}[A\u{1B}[A\u{1B}[A")
    try await first.waits { $0.line == "satchel> count messages" }
    first.type("\u{15}typed\u{1B}[B\u{1B}[B")
    first.type("\u{15}\u{04}")
    #expect(try await first.status() == 0)
    let path = state + "/satchel/history"
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "count messages\ncount parts\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)

    let second = try await start()
    second.type("unfinished\u{10}\u{10}")
    try await second.waits { $0.line == "satchel> count messages" }
    second.type("\u{0E}\u{0E}")
    try await second.waits { $0.line == "satchel> unfinished" }
    second.type("\u{15}\u{12}mess")
    try await second.waits { $0.line == "(search: mess) count messages" }
    #expect(try await second.enter("") == ["3"])
    // To search and to give up leaves the line as it was.
    second.type("abc\u{12}count\u{12}")
    try await second.waits { $0.line == "(search: count) count parts" }
    second.type("\u{03}")
    try await second.waits { $0.line == "satchel> abc" }
  }

  @Test func theHistoryIsBounded() async throws {
    let path = state + "/satchel/history"
    try FileManager.default.createDirectory(atPath: state + "/satchel", withIntermediateDirectories: true)
    var old = (1...3500).map { "count messages --limit \($0)\n" }.joined().utf8.map { $0 }
    old += [0xFF, 0x0A] + Array(repeating: UInt8(ascii: "x"), count: 100_000) + [0x0A]
    try Data(old).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let session = try await start()
    session.type("\u{1B}[A")
    try await session.waits { $0.line == "satchel> count messages --limit 3500" }
    session.type("\u{15}")
    try await session.enter("count parts")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1001)
    #expect(lines.first == "count messages --limit 2501" && lines.last == "count parts")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  /// A history that cannot be kept is none that anybody has to know of.
  @Test(arguments: ["/dev/null", "/dev/full", "relative", ""]) func aHistoryThatCannotBeKept(_ place: String)
    async throws
  {
    let session = try await ShellSession.start(store, state: place)
    #expect(try await session.enter("count messages") == ["3"])
    session.type("\u{1B}[A")
    try await session.waits { $0.line == "satchel> count messages" }
  }

  // MARK: Ending

  @Test func controlCGivesUpALine() async throws {
    let session = try await start()
    session.type("delete messages m1")
    try await session.waits { $0.line == "satchel> delete messages m1" }
    session.type("\u{03}")
    let screen = try await session.waits { $0.line == ShellSession.prompt }
    #expect(screen.lines.suffix(2).first == "satchel> delete messages m1^C")
    #expect(try await session.enter("count messages") == ["3"])
    session.type("\u{04}")
    #expect(try await session.status() == 0)
    #expect(session.hasUsualMode)
  }

  /// Not on a line on which something stands: there it deletes.
  @Test func controlDEndsAnEmptyLineOnly() async throws {
    let session = try await start()
    session.type("count messagesx\u{1B}[D\u{04}")
    #expect(try await session.enter("") == ["3"])
    session.type("\u{04}")
    #expect(try await session.status() == 0)
  }

  @Test func controlCEndsACommandAlone() async throws {
    let session = try await start(columns: 200)
    session.type("watch messages\r")
    try await session.waits { $0.lines.contains { $0.contains(" m3 ") } }
    #expect(try Tool.run("send", store, "lunch", "Seen?").status == 0)
    try await session.waits { $0.lines.contains { $0.contains("Seen?") } }
    session.type("\u{03}")
    try await session.waits { $0.line == ShellSession.prompt }
    #expect(try await session.enter("count messages") == ["4"])
  }

  /// A query whose output nobody reads stands still in the middle; nothing of it comes any more.
  @Test func controlCEndsAQuery() async throws {
    let chat = try Tool.run("generate", "--messages", "3000", "--seed", "7")
    let file = try directory.write("chat.jsonl", chat.output.utf8)
    #expect(try Tool.run("import", directory("large"), file, "--as", "alice").status == 0)
    let session = try await ShellSession.start(directory("large"), state: state)
    session.type("query messages --format json\r")
    // As much as the terminal holds, and the command waits for somebody to read it.
    try await Task.sleep(for: .milliseconds(500))
    session.type("\u{03}")
    try await session.waits { $0.line == ShellSession.prompt }
    #expect(try await session.enter("count conversations").count == 1)
    #expect(session.screen.lines.count < 3000)
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func signalsEndIt(_ number: Int32) async throws {
    let session = try await start()
    session.type("count mess")
    try await session.waits { $0.line == "satchel> count mess" }
    session.signal(number)
    #expect(try await session.status() == 128 + number)
    #expect(session.hasUsualMode)
  }

  // MARK: What comes from elsewhere

  @Test func pastedLines() async throws {
    let session = try await start()
    // From a terminal that does not tell that it is a paste.
    session.type("count messages\rcount parts\rcount conversations\r")
    try await session.waits { $0.lines.suffix(2).first == "1" && $0.line == ShellSession.prompt }
    // From one that does: tabs complete nothing, control characters do nothing.
    session.type("\u{1B}[200~count\tmessages\u{03}\u{04}\u{1B}[A --limit 2\r\ncount\tidentities\u{1B}[201~")
    let screen = try await session.waits { $0.line == "satchel> count identities" }
    #expect(screen.lines.suffix(2).first == "2")
    #expect(try await session.enter("") == ["2"])
    let long = String(repeating: "x", count: 20_000)
    session.type("\u{1B}[200~send lunch --id long \(long)\u{1B}[201~\r")
    try await session.waits { $0.lines.suffix(2).first == "long" && $0.line == ShellSession.prompt }
    #expect(try text(of: "long") == long)
  }

  @Test func bytesThatAreNoText() async throws {
    let session = try await start()
    session.type(
      bytes: Array("count ".utf8) + [0xFF, 0xC3, 0x28, 0xF0, 0x9F, 0x80] + Array("\u{7F}messages\r".utf8))
    try await session.waits { $0.lines.suffix(2).first == "3" && $0.line == ShellSession.prompt }
    session.type(bytes: Array("send lunch --id split '".utf8) + [0xE5])
    try await Task.sleep(for: .milliseconds(20))
    session.type(bytes: [0x8D, 0x88] + Array("'\r".utf8))
    try await session.waits { $0.lines.suffix(2).first == "split" && $0.line == ShellSession.prompt }
    #expect(try text(of: "split") == "午")
  }

  /// Names in the store that would steer a terminal are shown so that they do not, whatever shows them.
  @Test func namesAreShownSafely() async throws {
    let other = try Tool.Directory()
    let unsafe = try DisplayTests.make(in: other)
    let session = try await ShellSession.start(unsafe, state: state, columns: 400)
    session.type("send \t")
    try await session.waits { $0.line.hasSuffix(">'") }
    session.type("hello --format table")
    let sent = try await session.enter("")
    #expect(sent.count == 1 && sent.first?.hasPrefix("satchel:") == false, "\(sent)")
    session.type("query messages --where sender.userID = '\t")
    try await session.waits { $0.line.contains("🎒") }
    session.type("\u{03}")
    try await session.enter("query conversations --where nothing = 'a\u{202E}b'")
    let shown = session.text.replacing(#/\u{1B}\[(\?2004[hl]|K|[0-9]*C)/#, with: "")
    // Not by characters: to Swift CR and LF together are one.
    let scalars = shown.unicodeScalars.filter { $0 != "\r" && $0 != "\u{07}" }
    DisplayTests.expectSafe(String(String.UnicodeScalarView(scalars)), ["shell"])
  }

  /// A terminal that can do nothing edits lines itself: no sequence is sent to it.
  @Test(arguments: ["dumb", nil]) func aTerminalThatCanDoNothing(_ terminal: String?) async throws {
    let session = try await ShellSession.start(store, state: state, terminal: terminal)
    session.type("count messages\n")
    try await session.waits { $0.lines.contains("3") && $0.line == ShellSession.prompt }
    session.type("count par\u{03}")
    try await session.waits { $0.lines.count >= 4 && $0.line == ShellSession.prompt }
    session.type("watch messages --window 1\n")
    try await session.waits { $0.lines.contains { $0.contains("3 in all") } }
    session.type("\u{03}")
    try await session.waits { $0.line == ShellSession.prompt }
    session.type(bytes: Array("count ".utf8) + [0xFF] + Array("\n".utf8))
    try await session.waits {
      $0.lines.contains("satchel: the line is not UTF-8") && $0.line == ShellSession.prompt
    }
    session.type("\u{04}")
    #expect(try await session.status() == 0)
    #expect(!session.text.contains("\u{1B}"))
  }
}
