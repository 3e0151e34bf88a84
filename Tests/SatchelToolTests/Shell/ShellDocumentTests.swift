import Foundation
import Testing

/// The session that Documentation/Shell.md shows is one that took place.
@Suite struct ShellDocumentTests {
  /// The lines that are typed, each with those that come of it.
  private static func session() throws -> [(typed: String, shown: [String])] {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let path = package.appendingPathComponent("Documentation/Shell.md").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("<!-- session:") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("<!-- end of session") })
    var session: [(typed: String, shown: [String])] = []
    for line in lines[start..<end] where !line.hasPrefix("<!--") && !line.hasPrefix("```") {
      if line.hasPrefix("satchel> ") {
        session.append((String(line.dropFirst("satchel> ".count)), []))
      } else if !session.isEmpty {
        session[session.count - 1].shown.append(line)
      }
    }
    return session
  }

  @Test func isTrue() async throws {
    let directory = try Tool.Directory()
    let chat = try Tool.run("generate", "--messages", "2000", "--seed", "1")
    let file = try directory.write("chat.jsonl", chat.output.utf8)
    #expect(try Tool.run("import", directory("chat.satchel"), file, "--as", "alice").status == 0)
    let session = try await ShellSession.start(
      directory("chat.satchel"), state: directory("state"), columns: 130)
    let steps = try Self.session()
    try #require(steps.count > 5 && steps.last?.typed == "exit")
    for (typed, shown) in steps.dropLast() {
      #expect(try await session.enter(typed) == shown, "\(typed)")
    }
    session.type("exit\r")
    #expect(try await session.status() == 0)
  }
}
