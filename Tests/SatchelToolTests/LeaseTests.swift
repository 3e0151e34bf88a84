import Foundation
import Testing

/// A reader that does not read ends a snapshot, and nothing that was promised is broken by it.
@Suite struct LeaseTests {
  /// A store of more than a command keeps for a reader that does not read.
  static func make(in directory: Tool.Directory, messages: Int = 14) throws -> String {
    var lines = [Sample.header, #"{"kind":"conversation","identifier":"c","participants":["alice"]}"#]
    let text = String(repeating: "0123456789", count: 90_000)
    for index in 0..<messages {
      lines.append(
        #"{"kind":"message","identifier":"m\#(index)","conversation":"c","sender":"alice","position":\#(index),"#
          + #""parts":[{"mimeType":"text/plain","text":"\#(text)"}]}"#)
    }
    let file = try directory.write("big.jsonl", lines: lines)
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    try #require(result.status == 0, "\(result.errors)")
    return directory("store")
  }

  /// Runs a command whose reader begins only when a snapshot of the command is no longer there, as `stats` tells: a commit
  /// is made, and a reader of an older one would lag behind it.
  static func runUnread(_ directory: Tool.Directory, _ command: String) throws -> Tool.Result {
    try directory.write(
      "one.jsonl",
      lines: [Sample.header, #"{"kind":"conversation","identifier":"new","participants":["alice"]}"#])
    return try Tool.shell(
      """
      cd "$1"
      "$satchel" \(command) --lease 0 2>errors | {
        sleep 1
        "$satchel" import store one.jsonl >/dev/null
        # Until the snapshot is given up; a minute at most.
        for try in $(seq 300); do
          "$satchel" stats store --format json | grep -q '"readerLag":0' && break
          sleep 0.2
        done
        [ $try = 300 ] && echo held
        cat >out
      }
      echo ${PIPESTATUS[0]}
      """, directory.path)
  }

  @Test func aQueryEndsAndSaysHowToGoOn() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    let arguments = ["messages", "--sort", "position", "--format", "json"]
    let whole = try Tool.run(["query", store] + arguments).lines
    try #require(whole.count == 14)
    let result = try Self.runUnread(directory, "query store " + arguments.joined(separator: " "))
    #expect(result.output == "1\n")
    let errors = try String(contentsOfFile: directory("errors"), encoding: .utf8)
    #expect(errors.split(separator: "\n").count == 1)
    let out = try String(contentsOfFile: directory("out"), encoding: .utf8)
    // Whole lines, the first ones, and the error names the last.
    #expect(out.last == "\n")
    let lines = out.split(separator: "\n").map(String.init)
    #expect(lines.count >= 8 && lines.count < 14 && Array(whole.prefix(lines.count)) == lines)
    #expect(
      errors.contains("\(lines.count) objects are written")
        && errors.contains("--after 'm\(lines.count - 1)'"))
    let rest = try Tool.run(["query", store] + arguments + ["--after", "m\(lines.count - 1)"]).lines
    #expect(lines + rest == whole)
  }

  @Test func anExportEndsAndCannotBeImported() throws {
    let directory = try Tool.Directory()
    _ = try Self.make(in: directory)
    let result = try Self.runUnread(directory, "export store")
    #expect(result.output == "1\n")
    let errors = try String(contentsOfFile: directory("errors"), encoding: .utf8)
    #expect(errors.contains("The output was not read"), "\(errors)")
    let again = try Tool.run("import", directory("again"), directory("out"), "--as", "alice")
    #expect(again.status == 1 && !directory.exists("again"))
  }

  /// Also one of changes, which holds its snapshot all the same.
  @Test func anExportOfChangesEndsAndCannotBeImported() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    let since = try Self.sequence(store)
    let text = String(repeating: "0123456789", count: 90_000)
    let lines = (0..<14).map { index in
      #"{"kind":"message","identifier":"n\#(index)","conversation":"c","sender":"alice","#
        + #""parts":[{"mimeType":"text/plain","text":"\#(text)"}]}"#
    }
    try directory.write("more", lines: [Sample.header] + lines)
    #expect(try Tool.run("import", store, directory("more")).status == 0)
    let result = try Self.runUnread(directory, "export store --since \(since)")
    #expect(result.output == "1\n")
    let errors = try String(contentsOfFile: directory("errors"), encoding: .utf8)
    #expect(
      errors.split(separator: "\n").count == 1 && errors.contains("The output was not read"), "\(errors)")
    let out = try String(contentsOfFile: directory("out"), encoding: .utf8)
    #expect(out.contains(#""identifier":"n0""#) && !out.contains(#""kind":"trailer""#))
    #expect(try Tool.run("import", store, directory("out")).status == 1)
    // One that is read is whole, whatever the lease.
    let whole = try Tool.run("export", store, "--since", String(since))
    #expect(whole.status == 0 && whole.lines.count > lines.count && whole.output.contains("trailer"))
  }

  private static func sequence(_ store: String) throws -> Int {
    let statistics = try JSONSerialization.jsonObject(with: Data(Tool.run("stats", store).output.utf8))
    return try #require((statistics as? [String: Any])?["sequence"] as? Int)
  }

  @Test func aDumpGoesOnInALaterCommit() throws {
    let directory = try Tool.Directory()
    let store = try Self.make(in: directory)
    let result = try Self.runUnread(directory, "dump store bodies --format json")
    #expect(result.output == "0\n")
    let errors = try String(contentsOfFile: directory("errors"), encoding: .utf8)
    #expect(errors.hasPrefix("satchel: note: what follows the key "), "\(errors)")
    // Nothing twice, nothing left out.
    let whole = try Tool.run("dump", store, "bodies", "--format", "json")
    #expect(try String(contentsOfFile: directory("out"), encoding: .utf8) == whole.output)
  }

  /// What the program keeps for its reader needs no snapshot: a pager may stay open for as long as it likes.
  @Test func asMuchAsIsKeptIsWrittenWhole() throws {
    let directory = try Tool.Directory()
    _ = try Self.make(in: directory, messages: 5)
    let result = try Self.runUnread(directory, "export store")
    #expect(result.output == "0\n")
    #expect(try String(contentsOfFile: directory("errors"), encoding: .utf8) == "")
    #expect(try Tool.run("import", directory("again"), directory("out"), "--as", "alice").status == 0)
  }

  @Test func limitsAreChecked() throws {
    for arguments in [["--lease", "-1"], ["--lease", "nan"], ["--lease-growth", "-1"]] {
      #expect(try Tool.run(["export", "store"] + arguments).status == 64)
    }
  }
}
