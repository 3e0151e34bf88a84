import Foundation
import Testing

/// `set` and `delete` of records: values of the types with which the fields were declared.
@Suite struct RecordSettingTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try SampleRecords.make(in: directory)
  }

  /// Changes the store, and says nothing.
  private func change(_ arguments: String...) throws {
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst())
    #expect(result.status == 0 && result.output == "" && result.errors == "", "\(arguments): \(result)")
  }

  /// The owner and the fields of a record; nil if there is none.
  private func stored(_ name: String, _ type: String = "todo") throws -> (owner: String, fields: String)? {
    let input = #"{"from":"\#(type)","id":"\#(name)"}"# + "\n"
    let line = try Tool.run("query", store, "--batch", input: input).output
    guard let owner = line.firstMatch(of: #/"owner":"(.*?)"/#) else { return nil }
    let fields = line.firstRange(of: #""fields":"#).map { line[$0.upperBound...].dropLast(4) } ?? "{}"
    return (String(owner.1), String(fields))
  }

  @Test func aDeclaredFieldHasItsType() throws {
    try change(
      "set", "todo", "rest", "title=5", "order=-7", "share=2", "done=FALSE", "due=2024-05-06T07:08:09+02:00",
      "tags=urgent, late", "list=list/a/b", "free=5", "plan.steps:=3", "plan.who=bob", "owner=alice")
    #expect(
      try stored("rest")?.fields
        == #"{"done":false,"due":{"$date":"2024-05-06T05:08:09Z"},"free":"5","list":{"$reference":["list","a/b"]},"#
        + #""order":-7,"plan":{"steps":3,"who":"bob"},"share":2,"tags":["urgent","late"],"title":"5"}"#)
    #expect(try stored("rest")?.owner == "alice")
    try change("set", "todo", "rest", "share=2.50", "tags=")
    #expect(try stored("rest")?.fields.contains(#""share":2.5,"tags":[],"#) == true)
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func jsonHasTheTypeThatItHas() throws {
    try change(
      "set", "todo", "rest", "order:=9", #"tags:=["a,b"]"#, #"list:={"$reference":["list","work"]}"#,
      #"due:={"$date":"2024-01-01T00:00:00Z"}"#, #"about:={"$reference":["messages","m1"]}"#,
      #"plan:={"of":{"$reference":["list","home"]},"n":1.5}"#)
    #expect(
      try stored("rest")?.fields
        == #"{"about":{"$reference":["messages","m1"]},"done":true,"due":{"$date":"2024-01-01T00:00:00Z"},"#
        + #""list":{"$reference":["list","work"]},"order":9,"plan":{"n":1.5,"of":{"$reference":["list","home"]}},"#
        + #""tags":["a,b"],"title":"Rest"}"#)
    try change("set", "todo", "rest", "plan:=null", "order:=null", "--clear", "about", "--clear", "tags")
    #expect(
      try stored("rest")?.fields
        == #"{"done":true,"due":{"$date":"2024-01-01T00:00:00Z"},"list":{"$reference":["list","work"]},"title":"Rest"}"#
    )
    // What is not there is cleared already.
    try change("set", "todo", "rest", "--clear", "nothing", "--clear", "plan.steps")
  }

  @Test func aRecordIsMadeWhereThatIsAskedFor() throws {
    try change("set", "todo", "new", "title=New", "order=1", "--create")
    #expect(try stored("new")?.fields == #"{"order":1,"title":"New"}"# && stored("new")?.owner == "alice")
    // One that is there is changed.
    try change("set", "todo", "new", "done=true", "--create")
    #expect(try stored("new")?.fields == #"{"done":true,"order":1,"title":"New"}"#)
    try change("set", "note", "empty", "--create")
    #expect(try stored("empty", "note")?.fields == "{}")
  }

  @Test func recordsAreDeleted() throws {
    try change("delete", "todo", "rest", "shop", "rest")
    #expect(try stored("rest") == nil && stored("shop") == nil && stored("write") != nil)
    // Another refers to it.
    let result = try Tool.run("delete", store, "list", "home", "work")
    #expect(
      result.status == 1 && result.errors.contains("todo") && result.errors.contains("write"), "\(result)")
    #expect(try stored("home", "list") != nil && stored("work", "list") != nil)
    try change("delete", "list", "home")
    #expect(try stored("home", "list") == nil)
  }

  static let errors: [([String], Int32, String)] = [
    (["set", "todo", "rest", "order=three"], 1, "order takes a whole number, not \"three\""),
    (["set", "todo", "rest", "order=1.5"], 1, "order takes a whole number, not \"1.5\""),
    (["set", "todo", "rest", "share=nan"], 1, "share takes a number, not \"nan\""),
    (["set", "todo", "rest", "done=1"], 1, "done takes true or false, not \"1\""),
    (["set", "todo", "rest", "due=noon"], 1, "due takes a date such as 2024-09-14T02:11:00Z, not \"noon\""),
    (["set", "todo", "rest", "list=work"], 1, "list takes a reference such as list/ID, not \"work\""),
    (
      ["set", "todo", "rest", "list=todo/write"], 1,
      "list takes a reference such as list/ID, not \"todo/write\""
    ),
    (["set", "todo", "rest", "list=list/"], 1, "list takes a reference such as list/ID, not \"list/\""),
    (
      ["set", "todo", "rest", "order:=\"x\""], 1,
      "expected: integer, field: order, found: text, record: rest, recordType: todo"
    ),
    (["set", "todo", "rest", "title.first=x"], 1, "expected: text, field: title, found: dictionary"),
    (
      ["set", "todo", "rest", "tags:=[5]"], 1, "tags[0] takes a text, as lists have texts only, not a number"
    ),
    (
      ["set", "todo", "rest", "createdAt=2024-09-14T02:11:00Z"], 1,
      "createdAt: every record has createdAt, which cannot be changed"
    ),
    (["set", "todo", "rest", "--clear", "owner"], 1, "owner always has a value, which --clear cannot take"),
    (["set", "todo", "rest", "owner:=5"], 1, "owner takes a text, the id of a user"),
    (["set", "todo", "rest", "order=1", "order=2"], 1, "order is set twice"),
    (
      ["set", "todo", "none", "order=1"], 1,
      "No record of the type has that name (record: none, recordType: todo)"
    ),
    (["set", "todo", "rest"], 64, "set takes properties and their values"),
    (["set", "messages", "m1", "--create"], 64, "--create goes with a record type"),
    (
      ["delete", "todo", "rest", "none"], 1,
      "No record of the type has that name (record: none, recordType: todo)"
    ),
    (
      ["delete", "todo", "rest", "--for-everyone"], 64, "--for-everyone goes with messages and announcements"
    ),
    (
      ["delete", "parts", "p"], 64,
      "delete takes messages, announcements, conversations or a record type, not parts"
    ),
  ]

  @Test(arguments: errors) func whatIsWrongChangesNothing(
    _ arguments: [String], _ status: Int32, _ error: String
  ) throws {
    let before = try Tool.run("export", store).output
    let result = try Tool.run([arguments[0], store] + arguments.dropFirst())
    #expect(result.status == status && result.output == "", "\(arguments): \(result)")
    #expect(result.errors.contains(error), "\(arguments): \(result.errors)")
    #expect(try Tool.run("export", store).output == before)
  }
}
