import Foundation
import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

/// Lines are read and decoded ahead by another thread: neither their order nor an end shows it.
@Suite struct LinesAheadTests {
  /// Lines of several batches; every seventh is no JSON, every eleventh repeats an identifier. Into a store that is there they
  /// are gathered for several transactions.
  @Test(arguments: [false, true]) func rejectsInTheOrderOfTheLines(isThere: Bool) throws {
    let store = try TemporaryStore()
    if isThere { _ = try ImporterTests.run([ImporterTests.header], into: store) }
    var lines = [ImporterTests.header, ImporterTests.conversation]
    var expected: [Int] = []
    let text = String(repeating: "x", count: 300)
    for number in 3...5000 {
      let identifier = number % 11 == 0 ? "c11" : "m\(number)"
      let line =
        #"{"kind":"message","identifier":"\#(identifier)","conversation":"c","sender":"bob","#
        + #""parts":[{"mimeType":"text/plain","text":"\#(text)"}]}"#
      lines.append(number % 7 == 0 ? String(line.dropLast()) : line)
      if number % 7 == 0 || number % 11 == 0 && number > 11 { expected.append(number) }
    }
    var rejected: [Int] = []
    let summary = try ImporterTests.run(lines, into: store, skipsInvalid: true) { line, _ in
      rejected.append(line)
    }
    #expect(rejected == expected)
    #expect(summary.messages == 4998 - expected.count)
    #expect(summary.rejected == expected.count)
  }

  /// What stands before a line that ends the import is told first.
  @Test func tellsWhatIsBeforeTheEnd() throws {
    let store = try TemporaryStore()
    let lines =
      [ImporterTests.announcing, ImporterTests.conversation] + Array(repeating: "no JSON", count: 20_000)
    var rejected = 0
    #expect(throws: Importer.Failure.self) {
      try ImporterTests.run(lines, into: store, skipsInvalid: true) { _, _ in rejected += 1 }
    }
    #expect(rejected == 20_000)
  }

  /// An import that fails does not wait for the rest of its input, and has done with it.
  @Test func failsWhileAPipeStaysOpen() throws {
    let store = try TemporaryStore()
    let pipe = Pipe()
    let lines = [ImporterTests.header, ImporterTests.message, ""]
    try pipe.fileHandleForWriting.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
    let importer = Importer(.descriptor(pipe.fileHandleForReading.fileDescriptor))
    #expect(
      throws: Importer.Failure(
        line: 2, reason: "No conversation has that identifier (conversation: c)")
    ) {
      try importer.run(into: store.path, user: "alice")
    }
    // Nobody reads any more.
    try pipe.fileHandleForWriting.write(contentsOf: Data("rest".utf8))
    #expect(try pipe.fileHandleForReading.read(upToCount: 4) == Data("rest".utf8))
  }

  /// A file that never ends and has no lines: what is wrong with its second line is told all the same.
  @Test func failsWhileAPipeIsNeverSilent() throws {
    signal(SIGPIPE, SIG_IGN)
    let store = try TemporaryStore()
    let pipe = Pipe()
    let lines = [ImporterTests.header, ImporterTests.message, ""]
    try pipe.fileHandleForWriting.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
    let writing = pipe.fileHandleForWriting.fileDescriptor
    Thread.detachNewThread {
      let blanks = [UInt8](repeating: 10, count: 4096)
      // Until nobody can read any more.
      while write(writing, blanks, blanks.count) > 0 {}
    }
    let importer = Importer(.descriptor(pipe.fileHandleForReading.fileDescriptor))
    #expect(
      throws: Importer.Failure(
        line: 2, reason: "No conversation has that identifier (conversation: c)")
    ) {
      try importer.run(into: store.path, user: "alice")
    }
    try pipe.fileHandleForReading.close()
  }
}
