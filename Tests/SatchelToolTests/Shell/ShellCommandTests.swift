import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the shell sees to around the commands that it starts.
@Suite(.timeLimit(.minutes(3))) struct ShellCommandTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  /// Another store has come to the path meanwhile: that of somebody else.
  @Test func itsUserIsThatOfEachCommand() async throws {
    let session = try await ShellSession.start(
      store, state: directory("state"), arguments: ["--as", "alice"], columns: 120)
    #expect(try await session.enter("send --with carol 'To carol' --id m4") == ["m4"])
    try FileManager.default.moveItem(atPath: store, toPath: directory("alice"))
    let file = try directory.write("empty.jsonl", lines: [Sample.header])
    try #require(try Tool.run("import", store, file, "--as", "bob").status == 0)
    for line in [
      "send --with carol hi", "set identities bob displayName=B", "delete messages m4",
      "aggregate messages --declare all", "aggregate --drop=all",
    ] {
      let told = try await session.enter(line)
      #expect(told.first?.hasPrefix("satchel: The store belongs to another user") == true, "\(line): \(told)")
    }
    // What does not write takes no user.
    #expect(try await session.enter("count messages") == ["0"])
    #expect(try await session.enter("aggregate messages").joined().contains("0"))
  }

  #if os(Linux)
    /// The processes whose arguments name the store, but for this one.
    private func running() throws -> [pid_t] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter {
        process in
        guard process != getpid(),
          let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
        else { return false }
        return String(decoding: words, as: UTF8.self).contains(store)
      }
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func aSignalEndsTheCommandAsWell(_ number: Int32) async throws {
      let session = try await ShellSession.start(store, state: directory("state"))
      session.type("watch messages\r")
      try await session.waits { screen in screen.lines.contains { $0.contains("m3") } }
      #expect(try running().count == 2)
      session.signal(number)
      #expect(try await session.status() == 128 + number)
      let left = try running()
      #expect(left == [])
      left.forEach { kill($0, SIGKILL) }
    }

    @Test func aSignalEndsTheCommandOfAScriptAsWell() throws {
      let script = try directory.write("script", lines: ["watch messages", "send lunch 'not sent'"])
      let result = try Tool.shell(
        """
        "$satchel" shell "$1" < "$2" > "$3" & shell=$!
        while [ ! -s "$3" ]; do sleep 0.05; done
        kill -TERM $shell
        wait $shell
        echo $?
        """, store, script, directory("output"))
      #expect(result.output == "143\n", "\(result.errors)")
      let left = try running()
      #expect(left == [])
      left.forEach { kill($0, SIGKILL) }
      #expect(try Tool.run("count", store, "messages").output == "3\n")
    }
  #endif

  /// The system takes no argument of that length.
  @Test func aTextThatIsTooLong() throws {
    let text = String(repeating: "x", count: 900_000)
    let result = try Tool.run(["shell", store], input: "send lunch \(text)\n")
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.hasPrefix("satchel: the arguments are too long"), "\(result.errors)")
    #expect(result.errors.contains("900000 bytes"), "\(result.errors)")
  }
}
