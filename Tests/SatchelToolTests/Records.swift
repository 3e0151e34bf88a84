import Testing

/// A small store with records of three types, whose dates are known.
enum SampleRecords {
  static let header = #"{"kind":"header","format":"satchel-interchange","version":4}"#

  private static func record(
    _ type: String, _ name: String, day: Int, owner: String = "alice", _ fields: String
  ) -> String {
    #"{"kind":"record","type":"\#(type)","identifier":"\#(name)","owner":"\#(owner)","#
      + #""createdAt":"2024-01-0\#(day)T08:00:00Z","createdBy":"alice","updatedAt":"2024-02-0\#(day)T08:00:00Z","#
      + #""updatedBy":"alice","fields":{\#(fields)}}"#
  }

  static let write = record(
    "todo", "write", day: 1,
    #""title":"Write","order":3,"done":false,"due":{"$date":"2024-03-01T12:00:00Z"},"tags":["urgent","late"],"#
      + #""list":{"$reference":["list","work"]},"estimate":2.5"#)
  static let rest = record(
    "todo", "rest", day: 2, owner: "bob", #""title":"Rest","order":1,"done":true,"plan":{"steps":2}"#)
  static let shop = record(
    "todo", "shop", day: 3,
    #""title":"Shop, or not","order":12,"done":false,"list":{"$reference":["list","home"]}"#)

  static let lines = [
    header,
    #"{"kind":"recordType","name":"list","fields":{"title":"text"}}"#,
    #"{"kind":"recordType","name":"todo","fields":{"title":"text","order":"integer","done":"boolean","due":"date","tags":"texts","list":"reference to list","share":"number"}}"#,
    #"{"kind":"recordType","name":"note"}"#,
    record("list", "work", day: 1, #""title":"Work""#), record("list", "home", day: 1, #""title":"Home""#),
    write, rest, shop,
  ]

  /// Imports the sample with these records into `store` of a directory.
  static func make(in directory: Tool.Directory) throws -> String {
    let store = try Sample.make(in: directory)
    let result = try Tool.run("import", store, directory.write("records.jsonl", lines: lines))
    try #require(result.status == 0, "\(result.errors)")
    return store
  }
}
