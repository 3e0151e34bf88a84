import Foundation
import SatchelCare
import SatchelStorage
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// What the program says of what it did, and what it leaves.
@Suite struct LooseEndTests {
  /// A killed export leaves a file; the next one to the same path removes it, and nothing else.
  @Test func exportsRemoveWhatKilledOnesHaveLeft() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let leftOver = ".out.jsonl.3w5e11264sgsf.partial"
    let others = [
      ".out.jsonl.partial", ".out.jsonl.NOT-BASE-36.partial", ".other.3w5e11264sgsf.partial", "x.partial",
    ]
    for name in others + [leftOver] { try directory.write(name, "x".utf8) }
    let written = ".out.jsonl.abc.partial"
    try directory.write(written, "x".utf8)
    let writer = open(directory(written), O_RDWR)
    defer { close(writer) }
    try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
    let link = ".out.jsonl.def.partial"
    try FileManager.default.createSymbolicLink(
      atPath: directory(link), withDestinationPath: directory("x.partial"))
    #expect(try Tool.run("export", store, directory("out.jsonl")).status == 0)
    #expect(!directory.exists(leftOver))
    for name in others + [written, link] { #expect(directory.exists(name), "\(name)") }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(names) == Set(others + [written, link, "out.jsonl", "sample.jsonl", "store"]))
  }

  /// What a program writes for people goes into no file of the store that it has open in the place of a closed output.
  @Test(arguments: ["0<&- >&- 2>&-", ">&- 2>&-", "2>&-", "0<&-"]) func standardFilesThatAreClosed(
    _ closed: String
  ) throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.shell(
      """
      "$satchel" delete "$1" messages m9 \(closed)
      "$satchel" send "$1" lunch hello --id m4 \(closed)
      "$satchel" count "$1" messages \(closed)
      grep -rlE 'satchel: |"m4"' "$1" && exit 7
      exit 0
      """, store)
    #expect(result.status == 0, "\(result.output)")
    #expect(try Tool.run("count", store, "messages").output == "4\n")
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func exportsSayWhatTheyWrote() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run("export", store, directory("out.jsonl"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: directory("out.jsonl"))).count
    #expect(
      result.output == "4 messages, 2 conversations, 2 identities, 1 announcements, \(bytes) bytes\n")
    #expect(try Tool.run("export", store).lines.first?.hasPrefix("{") == true)
  }

  @Test func importsSayWhatIsNotVisible() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("sample.jsonl", lines: Sample.lines)
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    #expect(
      result.errors
        == "satchel: 1 of the messages is not visible: alice does not participate in its conversation\n")
    let more = try directory.write(
      "more.jsonl",
      lines: [
        Sample.header, #"{"kind":"message","identifier":"h2","conversation":"secret","sender":"bob"}"#,
        #"{"kind":"message","identifier":"h3","conversation":"secret","sender":"bob"}"#,
        #"{"kind":"message","identifier":"m4","conversation":"lunch","sender":"bob"}"#,
      ])
    #expect(
      try Tool.run("import", directory("store"), more).errors
        == "satchel: 2 of the messages are not visible: alice does not participate in their conversations\n")
  }

  @Test(arguments: [
    ("querry", "there is no subcommand 'querry': did you mean 'query'?"),
    ("frobnicate", "there is no subcommand 'frobnicate': import, export, query,"),
  ])
  func helpForNoSubcommandIsRefused(_ name: String, _ words: String) throws {
    let result = try Tool.run("help", name)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("satchel: \(words)"))
    #expect(try Tool.run("help", "query").status == 0)
    #expect(try Tool.run("help").status == 0)
  }

  @Test(arguments: [
    ("2024-01-02", "2", ["m1", "m2"]), ("2024-01-02T12:00:00.5Z", "2", ["m2", "m3"]),
    ("2030-01-01", "4", ["m2", "m3"]), ("2020-01-01T00:00:00+02:00", "2", ["m1"]),
    ("m2", "3", ["m1", "m2", "m3"]),
  ])
  func aWindowLiesAroundADate(_ date: String, _ limit: String, _ expected: [String]) throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run(
      "query", store, "messages", "--sort", "sentAt", "--around", date, "--limit", limit, "--select",
      "identifiers")
    #expect(result.lines == expected.map { "\"\($0)\"" }, "\(result.errors)")
  }

  @Test func anEmptyResultSaysSo() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let question = ["query", store, "messages", "--where", "sender.userID = 'nobody'"]
    #expect(try Tool.run(question + ["--format", "table"]).lines.last == "no messages")
    #expect(try Tool.run(question + ["--format", "json"]).output.isEmpty)
    #expect(
      try Tool.run(question + ["--select", "identifiers", "--format", "table"]).lines == ["no messages"])
  }

  /// A terminal is not filled with what nobody reads; a file gets all.
  @Test func aListAtATerminalEnds() throws {
    let directory = try Tool.Directory()
    let lines = (0..<1005).map { #"{"kind":"identity","userID":"user \#($0)"}"# }
    let file = try directory.write("many.jsonl", lines: [Sample.header] + lines)
    try #require(try Tool.run("import", directory("store"), file, "--as", "alice").status == 0)
    let rows = try TerminalRun.run(["query", directory("store"), "identities"]).text.split(separator: "\n")
    #expect(rows.count == 2 + 1000 + 1)
    #expect(rows.last == "1000 of 1005: --limit shows more, --offset later ones")
    let all = try TerminalRun.run(["query", directory("store"), "identities", "--limit", "1004"])
    #expect(all.text.split(separator: "\n").count == 2 + 1004)
    #expect(
      try Tool.run("query", directory("store"), "identities", "--format", "table").lines.count == 2 + 1005)
  }

  @Test func partsWithoutATextLeaveNoGap() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = try directory.write(
      "parts.jsonl",
      lines: [
        Sample.header,
        #"{"kind":"message","identifier":"p","conversation":"lunch","sender":"bob","parts":[{"mimeType":"image/png","base64":"iVBO"},{"mimeType":"text/plain","text":"One"},{"mimeType":"image/png","base64":"iVBO"},{"mimeType":"text/plain","text":"Two"}]}"#,
      ])
    try #require(try Tool.run("import", store, file).status == 0)
    let result = try Tool.run(
      "query", store, "messages", "--where", "identifier = 'p'", "--columns", "parts.text", "--format", "csv")
    #expect(result.output == #"parts.text\#r\#n"[""One"",""Two""]"\#r\#n"#)
  }

  /// Whoever ends a command may look what it has left: each says it, and how it goes away.
  @Test(arguments: [
    ("export", [".NAME.….partial"]), ("import", ["STORE.importing"]), ("backup", ["COPY.backup-…"]),
    ("salvage", ["NEW.backup-…", "NEW.importing"]),
  ])
  func helpSaysWhatAnEndedCommandLeaves(_ command: String, _ names: [String]) throws {
    let help = try Tool.run("help", command).output.split { $0.isWhitespace }.joined(separator: " ")
    for name in names { #expect(help.contains(name), "\(help)") }
    #expect(help.contains("which the next"), "\(help)")
  }

  /// What a backup has left that was ended in the middle is what its help says, and goes away as it says.
  @Test(arguments: ["backup", "salvage"]) func whatAnEndedBackupLeavesGoesAway(_ command: String) async throws
  {
    let directory = try Tool.Directory()
    _ = try Sample.make(in: directory)
    let path: String = directory.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = Store.Options()
      options.create = false
      options.readOnly = true
      let store = try Store.open(directory: path + "/store", user: nil, options: options)
      _ = try store.backup(to: path + "/copy") { _ in raise(SIGKILL) }
    }
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("copy.backup-") }
    }
    #expect(try left().count == 1 && !directory.exists("copy"))
    #expect(try Tool.run(command, directory("store"), directory("copy")).status == 0)
    #expect(try left().isEmpty && directory.exists("copy"))
  }

  /// The same of an import into a new store.
  @Test func whatAnEndedImportLeavesGoesAway() throws {
    let directory = try Tool.Directory()
    try directory.write("sample.jsonl", lines: Sample.lines)
    let result = try Tool.shell(
      """
      cd "$1"; mkfifo in; exec 3<>in
      # A program in the background ignores this signal, unless it is told not to.
      (trap - INT; exec env --default-signal=INT "$satchel" import store - --as alice <in 3>&-) & import=$!
      head -n 3 sample.jsonl >&3
      until [ -e store.importing/data.mdb ]; do sleep 0.05; done
      kill -INT $import; wait $import; echo $?
      ls -d store* ; "$satchel" import store sample.jsonl --as alice >/dev/null; echo $?; ls -d store*
      """, directory.path)
    #expect(result.lines == ["130", "store.importing", "0", "store"], "\(result.output)\(result.errors)")
  }
}
