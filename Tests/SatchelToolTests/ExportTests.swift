import Foundation
import Testing

@Suite struct ExportTests {
  @Test func roundTripsByteForByte() throws {
    let directory = try Tool.Directory()
    let chat = try directory.write(
      "chat.jsonl", try Tool.run("generate", "--messages", "2000", "--seed", "3").output.utf8)
    #expect(try Tool.run("import", directory("first"), chat, "--as", "alice").status == 0)
    #expect(try Tool.run("export", directory("first"), directory("first.jsonl")).status == 0)
    #expect(
      try Tool.run("import", directory("second"), directory("first.jsonl"), "--as", "alice").status == 0)
    let second = try Tool.run("export", directory("second"))
    #expect(second.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory("first.jsonl"))) == Data(second.output.utf8))
    #expect(try Tool.run("verify", directory("second")).status == 0)
  }

  /// Metadata may nest 64 deep; in a line it lies inside other objects.
  @Test func theDeepestMetadataRoundTrips() throws {
    let directory = try Tool.Directory()
    let path = Array(repeating: "k", count: 63).joined(separator: ".")
    let file = try directory.write(
      "deep.jsonl",
      lines: [
        Sample.header, #"{"kind":"conversation","identifier":"c","participants":["alice"]}"#,
        #"{"kind":"update","conversation":"c","metadata":{"set":{"\#(path)":{"k":"v"}}}}"#,
        #"{"kind":"message","identifier":"m","conversation":"c","sender":"alice"}"#,
        #"{"kind":"update","message":"m","metadata":{"set":{"\#(path).k":"v"}}}"#,
      ])
    #expect(try Tool.run("import", directory("first"), file, "--as", "alice").status == 0)
    let first = try Tool.run("export", directory("first"))
    let again = try Tool.run("import", directory("second"), "-", "--as", "alice", input: first.output)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Tool.run("export", directory("second")).output == first.output)
  }

  @Test func generateGivesTheSameForTheSameSeed() throws {
    let first = try Tool.run("generate", "--messages", "50", "--seed", "9")
    #expect(first.status == 0)
    #expect(try Tool.run("generate", "--messages", "50", "--seed", "9").output == first.output)
    #expect(try Tool.run("generate", "--messages", "50", "--seed", "10").output != first.output)
  }

  /// Everything is there, also what the user cannot see.
  @Test func showsTheHidden() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let lines = try Tool.run("export", store).lines
    #expect(lines.first == #"{"kind":"header","format":"satchel-interchange","version":1,"trailer":true}"#)
    #expect(Array(lines.dropFirst().dropLast()) == Array(Sample.lines.dropFirst()))
    #expect(
      lines.last?.hasPrefix(
        #"{"kind":"trailer","counts":{"identity":2,"conversation":2,"message":4,"announcement":1},"#) == true)
  }

  /// A reader that stops early ends the program without a word.
  @Test func endsQuietlyWhenNobodyReads() throws {
    let directory = try Tool.Directory()
    let chat = try directory.write("chat.jsonl", try Tool.run("generate", "--messages", "3000").output.utf8)
    #expect(try Tool.run("import", directory("store"), chat, "--as", "alice").status == 0)
    let result = try Tool.shell(
      "\"$satchel\" export \"$1\" | head -n 1 >/dev/null; echo \"${PIPESTATUS[0]}\"", directory("store"))
    #expect(result.output == "0\n")
    #expect(result.errors == "")
  }

  @Test(.disabled(if: Tool.isUnderThreadSanitizer)) func aFileThatCannotBeWrittenLeavesTheOldOne() throws {
    let directory = try Tool.Directory()
    let chat = try directory.write("chat.jsonl", try Tool.run("generate", "--messages", "1000").output.utf8)
    let store = directory("store")
    #expect(try Tool.run("import", store, chat, "--as", "alice").status == 0)
    let file = try directory.write("old.jsonl", "old".utf8)
    let result = try Tool.shell("trap '' XFSZ; ulimit -f 128; \"$satchel\" export \"$1\" \"$2\"", store, file)
    #expect(result.status == 1)
    #expect(result.errors == "satchel: cannot write: File too large\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(!directory.exists("old.jsonl.partial"))
    #expect(try Tool.run("export", store, directory("none/there.jsonl")).status == 1)
  }
}
