import Foundation
import Testing

/// Imports that another process keeps waiting, and imports that are killed.
@Suite struct WaitTests {
  /// An import whose input stalls is inside a write transaction until its input goes on.
  @Test func anImportSaysWhomItWaitsForAndGivesUp() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    try directory.write(
      "one.jsonl",
      lines: [Sample.header, #"{"kind":"conversation","identifier":"one","participants":["alice"]}"#])
    try directory.write(
      "two.jsonl", lines: [#"{"kind":"conversation","identifier":"two","participants":["alice"]}"#])
    let result = try Tool.shell(
      """
      cd "$1"; mkfifo in; exec 3<>in
      "$satchel" import store - <in >first 2>&1 3>&- & holder=$!
      printf '%s\\n' "$2" >&3; cat two.jsonl >&3
      for try in $(seq 200); do
        "$satchel" import store one.jsonl --wait 0.2 >out 2>bound 3>&- && { sleep 0.1; continue; }
        grep -q 'Another process is writing' bound && break
        sleep 0.1
      done
      echo $holder >holder
      "$satchel" import store one.jsonl >out 2>waits 3>&- & waiter=$!
      until [ -s waits ]; do sleep 0.1; done
      exec 3>&-
      # The first one never got its end of file as long as this shell had the pipe open; it ends now.
      wait $holder; echo $?
      wait $waiter; echo $?
      """, directory.path, Sample.header)
    let holder = try String(contentsOfFile: directory("holder"), encoding: .utf8).trimmingCharacters(
      in: .newlines)
    #expect(result.output.hasPrefix("0\n"), "\(result.output)\(result.errors)")
    let bound = try String(contentsOfFile: directory("bound"), encoding: .utf8)
    #expect(bound.contains("Another process is writing") && bound.contains("process: \(holder)"), "\(bound)")
    let waits = try String(contentsOfFile: directory("waits"), encoding: .utf8)
    #expect(waits.hasPrefix("satchel: waiting for process \(holder), which is writing\n"), "\(waits)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// An import into a new store is killed at random times; the next one takes the path all the same, and what it makes is
  /// whole.
  @Test func killedImportsAreNoObstacle() throws {
    let seed =
      ProcessInfo.processInfo.environment["SATCHEL_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    print("killedImportsAreNoObstacle: SATCHEL_SEED=\(seed)")
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let directory = try Tool.Directory()
    let chat = try directory.write("chat.jsonl", try Tool.run("generate", "--messages", "300").output.utf8)
    let begin = ContinuousClock.now
    #expect(try Tool.run("import", directory("whole"), chat, "--as", "alice").status == 0)
    let span = UInt64((ContinuousClock.now - begin) / .microseconds(1))
    var killed = 0
    for round in 0..<16 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Tool.path)
      process.arguments = ["import", directory("store"), chat, "--as", "alice"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The beginning, where a directory grows step by step, is met as often as the rest.
      usleep(UInt32(random(round % 2 == 0 ? span / 6 + 1 : span)))
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
