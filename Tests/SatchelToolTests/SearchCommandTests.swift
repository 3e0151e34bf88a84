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
    var score: Double?
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

  @Test func portsAreFoundAndMarked() throws {
    let line =
      #"{"kind":"message","identifier":"m9","conversation":"tea","sender":"bob","position":3,"sentAt":"2024-01-06T12:00:00Z","parts":[{"mimeType":"text/plain","text":"tea"},{"mimeType":"text/plain","text":"Try http://localhost:8080/ now"}]}"#
    let file = try directory.write("port.jsonl", lines: [Sample.header, line])
    try #require(try Tool.run("import", store, file).status == 0)
    for pattern in ["localhost:8080", "try localhost:80*", "\"localhost:8080\""] {
      let found = try hits(pattern)
      #expect(found.map(\.message) == ["m9"] && found.map(\.part) == [1], "\(pattern)")
      #expect(found.first?.marked.last?.hasPrefix("localhost:80") == true, "\(pattern)")
    }
    let refused = try Tool.run("search", store, "localhots:noon")
    #expect(refused.status != 0 && refused.errors.contains("localhots"), "\(refused.errors)")
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

  /// A field is asked of another text of the message; the line shows what is looked for in its own.
  @Test func fields() throws {
    #expect(try hits("conversation.metadata.title:tea noon").map(\.message) == ["m8", "m7"])
    #expect(try hits("noon sender.userID:bob").filter { $0.conversation == "tea" }.map(\.message) == ["m7"])
    #expect(try hits("noon -conversation.metadata.title:tea").map(\.message) == ["m1"])
    #expect(try hits("noon text:place").map(\.marked) == [["NÓON", "place"]])
    // Of what matches by its conversation alone, the first text is shown.
    let others = try hits("conversation.metadata.title:tea")
    #expect(others.map(\.message) == ["m8", "m7"] && others.map(\.part) == [0, 1])
    #expect(others.allSatisfy { $0.highlights.isEmpty && !$0.snippet.isEmpty })
    #expect(try hits("place OR conversation.metadata.title:tea").map(\.marked) == [[], ["place"]])
    try declareWords()
    #expect(
      try hits("noon conversation.metadata.title:tea", "--by", "relevance").map(\.message) == ["m7", "m8"])
    let unknown = try Tool.run("search", store, "noon subject:tea")
    #expect(unknown.status == 1 && unknown.output.isEmpty, "\(unknown)")
    #expect(
      unknown.errors.contains("subject") && unknown.errors.contains("conversation.metadata.title"),
      "\(unknown)")
  }

  @Test func laterOnesAndNeighbours() throws {
    #expect(try hits("noon", "--offset", "1").map(\.message) == ["m7", "m1"])
    #expect(try hits("noon", "--offset", "1", "--limit", "1").map(\.message) == ["m7"])
    #expect(try hits("noon", "--offset", "3").isEmpty)
    #expect(try hits("noon", "--around", "m7").map(\.message) == ["m8", "m7", "m1"])
    #expect(try hits("noon", "--around", "m7", "--limit", "2").map(\.message) == ["m7", "m1"])
    #expect(try hits("noon", "--around", "m7", "--limit", "1", "--in", "tea").map(\.message) == ["m7"])
    // In this order, those from then on are the older ones.
    #expect(try hits("noon", "--around", "2024-01-04", "--limit", "2").map(\.message) == ["m7", "m1"])
    let stranger = try Tool.run("search", store, "noon", "--around", "m3")
    #expect(stranger.status == 1 && stranger.output.isEmpty && stranger.errors.contains("m3"), "\(stranger)")
  }

  @Test func theBestComeFirst() throws {
    let without = try Tool.run("search", store, "noon", "--by", "relevance")
    #expect(without.status == 1 && without.output.isEmpty)
    #expect(without.errors.contains("satchel index declare STORE words messages"), "\(without.errors)")
    try declareWords()
    let best = try hits("noon", "--by", "relevance")
    // All have it once: the shorter a text, the better.
    #expect(best.map(\.message) == ["m1", "m7", "m8"])
    let scores = best.compactMap(\.score)
    #expect(scores.count == 3 && scores.allSatisfy { $0 > 0 } && scores == scores.sorted(by: >), "\(scores)")
    #expect(best.map(\.marked) == [["Noon"], ["NÓON"], ["noon"]] && best.map(\.part) == [0, 1, 0])
    #expect(try hits("noon", "--by", "relevance", "--limit", "1", "--offset", "1").map(\.message) == ["m7"])
    #expect(try hits("noon", "--by", "relevance", "--in", "tea").map(\.message) == ["m7", "m8"])
    #expect(try hits("noon", "--by", "newest").allSatisfy { $0.score == nil })
    #expect(try hits("nowhere", "--by", "relevance").isEmpty)
    let table = try Tool.run(
      ["search", store, "noon", "--by", "relevance", "--format", "table"], columns: 100)
    #expect(
      table.lines.count == 3 && table.lines.first?.hasSuffix("Noon?\\n\\u{1B}[31mred") == true, "\(table)")
  }

  private func declareWords(_ name: String = "words", _ rest: String...) throws {
    let rest = rest.isEmpty ? ["messages", "--columns", "words parts.text"] : rest
    let result = try Tool.run(["index", "declare", store, name] + rest)
    try #require(result.status == 0, "\(result.errors)")
  }

  private func suggestions(_ arguments: String...) throws -> [String] {
    let result = try Tool.run(["suggest", store, "--format", "json"] + arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return result.lines
  }

  @Test func wordsThatMayBeMeant() throws {
    try declareWords()
    #expect(try suggestions("at no") == [#"{"word":"noon","count":3}"#])
    #expect(
      try suggestions("O") == [#"{"word":"of","count":1}"#])
    #expect(
      try suggestions("i") == [#"{"word":"is","count":1}"#, #"{"word":"it","count":1}"#])
    #expect(try suggestions("i", "--limit", "1") == [#"{"word":"is","count":1}"#])
    #expect(try suggestions("i", "--limit", "0").isEmpty)
    #expect(try suggestions("noon ").isEmpty)
    let table = try Tool.run("suggest", store, "noo", "--format", "table").lines
    #expect(table.first?.hasPrefix("word") == true && table.first?.hasSuffix("count") == true, "\(table)")
    #expect(table.last?.hasPrefix("noon") == true && table.last?.hasSuffix("3") == true, "\(table)")
    #expect(try Tool.run("suggest", store, "zzz", "--format", "table").lines.last == "no words")
  }

  @Test func whoseWordsAreSuggested() throws {
    let none = try Tool.run("suggest", store, "t")
    #expect(none.status == 1 && none.errors.contains("satchel index declare STORE words messages"), "\(none)")
    // The only one there is.
    try declareWords("titles", "conversations", "--columns", "words metadata.title")
    #expect(try suggestions("t") == [#"{"word":"tea","count":1}"#])
    // The texts of messages are what search takes.
    try declareWords()
    #expect(try suggestions("te").isEmpty)
    #expect(try suggestions("te", "--index", "titles") == [#"{"word":"tea","count":1}"#])
    try declareWords("more", "messages", "--columns", "words parts.text")
    let several = try Tool.run("suggest", store, "t")
    #expect(several.status == 1 && several.errors.contains("--index takes one of them: more, words"))
    let unknown = try Tool.run("suggest", store, "t", "--index", "word")
    #expect(unknown.status == 1 && unknown.errors.contains("titles, words, more"), "\(unknown.errors)")
    try declareWords("dates", "messages", "--columns", "sentAt")
    let wrong = try Tool.run("suggest", store, "t", "--index", "dates")
    #expect(wrong.status == 1 && wrong.errors.contains("an index of words"), "\(wrong.errors)")
    #expect(try Tool.run("suggest", store, "t", "--limit", "-1").status == 64)
    #expect(try Tool.run("suggest", store).status == 64)
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
    for (pattern, column) in [("noon OR", "8"), ("(noon", "6"), ("\"noon", "1"), ("", "1"), ("pro*buf", "4")]
    {
      let result = try Tool.run("search", store, pattern)
      #expect(result.status == 1 && result.output.isEmpty, "\(pattern)")
      #expect(result.errors.contains("column: \(column)"), "\(pattern): \(result.errors)")
    }
    for (pattern, advice) in [
      ("title:Tea", "conversation.metadata.title"), ("noon (from:bob OR place)", "sender.userID = 'bob'"),
      ("in:tea noon", "--in"),
    ] {
      let result = try Tool.run("search", store, pattern)
      #expect(result.status == 1 && result.errors.contains(advice), "\(pattern): \(result.errors)")
      // A query that it gives is one that can be asked.
      guard let condition = result.errors.firstMatch(of: #/--where "([^"]*)"/#)?.output.1 else { continue }
      let query = try Tool.run("query", store, "messages", "--where", String(condition))
      #expect(query.status == 0, "\(condition): \(query.errors)")
    }
    for pattern in ["\"title:Tea\"", "10:30", "https://example.org", "title: noon", "mailto:bob@example.org"]
    {
      #expect(try Tool.run("search", store, pattern).status == 0, "\(pattern)")
    }
    let nowhere = try Tool.run("search", store, "noon", "--in", "nowhere")
    #expect(nowhere.status == 1 && nowhere.errors.contains("nowhere"))
    for wrong in [
      ["--limit", "-1"], ["--offset", "-1"], ["--by", "oldest"], ["--by", "relevance", "--around", "m7"],
    ] {
      let result = try Tool.run(["search", store, "noon"] + wrong)
      #expect(result.status == 64 && result.output.isEmpty, "\(wrong): \(result.errors)")
    }
    #expect(try Tool.run("search", store).status == 64)
  }
}
