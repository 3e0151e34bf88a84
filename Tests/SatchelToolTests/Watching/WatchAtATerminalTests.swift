import Foundation
import Testing

/// What `watch` shows at a terminal that it does not show elsewhere: colours, and rows of the width that it has.
@Suite struct WatchAtATerminalTests {
  private let directory: Tool.Directory
  private let store: String
  private var arguments: [String] { [store, "messages", "--sort", "-position"] }

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  /// The titles, the line below them and three messages.
  private static let rowsOfSample = 5

  @Test func coloursWhatChanged() async throws {
    let watch = try TerminalWatch(arguments, columns: 200)
    var count = try await watch.lines(atLeast: Self.rowsOfSample).count
    #expect(count == Self.rowsOfSample)
    var rows: [String] = []
    for change in WatchTests.changes.prefix(4) {
      try WatchTests.commit(change.line, to: store)
      count += 1
      rows = try await watch.lines(atLeast: count)
    }
    try #require(rows.count == Self.rowsOfSample + 4)
    for row in rows.prefix(Self.rowsOfSample) {
      #expect(!row.contains("\u{1B}"), "nothing has changed: \(row)")
    }
    let changes = rows.dropFirst(Self.rowsOfSample)
    let starts = [
      "\u{1B}[32m+ 0\u{1B}[0m", "\u{1B}[36m* 3\u{1B}[0m", "\u{1B}[33m2 > 0\u{1B}[0m",
      "\u{1B}[31m- 2\u{1B}[0m",
    ]
    for (row, start) in zip(changes, starts) { #expect(row.contains("  " + start), "\(row)") }
    // Whole rows come, move and go; a message that is no longer unread stays what it is for the rest.
    #expect(changes.contains { $0.contains("\u{1B}[32mm4\u{1B}[0m") })
    #expect(changes.contains { $0.contains("\u{1B}[31mm3\u{1B}[0m") })
    #expect(changes.contains { $0.contains(" m1 ") })
  }

  /// Of an object that stays where it is, only the cells that have changed are coloured.
  @Test func coloursTheCellsThatChanged() async throws {
    let watch = try TerminalWatch(arguments, columns: 200)
    let before = try await watch.lines(atLeast: Self.rowsOfSample).count
    try WatchTests.commit(
      #"{"kind":"update","message":"m1","set":{"sentAt":"2024-05-06T07:08:09Z"}}"#, to: store)
    let row = try #require(try await watch.lines(atLeast: before + 1).last)
    let colours = row.matches(of: #/\u{1B}\[36m(.*?)\u{1B}\[0m/#).map { String($0.1) }
    #expect(colours == ["* 2", "2024-05-06T07:08:09Z"], "\(row)")
  }

  /// Nobody who does not want colours gets them: not with NO_COLOR, not at a terminal without them, not in a file.
  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func noColours(_ environment: [String: String]) async throws {
    let watch = try TerminalWatch(arguments, columns: 200, environment: environment)
    let file = try await RunningWatch.start(arguments, format: "table")
    let (shown, written) = (
      try await watch.lines(atLeast: Self.rowsOfSample).count,
      try await file.lines(atLeast: Self.rowsOfSample).count
    )
    try WatchTests.commit(WatchTests.changes[0].line, to: store)
    let rows = try await watch.lines(atLeast: shown + 1)
    #expect(rows.last?.contains("  + 0 ") == true)
    #expect(!rows.contains { $0.contains("\u{1B}") })
    let lines = try await file.lines(atLeast: written + 1)
    #expect(lines.last?.contains("  + 0 ") == true)
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }

  @Test func followsTheWidth() async throws {
    let watch = try TerminalWatch(arguments, columns: 150, environment: ["NO_COLOR": "1"])
    var count = try await watch.lines(atLeast: Self.rowsOfSample).count
    var widths: [Int] = []
    for (index, columns) in [150, 260, 130].enumerated() {
      watch.resize(columns)
      let text = String(repeating: "long ", count: 100)
      let line =
        #"{"kind":"message","identifier":"w\#(index)","conversation":"lunch","sender":"bob","position":\#(index + 10),"#
        + #""parts":[{"mimeType":"text/plain","text":"\#(text)"}]}"#
      try WatchTests.commit(line, to: store)
      count += 1
      widths.append(try #require(try await watch.lines(atLeast: count).last).count)
    }
    #expect(widths == [150, 260, 130])
  }

  /// The line under the titles is as wide as a row can be.
  @Test(arguments: ["messages", "conversations", "announcements", "parts", "identities"])
  func fitsEightyColumns(_ kind: String) async throws {
    let watch = try TerminalWatch([store, kind], columns: 80, environment: ["NO_COLOR": "1"])
    let lines = try await watch.lines(atLeast: 3)
    #expect(lines[1].count == 80, "\(lines[0])")
    #expect(lines[1].allSatisfy { $0 == "─" || $0 == " " })
    #expect(lines[0].hasPrefix("time          change "))
  }
}
