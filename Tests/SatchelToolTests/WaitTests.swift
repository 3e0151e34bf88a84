import Foundation
import LMDB
import SatchelStorage
import TestSupport
import Testing

/// Imports that another process keeps waiting, and imports that are killed.
@Suite struct WaitTests {
  private static func conversation(_ name: String) -> String {
    #"{"kind":"conversation","identifier":"\#(name)","participants":["alice"]}"#
  }

  /// Runs `body` while this process is writing to a store.
  private func whileWriting(_ store: String, _ body: () throws -> Void) throws {
    var options = Store.Options()
    options.create = false
    let opened = try Store.open(directory: store, user: nil, options: options)
    defer { opened.close() }
    try opened.environment.write { _ in try body() }
  }

  /// Starts an import and waits until it has said that it is kept waiting.
  private func startWaitingImport(_ directory: Tool.Directory, _ file: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = ["import", directory("store"), file]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: try directory.write("waits", []))
    try process.run()
    while process.isRunning, try Data(contentsOf: URL(fileURLWithPath: directory("waits"))).isEmpty {
      usleep(10_000)
    }
    return process
  }

  @Test func anImportSaysWhomItWaitsForAndGivesUp() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = try directory.write("one", lines: [Sample.header, Self.conversation("one")])
    let holder = ProcessInfo.processInfo.processIdentifier
    var waiting: Process?
    try whileWriting(store) {
      let bound = try Tool.run("import", store, file, "--wait", "0.2")
      #expect(bound.status == 1)
      #expect(
        bound.errors.contains("Another process is writing") && bound.errors.contains("process: \(holder)"),
        "\(bound.errors)")
      waiting = try startWaitingImport(directory, file)
    }
    waiting?.waitUntilExit()
    #expect(waiting?.terminationStatus == 0)
    let waits = try String(contentsOfFile: directory("waits"), encoding: .utf8)
    #expect(waits.hasPrefix("satchel: waiting for process \(holder), which is writing\n"), "\(waits)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// Who is kept waiting ends at once when asked to, also where it was started with these signals blocked, as a thread of
  /// Dispatch does.
  @Test(arguments: [SIGTERM, SIGINT]) func anImportThatWaitsEndsBySignal(_ number: Int32) throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = try directory.write("one", lines: [Sample.header, Self.conversation("one")])
    try whileWriting(store) {
      var ends = sigset_t()
      var before = sigset_t()
      sigemptyset(&ends)
      sigaddset(&ends, number)
      pthread_sigmask(SIG_BLOCK, &ends, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      let process = try startWaitingImport(directory, file)
      kill(process.processIdentifier, number)
      // A minute at most: it waits for this very process.
      for _ in 0..<6000 where process.isRunning { usleep(10_000) }
      #expect(!process.isRunning)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    }
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// An import keeps nobody waiting for input that does not come: what it had is staged, and others write.
  @Test func anImportWhoseInputStallsIsInNobodysWay() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    try directory.write("one", lines: [Sample.header, Self.conversation("one")])
    let result = try Tool.shell(
      """
      cd "$1"; mkfifo in; exec 3<>in
      "$satchel" import store - <in >first 2>&1 3>&- & stalled=$!
      printf '%s\\n%s\\n' "$2" "$3" >&3
      # Until it has taken its line, or for half a minute.
      for try in $(seq 300); do
        "$satchel" dump store staging --format json | grep -q . && break
        sleep 0.1
      done
      "$satchel" dump store staging --format json | grep -c .
      "$satchel" import store one --wait 0 >/dev/null; echo $?
      exec 3>&-
      wait $stalled; echo $?
      """, directory.path, Sample.header, Self.conversation("two"))
    #expect(
      result.lines.first == "1" && result.lines.dropFirst().first == "0", "\(result.output)\(result.errors)")
    #expect(result.lines.last == "0", "\(result.output)\(result.errors)")
    let export = try Tool.run("export", store).output
    for name in ["one", "two"] { #expect(export.contains(#""identifier":"\#(name)""#)) }
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// What is wrong with a line is told when the line has come, not when there are enough of them.
  @Test func anImportWhoseInputStallsTellsOfABadLine() throws {
    let directory = try Tool.Directory()
    _ = try Sample.make(in: directory)
    let result = try Tool.shell(
      """
      cd "$1"; mkfifo in; exec 3<>in
      printf '%s\\n%s\\nno JSON\\n' "$2" "$3" >&3
      timeout 60 "$satchel" import store - <in 3>&-; echo $?
      """, directory.path, Sample.header, Self.conversation("two"))
    #expect(
      result.output == "1\n" && result.errors.contains("line 3: not JSON"), "\(result.output)\(result.errors)"
    )
    #expect(try Tool.run("verify", directory("store")).status == 0)
  }

  /// An import into a new store is killed at random times; the next one takes the path all the same, and what it makes is
  /// whole.
  @Test func killedImportsAreNoObstacle() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    let directory = try Tool.Directory()
    let chat = try directory.write("chat.jsonl", try Tool.run("generate", "--messages", "300").output.utf8)
    let begin = ContinuousClock.now
    #expect(try Tool.run("import", directory("whole"), chat, "--as", "alice").status == 0)
    let span = Int((ContinuousClock.now - begin) / .microseconds(1))
    var killed = 0
    for round in 0..<16 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Tool.path)
      process.arguments = ["import", directory("store"), chat, "--as", "alice"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The beginning, where a directory grows step by step, is met as often as the rest.
      usleep(UInt32(random.below(round % 2 == 0 ? span / 6 + 1 : span)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal { killed += 1 }
      if directory.exists("store") {
        #expect(try Tool.run("verify", directory("store")).status == 0, "seed \(seed), round \(round)")
        try FileManager.default.removeItem(atPath: directory("store"))
      }
    }
    #expect(killed > 0)
    let result = try Tool.run("import", directory("store"), chat, "--as", "alice")
    #expect(result.status == 0, "seed \(seed): \(result.errors)")
    #expect(!directory.exists("store.importing"))
    #expect(
      try Tool.run("export", directory("store")).output == Tool.run("export", directory("whole")).output)
  }
}
