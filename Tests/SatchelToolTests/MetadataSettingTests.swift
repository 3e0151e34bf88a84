import Foundation
import Testing

/// `set` with values of metadata of all types: JSON behind `:=`.
@Suite struct MetadataSettingTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
  }

  /// Sets properties of an object, and says nothing.
  private func set(_ kind: String, _ identifier: String, _ assignments: String...) throws {
    let result = try Tool.run(["set", store, kind, identifier] + assignments)
    #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
  }

  private func lines(_ kind: String, _ predicate: String, columns: String) throws -> [String] {
    let result = try Tool.run(
      "query", store, kind, "--where", predicate, "--columns", columns, "--format", "csv")
    #expect(result.status == 0, "\(result.errors)")
    return result.output.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst().map(String.init)
  }

  /// The end of the message's line in an export, from its metadata on.
  private func exported() throws -> String {
    let lines = try Tool.run("export", store).lines
    let line = lines.first { $0.contains(#""identifier":"m1""#) } ?? ""
    return line.firstRange(of: #""metadata":"#).map { String(line[$0.upperBound...]) } ?? line
  }

  /// Behind `=` stands a text, whatever it looks like.
  @Test func setsValuesOfAllTypes() throws {
    try set(
      "messages", "m1", "metadata.stars:=5", "metadata.ratio:= -2.50 ", "metadata.isHot:=true",
      #"metadata.tags:=["urgent","late"]"#, #"metadata.due:={"$date":"2024-01-03T12:00:00Z"}"#,
      #"metadata.theme:={"color":"red","depth":{"n":5.0}}"#, #"metadata.'a.b':="x=y""#, "metadata.text=5",
      "metadata.odd=:=5", "position:=12", #"recipientStatus.bob:="read""#)
    let expected =
      #"{"a.b":"x=y","due":{"$date":"2024-01-03T12:00:00Z"},"isHot":true,"odd":":=5","ratio":-2.5,"stars":5,"#
      + #""tags":["urgent","late"],"text":"5","theme":{"color":"red","depth":{"n":5.0}}}"#
    let stored = try exported()
    #expect(stored.hasPrefix(expected), "\(stored)")
    let found =
      "metadata.stars = 5 AND 'late' IN metadata.tags AND metadata.isHot = TRUE AND metadata.text = '5'"
    #expect(
      try lines("messages", found, columns: "identifier,position,recipientStatus.bob") == ["m1,12,read"])
    // Null is no value.
    try set("messages", "m1", "metadata.stars:=null", "position:=null")
    #expect(
      try lines("messages", "metadata.stars = nil AND position = nil", columns: "identifier") == ["m1"])
    try set("conversations", "lunch", "metadata.seats:=5", #"participants:=["alice","bob"]"#)
    #expect(
      try lines("conversations", "metadata.seats = 5", columns: "identifier,participants") == [
        #"lunch,"[""alice"",""bob""]""#
      ])
    #expect(try Tool.run("verify", store).status == 0)
  }

  static let errors: [(assignments: [String], error: String)] = [
    (
      ["metadata.stars:=five"],
      #"metadata.stars:= takes JSON, such as 5, true, "text", ["a","b"] or {"$date":"2024-01-03T12:00:00Z"}, not "five": column 2: expected 'false', found 'i'"#
    ),
    (["metadata.stars:="], #"metadata.stars:= takes JSON, such as 5, "#),
    (
      ["metadata.stars:=5,\"x\":6"],
      #"metadata.stars:= takes JSON, such as 5, "#
    ),
    (
      ["metadata.stars:=1e999"],
      "metadata.stars takes a number within the range of a Double, not 1e999"
    ),
    (
      ["metadata.tags:=[\"a\",5]"],
      "metadata.tags[1] takes a text, as lists have texts only, not a number"
    ),
    (
      ["metadata.due:={\"$date\":\"soon\"}"],
      "metadata.due.$date takes a date such as 2024-09-14T02:11:00Z"
    ),
    (
      ["position:=\"5\""],
      "position takes a whole number of 64 bits, not a text"
    ),
    (["isSent:=null"], "isSent always has a value"),
    (["metadata.a:=1", "metadata.a=b"], "metadata.a is set twice"),
  ]

  @Test func saysWhatIsWrong() throws {
    let before = try Tool.run("export", store).output
    for (assignments, error) in Self.errors {
      let result = try Tool.run(["set", store, "messages", "m1"] + assignments)
      #expect(result.status == 1, "\(assignments)")
      #expect(result.errors.hasPrefix("satchel: " + error), "\(assignments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try Tool.run("export", store).output == before)
  }
}
