import Foundation
import Testing

/// `search`: messages by the words of their texts.
@Suite struct SearchCommandTests {
  private let directory: Tool.Directory
  private let store: String

  private static let more = [
    Sample.header,
    #"{"kind":"conversation","identifier":"tea","participants":["alice","bob"],"metadata":{"title":"Tea"}}"#,
    #"{"kind":"message","identifier":"m7","conversation":"tea","sender":"bob","position":1,"sentAt":"2024-01-04T12:00:00Z","parts":[{"mimeType":"image/png","base64":"iVBO"},{"mimeType":"text/plain","text":"At NÓON, the usual\nplace"}]}"#,
    #"{"kind":"message","identifier":"m8","conversation":"tea","sender":"alice","position":2,"sentAt":"2024-01-05T12:00:00Z","parts":[{"mimeType":"text/plain","text":"FILLER the end of it is noon"}]}"#
      .replacingOccurrences(of: "FILLER", with: String(repeating: "many words, ", count: 200)),
  ]

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    let file = try directory.write("more.jsonl", lines: Self.more)
    try #require(try Tool.run("import", store, file).status == 0)
  }

  private struct Hit: Decodable, Equatable {
    let message: String
    let conversation: String
    let sender: String
    let sentAt: String
    let part: Int
    let snippet: String
    let highlights: [[Int]]
    let isCutBefore: Bool
    let isCutBehind: Bool

    /// What is marked.
    var marked: [String] {
      let scalars = Array(snippet.unicodeScalars)
      return highlights.map { range in String(String.UnicodeScalarView(scalars[range[0]..<range[1]])) }
    }
  }

  private func hits(_ arguments: String...) throws -> [Hit] {
    let result = try Tool.run(["search", store, "--format", "json"] + arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.lines.map { try JSONDecoder().decode(Hit.self, from: Data($0.utf8)) }
  }

  @Test func theNewestComeFirst() throws {
    #expect(try hits("noon").map(\.message) == ["m8", "m7", "m1"])
    #expect(try hits("noon", "--limit", "2").map(\.message) == ["m8", "m7"])
    #expect(try hits("noon", "--limit", "0").isEmpty)
    #expect(try hits("noon", "--in", "lunch").map(\.message) == ["m1"])
    #expect(try hits("noon -place").map(\.message) == ["m8", "m1"])
    #expect(try hits("\"usual place\" OR 喫茶店").map(\.message) == ["m7", "m2"])
    #expect(try hits("fin*").map(\.message) == ["m3"])
    #expect(try hits("--", "-noon").map(\.message) == ["m3", "m2"])
    #expect(try hits("nowhere").isEmpty)
  }

  @Test func linesOfJSON() throws {
    let hit = try #require(try hits("noon place").first)
    #expect(
      hit
        == Hit(
          message: "m7", conversation: "tea", sender: "bob", sentAt: "2024-01-04T12:00:00Z", part: 1,
          snippet: "At NÓON, the usual\nplace", highlights: [[3, 7], [19, 24]], isCutBefore: false,
          isCutBehind: false))
    let long = try #require(try hits("end noon").first)
    #expect(long.isCutBefore && !long.isCutBehind && long.marked == ["end", "noon"])
  }

  @Test func aTable() throws {
    let result = try Tool.run(
      ["search", store, "noon OR place", "--in", "tea", "--format", "table"], columns: 100)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.count == 2)
    let cells = [
      "2024-01-04T12:00:00Z", "bob             ", "tea             ", "At NÓON, the usual\\nplace",
    ]
    #expect(result.lines.last == cells.joined(separator: "  "))
    #expect(result.lines.first?.hasSuffix("noon") == true && result.lines.first?.contains("…") == true)
    #expect(try Tool.run("search", store, "nowhere", "--format", "table").lines == ["no messages"])
  }

  @Test func whatIsRefused() throws {
    for (pattern, column) in [("noon OR", "8"), ("(noon", "6"), ("\"noon", "1"), ("", "1")] {
      let result = try Tool.run("search", store, pattern)
      #expect(result.status == 1 && result.output.isEmpty, "\(pattern)")
      #expect(result.errors.contains("column: \(column)"), "\(pattern): \(result.errors)")
    }
    let nowhere = try Tool.run("search", store, "noon", "--in", "nowhere")
    #expect(nowhere.status == 1 && nowhere.errors.contains("nowhere"))
    #expect(try Tool.run("search", store, "noon", "--limit", "-1").status == 64)
    #expect(try Tool.run("search", store).status == 64)
  }
}
