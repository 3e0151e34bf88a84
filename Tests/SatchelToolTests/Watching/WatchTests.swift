import Foundation
import Testing

@Suite struct WatchTests {
  /// Changes of the sample, each a commit, and what a watcher of `messages --sort -position` prints of it.
  static let changes: [(line: String, printed: String)] = [
    (
      #"{"kind":"message","identifier":"m4","conversation":"lunch","sender":"bob","position":4}"#,
      #""total":4,"delete":[],"insert":[[0,"m4"]],"move":[],"update":[]"#
    ),
    (
      #"{"kind":"update","message":"m1","set":{"isUnread":false}}"#,
      #""total":4,"delete":[],"insert":[],"move":[],"update":[3]"#
    ),
    (
      #"{"kind":"update","message":"m2","set":{"position":9}}"#,
      #""total":4,"delete":[],"insert":[],"move":[[2,0]],"update":[]"#
    ),
    (#"{"kind":"delete","message":"m3"}"#, #""total":3,"delete":[2],"insert":[],"move":[],"update":[]"#),
    (
      #"{"kind":"update","conversation":"lunch","set":{"participants":["bob"]}}"#,
      #""total":0,"delete":[0,1,2],"insert":[],"move":[],"update":[]"#
    ),
  ]

  @Test func printsALineForEachCommit() async throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let watch = try await RunningWatch.start([store, "messages", "--sort", "-position"])
    var printed = [#""total":3,"identifiers":["m3","m2","m1"]"#]
    for change in Self.changes {
      try Self.commit(change.line, to: store)
      printed.append(change.printed)
      _ = try await watch.lines(atLeast: printed.count)
    }
    #expect(watch.end() == 0)
    let names = ["snapshot"] + Array(repeating: "changes", count: Self.changes.count)
    let lines = try watch.lines.map { line in
      String(line.split(separator: ":", maxSplits: 1)[0])
        + line.drop { $0 != "," }.dropFirst()
    }
    #expect(lines == zip(names, printed).map { #"{""# + $0 + #"""# + $1 + "}}" })
    #expect(try watch.errors == "")
  }

  @Test func showsRowsToPeople() async throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let watch = try await RunningWatch.start(
      [store, "messages", "--sort", "-position", "--window", "2"], format: "table")
    for change in Self.changes.prefix(2) { try Self.commit(change.line, to: store) }
    let lines = try await watch.lines(atLeast: 8)
    #expect(watch.end() == 0)
    try #require(lines.count == 8)
    #expect(lines[0].hasPrefix("time          change   sent "))
    #expect(lines[2].hasPrefix("              0        2024-01-03T12:00:00Z  lunch"))
    #expect(lines[4].hasPrefix("                       3 in all"))
    let time = #/\d\d:\d\d:\d\d\.\d\d\d  /#
    for line in lines[5...] { #expect(line.prefixMatch(of: time) != nil, "\(line)") }
    #expect(lines[5...].map { $0.dropFirst(14).prefix(9) } == ["- 1      ", "+ 0      ", "         "])
    #expect(lines[7].hasSuffix("4 in all"))
  }

  /// All five kinds, and the windows.
  @Test func watchesEveryKind() async throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let lists: [([String], [String])] = [
      (["conversations"], ["lunch"]), (["messages", "--window", "-2"], ["m2", "m3"]),
      (["messages", "--window", "2"], ["m1", "m2"]), (["parts", "--where", "index = 1"], ["m2/parts/1"]),
      (["announcements"], ["a1"]), (["identities", "--sort", "-userID", "--window", "9"], ["bob", "alice"]),
      (["messages", "--where", "position > 7"], []), (["messages", "--limit", "0"], []),
    ]
    for (arguments, identifiers) in lists {
      let watch = try await RunningWatch.start([store] + arguments)
      #expect(try watch.list().identifiers == identifiers, "\(arguments)")
      #expect(watch.end() == 0)
    }
  }

  @Test func refusesWhatItCannotWatch() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let errors: [([String], Int32, String)] = [
      (
        ["messages", "--window", "0"], 64,
        "--window takes a number of rows other than 0: 20 for the first 20, -20 for the last 20; leave it out to watch all"
      ),
      (["messages", "--sort", "colour"], 1, "There is no such queryable property ("),
      (["messages", "--where", "position ="], 1, ""), (["messages", "--limit", "-1"], 64, ""),
      (["messages", "--window", "many"], 64, ""), (["messages", "--after", "m1"], 64, ""),
      (
        ["pictures"], 1,
        "No record type of that name is declared in the store (recordType: pictures): other objects"
      ), (["my pictures"], 64, ""), ([], 64, ""),
    ]
    for (arguments, status, error) in errors {
      let result = try Tool.run(["watch", store] + arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func endsWithASignal(_ number: Int32) async throws {
    let directory = try Tool.Directory()
    let watch = try await RunningWatch.start([try Sample.make(in: directory), "messages"])
    #expect(watch.end(number) == 0)
    #expect(try watch.errors == "")
  }

  /// The snapshot is longer than a pipe takes, and nobody reads it.
  @Test func endsWithASignalWhileItCannotWrite() throws {
    let directory = try Tool.Directory()
    let lines = (0..<3000).map {
      #"{"kind":"message","identifier":"a-long-identifier-of-\#($0)","conversation":"lunch","sender":"bob"}"#
    }
    let file = try directory.write("in.jsonl", lines: Sample.lines + lines)
    try #require(try Tool.run("import", directory("store"), file, "--as", "alice").status == 0)
    let result = try Tool.shell(
      """
      mkfifo "$1/fifo"
      "$satchel" watch "$1/store" messages >"$1/fifo" & watch=$!
      exec 3<"$1/fifo"; read -r -n 1 -t 60 <&3
      kill -TERM $watch; wait $watch; echo $?
      """, directory.path)
    #expect(result.output == "0\n")
  }

  /// Also where nothing is committed that it would have to write.
  @Test func endsWithItsReader() throws {
    let directory = try Tool.Directory()
    let result = try Tool.shell(
      #""$satchel" watch "$1" messages | head -n 1 | cut -c 1-12; echo "${PIPESTATUS[@]}""#,
      try Sample.make(in: directory))
    #expect(result.output == "{\"snapshot\":\n0 0 0\n")
    #expect(result.errors == "")
  }

  static func commit(_ line: String, to store: String) throws {
    let result = try Tool.run("import", store, "-", input: Sample.header + "\n" + line + "\n")
    try #require(result.status == 0, "\(result.errors)")
  }
}
